//! Slips that show only after the place they were made at, or that plain words about a sign would not explain.

use super::errors::{Diagnoser, Scene};
use super::grammar::Rule;
use crate::diagnostics::{Diagnostic, codes};
use crate::syntax::hints::{advice, swap};
use crate::syntax::prescan::{Bracket, Token, TokenKind};
use crate::syntax::tree::ItemWord;

/// How many tokens are looked at to find what a slip belongs to.
const REACH: usize = 400;

impl Diagnoser<'_> {
    /// What is said of a slip, if that is why parsing stopped.
    pub(super) fn slip(&self, scene: &Scene) -> Option<Diagnostic> {
        self.missing_refusal(scene)
            .or_else(|| self.record_alone(scene))
            .or_else(|| self.question_behind_name(scene))
            .or_else(|| self.assigned_value(scene))
            .or_else(|| self.missing_type(scene))
            .or_else(|| self.colon_block(scene))
            .or_else(|| self.bracketed_loop(scene))
            .or_else(|| self.block_comment(scene))
            .or_else(|| self.is_null(scene))
    }

    fn expects(scene: &Scene, rules: &[Rule]) -> bool {
        rules.iter().any(|rule| scene.stop.expected.contains(rule))
    }

    /// True if a line ends between two tokens.
    fn on_new_line(&self, before: Token, found: Token) -> bool {
        self.text.get(before.end as usize..found.start as usize).is_some_and(|gap| gap.contains(['\n', '\r']))
    }

    /// `require x` without `else`, `if a { b }` as a value, `fail` without words: said where it is missing, not at
    /// the next line.
    fn missing_refusal(&self, scene: &Scene) -> Option<Diagnostic> {
        if Self::expects(scene, &[Rule::statement, Rule::pattern, Rule::match_arm, Rule::value_arm]) {
            return None;
        }
        let before = scene.before?;
        let ends = scene.found.is_none_or(|found| {
            self.on_new_line(before, found) || matches!(found.kind, TokenKind::Close(_)) || self.word(found) == ";"
        });
        let place = self.at(before.end, before.end);
        let after = |what: &str| {
            Diagnostic::error(codes::syntax::UNEXPECTED, place, format!("expected {what} after this"))
                .label(format!("{what} is missing here"))
        };
        if Self::expects(scene, &[Rule::kw_else]) {
            let opener = self.opener_of_else(scene, before)?;
            if self.word(opener) == "if" {
                let example = "an `if` that gives a value needs both: `if condition { a } else { b }`";
                return ends.then(|| after("`else`").also(self.span(opener), "of this `if`").help(example));
            }
            if ends {
                let example = "say why a call is refused: `require condition else invalid_state \"…\"`";
                return Some(after("`else`").also(self.span(opener), "of this `require`").help(example));
            }
            let found = scene.found?;
            let next = self.scan.token_after(found.start);
            let is_text = |token: Token| matches!(token.kind, TokenKind::Text | TokenKind::TextStart);
            let refusal = is_text(found) || (found.kind == TokenKind::Word && next.is_some_and(is_text));
            if refusal {
                return Some(after("`else`").fix("insert `else`", self.at(found.start, found.start), "else "));
            }
            if self.word(found) == "," && next.is_some_and(is_text) {
                let message = "expected `else` before the message, found `,`";
                return Some(
                    Diagnostic::error(codes::syntax::UNEXPECTED, self.span(found), message).label("write `else`").fix(
                        "write `else`",
                        self.span(found),
                        " else",
                    ),
                );
            }
            return None;
        }
        let lacks_message = ends && Self::expects(scene, &[Rule::refusal, Rule::string]);
        let fails = before.kind == TokenKind::Word && self.is_in_refusal(before);
        let example = if self.word(before) == "else" { "else" } else { "fail" };
        let example = format!("say why a call is refused: `{example} invalid_state \"…\"`");
        (lacks_message && fails).then(|| after("a message").help(example))
    }

    /// True for `fail` and a bare `else`, and for the code behind them.
    fn is_in_refusal(&self, token: Token) -> bool {
        let begins = |token: Token| matches!(self.word(token), "fail" | "else");
        begins(token) || self.scan.token_before(token.start).is_some_and(begins)
    }

    /// The `require`, or the `if` without an `else`, that ends with `last`.
    fn opener_of_else(&self, scene: &Scene, last: Token) -> Option<Token> {
        let mut depth = 0_u32;
        let mut branches = 0_u32;
        let mut token = Some(last);
        for _ in 0..REACH {
            let here = token.filter(|token| token.start >= scene.region.start)?;
            match (here.kind, self.word(here)) {
                (TokenKind::Close(_) | TokenKind::TextEnd, _) => depth += 1,
                (TokenKind::Open(_) | TokenKind::TextStart, _) => depth = depth.checked_sub(1)?,
                (TokenKind::Word, "else") if depth == 0 => branches += 1,
                (TokenKind::Word, "if") if depth == 0 => match branches.checked_sub(1) {
                    Some(fewer) => branches = fewer,
                    None => return Some(here),
                },
                (TokenKind::Word, "require") if depth == 0 => return Some(here),
                _ => {}
            }
            token = self.scan.token_before(here.start);
        }
        None
    }

    /// `{ member: x }` as a statement of its own.
    fn record_alone(&self, scene: &Scene) -> Option<Diagnostic> {
        let found = scene.found.filter(|found| found.kind == TokenKind::Open(Bracket::Curly))?;
        let first = scene
            .before
            .is_some_and(|before| self.on_new_line(before, found) || before.kind == TokenKind::Open(Bracket::Curly));
        if !first || !Self::expects(scene, &[Rule::statement, Rule::rbrace]) {
            return None;
        }
        let inner = self.scan.token_after(found.start)?;
        let behind = self.scan.token_after(inner.start).map(|token| self.word(token));
        let record = match inner.kind {
            TokenKind::Close(_) => true,
            TokenKind::Word | TokenKind::Text => matches!(behind, Some(":" | "," | "}" | "?")),
            _ => self.word(inner) == "...",
        };
        let message = "expected a statement, found a record alone";
        record.then(|| {
            Diagnostic::error(codes::syntax::UNEXPECTED, self.span(found), message)
                .label("nothing is done with this record")
                .help("write `return { … }` to answer with it, or `let x = { … }` to give it a name")
        })
    }

    /// `query?: string`.
    fn question_behind_name(&self, scene: &Scene) -> Option<Diagnostic> {
        let found = scene.found.filter(|found| self.word(*found) == "?")?;
        let name = scene.before.filter(|before| before.kind == TokenKind::Word && before.end == found.start)?;
        let colon = self.scan.token_after(found.start).filter(|colon| self.word(*colon) == ":")?;
        let ty = self.scan.token_after(colon.start).filter(|ty| ty.kind == TokenKind::Word)?;
        let end = self.end_of_type(ty);
        let name = self.word(name);
        let written = self.text.get(ty.start as usize..end.end as usize).unwrap_or_default();
        let message = format!("expected the `?` behind the type, found it behind the name `{name}`");
        let mut diagnostic = Diagnostic::error(codes::syntax::FOREIGN, self.span(found), message);
        diagnostic = if written.len() <= 40 && !written.contains(['\n', '\r']) {
            diagnostic.label(format!("write `{name}: {written}?`"))
        } else {
            diagnostic.label("a value that may be missing has a type such as `string?`")
        };
        diagnostic = diagnostic.fix("move it behind the type", self.span(found), "");
        let marked = self.scan.token_after(end.start).is_some_and(|next| self.word(next) == "?");
        Some(if marked {
            diagnostic
        } else {
            diagnostic.fix("move it behind the type", self.at(end.end, end.end), "?")
        })
    }

    /// The last token of a type that begins with a word, its `?` left out.
    fn end_of_type(&self, first: Token) -> Token {
        let mut end = first;
        for (open, close) in [("<", ">"), ("(", ")")] {
            let Some(next) = self.scan.token_after(end.start).filter(|next| self.word(*next) == open) else { continue };
            let mut depth = 0_u32;
            let mut token = next;
            for _ in 0..REACH {
                depth += u32::from(self.word(token) == open);
                depth = depth.saturating_sub(u32::from(self.word(token) == close));
                if depth == 0 {
                    end = token;
                    break;
                }
                let Some(following) = self.scan.token_after(token.start) else { break };
                token = following;
            }
        }
        end
    }

    /// `rows.first()!.n = 3`: what is assigned to begins with a name and goes on with names and keys.
    fn assigned_value(&self, scene: &Scene) -> Option<Diagnostic> {
        let found = scene.found.filter(|found| matches!(self.word(*found), "=" | "+=" | "-="))?;
        let field = scene.before.filter(|before| before.kind == TokenKind::Word)?;
        let stops_in_call = Self::expects(scene, &[Rule::args, Rule::lparen])
            && !Self::expects(scene, &[Rule::infix, Rule::assign_op, Rule::equals, Rule::colon]);
        if !stops_in_call {
            return None;
        }
        let dot = self.scan.token_before(field.start).filter(|dot| matches!(self.word(*dot), "." | "?."))?;
        let start = self.head_of_chain(scene, dot).map_or(dot.start, |head| head.start);
        let value = self.text.get(start as usize..dot.start as usize).unwrap_or_default();
        let field = self.word(field);
        let value = if value.is_empty() || value.len() > 60 || value.contains(['\n', '\r']) { "…" } else { value };
        let message = format!("expected a name, its fields and keys before `{}`, found a value", self.word(found));
        Some(
            Diagnostic::error(codes::syntax::UNEXPECTED, self.span(found), message)
                .label("a call or `!` stands before this")
                .help(format!(
                    "give the row a name first: `let row = {value}`, then `row.{field} {} …`",
                    self.word(found)
                )),
        )
    }

    /// The name that `a["b"].c()!` before a dot begins with.
    fn head_of_chain(&self, scene: &Scene, dot: Token) -> Option<Token> {
        let mut depth = 0_u32;
        let mut token = dot;
        for _ in 0..REACH {
            token = self.scan.token_before(token.start).filter(|token| token.start >= scene.region.start)?;
            match token.kind {
                TokenKind::Close(_) | TokenKind::TextEnd => depth += 1,
                TokenKind::Open(_) | TokenKind::TextStart => depth = depth.checked_sub(1)?,
                TokenKind::Word if depth == 0 => {
                    let before = self.scan.token_before(token.start);
                    if !before.is_some_and(|before| matches!(self.word(before), "." | "?.")) {
                        return Some(token);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// `const z = 3`: a constant and a state field name their type.
    fn missing_type(&self, scene: &Scene) -> Option<Diagnostic> {
        let found = scene.found.filter(|found| self.word(*found) == "=")?;
        let name = scene.before.filter(|before| before.kind == TokenKind::Word)?;
        let item = scene.region.word.filter(|item| matches!(item, ItemWord::Const | ItemWord::State))?;
        let only_colon = Self::expects(scene, &[Rule::colon]) && !Self::expects(scene, &[Rule::infix, Rule::question]);
        if !only_colon {
            return None;
        }
        let value = self.scan.token_after(found.start)?;
        let ty = match (value.kind, self.word(value)) {
            (TokenKind::Number, number) if number.contains('.') => "decimal",
            (TokenKind::Number, _) => "int",
            (TokenKind::Text | TokenKind::TextStart, _) => "string",
            (TokenKind::Date, date) if date.contains('T') => "datetime",
            (TokenKind::Date, _) => "date",
            (TokenKind::Word, "true" | "false") => "bool",
            _ => "",
        };
        let what = if item == ItemWord::Const { "constant" } else { "state field" };
        let written = self.word(name);
        let shown = if item == ItemWord::Const {
            format!("const {}", written.to_ascii_uppercase())
        } else {
            written.to_owned()
        };
        let diagnostic = Diagnostic::error(
            codes::syntax::UNEXPECTED,
            self.at(name.end, name.end),
            format!("expected `:` and the type of the {what} after this"),
        );
        let value = self.word(value);
        Some(match ty {
            "" => diagnostic.label("the type is missing here").help(format!("write it as in `{shown}: int = 3`")),
            ty if value.len() <= 30 && !value.contains(['\n', '\r']) => diagnostic
                .label(format!("write `{shown}: {ty} = {value}`"))
                .fix("name the type", self.at(name.end, name.end), format!(": {ty}")),
            ty => diagnostic.label("the type is missing here").fix(
                "name the type",
                self.at(name.end, name.end),
                format!(": {ty}"),
            ),
        })
    }

    /// `if x:`.
    fn colon_block(&self, scene: &Scene) -> Option<Diagnostic> {
        let found = scene.found.filter(|found| self.word(*found) == ":")?;
        let wanted = Self::expects(scene, &[Rule::block, Rule::lbrace]) && !Self::expects(scene, &[Rule::by]);
        let next = self.scan.token_after(found.start).filter(|next| next.end <= scene.region.end);
        let ends_line = next.is_none_or(|next| self.on_new_line(found, next));
        (wanted && ends_line).then(|| {
            advice(":", "`{`").because("a block stands in braces, as in `if a { b }`").diagnostic(self.span(found))
        })
    }

    /// `for (x of xs)`.
    fn bracketed_loop(&self, scene: &Scene) -> Option<Diagnostic> {
        let found = scene.found.filter(|found| found.kind == TokenKind::Open(Bracket::Round))?;
        let keyword = scene.before.filter(|before| self.word(*before) == "for")?;
        if !Self::expects(scene, &[Rule::name]) {
            return None;
        }
        let habit = advice("(", "`for x in xs { … }`").because("the head of a loop has no parentheses");
        let diagnostic = habit.diagnostic(self.span(found));
        let Some((name, source, close)) = self.loop_head(found) else {
            return Some(diagnostic.help("to count, write `for i in range(0, n) { … }`"));
        };
        let head = format!("{} in ", self.word(name));
        let start = if keyword.end == found.start { format!(" {head}") } else { head };
        let message = "write it without parentheses";
        let diagnostic = diagnostic.fix(message, self.at(found.start, source.start), start);
        Some(diagnostic.fix(message, self.span(close), ""))
    }

    /// The name, the first token of the source and the closing bracket of `(const x of xs)`.
    fn loop_head(&self, open: Token) -> Option<(Token, Token, Token)> {
        let mut name = self.scan.token_after(open.start)?;
        if matches!(self.word(name), "const" | "let" | "var" | "mut") {
            name = self.scan.token_after(name.start)?;
        }
        let word = self.scan.token_after(name.start).filter(|word| matches!(self.word(*word), "of" | "in"))?;
        let source = self.scan.token_after(word.start)?;
        let mut depth = 1_u32;
        let mut token = source;
        for _ in 0..REACH {
            match token.kind {
                TokenKind::Open(_) | TokenKind::TextStart => depth += 1,
                TokenKind::Close(_) | TokenKind::TextEnd => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return (name.kind == TokenKind::Word).then_some((name, source, token));
            }
            token = self.scan.token_after(token.start)?;
        }
        None
    }

    /// `/* … */`.
    fn block_comment(&self, scene: &Scene) -> Option<Diagnostic> {
        let found = scene.found?;
        let slash = match self.word(found) {
            "/" => found,
            "*" | "**" => scene.before.filter(|before| self.word(*before) == "/")?,
            _ => return None,
        };
        let star = self.scan.token_after(slash.start)?;
        let opens = star.start == slash.end && self.word(star).starts_with('*');
        opens.then(|| {
            Diagnostic::error(codes::syntax::FOREIGN, self.at(slash.start, slash.end + 1), "expected `//`, found `/*`")
                .label("no comment of the language")
                .help("a comment begins with `//` and ends with its line")
        })
    }

    /// `x is None`, `x is not None`.
    fn is_null(&self, scene: &Scene) -> Option<Diagnostic> {
        let is = [scene.found, scene.before].into_iter().flatten().find(|token| self.word(*token) == "is")?;
        let next = self.scan.token_after(is.start)?;
        let negated = self.word(next) == "not";
        let value = if negated { self.scan.token_after(next.start)? } else { next };
        if !matches!(self.word(value), "None" | "null" | "nil" | "NULL" | "undefined") {
            return None;
        }
        let habit = if negated { swap("is not", "`!= null`", "!= null") } else { swap("is", "`== null`", "== null") };
        let span = self.at(is.start, value.end);
        let replacement = habit.replacement.unwrap_or_default();
        Some(habit.diagnostic(span).fix(format!("write `{replacement}`"), span, replacement))
    }
}
