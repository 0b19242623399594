//! Verifiers and tasks.

use crate::check::body::{Binding, Checker, Context, FunctionHead};
use crate::check::shared::Shared;
use crate::declare::TaskDecl;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{
    Block, ExprId, ExprKind, Family, FunctionId, FunctionKind, Param, Stmt, StmtKind, Task, Type, Verifier,
};
use crate::syntax::tree::{self, Name, VerifyPart};
use rustc_hash::FxHashSet;
use silo_runtime::value::Text;

/// The variable of a family: its name and its type in each part of the task.
#[derive(Clone)]
struct Variable {
    name: Name,
    item: Type,
    seen: Type,
}

impl Shared<'_, '_> {
    /// Checks the shared verifiers.
    pub(crate) fn check_verifiers(&mut self) -> Vec<Verifier> {
        (0..self.declared.verifiers.len()).filter_map(|at| self.check_verifier(at)).collect()
    }

    fn check_verifier(&mut self, at: usize) -> Option<Verifier> {
        let decl = self.declared.verifiers.get(at)?;
        let (name, span, id, body) = (decl.name.clone(), decl.span, decl.function, decl.body);
        let params: Vec<Param> = decl.params.iter().map(|param| param.param.clone()).collect();
        let mut checker = Checker::new(self, Context::Verifier);
        checker.shared_verifier = true;
        checker.params(&params);
        let checked = checker.block(body);
        checker.body.block = checked.block;
        let head = FunctionHead {
            name: name.clone(),
            kind: FunctionKind::Verifier,
            params,
            result: Type::Null,
            docs: Text::from(""),
            span,
        };
        let (function, outline) = checker.finish(head);
        self.keep(id, function, outline);
        Some(Verifier { name, function: id })
    }

    /// Checks all tasks.
    pub(crate) fn check_tasks(&mut self) -> Vec<Task> {
        (0..self.declared.tasks.len()).filter_map(|at| self.check_task(at)).collect()
    }

    fn check_task(&mut self, at: usize) -> Option<Task> {
        let decl = self.declared.tasks.get(at)?.clone();
        let label =
            decl.id.as_plain().map_or_else(|| self.sources.text(decl.span).trim_matches('"').to_owned(), str::to_owned);
        let (family, variable) = match decl.family {
            Some(family) => {
                let (source, item) = self.family(family, &label);
                let seen = match &item {
                    // A row is shown as a record of its fields; its key is one of them.
                    Type::Entity(entity) => self.row_as_seen(*entity),
                    other => self.seen(other),
                };
                let variable = Variable { name: family.name.clone(), item: item.clone(), seen: seen.clone() };
                (Some(Family { source, item, seen }), Some(variable))
            }
            None => (None, None),
        };
        let answer = decl.answer.as_ref().map(|(ty, _)| ty.clone());
        let mut verify = Vec::with_capacity(decl.verify.len());
        let mut blocks = Vec::new();
        for part in &decl.verify {
            if let VerifyPart::Block(block) = part {
                let id =
                    self.part(&label, "verify", block, Context::Verifier, variable.as_ref(), answer.clone(), decl.span);
                blocks.push(id);
            }
        }
        let setup = decl
            .setup
            .map(|block| self.part(&label, "setup", block, Context::Setup, variable.as_ref(), None, decl.span));
        let solution = decl.solution.map(|block| {
            self.part(&label, "solution", block, Context::Solution, variable.as_ref(), answer.clone(), decl.span)
        });
        let (head, texts) = self.head(&decl, &label, variable.as_ref());
        let mut uses = texts.uses.into_iter();
        let mut blocks = blocks.into_iter();
        let mut spans = Vec::new();
        for part in &decl.verify {
            match part {
                VerifyPart::Block(block) => {
                    let Some(id) = blocks.next() else { continue };
                    // The family's variable is the one parameter of the block.
                    verify.push((id, texts.variable.map(Some).into_iter().collect()));
                    spans.push((id, block.span));
                }
                VerifyPart::Use(used) => {
                    let Some(Some((id, args))) = uses.next() else { continue };
                    verify.push((id, args));
                    spans.push((id, used.verifier.span));
                }
            }
        }
        self.need_solution(&spans, solution.is_some());
        self.need_required_check(&decl, &verify);
        let (Some(id), Some(instruction)) = (texts.id, texts.instruction) else { return None };
        Some(Task {
            family,
            head,
            id,
            title: texts.title,
            instruction,
            difficulty: decl.difficulty,
            tags: decl.tags,
            answer: decl.answer,
            reward: decl.reward,
            max_calls: decl.max_calls,
            timeout_ms: decl.timeout_ms,
            rules: decl.rules,
            setup,
            verify,
            solution,
            span: decl.span,
        })
    }

    /// What a family runs over: its code and the type of its elements.
    fn family(&mut self, family: &tree::Family, label: &str) -> (FunctionId, Type) {
        let id = self.fresh_function();
        let mut checker = Checker::new(self, Context::Family);
        let source = checker.expr(&family.source, None);
        let ty = checker.ty(source);
        let item = match &ty {
            Type::Map(..) => None,
            other => Checker::element_type(other),
        };
        let item = if let Some(item) = item {
            item
        } else {
            let message = format!("a family runs over a table or a list, and this is `{}`", checker.show(&ty));
            checker.report(Diagnostic::error(codes::types::NOT_A_LIST, family.source.span, message));
            Type::Never
        };
        let list = item.clone().list();
        let source = if checker.is_broken(source) { source } else { checker.convert(source, &list) };
        checker.return_only(source, family.source.span);
        let head = FunctionHead {
            name: Text::from(format!("{label} (family)")),
            kind: FunctionKind::Head,
            params: Vec::new(),
            result: list,
            docs: Text::from(""),
            span: family.name.span,
        };
        let (function, outline) = checker.finish(head);
        self.keep(id, function, outline);
        (id, item)
    }

    fn row_as_seen(&mut self, entity: silo_runtime::ids::EntityId) -> Type {
        match self.seen(&Type::Table(entity)) {
            Type::RecordTable(record, _) => Type::Record(record),
            other => other,
        }
    }

    /// A block of a task.
    #[expect(clippy::too_many_arguments, reason = "each is one fact of the task, used once")]
    fn part(
        &mut self,
        label: &str,
        word: &str,
        block: &tree::Block,
        context: Context,
        variable: Option<&Variable>,
        answer: Option<Type>,
        span: Span,
    ) -> FunctionId {
        let id = self.fresh_function();
        let mut checker = Checker::new(self, context);
        checker.answer = answer;
        let params = checker.family_variable(variable, context == Context::Solution);
        let checked = checker.block(block);
        checker.body.block = checked.block;
        let kind = match context {
            Context::Setup => FunctionKind::Setup,
            Context::Solution => FunctionKind::Solution,
            _ => FunctionKind::Verifier,
        };
        let name = Text::from(format!("{label} {word}"));
        let head = FunctionHead { name, kind, params, result: Type::Null, docs: Text::from(""), span };
        let (function, outline) = checker.finish(head);
        self.keep(id, function, outline);
        id
    }

    /// The texts of a task and the arguments of the verifiers it uses.
    fn head(&mut self, decl: &TaskDecl<'_>, label: &str, variable: Option<&Variable>) -> (FunctionId, Texts) {
        let id = self.fresh_function();
        let mut checker = Checker::new(self, Context::Head);
        let params = checker.family_variable(variable, false);
        let mut texts = Texts {
            variable: None,
            id: Some(checker.text(decl.id, None)),
            title: decl.title.map(|title| checker.expect(title, &Type::Text)),
            instruction: decl.instruction.map(|text| checker.expect(text, &Type::Text)),
            uses: Vec::new(),
        };
        if let Some(param) = params.first() {
            let slot = crate::ir::Slot(0);
            texts.variable = Some(checker.push(ExprKind::Local(slot), param.ty.clone(), param.span));
        }
        for part in &decl.verify {
            if let VerifyPart::Use(used) = part {
                let found = checker.verify_use(used);
                let function = found.and_then(|(id, args)| {
                    checker.shared.declared.verifiers.get(id.0 as usize).map(|decl| (decl.function, args))
                });
                texts.uses.push(function);
            }
        }
        checker.body.block = Block { statements: Vec::<Stmt>::new() };
        let name = Text::from(format!("{label} (head)"));
        let head = FunctionHead {
            name,
            kind: FunctionKind::Head,
            params,
            result: Type::Null,
            docs: Text::from(""),
            span: decl.span,
        };
        let (function, outline) = checker.finish(head);
        self.keep(id, function, outline);
        (id, texts)
    }

    /// The world after the solution exists only where there is one.
    fn need_solution(&mut self, verify: &[(FunctionId, Span)], has_solution: bool) {
        if has_solution {
            return;
        }
        for (id, span) in verify {
            let Some(at) = self.first_reference(*id) else { continue };
            let own = span.holds(at);
            let diagnostic = Diagnostic::error(
                codes::tasks::NO_REFERENCE,
                if own { at } else { *span },
                "this task has no solution, so there is no reference world",
            )
            .help("write a `solution`, or say in the checks what must hold");
            let diagnostic = if own { diagnostic } else { diagnostic.also(at, "the reference world is read here") };
            self.report(diagnostic);
        }
    }

    /// Where a verifier, or one it uses, first reads the reference world.
    fn first_reference(&self, id: FunctionId) -> Option<Span> {
        let mut open = vec![id];
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let outline = self.outline(at)?;
            if outline.uses_reference.is_some() {
                return outline.uses_reference;
            }
            open.extend(outline.calls.keys().filter(|id| self.is_verifier(**id)));
        }
        None
    }

    fn is_verifier(&self, id: FunctionId) -> bool {
        let first = self.declared.functions.len() + self.declared.derived.len();
        id.0 as usize >= first
    }

    fn need_required_check(&mut self, decl: &TaskDecl<'_>, verify: &[(FunctionId, Vec<Option<ExprId>>)]) {
        // What could not be checked has a diagnostic of its own.
        if verify.len() < decl.verify.len() {
            return;
        }
        let required = decl.answer.is_some() || verify.iter().any(|(id, _)| self.has_required_check(*id));
        if required {
            return;
        }
        let message = if decl.verify.is_empty() {
            "nothing verifies this task".to_owned()
        } else {
            "no check of this task is required".to_owned()
        };
        let diagnostic = Diagnostic::error(codes::tasks::NO_REQUIRED_CHECK, decl.span, message)
            .note("a task is passed when every required check is; with none, every run would pass")
            .help("write `verify { check \"…\": … }`, or leave `optional` out of one check");
        self.report(diagnostic);
    }

    fn has_required_check(&self, id: FunctionId) -> bool {
        let mut open = vec![id];
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let Some(function) = self.code.get(at.0 as usize).and_then(Option::as_ref) else { return true };
            if requires(&function.body.block) {
                return true;
            }
            open.extend(
                self.outline(at)
                    .into_iter()
                    .flat_map(|outline| outline.calls.keys())
                    .filter(|id| self.is_verifier(**id)),
            );
        }
        false
    }
}

/// The checked texts of a task.
struct Texts {
    /// The family's variable.
    variable: Option<ExprId>,
    id: Option<ExprId>,
    title: Option<ExprId>,
    instruction: Option<ExprId>,
    /// The uses of verifiers in their order; nothing for one that is an error.
    uses: Vec<Option<(FunctionId, Vec<Option<ExprId>>)>>,
}

fn requires(block: &Block) -> bool {
    block.statements.iter().any(|statement| match &statement.kind {
        StmtKind::Check(check) => check.required,
        StmtKind::Changes(_) | StmtKind::SameWorld { .. } => true,
        StmtKind::If { branches, otherwise } => {
            branches.iter().any(|branch| requires(&branch.then)) || otherwise.as_ref().is_some_and(requires)
        }
        StmtKind::For { body, .. } => requires(body),
        StmtKind::Match { arms, .. } => arms.iter().any(|arm| requires(&arm.body)),
        _ => false,
    })
}

impl Checker<'_, '_, '_> {
    /// The family's variable as the one parameter of a part of its task.
    fn family_variable(&mut self, variable: Option<&Variable>, solution: bool) -> Vec<Param> {
        let Some(variable) = variable else { return Vec::new() };
        let ty = if solution { variable.seen.clone() } else { variable.item.clone() };
        let name = &variable.name;
        // Reported once, where the head of the task is checked.
        if self.context == Context::Head {
            self.no_shadowing(name);
        }
        self.local(&name.text, ty.clone(), name.span, Binding::Param);
        vec![Param { name: name.text.clone(), ty, default: None, span: name.span }]
    }
}
