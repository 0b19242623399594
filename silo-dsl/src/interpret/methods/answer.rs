use super::super::reader::Reader;
use super::super::stop::{Eval, Stop};
use super::Arguments;
use crate::ir::Method;
use silo_runtime::value::dynamic::Value;

/// Whether a method is one of `answer`.
pub(super) fn is_of_answer(method: Method) -> bool {
    matches!(
        method,
        Method::AnswerNumber
            | Method::AnswerNumbers
            | Method::Mentions
            | Method::States
            | Method::Names
            | Method::NamesOnly
    )
}

impl<'a> Reader<'a> {
    /// A method of `answer`, on its text.
    pub(super) fn answer_method(&self, method: Method, args: &Arguments<'_, 'a, '_>) -> Eval<Value> {
        let _ = (method, args);
        Err(Stop::broken("methods of answers are missing"))
    }
}
