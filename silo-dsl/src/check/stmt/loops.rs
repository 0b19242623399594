//! Loops.

use super::Checked;
use crate::check::body::{Binding, Checker, Context};
use crate::check::facts::{Root, Step};
use crate::check::shared::Written;
use crate::check::walk::{self, Node};
use crate::diagnostics::{Diagnostic, codes};
use crate::ir::{StmtKind, Type};
use crate::syntax::tree::{self, Arg, ExprKind as Tree, LinkKind, MemberKind, PlaceStep, StatementKind};
use rustc_hash::FxHashSet;
use silo_runtime::ids::EntityId;
use silo_runtime::value::Text;

/// What a piece of code may write, by the names in it.
#[derive(Default)]
struct Writes {
    /// The names that places start from.
    roots: FxHashSet<Text>,
    /// The fields that are assigned, or lead to what is.
    fields: FxHashSet<Text>,
    /// The functions and actions that are called.
    calls: FxHashSet<Text>,
    /// The names of what something is removed from: maps and tables.
    shrunk: FxHashSet<Text>,
}

impl Checker<'_, '_, '_> {
    pub(super) fn for_stmt(&mut self, for_: &tree::For) -> StmtKind {
        let source = self.expr(&for_.source, None);
        self.no_outcome(source, "what a loop runs over");
        let ty = self.ty(source);
        let item = match &ty {
            Type::Map(..) => {
                let of = self.short(source);
                let diagnostic = Diagnostic::error(
                    codes::types::NOT_A_LIST,
                    for_.source.span,
                    "a loop runs over a list or a table, and this is a map",
                )
                .help(format!(
                    "write `for e in {of}.entries()` and read `e.key` and `e.value`, or loop over `{of}.keys()`"
                ));
                self.report(diagnostic);
                Type::Never
            }
            _ => {
                if let Some(item) = Self::element_type(&ty) {
                    item
                } else {
                    let message = format!("a loop runs over a list or a table, and this is `{}`", self.show(&ty));
                    let diagnostic = if ty.is_optional() {
                        self.maybe_null(source, &ty, for_.source.span, "a loop runs over a list or a table")
                    } else {
                        Diagnostic::error(codes::types::NOT_A_LIST, for_.source.span, message)
                    };
                    let diagnostic = match ty {
                        Type::Int => diagnostic.help("write `for i in range(0, n)`"),
                        Type::Text => diagnostic.help("write `for part in text.split(\",\")`"),
                        _ => diagnostic,
                    };
                    self.report(diagnostic);
                    Type::Never
                }
            }
        };
        // The body runs after itself, so what it writes is not known in it, nor after it.
        self.forget_writes(&for_.body);
        let mark = self.facts.mark();
        let scope = self.scope.enter();
        let index = for_.index.as_ref().map(|name| {
            self.no_shadowing(name);
            self.local(&name.text, Type::Int, name.span, Binding::Loop)
        });
        self.no_shadowing(&for_.element);
        let slot = self.local(&for_.element.text, item, for_.element.span, Binding::Loop);
        let outcome = self.context == Context::Verifier && self.outcome_part(source).is_some();
        self.set_origin(slot, source, outcome);
        self.loops += 1;
        let Checked { block, .. } = self.block(&for_.body);
        self.loops -= 1;
        self.scope.leave(scope);
        self.facts.forget_since(mark);
        StmtKind::For { index, item: slot, source, body: block }
    }

    fn forget_writes(&mut self, body: &tree::Block) {
        if self.facts.is_empty() {
            return;
        }
        let writes = writes_of(body);
        if writes.roots.is_empty() && writes.fields.is_empty() && writes.calls.is_empty() {
            return;
        }
        let mut calls: Vec<&Text> = writes.calls.iter().collect();
        calls.sort();
        for call in calls {
            let written = self.shared.functions.get(call).and_then(|id| self.shared.outline(*id));
            let written = written.map(|outline| outline.written.clone()).unwrap_or_default();
            written.iter().for_each(|each| self.facts.written(each));
        }
        let mut shrunk: Vec<EntityId> = writes.shrunk.iter().flat_map(|name| self.shared.tables_named(name)).collect();
        shrunk.sort();
        shrunk.dedup();
        for entity in shrunk.into_iter().flat_map(|entity| self.shared.removed_with(entity)) {
            self.facts.written(&Written::Row(entity, Vec::new()));
        }
        let locals = &self.body.locals;
        let types = &self.shared.declared.types;
        let named = |root: &Root| match root {
            Root::Local(slot) => {
                let name = locals.get(slot.0 as usize).and_then(|local| local.name.as_ref());
                name.is_some_and(|name| writes.roots.contains(name))
            }
            Root::State(id) | Root::World(_, id) => {
                types.model.state_field(*id).is_some_and(|field| writes.roots.contains(&field.name))
            }
        };
        let assigned = |step: &Step| match step {
            Step::Row(entity, field) => {
                let field = types.entity_decl(*entity).and_then(|decl| decl.field(*field));
                field.is_some_and(|field| writes.fields.contains(&field.name))
            }
            // Which record a field is of is not kept: any field may be the one written.
            Step::Record(_) => !writes.fields.is_empty(),
            Step::Derived(_) => true,
        };
        self.facts.retain(|path| !named(&path.root) && !path.steps.iter().any(assigned));
    }
}

/// The name before `.remove(…)`, if that is in a chain.
fn removed_from(atom: &tree::Expr, links: &[tree::Link]) -> Option<Text> {
    let is_remove = |link: &tree::Link| matches!(&link.kind, LinkKind::Method { name, .. } if *name == "remove");
    let before = links.get(..links.iter().position(is_remove)?)?;
    match (before.last().map(|link| &link.kind), &atom.kind) {
        (Some(LinkKind::Field { name, .. }), _) | (None, Tree::Name(name)) => Some(name.text.clone()),
        _ => None,
    }
}

fn writes_of(body: &tree::Block) -> Writes {
    let mut writes = Writes::default();
    walk::block(body, &mut |node| match node {
        Node::Statement(statement) => {
            if let StatementKind::Assign(assign) = &statement.kind {
                if !matches!(assign.place.steps.first(), Some(PlaceStep::Field(_))) {
                    writes.roots.insert(assign.place.root.text.clone());
                }
                for step in &assign.place.steps {
                    if let PlaceStep::Field(name) = step {
                        writes.fields.insert(name.text.clone());
                    }
                }
            }
        }
        Node::Expr(expr) => match &expr.kind {
            Tree::Function(call) => {
                writes.calls.insert(call.name.text.clone());
            }
            Tree::Chain { atom, links } => {
                let changing = |link: &tree::Link| match &link.kind {
                    LinkKind::Method { name, .. } => {
                        matches!(name.as_str(), "push" | "remove_at" | "clear" | "remove" | "update" | "insert")
                    }
                    _ => false,
                };
                if !links.iter().any(changing) {
                    return;
                }
                writes.shrunk.extend(removed_from(atom, links));
                if let Tree::Name(name) = &atom.kind
                    && !matches!(links.first().map(|link| &link.kind), Some(LinkKind::Field { .. }))
                {
                    writes.roots.insert(name.text.clone());
                }
                for link in links {
                    match &link.kind {
                        LinkKind::Field { name, .. } => {
                            writes.fields.insert(name.text.clone());
                        }
                        LinkKind::Method { args, .. } => {
                            for arg in &args.items {
                                let Arg::Positional(tree::Expr { kind: Tree::Braced(braced), .. }) = arg else {
                                    continue;
                                };
                                for member in &braced.members {
                                    if let MemberKind::Named { name, .. } = &member.kind {
                                        writes.fields.insert(name.text.clone());
                                    }
                                }
                            }
                        }
                        LinkKind::Index(_) | LinkKind::NonNull => {}
                    }
                }
            }
            _ => {}
        },
    });
    writes
}
