//! `changes …`, `same world as reference`, and the paths in them.

use crate::check::body::Checker;
use crate::check::suggest::nearest;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ChangeKind, ChangePath, ChangeSpec, ChangeStep, StmtKind, Type};
use crate::syntax::tree::{self, Changes, Name, PathStep, SameWorld, StatePath};
use silo_runtime::ids::{EntityId, FieldId};

/// A path that has been checked.
struct CheckedPath {
    path: ChangePath,
    /// The entity of the innermost table on the way.
    entity: Option<EntityId>,
    /// Whether the path ends at a table or its rows.
    rows: bool,
    /// Whether it ends at one value that is always there.
    single: bool,
}

impl Checker<'_, '_, '_> {
    pub(super) fn changes(&mut self, changes: &Changes) -> StmtKind {
        let changes = match changes {
            Changes::Nothing => return StmtKind::Changes(Vec::new()),
            Changes::Only(changes) => changes,
        };
        let specs: Vec<ChangeSpec> = changes.iter().filter_map(|change| self.change(change)).collect();
        StmtKind::Changes(specs)
    }

    fn change(&mut self, change: &tree::Change) -> Option<ChangeSpec> {
        let checked = self.state_path(&change.path);
        let kind = change.kind.map(|(kind, span)| {
            let kind = match kind {
                tree::ChangeKind::Added => ChangeKind::Added,
                tree::ChangeKind::Removed => ChangeKind::Removed,
                tree::ChangeKind::Changed => ChangeKind::Changed,
            };
            (kind, span)
        });
        if let (
            Some((ChangeKind::Added | ChangeKind::Removed, span)),
            Some(CheckedPath { rows: false, entity: Some(_), .. }),
        ) = (kind, &checked)
        {
            let diagnostic =
                Diagnostic::error(codes::tasks::CHANGES, span, "a field of a row is changed, never added or removed")
                    .help("write the table alone to speak of its rows: `orders added`");
            self.report(diagnostic);
        }
        if let (Some((ChangeKind::Added | ChangeKind::Removed, span)), Some(checked)) = (kind, &checked)
            && checked.entity.is_none()
            && checked.single
        {
            let diagnostic = Diagnostic::error(
                codes::tasks::CHANGES,
                span,
                "this is one value, which is changed, never added or removed",
            )
            .fix("leave it out", span, "");
            self.report(diagnostic);
        }
        let filter = change.condition.as_ref().and_then(|closure| {
            let entity = checked.as_ref().and_then(|checked| checked.entity);
            if entity.is_none() && checked.is_some() {
                let diagnostic = Diagnostic::error(
                    codes::tasks::CHANGES,
                    closure.span,
                    "`where` chooses rows, and this path leads through no table",
                );
                self.report(diagnostic);
            }
            let row = entity.map_or(Type::Never, Type::Entity);
            let closure = self.closure(closure, &[row], &crate::check::expr::Want::Test);
            closure.params.first().map(|slot| (*slot, closure.body))
        });
        Some(ChangeSpec { path: checked?.path, kind: kind.map(|(kind, _)| kind), filter })
    }

    pub(super) fn same_world(&mut self, same: &SameWorld, span: Span) -> StmtKind {
        self.outline.uses_reference = self.outline.uses_reference.or(Some(span));
        let paths = same.ignoring.iter().filter_map(|path| self.state_path(path));
        StmtKind::SameWorld { ignoring: paths.map(|checked| checked.path).collect() }
    }

    /// A path from a state field on.
    fn state_path(&mut self, path: &StatePath) -> Option<CheckedPath> {
        let root = &path.root;
        let Some(state) = self.shared.state.get(root.as_str()).copied() else {
            let diagnostic = self.unknown_path_root(root);
            if let Some(diagnostic) = diagnostic {
                self.report(diagnostic);
            }
            return None;
        };
        let mut ty = self.shared.declared.state.get(state.index()).map_or(Type::Never, |decl| decl.ty.clone());
        let mut entity = None;
        let mut rows = false;
        let mut steps = Vec::with_capacity(path.steps.len());
        if let Type::Table(id) = ty {
            entity = Some(id);
            rows = true;
        }
        let mut plural = false;
        for step in &path.steps {
            if plural {
                let at = step_span(step);
                let diagnostic = Diagnostic::error(codes::tasks::CHANGES, at, "a path ends at `.{…}`");
                self.report(diagnostic);
                return None;
            }
            match step {
                PathStep::Field(name) => {
                    let (field, next) = self.path_field(&ty, name)?;
                    steps.push(ChangeStep::Fields(vec![field]));
                    ty = next;
                }
                PathStep::Fields(names) => {
                    let mut fields = Vec::with_capacity(names.len());
                    for name in names {
                        fields.push(self.path_field(&ty, name)?.0);
                    }
                    steps.push(ChangeStep::Fields(fields));
                    ty = Type::Never;
                    plural = true;
                }
                PathStep::Index(index) => {
                    let (key, next) = match ty.required().clone() {
                        Type::Table(id) => {
                            let key = self.expr(index, None);
                            let key = self.key_value(key, Some(id), index.span);
                            if steps.is_empty() {
                                self.warn_of_missing_index(key, id, "it changes only if a task or an agent makes it");
                            }
                            (key, Type::Entity(id))
                        }
                        Type::List(item) => (self.expect(index, &Type::Int), (*item).clone()),
                        Type::Map(key, value) => (self.expect(index, &Self::map_key_type(key)), (*value).clone()),
                        _ => {
                            let message = format!(
                                "`[…]` chooses a row, an element or an entry, and this is `{}`",
                                self.show(&ty)
                            );
                            self.report(Diagnostic::error(codes::tasks::CHANGES, index.span, message));
                            return None;
                        }
                    };
                    steps.push(ChangeStep::Key(key));
                    ty = next;
                }
            }
            rows = matches!(step, PathStep::Index(_)) && matches!(ty, Type::Entity(_));
            if let Type::Table(id) = ty.required() {
                entity = Some(*id);
                rows = true;
            }
        }
        let entry = matches!(path.steps.last(), Some(PathStep::Index(_)));
        let scalar = matches!(
            ty,
            Type::Bool | Type::Int | Type::Decimal | Type::Text | Type::Enum(_) | Type::Date | Type::DateTime
        );
        let single = scalar && !entry && path.steps.iter().all(|step| matches!(step, PathStep::Field(_)));
        Some(CheckedPath { path: ChangePath { state, steps, span: path.span }, entity, rows, single })
    }

    /// A field on a path: of the rows of a table, of a record, of the elements of a list.
    fn path_field(&mut self, ty: &Type, name: &Name) -> Option<(FieldId, Type)> {
        let types = &self.shared.declared.types;
        let owner = match ty.required() {
            Type::List(item) => item.required().clone(),
            Type::Map(_, value) => value.required().clone(),
            Type::Table(entity) => Type::Entity(*entity),
            other => other.clone(),
        };
        let found = match &owner {
            Type::Entity(entity) => {
                let decl = types.entity_decl(*entity)?;
                if let Some((_, at)) = decl.derived.iter().find(|(derived, _)| **derived == *name.as_str()) {
                    let declared = self.shared.declared.derived.get(*at).map(|decl| decl.span);
                    let mut diagnostic = Diagnostic::error(
                        codes::tasks::CHANGES,
                        name.span,
                        format!("`{name}` is derived, so it is no part of what changes"),
                    )
                    .help("name the fields that it is computed from");
                    if let Some(span) = declared {
                        diagnostic = diagnostic.also(span, "it is declared here");
                    }
                    self.report(diagnostic);
                    return None;
                }
                decl.fields.iter().position(|field| field.name == name.text).map(|at| (at, decl.fields.get(at)))
            }
            Type::Record(record) => {
                let decl = types.record_decl(*record)?;
                decl.fields.iter().position(|field| field.name == name.text).map(|at| (at, decl.fields.get(at)))
            }
            _ => None,
        };
        if let Some((at, Some(field))) = found {
            let ty = match field.ty.required() {
                // A path does not lead through references: what they point to is in another table.
                Type::Entity(_) | Type::AnyEntity => Type::Bool,
                _ => field.ty.clone(),
            };
            return Some((FieldId::from(at), ty));
        }
        let names = self.field_names(&owner);
        let message = format!("`{}` has no field `{name}` that could change", self.show(&owner));
        let mut diagnostic = Diagnostic::error(codes::names::UNKNOWN_FIELD, name.span, message);
        if let Some(near) = nearest(name.as_str(), names.iter().map(String::as_str)) {
            diagnostic =
                diagnostic.label(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), name.span, near);
        } else if !names.is_empty() {
            diagnostic = diagnostic.note(format!("it has {}", crate::check::fields::list(&names)));
        }
        self.report(diagnostic);
        None
    }

    fn unknown_path_root(&mut self, root: &Name) -> Option<Diagnostic> {
        if self.shared.is_broken_value(root.as_str()) {
            return None;
        }
        let diagnostic =
            Diagnostic::error(codes::tasks::CHANGES, root.span, format!("there is no state field `{root}`"));
        if super::super::expr::WORLDS.contains(&root.as_str()) {
            return Some(
                Diagnostic::error(
                    codes::tasks::CHANGES,
                    root.span,
                    format!("a path begins with a state field, not with `{root}`"),
                )
                .note("what has changed is always the final world against the initial one"),
            );
        }
        let names: Vec<String> = self.shared.declared.state.iter().map(|decl| decl.name.to_string()).collect();
        Some(match nearest(root.as_str(), names.iter().map(String::as_str)) {
            Some(near) => {
                diagnostic.label(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), root.span, near)
            }
            None => diagnostic.note(format!("the state has {}", crate::check::fields::list(&names))),
        })
    }
}

fn step_span(step: &PathStep) -> Span {
    match step {
        PathStep::Field(name) => name.span,
        PathStep::Fields(names) => match (names.first(), names.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::new(crate::diagnostics::FileId(0), 0, 0),
        },
        PathStep::Index(index) => index.span,
    }
}
