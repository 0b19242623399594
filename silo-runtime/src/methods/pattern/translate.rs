//! From the dialect of `regex-lite` to that of ECMA-262, as far as the two can mean the same.

use std::iter::Peekable;
use std::str::Chars;

use super::PatternError;

/// What can stand before a repetition.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// Nothing to repeat: the beginning, `|`, `(`.
    Nothing,
    /// `^`, `$`, `\b`: repeating it means nothing.
    Border,
    /// A character, class or group.
    Item,
    /// A repetition already; only `?` may follow, once.
    Repetition,
    /// A repetition with its `?`.
    Lazy,
}

/// The pattern as ECMA-262 writes it, without anchors.
pub(super) fn publish(source: &str) -> Result<String, PatternError> {
    Translator { chars: source.chars().peekable(), out: String::with_capacity(source.len()) }.run()
}

struct Translator<'a> {
    chars: Peekable<Chars<'a>>,
    out: String,
}

impl Translator<'_> {
    fn run(mut self) -> Result<String, PatternError> {
        let mut before = Before::Nothing;
        let mut open: u32 = 0;
        while let Some(c) = self.chars.next() {
            before = match c {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => {
                    open += 1;
                    self.group()?
                }
                ')' => {
                    open = open
                        .checked_sub(1)
                        .ok_or_else(|| PatternError::new("a `)` closes no group; write `\\)` for the character"))?;
                    self.put(")", Before::Item)
                }
                '|' => self.put("|", Before::Nothing),
                '^' | '$' => {
                    self.out.push(c);
                    Before::Border
                }
                // ECMA leaves out four kinds of line break here, this engine one.
                '.' => self.put("[^\\n]", Before::Item),
                '*' | '+' | '?' => self.repeat(c, before)?,
                '{' => self.count(before)?,
                ']' | '}' => {
                    self.out.push('\\');
                    self.out.push(c);
                    Before::Item
                }
                _ => {
                    self.out.push(c);
                    Before::Item
                }
            };
        }
        if open > 0 {
            return Err(PatternError::new("a `(` is never closed; write `\\(` for the character"));
        }
        Ok(self.out)
    }

    fn put(&mut self, text: &str, before: Before) -> Before {
        self.out.push_str(text);
        before
    }

    fn repeat(&mut self, c: char, before: Before) -> Result<Before, PatternError> {
        let next = match before {
            Before::Item => Before::Repetition,
            Before::Repetition if c == '?' => Before::Lazy,
            Before::Nothing => {
                return Err(PatternError::new(format!(
                    "`{c}` has nothing before it to repeat; write `\\{c}` for the character"
                )));
            }
            Before::Border => return Err(PatternError::new(format!("`{c}` cannot repeat `^`, `$` or `\\b`"))),
            Before::Repetition | Before::Lazy => {
                return Err(PatternError::new(format!(
                    "`{c}` follows another repetition; put a group around what it repeats"
                )));
            }
        };
        self.out.push(c);
        Ok(next)
    }

    /// `{m}`, `{m,}`, `{m,n}`.
    fn count(&mut self, before: Before) -> Result<Before, PatternError> {
        let mut written = String::from("{");
        loop {
            match self.chars.next() {
                Some('}') => break,
                Some(c @ ('0'..='9' | ',')) => written.push(c),
                _ => {
                    return Err(PatternError::new(
                        "`{` begins a repetition such as `{2}`, `{2,}` or `{2,5}`; write `\\{` for the character",
                    ));
                }
            }
        }
        written.push('}');
        if written.starts_with("{,") || written == "{}" {
            return Err(PatternError::new(format!("`{written}` lacks its lower bound; write `{{0,n}}`")));
        }
        match before {
            Before::Item => {}
            Before::Nothing | Before::Border => {
                return Err(PatternError::new(format!("`{written}` has nothing before it to repeat")));
            }
            Before::Repetition | Before::Lazy => {
                return Err(PatternError::new(format!(
                    "`{written}` follows another repetition; put a group around what it repeats"
                )));
            }
        }
        Ok(self.put(&written, Before::Repetition))
    }

    /// What may follow `(`: nothing, `?:` or `?<name>`.
    fn group(&mut self) -> Result<Before, PatternError> {
        self.out.push('(');
        if self.chars.peek() != Some(&'?') {
            return Ok(Before::Nothing);
        }
        self.chars.next();
        match self.chars.next() {
            Some(':') => Ok(self.put("?:", Before::Nothing)),
            Some('P') => Err(PatternError::new("`(?P` is not part of JSON Schema; write a name as `(?<name>…)`")),
            Some('=' | '!') => {
                Err(PatternError::new("look-ahead `(?=…)`, `(?!…)` is not supported: it does not match in linear time"))
            }
            Some('<') => {
                if matches!(self.chars.peek(), Some('=' | '!')) {
                    return Err(PatternError::new(
                        "look-behind `(?<=…)`, `(?<!…)` is not supported: it does not match in linear time",
                    ));
                }
                // A name serves nothing in a pattern that only matches.
                while self.chars.next().is_some_and(|c| c != '>') {}
                Ok(Before::Nothing)
            }
            _ => Err(PatternError::new(
                "flags such as `(?i)` are not supported: JSON Schema has none; write `[Aa]` instead",
            )),
        }
    }

    /// After a backslash, outside a class.
    fn escape(&mut self) -> Result<Before, PatternError> {
        let Some(c) = self.chars.next() else {
            return Err(PatternError::new("it ends in a single `\\`; write `\\\\` for the character"));
        };
        match c {
            's' => return Ok(self.put("[ \\t\\n\\r\\f\\v]", Before::Item)),
            'S' => return Ok(self.put("[^ \\t\\n\\r\\f\\v]", Before::Item)),
            'b' | 'B' if self.chars.peek() == Some(&'{') => {
                return Err(PatternError::new(format!("`\\{c}{{…}}` is not part of JSON Schema")));
            }
            'b' | 'B' => {
                self.out.push('\\');
                self.out.push(c);
                return Ok(Before::Border);
            }
            _ => {}
        }
        self.shared_escape(c)?;
        Ok(Before::Item)
    }

    /// The escapes that mean the same inside and outside a class.
    fn shared_escape(&mut self, c: char) -> Result<(), PatternError> {
        match c {
            'x' if self.chars.peek() == Some(&'{') => {
                return Err(PatternError::new("`\\x{…}` is not part of JSON Schema; write `\\u{…}`"));
            }
            'd' | 'D' | 'w' | 'W' | 't' | 'n' | 'r' | 'f' | 'v' | 'x' | 'u' | '^' | '$' | '\\' | '.' | '*' | '+'
            | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => {
                self.out.push('\\');
                self.out.push(c);
            }
            '1'..='9' | 'k' => {
                return Err(PatternError::new(format!(
                    "back-references such as `\\{c}` are not supported: they do not match in linear time"
                )));
            }
            'p' | 'P' => {
                return Err(PatternError::new(format!(
                    "Unicode classes such as `\\{c}{{L}}` are not supported; list the characters"
                )));
            }
            // Needless before these, and an error in ECMA-262.
            _ if c.is_ascii_punctuation() && c != '<' && c != '>' => self.out.push(c),
            _ => return Err(PatternError::new(format!("`\\{c}` is no escape that JSON Schema knows"))),
        }
        Ok(())
    }

    /// After `[`.
    fn class(&mut self) -> Result<Before, PatternError> {
        self.out.push('[');
        if self.chars.next_if_eq(&'^').is_some() {
            self.out.push('^');
        }
        if self.chars.peek() == Some(&']') {
            return Err(PatternError::new("a class cannot be empty; write `\\]` for the character"));
        }
        // Whether the last thing was a class of its own, which cannot begin a range.
        let mut after_escape_class = false;
        loop {
            match self.chars.next() {
                None => return Err(PatternError::new("a `[` is never closed; write `\\[` for the character")),
                Some(']') => break,
                Some('[') => return Err(PatternError::new("a `[` inside a class must be written `\\[`")),
                Some('\\') => {
                    after_escape_class = self.escape_in_class()?;
                    continue;
                }
                Some('-') if after_escape_class && self.chars.peek() != Some(&']') => {
                    return Err(PatternError::new(
                        "a range cannot begin with a class such as `\\d`; write `\\-` for the character",
                    ));
                }
                Some('-') => {
                    self.out.push('-');
                    if self.chars.peek() == Some(&'\\') {
                        self.chars.next();
                        if self.escape_in_class()? {
                            return Err(PatternError::new(
                                "a range cannot end with a class such as `\\d`; write `\\-` for the character",
                            ));
                        }
                    }
                }
                Some(c @ ('&' | '~')) if self.chars.peek() == Some(&c) => {
                    return Err(PatternError::new(format!(
                        "`{c}{c}` inside a class is an operator in some dialects; write `{c}` once"
                    )));
                }
                Some(c @ ('(' | ')' | '{' | '}' | '/' | '|')) => {
                    self.out.push('\\');
                    self.out.push(c);
                }
                Some(c) => self.out.push(c),
            }
            after_escape_class = false;
        }
        Ok(self.put("]", Before::Item))
    }

    /// After a backslash inside a class; tells whether it stands for more than one character.
    fn escape_in_class(&mut self) -> Result<bool, PatternError> {
        match self.chars.next() {
            None => Err(PatternError::new("it ends in a single `\\`; write `\\\\` for the character")),
            Some('s') => {
                self.out.push_str(" \\t\\n\\r\\f\\v");
                Ok(true)
            }
            Some('S') => Err(PatternError::new(
                "`\\S` inside a class means other characters in JSON Schema; list those you mean",
            )),
            Some('b' | 'B') => Err(PatternError::new("`\\b` is no character; write `\\x08` for a backspace")),
            Some('-') => {
                self.out.push_str("\\-");
                Ok(false)
            }
            Some(c) => {
                self.shared_escape(c)?;
                Ok(matches!(c, 'd' | 'D' | 'w' | 'W'))
            }
        }
    }
}
