//! Syntax trees as text that a person can compare with the source: one line a node, operators in full parentheses.

use silo_dsl::syntax::tree::*;

/// The items of a file, what documents them, and its comments.
pub(crate) fn file(file: &File) -> String {
    let mut dump = Dump { out: String::new(), depth: 0 };
    for item in &file.items {
        dump.item(item);
    }
    for broken in &file.broken {
        let word = broken.word.map_or("?", ItemWord::as_str);
        dump.line(&format!("broken {word} {}", broken.name.as_ref().map_or("?", Name::as_str)));
    }
    for comment in &file.comments {
        let place = if comment.trailing { "behind" } else { "alone" };
        dump.line(&format!("comment {place}: {}", comment.text));
    }
    dump.out
}

struct Dump {
    out: String,
    depth: usize,
}

impl Dump {
    fn line(&mut self, text: &str) {
        self.out.push_str(&"  ".repeat(self.depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn docs(&mut self, docs: &Docs) {
        for line in docs.text().iter().flat_map(|text| text.lines()) {
            self.line(&format!("/// {line}"));
        }
    }

    fn within(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    fn item(&mut self, item: &Item) {
        self.docs(&item.docs);
        let word = item.kind.word().as_str();
        let head = item.kind.name().map_or_else(|| word.to_owned(), |name| format!("{word} {name}"));
        match &item.kind {
            ItemKind::Use(one) => self.line(&format!("{head} {:?}", one.path.as_str())),
            ItemKind::Environment(one) => {
                self.line(&head);
                self.within(|dump| one.settings.iter().for_each(|setting| dump.setting(setting)));
            }
            ItemKind::Enum(one) => {
                self.line(&head);
                self.within(|dump| {
                    for member in &one.members {
                        dump.docs(&member.docs);
                        dump.line(&format!("{:?}", member.value.as_str()));
                    }
                });
            }
            ItemKind::Record(Record { members, .. }) | ItemKind::Entity(Entity { members, .. }) => {
                self.line(&head);
                self.fields(members);
            }
            ItemKind::Const(one) => self.line(&format!("{head}: {}{}", ty(&one.ty), init(Some(&one.init)))),
            ItemKind::State(one) => {
                self.line(&head);
                self.within(|dump| {
                    for field in &one.fields {
                        dump.docs(&field.docs);
                        let wire = wire(field.wire.as_ref());
                        dump.line(&format!("{}: {}{wire}{}", field.name, ty(&field.ty), init(field.init.as_ref())));
                    }
                });
            }
            ItemKind::Function(one) => {
                self.line(&format!("{head}{}", result(one.result.as_ref())));
                self.params(&one.params);
                match &one.body {
                    FunctionBody::Expr(value) => self.within(|dump| dump.line(&format!("= {}", expr(value)))),
                    FunctionBody::Block(body) => self.block(body),
                }
            }
            ItemKind::Action(one) => {
                self.line(&format!("{head}{}", result(one.result.as_ref())));
                self.params(&one.params);
                self.block(&one.body);
            }
            ItemKind::Tool(one) => {
                let by = one.by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
                self.line(&format!("{head}{by}"));
                self.params(&one.params);
                self.block(&one.body);
            }
            ItemKind::Rule(one) => {
                let on = one
                    .targets
                    .iter()
                    .map(|target| format!("{}({})", target.tool, list(&target.params, Name::to_string)));
                self.line(&format!("{head} on {}", on.collect::<Vec<_>>().join(", ")));
                self.block(&one.body);
            }
            ItemKind::Invariant(one) => self.line(&format!("{head} {:?} {}", one.label.as_str(), expr(&one.condition))),
            ItemKind::Verifier(one) => {
                self.line(&head);
                self.params(&one.params);
                self.block(&one.body);
            }
            ItemKind::Task(one) => {
                let family = one.family.as_ref().map(|one| format!(" for {} in {}", one.name, expr(&one.source)));
                self.line(&format!("{head} {}{}", text(&one.id), family.unwrap_or_default()));
                self.within(|dump| one.parts.iter().for_each(|part| dump.part(part)));
            }
        }
    }

    fn setting(&mut self, setting: &Setting) {
        self.line(&format!("{}: {}", setting.name, expr(&setting.value)));
    }

    fn part(&mut self, part: &TaskPart) {
        match &part.kind {
            TaskPartKind::Setting(setting) => self.setting(setting),
            TaskPartKind::Answer(answer) => self.line(&format!("answer: {}", ty(answer))),
            TaskPartKind::Verify(VerifyPart::Use(one)) => {
                self.line(&format!("verify {}{}", one.verifier, args(&one.args)));
            }
            TaskPartKind::Setup(body) => self.named_block("setup", body),
            TaskPartKind::Verify(VerifyPart::Block(body)) => self.named_block("verify", body),
            TaskPartKind::Solution(body) => self.named_block("solution", body),
        }
    }

    fn named_block(&mut self, name: &str, body: &Block) {
        self.line(name);
        self.block(body);
    }

    fn fields(&mut self, members: &[FieldMember]) {
        self.within(|dump| {
            for member in members {
                match member {
                    FieldMember::Field(one) => {
                        dump.docs(&one.docs);
                        let kind = match &one.ty {
                            FieldType::Type(one) => ty(one),
                            FieldType::Key(one) => key(one),
                        };
                        let default =
                            one.default.as_ref().map(|value| format!(" = {}", expr(value))).unwrap_or_default();
                        dump.line(&format!("{}: {kind}{}{default}", one.name, wire(one.wire.as_ref())));
                    }
                    FieldMember::Derived(one) => {
                        dump.docs(&one.docs);
                        let wire = wire(one.wire.as_ref());
                        dump.line(&format!("derived {}: {}{wire} = {}", one.name, ty(&one.ty), expr(&one.value)));
                    }
                    FieldMember::Case(one) => {
                        dump.docs(&one.docs);
                        dump.line(&format!("case {:?}", one.value.as_str()));
                        dump.fields(&one.members);
                    }
                    FieldMember::Label(one) => dump.line(&format!("label {}", one.field)),
                }
            }
        });
    }

    fn params(&mut self, params: &Params) {
        self.within(|dump| {
            for param in &params.items {
                dump.docs(&param.docs);
                match &param.kind {
                    ParamKind::Group(group) => dump.line(&format!("param ...{}", group.record)),
                    ParamKind::One { name, ty: kind, wire: on_wire, default } => {
                        let default = default.as_ref().map(|value| format!(" = {}", expr(value))).unwrap_or_default();
                        dump.line(&format!("param {name}: {}{}{default}", ty(kind), wire(on_wire.as_ref())));
                    }
                }
            }
        });
    }

    fn block(&mut self, block: &Block) {
        self.within(|dump| block.statements.iter().for_each(|statement| dump.statement(statement)));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let(one) => {
                let word = if one.mutable { "var" } else { "let" };
                let otherwise = one.otherwise.as_ref().map(|one| format!(" else {}", refusal(one))).unwrap_or_default();
                self.line(&format!("{word} {}{} = {}{otherwise}", one.name, result(one.ty.as_ref()), expr(&one.value)));
            }
            StatementKind::Assign(one) => {
                let op = match one.op {
                    AssignOp::Set => "=",
                    AssignOp::Add => "+=",
                    AssignOp::Subtract => "-=",
                };
                let steps = one.place.steps.iter().map(|step| match step {
                    PlaceStep::Field(name) => format!(".{name}"),
                    PlaceStep::Index(index) => format!("[{}]", expr(index)),
                });
                self.line(&format!("{}{} {op} {}", one.place.root, steps.collect::<String>(), expr(&one.value)));
            }
            StatementKind::Run(call) => self.line(&expr(call)),
            StatementKind::If(one) => {
                for (index, arm) in one.arms.iter().enumerate() {
                    let word = if index == 0 { "if" } else { "else if" };
                    self.named_block(&format!("{word} {}", expr(&arm.condition)), &arm.body);
                }
                if let Some(body) = &one.otherwise {
                    self.named_block("else", body);
                }
            }
            StatementKind::For(one) => {
                let index = one.index.as_ref().map(|index| format!("{index}, ")).unwrap_or_default();
                self.named_block(&format!("for {index}{} in {}", one.element, expr(&one.source)), &one.body);
            }
            StatementKind::Match(one) => {
                self.line(&format!("match {}", expr(&one.subject)));
                self.within(|dump| {
                    one.arms
                        .iter()
                        .for_each(|arm| dump.named_block(&format!("{} ->", pattern(&arm.pattern)), &arm.body));
                });
            }
            StatementKind::Require(one) => {
                self.line(&format!("require {} else {}", expr(&one.condition), refusal(&one.refusal)));
            }
            StatementKind::Fail(one) => self.line(&format!("fail {}", refusal(one))),
            StatementKind::Return(None) => self.line("return"),
            StatementKind::Return(Some(value)) => self.line(&format!("return {}", expr(value))),
            StatementKind::Break => self.line("break"),
            StatementKind::Continue => self.line("continue"),
            StatementKind::Check(one) => {
                let optional = if one.optional { " optional" } else { "" };
                let weight = one.weight.as_ref().map(|weight| format!(" weight {}", expr(weight))).unwrap_or_default();
                self.line(&format!("check{optional} {}{weight}: {}", text(&one.label), expr(&one.condition)));
            }
            StatementKind::Changes(Changes::Nothing) => self.line("changes nothing"),
            StatementKind::Changes(Changes::Only(changes)) => {
                self.line("changes only");
                self.within(|dump| {
                    for one in changes {
                        let kind = one.kind.map(|(kind, _)| format!(" {kind:?}").to_lowercase()).unwrap_or_default();
                        let only =
                            one.condition.as_ref().map(|one| format!(" where {}", closure(one))).unwrap_or_default();
                        dump.line(&format!("{}{kind}{only}", path(&one.path)));
                    }
                });
            }
            StatementKind::SameWorld(one) => {
                self.line(&format!("same world as reference ignoring [{}]", list(&one.ignoring, path)));
            }
            StatementKind::Verify(one) => self.line(&format!("verify {}{}", one.verifier, args(&one.args))),
            StatementKind::Answer(value) => self.line(&format!("answer {}", expr(value))),
        }
    }
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn result(one: Option<&TypeExpr>) -> String {
    one.map(|one| format!(": {}", ty(one))).unwrap_or_default()
}

fn wire(one: Option<&Quoted>) -> String {
    one.map(|one| format!(" as {:?}", one.as_str())).unwrap_or_default()
}

fn init(one: Option<&Init>) -> String {
    match one {
        None => String::new(),
        Some(Init::Value(value)) => format!(" = {}", expr(value)),
        Some(Init::From(source)) => format!(" from {:?}{}", source.path.as_str(), limits(&source.options)),
    }
}

fn limits(limits: &[Limit]) -> String {
    let inner = list(limits, |limit| format!("{}: {}", limit.name, expr(&limit.value)));
    if inner.is_empty() { inner } else { format!("({inner})") }
}

fn key(one: &KeyType) -> String {
    let kind = one.kind.map(|(kind, _)| format!(" {kind:?}").to_lowercase()).unwrap_or_default();
    format!("key{kind}{}", one.pattern.as_ref().map(|pattern| format!(" {}", text(pattern))).unwrap_or_default())
}

fn ty(one: &TypeExpr) -> String {
    let base = match &one.kind {
        TypeKind::Named(name) => name.to_string(),
        TypeKind::Table(name) => format!("table<{name}>"),
        TypeKind::List(element) => format!("list<{}>", ty(element)),
        TypeKind::Map { key: None, value } => format!("map<{}>", ty(value)),
        TypeKind::Map { key: Some(key), value } => format!("map<{}, {}>", ty(key), ty(value)),
        TypeKind::Shape(fields) => {
            format!("{{ {} }}", list(fields, |field| format!("{}: {}", field.name, ty(&field.ty))))
        }
        simple => format!("{simple:?}").to_lowercase(),
    };
    format!("{base}{}{}", limits(&one.limits), if one.optional.is_some() { "?" } else { "" })
}

fn refusal(one: &Refusal) -> String {
    let code = one.code.as_ref().map(|code| format!("{code} ")).unwrap_or_default();
    let details = one.details.as_ref().map(|details| format!(" {}", braced(details))).unwrap_or_default();
    format!("{code}{}{details}", text(&one.message))
}

fn path(one: &StatePath) -> String {
    let steps = one.steps.iter().map(|step| match step {
        PathStep::Field(name) => format!(".{name}"),
        PathStep::Fields(names) => format!(".{{{}}}", list(names, Name::to_string)),
        PathStep::Index(index) => format!("[{}]", expr(index)),
    });
    format!("{}{}", one.root, steps.collect::<String>())
}

fn text(one: &Text) -> String {
    let pieces = one.pieces.iter().map(|piece| match piece {
        Piece::Literal { text, .. } => format!("{text:?}"),
        Piece::Hole { value, format: None, .. } => format!("{{{}}}", expr(value)),
        Piece::Hole { value, format: Some(one), .. } => {
            let digits = one.digits.map(|digits| format!(".{digits}")).unwrap_or_default();
            format!("{{{}:{}{digits}}}", expr(value), if one.thousands { "," } else { "" })
        }
    });
    let shown = pieces.collect::<Vec<_>>().join(" ");
    if shown.is_empty() { "\"\"".to_owned() } else { shown }
}

fn args(one: &Args) -> String {
    let inner = list(&one.items, |arg| match arg {
        Arg::Positional(value) => expr(value),
        Arg::Named { name, value } => format!("{name}: {}", expr(value)),
        Arg::Spread { value, .. } => format!("...{}", expr(value)),
        Arg::Closure(one) => closure(one),
    });
    format!("({inner})")
}

fn closure(one: &Closure) -> String {
    format!("|{}| {}", list(&one.params, Name::to_string), expr(&one.body))
}

fn braced(one: &Braced) -> String {
    let inner = list(&one.members, |member| match &member.kind {
        MemberKind::Spread(value) => format!("...{}", expr(value)),
        MemberKind::Named { name, optional, value } => {
            let value = value.as_ref().map(|value| format!(": {}", expr(value))).unwrap_or_default();
            format!("{name}{}{value}", if optional.is_some() { "?" } else { "" })
        }
        MemberKind::Quoted { key, value } => format!("{:?}: {}", key.as_str(), expr(value)),
        MemberKind::Computed { key, value } => format!("[{}]: {}", expr(key), expr(value)),
    });
    format!("{}{{{inner}}}", if one.is_map() { "map" } else { "" })
}

fn pattern(one: &Pattern) -> String {
    match one {
        Pattern::Else(_) => "else".to_owned(),
        Pattern::Literals(literals) => literals
            .iter()
            .map(|literal| match &literal.kind {
                LiteralKind::Null => "null".to_owned(),
                LiteralKind::Bool(value) => value.to_string(),
                LiteralKind::Int(value) | LiteralKind::Decimal(value) => value.to_string(),
                LiteralKind::Date(value) | LiteralKind::Datetime(value) => format!("@{value}"),
                LiteralKind::Text(value) => format!("{value:?}"),
            })
            .collect::<Vec<_>>()
            .join(" | "),
    }
}

fn joined(parts: &[Expr], op: &str) -> String {
    format!("({})", parts.iter().map(expr).collect::<Vec<_>>().join(&format!(" {op} ")))
}

fn expr(one: &Expr) -> String {
    match &one.kind {
        ExprKind::Null => "null".to_owned(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Decimal(value) => format!("{value}d"),
        ExprKind::Date(value) => format!("date @{value}"),
        ExprKind::Datetime(value) => format!("datetime @{value}"),
        ExprKind::Text(value) => text(value),
        ExprKind::Name(name) => name.to_string(),
        ExprKind::List(items) => format!("[{}]", list(items, expr)),
        ExprKind::Braced(value) => braced(value),
        ExprKind::Paren(inner) => expr(inner),
        ExprKind::Function(call) => format!("{}{}", call.name, args(&call.args)),
        ExprKind::CallTool(call) => {
            let by = call.by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
            let expect = call.expect.as_ref().map(|code| format!(" expect {code}")).unwrap_or_default();
            format!("call {}{}{by}{expect}", call.tool, args(&call.args))
        }
        ExprKind::Chain { atom, links } => {
            let links = links.iter().map(|link| match &link.kind {
                LinkKind::Field { name, optional } => format!("{}.{name}", if *optional { "?" } else { "" }),
                LinkKind::Method { name, optional, args: given } => {
                    format!("{}.{name}{}", if *optional { "?" } else { "" }, args(given))
                }
                LinkKind::Index(index) => format!("[{}]", expr(index)),
                LinkKind::NonNull => "!".to_owned(),
            });
            format!("{}{}", expr(atom), links.collect::<String>())
        }
        ExprKind::Or(parts) => joined(parts, "or"),
        ExprKind::And(parts) => joined(parts, "and"),
        ExprKind::Coalesce(parts) => joined(parts, "??"),
        ExprKind::Not { times, operand } => format!("({}{})", "not ".repeat(*times as usize), expr(operand)),
        ExprKind::Negate { times, operand } => format!("({}{})", "-".repeat(*times as usize), expr(operand)),
        ExprKind::Compare { left, op, right, .. } => format!("({} {} {})", expr(left), op.symbol(), expr(right)),
        ExprKind::Arith(arith) => {
            let rest = arith.rest.iter().map(|(op, _, part)| format!(" {} {}", op.symbol(), expr(part)));
            format!("({}{})", expr(&arith.first), rest.collect::<String>())
        }
        ExprKind::If(one) => {
            let arms =
                one.arms.iter().map(|(condition, value)| format!("if {} {{ {} }} else ", expr(condition), expr(value)));
            format!("{}{{ {} }}", arms.collect::<String>(), expr(&one.otherwise))
        }
        ExprKind::Match(one) => {
            let arms = list(&one.arms, |arm| format!("{} -> {}", pattern(&arm.pattern), expr(&arm.value)));
            format!("match {} {{ {arms} }}", expr(&one.subject))
        }
    }
}
