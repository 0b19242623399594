//! What can be assigned: places in rows, in state and in `var`s.

use crate::check::body::{Binding, Checker};
use crate::check::shared::Written;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, IndexKind, Place, PlaceRoot, PlaceStep, Slot, Type};
use silo_runtime::ids::{EntityId, FieldId, RecordId};

impl Checker<'_, '_, '_> {
    /// The place that an expression reads; reports where there is none to write to.
    pub(crate) fn place(&mut self, id: ExprId, span: Span) -> Option<Place> {
        let mut steps: Vec<PlaceStep> = Vec::new();
        let mut at = id;
        if self.is_broken(id) {
            return None;
        }
        let ty = self.place_type(id)?;
        let root = loop {
            match self.kind(at).cloned()? {
                ExprKind::Local(slot) => {
                    if let Some(subject) = self.stands_for.get(&slot) {
                        at = *subject;
                    } else {
                        if self.local_info(slot).is_some_and(|info| info.binding == Binding::Var) {
                            break PlaceRoot::Local(slot);
                        }
                        let diagnostic = self.copy(slot, id, span);
                        self.report(diagnostic);
                        return None;
                    }
                }
                ExprKind::State(state) => break PlaceRoot::State(state),
                ExprKind::Field { base, field } => match self.ty(base).required().clone() {
                    Type::Entity(entity) => {
                        if let Some(diagnostic) = self.read_only_field(entity, field, span) {
                            self.report(diagnostic);
                            return None;
                        }
                        steps.push(PlaceStep::Field(field, None));
                        break PlaceRoot::Row(base, entity);
                    }
                    Type::Record(record) => {
                        if let Some(diagnostic) = self.read_only_member(record, field, span) {
                            self.report(diagnostic);
                            return None;
                        }
                        steps.push(PlaceStep::Field(field, Some(record)));
                        at = base;
                    }
                    _ => return None,
                },
                ExprKind::Index { base, index, kind: IndexKind::List } => {
                    steps.push(PlaceStep::Index(index));
                    at = base;
                }
                ExprKind::Index { base, index, kind: IndexKind::Map } => {
                    steps.push(PlaceStep::Key(index));
                    at = base;
                }
                ExprKind::Narrowed(inner) | ExprKind::NonNull(inner) => at = inner,
                other => {
                    let diagnostic = self.no_place(&other, id, span);
                    self.report(diagnostic);
                    return None;
                }
            }
        };
        steps.reverse();
        Some(Place { root, steps, ty, span })
    }

    /// The type that may be assigned: what was declared, whatever tests have shown of null. A case's field must have been
    /// made readable.
    fn place_type(&mut self, id: ExprId) -> Option<Type> {
        let mut at = id;
        let mut shown: Option<Type> = None;
        loop {
            match self.kind(at)? {
                ExprKind::Narrowed(inner) => {
                    // The innermost of them says what the case's type is.
                    shown = Some(self.ty(at));
                    at = *inner;
                }
                ExprKind::NonNull(inner) => at = *inner,
                ExprKind::Field { base, field } => {
                    let (base, field) = (*base, *field);
                    if !self.is_case_field(base, field) {
                        return Some(self.ty(at));
                    }
                    if shown.is_none() {
                        let span = self.span(id);
                        let mut diagnostic =
                            Diagnostic::error(codes::types::CASES, span, "this field exists in some cases only");
                        if let Some(test) = self.case_test(at) {
                            diagnostic = diagnostic.help(format!("test the case before: {test}"));
                        }
                        self.report(diagnostic);
                    }
                    return shown;
                }
                _ => return Some(self.ty(at)),
            }
        }
    }

    fn is_case_field(&self, base: ExprId, field: FieldId) -> bool {
        let types = &self.shared.declared.types;
        match self.ty(base).required() {
            Type::Entity(id) => {
                types.entity_decl(*id).and_then(|decl| decl.field(field)).is_some_and(|f| !f.cases.is_empty())
            }
            Type::Record(id) => {
                types.record_decl(*id).and_then(|decl| decl.field(field)).is_some_and(|f| !f.cases.is_empty())
            }
            _ => false,
        }
    }

    fn read_only_field(&self, entity: EntityId, field: FieldId, span: Span) -> Option<Diagnostic> {
        let reason = self.locked(entity, field)?;
        let decl = self.shared.declared.types.entity_decl(entity)?;
        let declared = decl.field(field)?;
        let diagnostic =
            Diagnostic::error(codes::effects::READ_ONLY, span, format!("`{}` cannot be changed", declared.name))
                .note(reason);
        Some(match declared.span {
            Some(at) => diagnostic.also(at, "it is declared here"),
            None => diagnostic,
        })
    }

    fn read_only_member(&self, record: RecordId, field: FieldId, span: Span) -> Option<Diagnostic> {
        let types = &self.shared.declared.types;
        if types.model.record(record)?.tag != Some(field) {
            return None;
        }
        let name = &types.record_decl(record)?.field(field)?.name;
        Some(
            Diagnostic::error(codes::effects::READ_ONLY, span, format!("`{name}` cannot be changed"))
                .note("it chooses the case of the record")
                .help("assign a whole record of the other case"),
        )
    }

    /// An assignment to a value that is only a copy: what to write instead.
    fn copy(&self, slot: Slot, id: ExprId, span: Span) -> Diagnostic {
        let local = self.body.locals.get(slot.0 as usize);
        let name = local.and_then(|local| local.name.clone()).unwrap_or_else(|| "it".into());
        let info = self.local_info(slot);
        let binding = info.map_or(Binding::Hidden, |info| info.binding);
        let whole = self.source(self.span(id));
        let rest = whole.strip_prefix(&*name).unwrap_or_default().to_owned();
        let error = |message: String| Diagnostic::error(codes::effects::COPY, span, message);
        let here = |diagnostic: Diagnostic| match local {
            Some(local) => diagnostic.also(local.span, format!("`{name}` is declared here")),
            None => diagnostic,
        };
        let origin = info.and_then(|info| info.origin).map(|origin| self.source(self.span(origin)));
        match binding {
            Binding::Param => here(error(format!("`{name}` is a parameter, which never changes")))
                .help(format!("copy it into a variable: `var my_{name} = {name}`")),
            Binding::Loop if rest.is_empty() && matches!(self.ty(id).required(), Type::Entity(_)) => {
                here(error(format!("`{name}` is a row, which cannot be replaced as a whole")))
                    .help(format!("a row is changed by its fields: `{name}.field = …`"))
            }
            Binding::Loop => {
                let diagnostic =
                    here(error(format!("`{name}` is a copy of an element: changing it changes nothing else")));
                match origin.filter(|origin| is_path(origin)) {
                    Some(origin) => diagnostic.help(format!(
                        "assign through the path: `for i, {name} in {origin} {{ {origin}[i]{rest} = … }}`"
                    )),
                    None => diagnostic.help("assign through the path of the list: `xs[i].field = …`"),
                }
            }
            Binding::Closure => here(error(format!("`{name}` is a closure's parameter, which never changes"))),
            Binding::Let | Binding::Var | Binding::Hidden if rest.is_empty() => {
                let diagnostic = here(error(format!("`{name}` is bound by `let`, so it never changes")));
                match local {
                    Some(_) => diagnostic.help(format!("bind it by `var`: `var {name} = …`")),
                    None => diagnostic,
                }
            }
            Binding::Let | Binding::Var | Binding::Hidden => {
                let diagnostic = here(error(format!("`{name}` is a copy: changing it changes nothing else")));
                match origin.filter(|origin| is_path(origin)) {
                    Some(origin) => diagnostic
                        .note("records are values, copied when they are bound")
                        .help(format!("assign through the path: `{origin}{rest}`"))
                        .help(format!("or, if a changed copy is meant, bind it by `var`: `var {name} = {origin}`")),
                    None => diagnostic.help(format!("to change the copy, bind it by `var`: `var {name} = …`")),
                }
            }
        }
    }

    fn no_place(&self, kind: &ExprKind, id: ExprId, span: Span) -> Diagnostic {
        let error = |message: &str| Diagnostic::error(codes::effects::COPY, span, message.to_owned());
        match kind {
            ExprKind::Const(_) => {
                error("a constant never changes").help("what changes is state: declare it in `state { … }`")
            }
            ExprKind::Derived { .. } => {
                let name = self.source(self.span(id));
                let last = name.rsplit('.').next().unwrap_or_default().to_owned();
                Diagnostic::error(
                    codes::effects::READ_ONLY,
                    span,
                    format!("`{last}` is derived: it is computed, never assigned"),
                )
                .help("assign the fields that it is computed from")
            }
            ExprKind::Key(_) | ExprKind::Parent(_) => {
                Diagnostic::error(codes::effects::READ_ONLY, span, "a row's key and parent never change".to_owned())
            }
            ExprKind::Index { .. } => error("a row cannot be replaced as a whole")
                .help("assign its fields, or take it out by `remove` and put another in by `insert`"),
            ExprKind::WorldState(..) => error("a verifier only looks at its worlds"),
            ExprKind::Method { .. } | ExprKind::Where { .. } | ExprKind::List(_) | ExprKind::Coerce(_) => {
                error("this is a new list: changing it changes nothing else")
                    .help("bind it by `var` to build on it: `var xs = …`")
            }
            _ => error("this is a value, not a place that could be changed")
                .help("bind it to a name first: `let o = …`, then `o.field = …`"),
        }
    }

    /// Notes a write of a place, and forgets what tests had shown of it.
    pub(crate) fn write_place(&mut self, place: &Place) {
        let fields = || {
            place.steps.iter().map_while(|step| match step {
                PlaceStep::Field(field, _) => Some(*field),
                PlaceStep::Index(_) | PlaceStep::Key(_) => None,
            })
        };
        // A write below an index leaves the lists and maps above it where they are.
        let whole = fields().count() == place.steps.len();
        let path: Vec<FieldId> = fields().collect();
        match place.root {
            PlaceRoot::Local(slot) => {
                if whole {
                    self.facts.local_written(slot, &path);
                }
            }
            PlaceRoot::State(state) => {
                self.outline.writes.insert(state);
                self.note_written(Written::State(state, path));
            }
            PlaceRoot::Row(_, entity) => {
                self.write_row(entity);
                self.note_written(Written::Row(entity, path));
            }
        }
    }
}

/// Whether a text is a path of names, as an assignment needs it.
fn is_path(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 60
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']'))
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
}
