use super::{Block, Expr, Type};
use crate::diagnostics::Span;
use silo_runtime::value::Text;

/// An expression of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExprId(pub u32);

/// A local of a [`Body`]: its place in the frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot(pub u32);

/// The code of one function-like thing. Closures share the frame of the body they stand in: their parameters are slots too.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// All expressions, children before parents.
    pub exprs: Vec<Expr>,
    /// All locals: parameters first, then `let`, `var`, loop variables, closure parameters and hidden temporaries.
    pub locals: Vec<Local>,
    /// The statements. A body that is one expression is a block with one `return`.
    pub block: Block,
}

/// A local.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; hidden temporaries have none.
    pub name: Option<Text>,
    /// Its declared or inferred type.
    pub ty: Type,
    /// Whether it is a `var`.
    pub mutable: bool,
    /// Where it is declared.
    pub span: Span,
}

impl Body {
    /// The expression with this id.
    pub fn expr(&self, id: ExprId) -> Option<&Expr> {
        self.exprs.get(id.0 as usize)
    }
}
