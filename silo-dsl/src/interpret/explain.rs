//! Checks that explain themselves.

use super::reader::Reader;
use super::stop::Eval;
use super::view::Scoped;
use crate::ir::CheckStmt;
use silo_runtime::value::dynamic::Value;

impl<'a> Reader<'a> {
    /// Whether the condition of a check holds, and what was seen. Null counts as false.
    pub(super) fn explained(&self, scope: Scoped<'a, '_>, check: &'a CheckStmt) -> Eval<(bool, String)> {
        let view = self.view(scope, check.condition)?;
        let passed = matches!(view.value(), Some(Value::Bool(true)));
        Ok((passed, check.source.to_string()))
    }
}
