//! The parser that `pest` generates from `grammar.pest`.

pub(super) use generated::{Rule, SiloParser};

mod generated {
    /// Parses by the rules of `grammar.pest`.
    #[derive(pest_derive::Parser)]
    #[grammar = "syntax/grammar.pest"]
    pub(crate) struct SiloParser;
}

pub(super) type Pair<'a> = pest::iterators::Pair<'a, Rule>;

/// The parts of a pair, with the separators left out.
///
/// `...`, `?.` and `?` carry meaning and stay.
pub(super) struct Parts<'a> {
    pairs: std::iter::Peekable<pest::iterators::Pairs<'a, Rule>>,
}

impl<'a> Parts<'a> {
    pub(super) fn of(pair: Pair<'a>) -> Self {
        Self { pairs: pair.into_inner().peekable() }
    }

    fn skip_separators(&mut self) {
        while self.pairs.next_if(|pair| is_separator(pair.as_rule())).is_some() {}
    }

    /// The next part if it is of this rule.
    pub(super) fn next_if(&mut self, rule: Rule) -> Option<Pair<'a>> {
        self.skip_separators();
        self.pairs.next_if(|pair| pair.as_rule() == rule)
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Pair<'a>;

    fn next(&mut self) -> Option<Pair<'a>> {
        self.skip_separators();
        self.pairs.next()
    }
}

fn is_separator(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::comma
            | Rule::colon
            | Rule::equals
            | Rule::dot
            | Rule::bar
            | Rule::arrow
            | Rule::lbrace
            | Rule::rbrace
            | Rule::lparen
            | Rule::rparen
            | Rule::lbracket
            | Rule::rbracket
            | Rule::langle
            | Rule::rangle
            | Rule::EOI
    )
}
