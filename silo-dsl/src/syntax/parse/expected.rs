//! What could stand where parsing stopped, in words.

use super::grammar::Rule;

/// The sign whose absence makes a rule fail, if one sign begins it.
pub(super) fn sign(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::comma => ",",
        Rule::colon => ":",
        Rule::equals => "=",
        Rule::dots => "...",
        Rule::bar | Rule::closure => "|",
        Rule::arrow => "->",
        Rule::lbrace | Rule::fields | Rule::block | Rule::record_lit | Rule::shape => "{",
        Rule::rbrace => "}",
        Rule::lparen | Rule::params | Rule::args => "(",
        Rule::rparen => ")",
        Rule::lbracket | Rule::list_lit => "[",
        Rule::rbracket => "]",
        Rule::langle => "<",
        Rule::rangle => ">",
        _ => return None,
    })
}

/// How a message names what a rule reads.
fn words(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::EOI | Rule::item | Rule::one_item | Rule::file => "an item such as `tool` or `entity`",
        Rule::name | Rule::word => "a name",
        Rule::TypeName => "the name of a type, which begins with an upper-case letter",
        Rule::type_ | Rule::base | Rule::prim => "a type",
        Rule::plain => "a string without holes",
        Rule::string => "a string",
        Rule::number | Rule::integer | Rule::decimal => "a number",
        Rule::format => "a format such as `.2` or `,`",
        Rule::expr
        | Rule::operand
        | Rule::chain
        | Rule::atom
        | Rule::expr_nr
        | Rule::operand_nr
        | Rule::chain_nr
        | Rule::atom_nr => "an expression",
        Rule::statement => "a statement",
        Rule::pattern | Rule::literal | Rule::match_arm | Rule::value_arm => "a literal or `else`",
        Rule::arg => "an argument",
        Rule::param => "a parameter",
        Rule::member => "a member",
        Rule::field | Rule::state_field | Rule::shape_field => "a field",
        Rule::setting => "a setting",
        Rule::task_part => "a part of the task",
        Rule::limit => "a limit",
        Rule::change | Rule::path | Rule::place => "a path such as `orders.status`",
        Rule::rule_on => "a tool and its parameters",
        Rule::call_tool => "a call",
        Rule::refusal => "a message",
        Rule::assign_op => "`=`",
        _ => return keyword(rule),
    })
}

macro_rules! keywords {
    ($($rule:ident $text:literal)*) => {
        /// The keyword that a rule reads.
        fn keyword(rule: Rule) -> Option<&'static str> {
            match rule {
                $(Rule::$rule => Some(concat!("`", $text, "`")),)*
                _ => None,
            }
        }
    };
}

keywords! {
    kw_as "as" kw_by "by" kw_else "else" kw_for "for" kw_from "from" kw_if "if" kw_in "in" kw_let "let"
    kw_nothing "nothing" kw_on "on" kw_only "only" kw_reference "reference" kw_weight "weight" kw_where "where"
    kw_world "world" kw_optional "optional" kw_ignoring "ignoring" kw_int "int" kw_local "local"
    kw_added "added" kw_removed "removed" kw_changed "changed"
    by "by" family "for" source "from" wire "as" kw_expect "expect" expect "expect"
}

/// Rules that could go on with what stands before, but hardly what the author forgot.
fn is_optional(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::link
            | Rule::step
            | Rule::infix
            | Rule::args
            | Rule::bang
            | Rule::qdot
            | Rule::dot
            | Rule::question
            | Rule::limits
            | Rule::wire
            | Rule::by
            | Rule::expect
            | Rule::kw_weight
            | Rule::kw_ignoring
            | Rule::path_fields
            | Rule::lbracket
            | Rule::kw_int
            | Rule::kw_local
    )
}

/// "`,` or `}`": at most four of what could stand there, the least likely left out.
pub(super) fn list(rules: &[Rule]) -> String {
    let mut names: Vec<String> = Vec::new();
    let likely = rules.iter().filter(|rule| !is_optional(**rule));
    let unlikely = rules.iter().filter(|rule| is_optional(**rule));
    for rule in likely {
        add(&mut names, *rule);
    }
    if names.is_empty() {
        for rule in unlikely {
            add(&mut names, *rule);
        }
    }
    names.truncate(4);
    match names.as_slice() {
        [] => "something else".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

fn add(names: &mut Vec<String>, rule: Rule) {
    let name = match (words(rule), sign(rule)) {
        (Some(words), _) => words.to_owned(),
        (None, Some(sign)) => format!("`{sign}`"),
        (None, None) => return,
    };
    if !names.contains(&name) {
        names.push(name);
    }
}
