//! Habits from other languages, where parsing stops at one.

use super::errors::{Diagnoser, Scene};
use super::grammar::Rule;
use crate::diagnostics::{Diagnostic, codes};
use crate::syntax::hints::{self, Habit, advice, swap};
use crate::syntax::prescan::{Bracket, Token, TokenKind};

const NOT: Habit = swap("!", "`not`", "not ").because("`!` stands after a value and says that it is not null");
const CLOSURE: Habit = advice("=>", "`|x| …` for a closure")
    .because("the parameters stand between bars, as in `rows.map(|row| row.name)`");
const PREFIX: Habit = swap("f", "the string alone", "").because("every string may hold `{…}`");

/// Habits from other languages.
impl Diagnoser<'_> {
    /// What is said of a sign or word of another language, if that is what parsing stopped at.
    pub(super) fn habit(&self, scene: &Scene, unbalanced: bool) -> Option<Diagnostic> {
        let expects = |rules: &[Rule]| rules.iter().any(|rule| scene.stop.expected.contains(rule));
        let before = scene.before.map(|token| (token, self.word(token)));
        if let Some(found) = scene.found {
            let written = self.word(found);
            let starts_value =
                expects(&[Rule::expr, Rule::operand, Rule::expr_nr, Rule::operand_nr, Rule::chain, Rule::arg]);
            if let Some(diagnostic) = self.foreign_form(scene, found) {
                return Some(diagnostic);
            }
            match written {
                "!" if starts_value => {
                    return Some(self.of_habit(found, NOT));
                }
                "=>" if expects(&[Rule::arrow]) => return Some(self.of_habit(found, swap("=>", "`->`", "->"))),
                "=>" => {
                    return Some(self.of_habit(found, CLOSURE));
                }
                "->" if expects(&[Rule::colon]) => return Some(self.result_type(scene, found)),
                "->" | ":" if expects(&[Rule::by, Rule::kw_by]) => return Some(self.tool_result(scene, found)),
                "=" if unbalanced || !expects(&[Rule::infix]) || expects(&[Rule::assign_op]) => {}
                "=" if expects(&[Rule::block, Rule::lbrace, Rule::kw_else]) => {
                    return Some(self.of_habit(found, swap("=", "`==` to compare", "==")));
                }
                "=" if expects(&[Rule::rparen]) && before.is_some_and(|(token, _)| token.kind == TokenKind::Word) => {
                    let start = before.map_or(found.start, |(token, _)| token.end);
                    let habit = advice("=", "`:` between the name and the value of an argument");
                    let diagnostic = habit.diagnostic(self.span(found));
                    return Some(diagnostic.fix("write a colon", self.at(start, found.end), ":"));
                }
                "of" if before.is_some_and(|(token, _)| token.kind == TokenKind::Word) && expects(&[Rule::kw_in]) => {
                    return Some(self.of_habit(found, swap("of", "`in`", "in")));
                }
                "default" | "_" if expects(&[Rule::pattern, Rule::match_arm, Rule::value_arm]) => {
                    let found_word = if written == "_" { "_" } else { "default" };
                    return Some(self.of_habit(found, swap(found_word, "`else`", "else")));
                }
                "||" if starts_value => {
                    return Some(self.of_habit(found, advice("||", "a parameter between the bars, `|x|`")));
                }
                _ => {}
            }
            if let Some((before, prefix)) = before
                && matches!(found.kind, TokenKind::Text | TokenKind::TextStart)
                && before.end == found.start
                && is_prefix(prefix)
            {
                return Some(self.of_habit(before, PREFIX));
            }
            let text_follows = self.scan.token_after(found.start).is_some_and(|next| {
                next.start == found.end && matches!(next.kind, TokenKind::Text | TokenKind::TextStart)
            });
            if text_follows && found.kind == TokenKind::Word && is_prefix(written) {
                return Some(self.of_habit(found, PREFIX));
            }
            if expects(&[Rule::type_, Rule::base])
                && let Some(habit) = hints::type_name(written)
            {
                return Some(self.of_habit(found, habit));
            }
            if found.kind == TokenKind::Sign
                && let Some(habit) = hints::sign(written)
            {
                return Some(self.of_habit(found, habit));
            }
            let begins = expects(&[Rule::item, Rule::EOI, Rule::statement, Rule::rbrace]);
            if begins && let Some(habit) = hints::word(written) {
                let habit = at_margin(habit, scene.region.start == found.start);
                return Some(self.of_habit(found, habit));
            }
        }
        // `elif x`, `while x`, `throw x` are read as a name, and what follows is what cannot be.
        let (before, written) = before?;
        if written == "mut" {
            return Some(self.of_habit(before, advice("mut", "`var x` for a local that changes")));
        }
        let fits = before.kind == TokenKind::Word
            && expects(&[Rule::assign_op, Rule::args, Rule::step, Rule::infix, Rule::link]);
        let habit = hints::word(written).filter(|_| fits)?;
        Some(self.of_habit(before, habit))
    }

    /// Forms of several tokens: `int[]`, `P | null`, `0..3`, `if a then b`.
    fn foreign_form(&self, scene: &Scene, found: Token) -> Option<Diagnostic> {
        let expects = |rules: &[Rule]| rules.iter().any(|rule| scene.stop.expected.contains(rule));
        let before = scene.before?;
        let next = self.scan.token_after(found.start).filter(|next| next.end <= scene.region.end);
        let (last, following) = (self.word(before), next.map(|next| self.word(next)));
        match self.word(found) {
            "[" if following == Some("]") && before.kind == TokenKind::Word && expects(&[Rule::question]) => {
                let whole = self.at(before.start, next?.end);
                let message = format!("expected `list<{last}>`, found `{last}[]`");
                let diagnostic =
                    Diagnostic::error(codes::syntax::FOREIGN, whole, message).label("no type of the language");
                Some(diagnostic.fix("write it so", whole, format!("list<{last}>")))
            }
            "|" if matches!(following, Some("null" | "None" | "undefined")) && expects(&[Rule::question]) => {
                let whole = self.at(found.start, next?.end);
                let diagnostic = advice("|", "`?`").because("the type of a value that may be missing ends with it");
                let diagnostic = diagnostic.diagnostic(whole);
                Some(diagnostic.fix("write `?`", self.at(before.end, next?.end), "?"))
            }
            ".." if expects(&[Rule::block, Rule::lbrace]) => {
                let diagnostic = advice("..", "`range(from, to)`").because("it counts up to `to`, without it");
                let diagnostic = diagnostic.diagnostic(self.span(found));
                let simple = |token: Token| matches!(token.kind, TokenKind::Number | TokenKind::Word);
                let alone = self.scan.token_before(before.start).is_some_and(|token| self.word(token) == "in")
                    && next.and_then(|to| self.scan.token_after(to.start)).is_some_and(|token| self.word(token) == "{");
                match next.filter(|next| alone && simple(*next) && simple(before)) {
                    Some(to) => {
                        let written = format!("range({last}, {})", self.word(to));
                        Some(diagnostic.fix(format!("write `{written}`"), self.at(before.start, to.end), written))
                    }
                    None => Some(diagnostic),
                }
            }
            "then" if expects(&[Rule::block, Rule::lbrace]) => {
                Some(self.of_habit(found, advice("then", "`if a { b } else { c }`")))
            }
            "==" if before.kind == TokenKind::Word && expects(&[Rule::equals]) && !expects(&[Rule::infix]) => {
                Some(self.of_habit(found, swap("==", "`=` to give a value", "=")))
            }
            ";" if expects(&[Rule::comma]) && !expects(&[Rule::statement]) => {
                Some(self.of_habit(found, swap(";", "`,`", ",")))
            }
            _ => None,
        }
    }

    /// `-> T` behind the parameters of a function.
    fn result_type(&self, scene: &Scene, found: Token) -> Diagnostic {
        let start = scene.before.map_or(found.start, |before| before.end);
        let habit = advice("->", "`: T` for the type of the result");
        habit.diagnostic(self.span(found)).fix("write a colon", self.at(start, found.end), ":")
    }

    /// A type behind the parameters of a tool.
    fn tool_result(&self, scene: &Scene, found: Token) -> Diagnostic {
        let message = format!("expected the block of the tool, found `{}`", self.word(found));
        let diagnostic = Diagnostic::error(codes::syntax::UNEXPECTED, self.span(found), message)
            .label("a tool names no type")
            .note("the type of a tool's output is that of what it returns");
        let name = self.scan.token_after(found.start).filter(|token| token.kind == TokenKind::Word);
        let brace = name.and_then(|name| self.scan.token_after(name.start));
        match brace.filter(|brace| brace.kind == TokenKind::Open(Bracket::Curly)) {
            Some(brace) => {
                let start = scene.before.map_or(found.start, |before| before.end);
                diagnostic.fix("remove the type", self.at(start, brace.start), " ")
            }
            None => diagnostic.help("remove the type"),
        }
    }

    /// The diagnostic for a habit at a token, with its fix.
    fn of_habit(&self, token: Token, habit: Habit) -> Diagnostic {
        let diagnostic = habit.diagnostic(self.span(token));
        let Some(replacement) = habit.replacement else { return diagnostic };
        // A word that goes takes the blank behind it along.
        let blank = self.text.as_bytes().get(token.end as usize) == Some(&b' ');
        let takes_blank = replacement.is_empty() && token.kind == TokenKind::Word && blank;
        let end = token.end + u32::from(takes_blank);
        let start = if replacement.starts_with(' ') { self.tight_start(token) } else { token.start };
        let message = match replacement.trim() {
            "" => "remove it".to_owned(),
            replacement => format!("write `{replacement}`"),
        };
        diagnostic.fix(message, self.at(start, end), replacement)
    }

    /// Where the blanks before a token begin.
    fn tight_start(&self, token: Token) -> u32 {
        let before = self.text.get(..token.start as usize).unwrap_or_default();
        u32::try_from(before.trim_end_matches([' ', '\t']).len()).unwrap_or(token.start)
    }
}

/// True for what other languages write before the quote of a string.
fn is_prefix(word: &str) -> bool {
    matches!(word, "f" | "F" | "r" | "b" | "fr" | "rf")
}

/// At the left margin, only words for items help.
fn at_margin(habit: Habit, margin: bool) -> Habit {
    match habit.found {
        "type" | "class" | "struct" | "interface" => habit,
        _ if margin && habit.replacement == Some("let") => advice(habit.found, "`const NAME: type = value`"),
        _ => habit,
    }
}
