use super::super::reader::Reader;
use super::super::stop::{Eval, Stop};
use super::{Arguments, unknown};
use crate::ir::Method;
use silo_runtime::methods;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::Value;
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// A method of text.
    pub(super) fn text_method(&self, text: &Text, method: Method, args: &Arguments<'_, 'a, '_>) -> Eval<Value> {
        use methods::text as of;
        self.charge_text(text)?;
        Ok(match method {
            Method::Lower => Value::Text(of::lower(text)),
            Method::Upper => Value::Text(of::upper(text)),
            Method::Trim => Value::Text(of::trim(text)),
            Method::Len => Value::Int(of::len(text)),
            Method::ContainsText | Method::Contains => Value::Bool(of::contains(text, &args.text(0)?)),
            Method::StartsWith => Value::Bool(of::starts_with(text, &args.text(0)?)),
            Method::EndsWith => Value::Bool(of::ends_with(text, &args.text(0)?)),
            Method::Replace => Value::Text(of::replace(text, &args.text(0)?, &args.text(1)?)?),
            Method::Split => {
                let separator = args.text(0)?;
                let parts: Vec<Value> = of::split(text, &separator).map(Value::Text).collect();
                self.charge(parts.len())?;
                Value::List(Arc::new(parts))
            }
            Method::Slice => {
                let to = if args.has(1) { Some(args.int(1)?) } else { None };
                Value::Text(of::slice(text, args.int(0)?, to))
            }
            Method::PadStart => Value::Text(of::pad_start(text, args.int(0)?, &args.text(1)?)?),
            Method::Matches => {
                let pattern = args.code(0).and_then(|code| self.env.facts(self.function).ok()?.pattern(code));
                Value::Bool(pattern.ok_or_else(|| Stop::broken("a pattern is no literal"))?.matches(text))
            }
            Method::ToInt => of::to_int(text).map_or(Value::Null, Value::Int),
            Method::ToDecimal => of::to_decimal(text).map_or(Value::Null, Value::Decimal),
            Method::Calculate => Value::Decimal(methods::calculate::calculate(text)?),
            _ => return Err(unknown()),
        })
    }
}
