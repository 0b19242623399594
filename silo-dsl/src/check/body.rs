//! The checker of one body: what it knows on its way through the code, and the code it builds.

use super::facts::{Facts, Mark};
use super::scope::Scope;
use super::shared::{Outline, Set, Shared, Written};
use crate::diagnostics::{Diagnostic, Span};
use crate::ir::{Body, Expr, ExprId, ExprKind, FunctionId, FunctionKind, Local, Slot, Type};
use rustc_hash::FxHashMap;
use silo_runtime::ids::{EntityId, StateId};
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::Value;

/// What kind of code is being checked: it decides which names and statements there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Context {
    Fn,
    Action,
    Tool,
    Setup,
    Derived(EntityId),
    Rule,
    Invariant,
    Verifier,
    Solution,
    /// The id, title and instruction of a task, and the arguments of the verifiers it uses.
    Head,
    /// What a family of tasks runs over.
    Family,
}

impl Context {
    /// What it is called in a message, with its article.
    pub(crate) fn phrase(self) -> &'static str {
        match self {
            Self::Fn => "a `fn`",
            Self::Action => "an action",
            Self::Tool => "a tool",
            Self::Setup => "a `setup` block",
            Self::Derived(_) => "a derived field",
            Self::Rule => "a rule",
            Self::Invariant => "an invariant",
            Self::Verifier => "a verifier",
            Self::Solution => "a solution",
            Self::Head => "the head of a task",
            Self::Family => "the source of a task family",
        }
    }

    /// Whether the code may change the world.
    pub(crate) fn writes(self) -> bool {
        matches!(self, Self::Action | Self::Tool | Self::Setup)
    }

    /// Whether `require` may stand in the code.
    pub(crate) fn refuses(self) -> bool {
        self.writes() || matches!(self, Self::Fn | Self::Rule)
    }

    /// Whether state is named bare: there is one world.
    pub(crate) fn has_world(self) -> bool {
        !matches!(self, Self::Verifier | Self::Solution)
    }
}

/// How a local came to be, for messages about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binding {
    Param,
    Let,
    Var,
    Loop,
    Closure,
    Hidden,
}

/// What is known of a local beside its type.
#[derive(Clone, Debug)]
pub(crate) struct LocalInfo {
    pub(crate) binding: Binding,
    /// The expression it was bound to: the value of a `let`, the source of a loop.
    pub(crate) origin: Option<ExprId>,
    /// In a verifier: whether it depends on what the agent did.
    pub(crate) outcome: bool,
}

/// A closure that is being checked.
#[derive(Debug)]
pub(crate) struct ClosureFrame {
    /// The first slot that is its own.
    pub(crate) first: u32,
    /// The slots from outside that it reads.
    pub(crate) captures: Set<Slot>,
}

/// The checker of one body.
pub(crate) struct Checker<'c, 't, 's> {
    pub(crate) shared: &'c mut Shared<'t, 's>,
    pub(crate) context: Context,
    pub(crate) body: Body,
    pub(crate) infos: Vec<LocalInfo>,
    pub(crate) scope: Scope,
    pub(crate) facts: Facts,
    /// What calls wrote so far, each with the expression of the call.
    pub(crate) writes: Vec<(ExprId, Written)>,
    /// For the slot of an optional chain: the expression it stands for.
    pub(crate) stands_for: FxHashMap<Slot, ExprId>,
    pub(crate) closures: Vec<ClosureFrame>,
    pub(crate) loops: u32,
    /// Whether an expression that changes the world may stand here, and if not, why.
    pub(crate) effects: Effects,
    /// Whether the next expression is a statement: nothing reads its value.
    pub(crate) discard: bool,
    pub(crate) outline: Outline,
    /// The declared result, where there is one.
    pub(crate) expected_result: Option<Type>,
    /// The values that the `return`s gave.
    pub(crate) returns: Vec<(ExprId, Span)>,
    /// The first `return` without a value.
    pub(crate) bare_return: Option<Span>,
    /// The type of the answer, in a task's parts.
    pub(crate) answer: Option<Type>,
    /// Whether a verifier is checked that several tasks share, so that nothing is known of the answer.
    pub(crate) shared_verifier: bool,
}

/// Whether the world may be changed at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effects {
    Allowed,
    Closure,
    /// Not in this context at all.
    Context,
}

impl<'c, 't, 's> Checker<'c, 't, 's> {
    pub(crate) fn new(shared: &'c mut Shared<'t, 's>, context: Context) -> Self {
        let effects =
            if context.writes() || context == Context::Solution { Effects::Allowed } else { Effects::Context };
        Self {
            shared,
            context,
            body: Body::default(),
            infos: Vec::new(),
            scope: Scope::default(),
            facts: Facts::default(),
            writes: Vec::new(),
            stands_for: FxHashMap::default(),
            closures: Vec::new(),
            loops: 0,
            effects,
            discard: false,
            outline: Outline::default(),
            expected_result: None,
            returns: Vec::new(),
            bare_return: None,
            answer: None,
            shared_verifier: false,
        }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.shared.report(diagnostic);
    }

    pub(crate) fn show(&self, ty: &Type) -> String {
        self.shared.show(ty)
    }

    /// Adds an expression to the body.
    pub(crate) fn push(&mut self, kind: ExprKind, ty: Type, span: Span) -> ExprId {
        let can_fail = self.can_fail(&kind);
        self.outline.fails |= can_fail;
        let id = self.next_id();
        self.body.exprs.push(Expr { kind, ty, span, can_fail });
        id
    }

    /// An expression that had an error: its type fits everywhere, so that one mistake is one diagnostic.
    pub(crate) fn broken(&mut self, span: Span) -> ExprId {
        self.push(ExprKind::Constant(Value::Null), Type::Never, span)
    }

    /// Reports a diagnostic and stands in for the expression.
    pub(crate) fn fail(&mut self, span: Span, diagnostic: Diagnostic) -> ExprId {
        self.report(diagnostic);
        self.broken(span)
    }

    pub(crate) fn ty(&self, id: ExprId) -> Type {
        self.body.expr(id).map_or(Type::Never, |expr| expr.ty.clone())
    }

    pub(crate) fn span(&self, id: ExprId) -> Span {
        self.body.expr(id).map_or(Span::new(crate::diagnostics::FileId(0), 0, 0), |expr| expr.span)
    }

    pub(crate) fn kind(&self, id: ExprId) -> Option<&ExprKind> {
        self.body.expr(id).map(|expr| &expr.kind)
    }

    pub(crate) fn is_broken(&self, id: ExprId) -> bool {
        self.body.expr(id).is_none_or(|expr| expr.ty == Type::Never)
    }

    pub(crate) fn constant(&self, id: ExprId) -> Option<&Value> {
        match self.kind(id) {
            Some(ExprKind::Constant(value)) if !self.is_broken(id) => Some(value),
            _ => None,
        }
    }

    /// Adds a local that code can name.
    pub(crate) fn local(&mut self, name: &Text, ty: Type, span: Span, binding: Binding) -> Slot {
        let slot = self.add_slot(Some(name.clone()), ty, span, binding);
        self.scope.declare(name.clone(), slot);
        slot
    }

    /// Adds a local without a name.
    pub(crate) fn hidden(&mut self, ty: Type, span: Span) -> Slot {
        self.add_slot(None, ty, span, Binding::Hidden)
    }

    fn add_slot(&mut self, name: Option<Text>, ty: Type, span: Span, binding: Binding) -> Slot {
        let slot = Slot(u32::try_from(self.body.locals.len()).unwrap_or(u32::MAX));
        self.body.locals.push(Local { name, ty, mutable: binding == Binding::Var, span });
        self.infos.push(LocalInfo { binding, origin: None, outcome: false });
        slot
    }

    pub(crate) fn local_type(&self, slot: Slot) -> Type {
        self.body.locals.get(slot.0 as usize).map_or(Type::Never, |local| local.ty.clone())
    }

    pub(crate) fn local_info(&self, slot: Slot) -> Option<&LocalInfo> {
        self.infos.get(slot.0 as usize)
    }

    pub(crate) fn set_origin(&mut self, slot: Slot, origin: ExprId, outcome: bool) {
        if let Some(info) = self.infos.get_mut(slot.0 as usize) {
            info.origin = Some(origin);
            info.outcome = outcome;
        }
    }

    /// Notes that a local is read here.
    pub(crate) fn read_local(&mut self, slot: Slot) {
        for frame in &mut self.closures {
            if slot.0 < frame.first {
                frame.captures.insert(slot);
            }
        }
    }

    /// Notes that state is named here.
    pub(crate) fn read_state(&mut self, state: StateId) {
        self.outline.reads.insert(state);
    }

    /// Notes that a row of an entity is read here.
    pub(crate) fn read_row(&mut self, entity: EntityId) {
        for state in self.shared.homes(entity) {
            self.outline.reads.insert(*state);
        }
    }

    /// Notes that rows of an entity are written here.
    pub(crate) fn write_row(&mut self, entity: EntityId) {
        for state in self.shared.homes(entity) {
            self.outline.writes.insert(*state);
        }
    }

    /// Notes a write of a path and forgets what it may have changed.
    pub(crate) fn note_written(&mut self, written: Written) {
        self.facts.written(&written);
        self.outline.written.insert(written);
    }

    /// Notes what a call writes, whose expression is the next one.
    pub(crate) fn note_written_by_call(&mut self, written: Written) {
        self.writes.push((self.next_id(), written.clone()));
        self.note_written(written);
    }

    /// Goes back to what was known at a mark, but for what was written since: a write is not undone by leaving a branch.
    pub(crate) fn leave_branch(&mut self, mark: Mark, writes: usize) {
        self.facts.forget_since(mark);
        for (_, written) in self.writes.get(writes..).unwrap_or_default() {
            self.facts.written(written);
        }
    }

    fn next_id(&self) -> ExprId {
        ExprId(u32::try_from(self.body.exprs.len()).unwrap_or(u32::MAX))
    }

    /// Notes that a function or a derived field is used here.
    pub(crate) fn note_call(&mut self, function: FunctionId, span: Span) {
        self.outline.calls.entry(function).or_insert(span);
    }

    /// The source of a span on one line, for messages and checks.
    pub(crate) fn source(&self, span: Span) -> String {
        one_line(self.shared.sources.text(span))
    }

    /// The function that was checked, its code taken out of the checker.
    pub(crate) fn finish(self, head: FunctionHead) -> (crate::ir::Function, Outline) {
        let Self { body, mut outline, .. } = self;
        outline.result = Some(head.result.clone());
        let function = crate::ir::Function {
            name: head.name,
            kind: head.kind,
            params: head.params,
            result: head.result,
            body,
            // Filled in once the calls are known.
            reads: Vec::new(),
            writes: Vec::new(),
            docs: head.docs,
            span: head.span,
        };
        (function, outline)
    }
}

/// What a function has beside its code.
pub(crate) struct FunctionHead {
    pub(crate) name: Text,
    pub(crate) kind: FunctionKind,
    pub(crate) params: Vec<crate::ir::Param>,
    pub(crate) result: Type,
    pub(crate) docs: Text,
    pub(crate) span: Span,
}

/// A text with each run of blanks and line ends as one blank.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
