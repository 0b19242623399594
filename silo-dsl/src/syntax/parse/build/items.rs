//! Items.

use super::{Builder, is};
use crate::diagnostics::Span;
use crate::syntax::parse::grammar::{Pair, Parts, Rule};
use crate::syntax::tree::{
    Action, Case, Const, DataSource, Derived, Entity, Enum, EnumMember, Environment, Family, Field, FieldMember,
    FieldType, Function, FunctionBody, Group, Init, Invariant, Item, ItemKind, KeyKind, KeyType, LabelField, Name,
    Param, ParamKind, Params, Quoted, Record, Rule as RuleItem, RuleTarget, Setting, State, StateField, Task, TaskPart,
    TaskPartKind, Tool, Use, Verifier, VerifyPart,
};

impl<'a> Builder<'a> {
    pub(super) fn item(&mut self, pair: Pair<'a>) -> Option<Item> {
        let span = self.span(&pair);
        let pair = Parts::of(pair).next()?;
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        // The word that begins the item.
        parts.next()?;
        let kind = match rule {
            Rule::use_item => ItemKind::Use(Use { path: self.quoted(&parts.next()?) }),
            Rule::environment => ItemKind::Environment(self.environment(parts)?),
            Rule::enum_item => ItemKind::Enum(self.enum_(parts)?),
            Rule::record => {
                let (name, members) = self.record(parts)?;
                ItemKind::Record(Record { name, members })
            }
            Rule::entity => {
                let (name, members) = self.record(parts)?;
                ItemKind::Entity(Entity { name, members })
            }
            Rule::const_item => ItemKind::Const(self.const_(parts)?),
            Rule::state => ItemKind::State(self.state(parts)?),
            Rule::fn_item => ItemKind::Function(self.function(parts)?),
            Rule::action => ItemKind::Action(self.action(parts)?),
            Rule::tool => ItemKind::Tool(self.tool(parts)?),
            Rule::rule_item => ItemKind::Rule(self.rule(parts)?),
            Rule::invariant => {
                let label = self.quoted(&parts.next_if(Rule::plain)?);
                ItemKind::Invariant(Invariant { label, condition: self.expr(parts.next()?)? })
            }
            Rule::verifier => {
                let name = self.declared(&mut parts)?;
                let params = self.params(parts.next()?)?;
                ItemKind::Verifier(Verifier { name, params, body: self.block(parts.next()?)? })
            }
            Rule::task => ItemKind::Task(self.task(parts)?),
            _ => return None,
        };
        Some(Item { docs: self.docs(span), kind, span })
    }

    /// A name that an item declares. How it is spelt is checked with the declarations.
    fn declared(&mut self, parts: &mut Parts<'a>) -> Option<Name> {
        Some(self.name(&parts.next_if(Rule::name)?))
    }

    fn environment(&mut self, mut parts: Parts<'a>) -> Option<Environment> {
        let name = self.declared(&mut parts)?;
        let mut settings: Vec<Setting> = Vec::new();
        for part in parts {
            let setting = self.setting(part)?;
            self.check_comma(settings.last().map(|before| before.span), setting.span);
            settings.push(setting);
        }
        Some(Environment { name, settings })
    }

    fn setting(&mut self, pair: Pair<'a>) -> Option<Setting> {
        let span = self.span(&pair);
        // Settings are for people; what stands beside one documents nothing that an agent reads.
        self.docs(span);
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.next_if(Rule::word)?);
        Some(Setting { name, value: self.expr(parts.next()?)?, span })
    }

    fn enum_(&mut self, mut parts: Parts<'a>) -> Option<Enum> {
        let name = self.name(&parts.next_if(Rule::TypeName)?);
        let mut members: Vec<EnumMember> = Vec::new();
        for part in parts {
            let value = self.quoted(&part);
            self.check_comma(members.last().map(|before| before.value.span), value.span);
            members.push(EnumMember { docs: self.docs(value.span), value });
        }
        Some(Enum { name, members })
    }

    fn record(&mut self, mut parts: Parts<'a>) -> Option<(Name, Vec<FieldMember>)> {
        let name = self.name(&parts.next_if(Rule::TypeName)?);
        Some((name, self.fields(parts.next()?)?))
    }

    fn fields(&mut self, pair: Pair<'a>) -> Option<Vec<FieldMember>> {
        let mut members = Vec::new();
        let mut before = None;
        for part in Parts::of(pair) {
            let span = self.span(&part);
            self.check_comma(before, span);
            before = Some(span);
            members.push(self.field_member(part, span)?);
        }
        Some(members)
    }

    fn field_member(&mut self, pair: Pair<'a>, span: Span) -> Option<FieldMember> {
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        Some(match rule {
            Rule::label => {
                parts.next_if(Rule::kw_label)?;
                self.docs(span);
                FieldMember::Label(LabelField { field: self.name(&parts.next()?), span })
            }
            Rule::case => {
                parts.next_if(Rule::kw_case)?;
                let value = self.quoted(&parts.next_if(Rule::plain)?);
                let members = self.fields(parts.next()?)?;
                FieldMember::Case(Case { docs: self.docs(span), value, members, span })
            }
            Rule::derived => {
                parts.next_if(Rule::kw_derived)?;
                let name = self.field_name(&mut parts)?;
                let ty = self.ty(parts.next_if(Rule::type_)?)?;
                let wire = self.wire(&mut parts);
                let value = self.expr(parts.next()?)?;
                FieldMember::Derived(Derived { docs: self.docs(span), name, ty, wire, value, span })
            }
            _ => {
                let name = self.field_name(&mut parts)?;
                let ty = parts.next()?;
                let ty = match ty.as_rule() {
                    Rule::key_type => FieldType::Key(self.key_type(ty)?),
                    _ => FieldType::Type(self.ty(ty)?),
                };
                let wire = self.wire(&mut parts);
                let default = match parts.next_if(Rule::expr) {
                    Some(value) => Some(self.expr(value)?),
                    None => None,
                };
                FieldMember::Field(Field { docs: self.docs(span), name, ty, wire, default, span })
            }
        })
    }

    fn field_name(&mut self, parts: &mut Parts<'a>) -> Option<Name> {
        Some(self.name(&parts.next_if(Rule::word)?))
    }

    fn wire(&mut self, parts: &mut Parts<'a>) -> Option<Quoted> {
        let plain = Parts::of(parts.next_if(Rule::wire)?).find(|part| is(part, Rule::plain))?;
        Some(self.quoted(&plain))
    }

    fn key_type(&mut self, pair: Pair<'a>) -> Option<KeyType> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        parts.next_if(Rule::kw_key)?;
        let (mut kind, mut pattern) = (None, None);
        for part in parts {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::kw_int => kind = Some((KeyKind::Int, place)),
                Rule::kw_local => kind = Some((KeyKind::Local, place)),
                _ => pattern = Some(self.string(part)?),
            }
        }
        Some(KeyType { kind, pattern, span })
    }

    fn state(&mut self, parts: Parts<'a>) -> Option<State> {
        let mut fields: Vec<StateField> = Vec::new();
        for part in parts {
            let field = self.state_field(part)?;
            self.check_comma(fields.last().map(|before| before.span), field.span);
            fields.push(field);
        }
        Some(State { fields })
    }

    fn state_field(&mut self, pair: Pair<'a>) -> Option<StateField> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let name = self.field_name(&mut parts)?;
        let ty = self.ty(parts.next_if(Rule::type_)?)?;
        let wire = self.wire(&mut parts);
        let init = match parts.next() {
            Some(part) => Some(self.init(part)?),
            None => None,
        };
        Some(StateField { docs: self.docs(span), name, ty, wire, init, span })
    }

    fn init(&mut self, pair: Pair<'a>) -> Option<Init> {
        if !is(&pair, Rule::source) {
            return Some(Init::Value(self.expr(pair)?));
        }
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        parts.next_if(Rule::kw_from)?;
        let path = self.quoted(&parts.next_if(Rule::plain)?);
        let options = match parts.next() {
            Some(limits) => self.limits(limits)?,
            None => Vec::new(),
        };
        Some(Init::From(DataSource { path, options, span }))
    }

    fn const_(&mut self, mut parts: Parts<'a>) -> Option<Const> {
        let name = self.name(&parts.next_if(Rule::name)?);
        let ty = self.ty(parts.next_if(Rule::type_)?)?;
        Some(Const { name, ty, init: self.init(parts.next()?)? })
    }

    fn function(&mut self, mut parts: Parts<'a>) -> Option<Function> {
        let name = self.declared(&mut parts)?;
        let params = self.params(parts.next_if(Rule::params)?)?;
        let result = match parts.next_if(Rule::type_) {
            Some(ty) => Some(self.ty(ty)?),
            None => None,
        };
        let body = parts.next()?;
        let body = match body.as_rule() {
            Rule::block => FunctionBody::Block(self.block(body)?),
            _ => FunctionBody::Expr(self.expr(body)?),
        };
        Some(Function { name, params, result, body })
    }

    fn action(&mut self, mut parts: Parts<'a>) -> Option<Action> {
        let name = self.declared(&mut parts)?;
        let params = self.params(parts.next_if(Rule::params)?)?;
        let result = match parts.next_if(Rule::type_) {
            Some(ty) => Some(self.ty(ty)?),
            None => None,
        };
        Some(Action { name, params, result, body: self.block(parts.next()?)? })
    }

    fn tool(&mut self, mut parts: Parts<'a>) -> Option<Tool> {
        let name = self.declared(&mut parts)?;
        let params = self.params(parts.next_if(Rule::params)?)?;
        let by = parts.next_if(Rule::by).and_then(|by| self.name_in(by));
        Some(Tool { name, params, by, body: self.block(parts.next()?)? })
    }

    fn params(&mut self, pair: Pair<'a>) -> Option<Params> {
        let span = self.span(&pair);
        let items = Parts::of(pair).map(|param| self.param(param)).collect::<Option<_>>()?;
        Some(Params { items, span })
    }

    fn param(&mut self, pair: Pair<'a>) -> Option<Param> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let kind = if parts.next_if(Rule::dots).is_some() {
            ParamKind::Group(Group { record: self.name(&parts.next()?) })
        } else {
            let name = self.declared(&mut parts)?;
            let ty = self.ty(parts.next_if(Rule::type_)?)?;
            let wire = self.wire(&mut parts);
            let default = match parts.next_if(Rule::expr) {
                Some(value) => Some(self.expr(value)?),
                None => None,
            };
            ParamKind::One { name, ty, wire, default }
        };
        Some(Param { docs: self.docs(span), kind, span })
    }

    fn rule(&mut self, mut parts: Parts<'a>) -> Option<RuleItem> {
        let name = self.declared(&mut parts)?;
        parts.next_if(Rule::kw_on)?;
        let mut targets = Vec::new();
        while let Some(target) = parts.next_if(Rule::rule_on) {
            let span = self.span(&target);
            let mut names = Parts::of(target);
            let tool = self.name(&names.next()?);
            targets.push(RuleTarget { tool, params: names.map(|name| self.name(&name)).collect(), span });
        }
        Some(RuleItem { name, targets, body: self.block(parts.next()?)? })
    }

    fn task(&mut self, mut parts: Parts<'a>) -> Option<Task> {
        let id = self.string(parts.next_if(Rule::string)?)?;
        let family = match parts.next_if(Rule::family) {
            Some(family) => {
                let mut parts = Parts::of(family);
                parts.next_if(Rule::kw_for)?;
                let name = self.declared(&mut parts)?;
                parts.next_if(Rule::kw_in)?;
                Some(Family { name, source: self.expr(parts.next()?)? })
            }
            None => None,
        };
        let mut list: Vec<TaskPart> = Vec::new();
        for part in parts {
            let part = self.task_part(part)?;
            self.check_comma(list.last().map(|before| before.span), part.span);
            list.push(part);
        }
        Some(Task { id, family, parts: list })
    }

    fn task_part(&mut self, pair: Pair<'a>) -> Option<TaskPart> {
        let span = self.span(&pair);
        let pair = Parts::of(pair).next()?;
        let kind = match pair.as_rule() {
            Rule::setting => TaskPartKind::Setting(self.setting(pair)?),
            Rule::task_verify => {
                let mut parts = Parts::of(pair.clone());
                parts.next_if(Rule::kw_verify)?;
                TaskPartKind::Verify(match parts.next_if(Rule::block) {
                    Some(block) => VerifyPart::Block(self.block(block)?),
                    None => VerifyPart::Use(self.verify_use(pair)?),
                })
            }
            rule => {
                let mut parts = Parts::of(pair);
                parts.next()?;
                let part = parts.next()?;
                match rule {
                    Rule::task_answer => TaskPartKind::Answer(self.ty(part)?),
                    Rule::task_setup => TaskPartKind::Setup(self.block(part)?),
                    _ => TaskPartKind::Solution(self.block(part)?),
                }
            }
        };
        Some(TaskPart { kind, span })
    }
}
