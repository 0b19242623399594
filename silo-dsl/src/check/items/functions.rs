//! Functions, actions, tools and derived fields.

use crate::check::body::{Checker, Context, FunctionHead};
use crate::check::shared::Shared;
use crate::declare::{Callable, Code};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{Block, ExprId, FunctionId, FunctionKind, Param, Stmt, StmtKind, Type};
use crate::syntax::tree;
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;

impl Shared<'_, '_> {
    /// Checks a function, an action or a tool.
    pub(crate) fn check_function(&mut self, id: FunctionId) {
        let Some(decl) = self.declared.functions.get(id.0 as usize) else { return };
        let (kind, code, span) = (decl.kind, decl.code, decl.span);
        let (name, docs) = (decl.name.clone(), decl.docs.clone());
        let declared = decl.result.as_ref().map(|(ty, _)| ty.clone());
        let params: Vec<Param> = decl.params.iter().map(|param| param.param.clone()).collect();
        let (context, ir_kind) = match kind {
            Callable::Fn => (Context::Fn, FunctionKind::Fn),
            Callable::Action => (Context::Action, FunctionKind::Action),
            Callable::Tool(tool) => (Context::Tool, FunctionKind::Tool(tool)),
        };
        let mut checker = Checker::new(self, context);
        checker.params(&params);
        checker.expected_result.clone_from(&declared);
        let result = match code {
            Code::Expr(expr) => checker.expression_body(expr, declared.as_ref()),
            Code::Block(block) => checker.block_body(block, kind, &name, span, declared),
        };
        let returned: Vec<Type> = checker.returns.iter().map(|(value, _)| checker.ty(*value)).collect();
        let head = FunctionHead { name, kind: ir_kind, params, result, docs, span };
        let (function, outline) = checker.finish(head);
        self.returned.insert(id, returned);
        self.keep(id, function, outline);
    }

    /// Checks a derived field.
    pub(crate) fn check_derived(&mut self, at: usize) {
        let Some(decl) = self.declared.derived.get(at) else { return };
        let (entity, value, want, id, span) = (decl.entity, decl.value, decl.ty.clone(), decl.function, decl.span);
        let (field, docs) = (decl.name.clone(), decl.docs.clone());
        let case = decl.case;
        let of = self.show(&Type::Entity(entity));
        let own = Type::Entity(entity);
        let param = Param { name: Text::from("self"), ty: own.clone(), default: None, span };
        let mut checker = Checker::new(self, Context::Derived(entity));
        // The row has no name but `self`, which is no local that could be shadowed.
        checker.hidden(own, span);
        checker.assume_case(entity, case);
        checker.expression_body(value, Some(&want));
        let name = Text::from(format!("{of}.{field}"));
        let kind = FunctionKind::Derived(entity);
        let head = FunctionHead { name, kind, params: vec![param], result: want, docs, span };
        let (function, outline) = checker.finish(head);
        self.keep(id, function, outline);
    }

    /// The schema of what a tool returns, and its type for those who look at earlier calls.
    pub(crate) fn output(&mut self, id: FunctionId) -> (Schema, Type) {
        let result = self.outline(id).and_then(|outline| outline.result.clone()).unwrap_or(Type::Never);
        let returned = self.returned.get(&id).cloned().unwrap_or_default();
        let mut shapes: Vec<Type> = Vec::new();
        for ty in returned {
            if ty != Type::Never && !shapes.contains(&ty) {
                shapes.push(ty);
            }
        }
        let schema = match (shapes.as_slice(), &result) {
            ([], Type::Null) => Schema::Record(self.ok_shape()),
            ([only], _) => only.schema(),
            (_, Type::Never) => Schema::AnyOf(shapes.iter().map(Type::schema).collect()),
            (several, _) => {
                let mut schemas: Vec<Schema> = several.iter().map(Type::schema).collect();
                schemas.dedup();
                match <[Schema; 1]>::try_from(schemas) {
                    Ok([only]) => only,
                    Err(schemas) => Schema::AnyOf(schemas),
                }
            }
        };
        (schema, result)
    }

    /// `{ ok: true }`: what a tool without a result gives.
    fn ok_shape(&mut self) -> silo_runtime::ids::RecordId {
        let name = Text::from("ok");
        let mut member = Self::member_as(&name, name.clone(), &Type::Bool, None);
        member.schema = Schema::True;
        self.shape(vec![member])
    }
}

impl Checker<'_, '_, '_> {
    /// A body that is one expression.
    pub(crate) fn expression_body(&mut self, expr: &tree::Expr, want: Option<&Type>) -> Type {
        let id = match want {
            Some(want) => self.expect(expr, want),
            None => self.expr(expr, None),
        };
        self.returns.push((id, expr.span));
        self.return_only(id, expr.span);
        want.cloned().unwrap_or_else(|| self.ty(id))
    }

    /// Makes an expression the whole body.
    pub(crate) fn return_only(&mut self, id: ExprId, span: Span) {
        self.body.block = Block { statements: vec![Stmt { kind: StmtKind::Return(Some(id)), span }] };
    }

    /// A body of statements: what it gives, and whether it does so on every way through it.
    fn block_body(
        &mut self,
        tree: &tree::Block,
        kind: Callable,
        name: &Text,
        span: Span,
        declared: Option<Type>,
    ) -> Type {
        let told = self.shared.diagnostics.len();
        let checked = self.block(tree);
        let told = self.shared.diagnostics.len() > told;
        self.body.block = checked.block;
        let gives = !self.returns.is_empty();
        let must = declared.is_some() || gives;
        if must && (!checked.leaves || self.bare_return.is_some()) {
            let diagnostic = self.no_result(kind, name, span, tree.span, checked.leaves);
            self.report(diagnostic);
            return declared.unwrap_or(Type::Never);
        }
        // What is wrong in it may be what it was to do.
        if kind == Callable::Fn && !must && !self.outline.fails && !told {
            let message = format!("the function `{name}` does nothing: it gives no value and cannot fail");
            let diagnostic = Diagnostic::error(codes::effects::NO_RESULT, span, message)
                .help("end it with `return …`; what changes the world is an `action`");
            self.report(diagnostic);
        }
        match declared {
            Some(declared) => declared,
            // A function without a value is a guard: what it says is whether it fails.
            None if !gives => Type::Null,
            None => self.inferred_result(kind),
        }
    }

    fn no_result(&self, kind: Callable, name: &Text, span: Span, body: Span, leaves: bool) -> Diagnostic {
        let word = kind.word();
        let message = format!("the {word} `{name}` does not give a value on every way through it");
        let mut diagnostic = Diagnostic::error(codes::effects::NO_RESULT, span, message);
        match self.bare_return {
            Some(bare) => diagnostic = diagnostic.also(bare, "nothing is given here"),
            None if !leaves => {
                let end = Span { start: body.end.saturating_sub(1), ..body };
                diagnostic = diagnostic.also(end, "the end is reached without a `return`");
            }
            None => {}
        }
        if let Some((_, value)) = self.returns.first() {
            diagnostic = diagnostic.also(*value, "a value is given here");
        }
        diagnostic.help("return a value everywhere, `null` where there is none")
    }

    /// The common type of all `return`s. A tool may return several shapes.
    fn inferred_result(&mut self, kind: Callable) -> Type {
        let types: Vec<Type> = self.returns.iter().map(|(id, _)| self.ty(*id)).collect();
        let mut common = Type::Never;
        for ty in &types {
            match self.shared.unify(&common, ty) {
                // Rows are given as references, however they are held.
                Some(Type::Table(entity)) => common = Type::Entity(entity).list(),
                Some(unified) => common = unified,
                None if matches!(kind, Callable::Tool(_)) => return self.shared.merged(&types),
                None => {
                    let first = self.returns.first().map(|(id, _)| *id);
                    let at = types.iter().position(|other| other == ty).unwrap_or_default();
                    if let Some((id, _)) = self.returns.get(at).copied() {
                        let diagnostic = self.no_common_type("the results", first, &common, id, ty);
                        self.report(diagnostic);
                    }
                    return Type::Never;
                }
            }
        }
        self.convert_returns(&common);
        common
    }

    /// Converts what the `return`s give to their common type.
    fn convert_returns(&mut self, common: &Type) {
        let returns = self.returns.clone();
        let mut converted: Vec<(ExprId, ExprId)> = Vec::new();
        for (id, _) in returns {
            let to = self.convert(id, common);
            if to != id {
                converted.push((id, to));
            }
        }
        if converted.is_empty() {
            return;
        }
        let mut block = std::mem::take(&mut self.body.block);
        replace_returns(&mut block, &converted);
        self.body.block = block;
        for (id, _) in &mut self.returns {
            if let Some((_, to)) = converted.iter().find(|(from, _)| from == id) {
                *id = *to;
            }
        }
    }

    /// A derived field of a case is computed only for rows of that case.
    fn assume_case(&mut self, entity: silo_runtime::ids::EntityId, case: Option<u16>) {
        use crate::check::facts::{Fact, Path, Root, Step};
        let tag = self.shared.declared.types.model.entity(entity).and_then(|shape| shape.tag);
        if let (Some(tag), Some(case)) = (tag, case) {
            let path = Path { root: Root::Local(crate::ir::Slot(0)), steps: vec![Step::Row(entity, tag)] };
            self.facts.learn(path, &Fact::one_of([case].into()));
        }
    }
}

fn replace_returns(block: &mut Block, converted: &[(ExprId, ExprId)]) {
    for statement in &mut block.statements {
        match &mut statement.kind {
            StmtKind::Return(Some(id)) => {
                if let Some((_, to)) = converted.iter().find(|(from, _)| from == id) {
                    *id = *to;
                }
            }
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    replace_returns(&mut branch.then, converted);
                }
                if let Some(otherwise) = otherwise {
                    replace_returns(otherwise, converted);
                }
            }
            StmtKind::For { body, .. } => replace_returns(body, converted),
            StmtKind::Match { arms, .. } => arms.iter_mut().for_each(|arm| replace_returns(&mut arm.body, converted)),
            _ => {}
        }
    }
}
