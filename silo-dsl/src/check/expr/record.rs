//! Record and map literals.

use crate::check::body::Checker;
use crate::check::fields::list;
use crate::check::shapes::ShapeMember;
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::ir::{ExprId, ExprKind, MapMember, Member, RowMember, Type};
use crate::syntax::tree::{Braced, Expr, ExprKind as Tree, MemberKind, Name};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use silo_runtime::ids::{FieldId, RecordId};
use silo_runtime::schema::MapKey;
use silo_runtime::value::Text;

/// Members of an anonymous record by name; a later one replaces an earlier one in its place.
type Members = IndexMap<Text, ShapeMember, FxBuildHasher>;

impl Checker<'_, '_, '_> {
    /// `{ … }`: a record, or a map where its keys are quoted or a map is expected.
    pub(crate) fn braced(&mut self, braced: &Braced, expected: Option<&Type>) -> ExprId {
        // Both kinds of members in one literal are refused when parsing.
        let named = |member: &crate::syntax::tree::Member| matches!(member.kind, MemberKind::Named { .. });
        if braced.is_map() && braced.members.iter().any(named) {
            return self.broken(braced.span);
        }
        match expected.map(Type::required) {
            Some(Type::Map(key, value)) => {
                let value = (**value).clone();
                self.map_literal(braced, Some((*key, value)))
            }
            _ if braced.is_map() => self.map_literal(braced, None),
            Some(Type::Record(record)) if !has_spread(braced) => self.typed_record(braced, *record),
            Some(Type::Record(record)) => self.anonymous(braced, Some(*record)),
            _ => self.anonymous(braced, None),
        }
    }

    /// A literal of a record whose members are known.
    fn typed_record(&mut self, braced: &Braced, record: RecordId) -> ExprId {
        let target = self.record_target(record);
        let filled = self.fill(braced, &target);
        let members =
            filled.members.into_iter().map(|filled| Member::Set(filled.field, filled.value, filled.omit)).collect();
        self.push(ExprKind::Record(members), Type::Record(record), braced.span)
    }

    /// A literal whose members are its type. What is expected of some of them flows into literals.
    fn anonymous(&mut self, braced: &Braced, expected: Option<RecordId>) -> ExprId {
        let hints: FxHashMap<Text, Type> = match expected.and_then(|id| self.shared.declared.types.record_decl(id)) {
            Some(decl) => decl.fields.iter().map(|field| (field.name.clone(), field.ty.clone())).collect(),
            None => FxHashMap::default(),
        };
        let mut members = Members::default();
        let mut written: FxHashMap<Text, Span> = FxHashMap::default();
        let mut parts: Vec<Part> = Vec::with_capacity(braced.members.len());
        for member in &braced.members {
            match &member.kind {
                MemberKind::Spread(value) => {
                    let Some((base, spread)) = self.spread(value) else { continue };
                    let names = spread.iter().map(|(row, member)| (*row, member.name.clone())).collect();
                    for (_, member) in spread {
                        put(&mut members, member);
                    }
                    parts.push(Part::Spread(base, names));
                }
                MemberKind::Named { name, optional, value } => {
                    if let Some(first) = written.insert(name.text.clone(), name.span) {
                        self.twice(name, first);
                    }
                    let hint = hints.get(&name.text).cloned();
                    let id = self.member_value(name, value.as_ref(), hint.as_ref());
                    let ty = self.ty(id);
                    let omit = optional.is_some();
                    if omit && !ty.is_optional() && ty != Type::Never {
                        let diagnostic = self.never_omitted(name, &ty);
                        self.report(diagnostic);
                    }
                    let mut shown = self.shared.member(&name.text, &ty, Some(name.span));
                    shown.omit_null = omit;
                    put(&mut members, shown);
                    parts.push(Part::Set(name.text.clone(), id, omit));
                }
                MemberKind::Quoted { .. } | MemberKind::Computed { .. } => {}
            }
        }
        self.wire_clash(&members, braced.span);
        let place = |name: &Text| members.get_index_of(name).map(FieldId::from);
        let parts = parts.into_iter().filter_map(|part| match part {
            Part::Set(name, id, omit) => place(&name).map(|field| Member::Set(field, id, omit)),
            Part::Spread(base, names) => {
                let names = names.into_iter().filter_map(|(row, name)| place(&name).map(|field| (row, field)));
                Some(Member::Spread(base, names.collect()))
            }
        });
        let parts = parts.collect();
        let shape = self.shared.shape(members.into_values().collect());
        self.push(ExprKind::Record(parts), Type::Record(shape), braced.span)
    }

    /// The value of a member; left out, it is what the name stands for.
    pub(crate) fn member_value(&mut self, name: &Name, value: Option<&Expr>, expected: Option<&Type>) -> ExprId {
        match value {
            Some(value) => self.expr(value, expected),
            None => self.name(name, expected),
        }
    }

    fn never_omitted(&self, name: &Name, ty: &Type) -> Diagnostic {
        let message = format!("`{name}?` is left out where its value is null, but `{}` is never null", self.show(ty));
        Diagnostic::warning(codes::warnings::NEVER_NULL, name.span, message)
            .help(format!("write `{name}` without the `?`"))
    }

    pub(crate) fn twice(&mut self, name: &Name, first: Span) {
        let diagnostic =
            Diagnostic::error(codes::types::DUPLICATE_MEMBER, name.span, format!("`{name}` is given twice"))
                .also(first, "first here");
        self.report(diagnostic);
    }

    /// Two members may not have one name on the wire.
    fn wire_clash(&mut self, members: &Members, span: Span) {
        let mut seen: FxHashMap<&Text, &ShapeMember> = FxHashMap::default();
        for member in members.values() {
            if let Some(first) = seen.insert(&member.wire, member) {
                let message = format!(
                    "`{}` and `{}` would both be called `{}` in what the agent reads",
                    first.name, member.name, member.wire
                );
                let at = member.span.filter(|at| span.holds(*at)).unwrap_or(span);
                let diagnostic = Diagnostic::error(codes::types::DUPLICATE_MEMBER, at, message)
                    .note("a member that holds a row is written as its key, and named after that")
                    .help("give one of them another name");
                self.shared.report(diagnostic);
                return;
            }
        }
    }

    /// `...value`: what it brings, each with its place in the value.
    pub(crate) fn spread(&mut self, value: &Expr) -> Option<(ExprId, Vec<(RowMember, ShapeMember)>)> {
        let base = self.expr(value, None);
        let ty = self.ty(base);
        match &ty {
            Type::Never => None,
            Type::Record(record) => {
                let members = self.shared.record_members(*record);
                Some((base, (0usize..).map(|at| RowMember::Field(FieldId::from(at))).zip(members).collect()))
            }
            Type::Entity(entity) => {
                self.read_row(*entity);
                let members = self.shared.row_members(*entity);
                for (member, _) in &members {
                    if let RowMember::Derived(function) = member {
                        self.note_call(*function, value.span);
                    }
                }
                Some((base, members))
            }
            _ => {
                let message = format!("`...` spreads a record or a row, and this is `{}`", self.show(&ty));
                let diagnostic = if ty.is_optional() {
                    self.maybe_null(base, &ty, value.span, "`...` spreads a record or a row")
                } else {
                    Diagnostic::error(codes::types::MISMATCH, value.span, message)
                };
                self.report(diagnostic);
                None
            }
        }
    }

    fn map_literal(&mut self, braced: &Braced, expected: Option<(MapKey, Type)>) -> ExprId {
        let mut keys: Vec<ExprId> = Vec::new();
        let mut values: Vec<ExprId> = Vec::new();
        let mut parts: Vec<Option<ExprId>> = Vec::new();
        let mut spreads: Vec<Type> = Vec::new();
        let mut written: FxHashMap<Text, Span> = FxHashMap::default();
        let want_key = expected.as_ref().map(|(key, _)| Self::map_key_type(*key));
        let want_value = expected.as_ref().map(|(_, value)| value.clone());
        for member in &braced.members {
            let (key, value) = match &member.kind {
                MemberKind::Quoted { key, value } => {
                    if let Some(first) = written.insert(key.text.clone(), key.span) {
                        let message = format!("`\"{}\"` is given twice", key.text);
                        let diagnostic = Diagnostic::error(codes::types::DUPLICATE_MEMBER, key.span, message);
                        self.report(diagnostic.also(first, "first here"));
                    }
                    (self.plain_text(&key.text, want_key.as_ref(), key.span), value)
                }
                MemberKind::Computed { key, value } => {
                    let id = match &want_key {
                        Some(want) => self.expect(key, want),
                        None => self.expr(key, None),
                    };
                    (id, value)
                }
                MemberKind::Named { name, value, .. } => {
                    let message = "the keys of a map are written in quotes";
                    let diagnostic = Diagnostic::error(codes::types::MISMATCH, name.span, message)
                        .label("this would be the member of a record")
                        .fix("write it in quotes", name.span, format!("\"{name}\""));
                    self.report(diagnostic);
                    if let Some(value) = value {
                        self.expr(value, want_value.as_ref());
                    }
                    continue;
                }
                MemberKind::Spread(value) => {
                    let id = self.expr(value, None);
                    match self.ty(id) {
                        Type::Never => {}
                        Type::Map(..) => {
                            spreads.push(self.ty(id));
                            parts.push(Some(id));
                        }
                        ty => {
                            let message =
                                format!("only a map can be spread in a map, and this is `{}`", self.show(&ty));
                            self.report(Diagnostic::error(codes::types::MISMATCH, value.span, message));
                        }
                    }
                    continue;
                }
            };
            let value = self.expr(value, want_value.as_ref());
            keys.push(key);
            values.push(value);
            parts.push(None);
        }
        self.finish_map(braced.span, keys, values, parts, &spreads, expected)
    }

    fn finish_map(
        &mut self,
        span: Span,
        mut keys: Vec<ExprId>,
        mut values: Vec<ExprId>,
        parts: Vec<Option<ExprId>>,
        spreads: &[Type],
        expected: Option<(MapKey, Type)>,
    ) -> ExprId {
        let (key, value) = if let Some((key, want)) = expected {
            let found = self.common_type(&mut values, Some(&want), "the values of this map");
            // Where the values fit, the map is the one expected; else the caller says what does not.
            let fits = self.shared.fit(&found, &want) != crate::check::assign::Fit::No;
            (key, if fits { want } else { found })
        } else {
            let key = self.unify_all(&mut keys, "the keys of this map");
            let value = self.unify_all(&mut values, "the values of this map");
            let mut map = Type::Map(MapKey::String, value.clone().into());
            if let Some(kind) = Self::map_key(&key) {
                map = Type::Map(kind, value.into());
            } else {
                let message =
                    format!("a map's keys are strings, enum members or rows, and these are `{}`", self.show(&key));
                self.report(Diagnostic::error(codes::types::MISMATCH, span, message));
            }
            for spread in spreads {
                if let Some(unified) = self.shared.unify(&map, spread) {
                    map = unified;
                } else {
                    let message =
                        format!("this map is `{}`, and what is spread in it `{}`", self.show(&map), self.show(spread));
                    let diagnostic = Diagnostic::error(codes::types::DIFFERENT_TYPES, span, message);
                    return self.fail(span, diagnostic);
                }
            }
            match map {
                Type::Map(key, value) => (key, (*value).clone()),
                _ => return self.broken(span),
            }
        };
        let ty = Type::Map(key, value.clone().into());
        let mut entries = keys.into_iter().zip(values);
        let mut members = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Some(spread) => {
                    let spread = self.fit_or_report(spread, &ty, span, None);
                    members.push(MapMember::Spread(spread));
                }
                None => {
                    if let Some((key, each)) = entries.next() {
                        let each = self.convert(each, &value);
                        members.push(MapMember::Entry(key, each));
                    }
                }
            }
        }
        self.push(ExprKind::Map(members), ty, span)
    }

    /// `row.pick(a, b)`, `row.omit(a, b)`.
    pub(crate) fn pick(&mut self, base: ExprId, names: &[&Name], keep: bool, span: Span) -> ExprId {
        let ty = self.ty(base);
        let all: Vec<(RowMember, ShapeMember)> = match &ty {
            Type::Entity(entity) => {
                self.read_row(*entity);
                self.shared.row_members(*entity)
            }
            Type::Record(record) => {
                let members = self.shared.record_members(*record);
                (0usize..).map(|at| RowMember::Field(FieldId::from(at))).zip(members).collect()
            }
            _ => return self.broken(span),
        };
        let mut broken = false;
        let mut seen: FxHashMap<Text, Span> = FxHashMap::default();
        for name in names {
            if let Some(first) = seen.insert(name.text.clone(), name.span) {
                self.twice(name, first);
            }
            if !all.iter().any(|(_, member)| member.name == name.text) {
                let of = self.show(&ty);
                let all: Vec<String> = all.iter().map(|(_, member)| member.name.to_string()).collect();
                let message = format!("`{of}` has no field `{name}`");
                let mut diagnostic = Diagnostic::error(codes::names::UNKNOWN_FIELD, name.span, message);
                diagnostic = match crate::check::suggest::nearest(name.as_str(), all.iter().map(String::as_str)) {
                    Some(near) => diagnostic.label(format!("did you mean `{near}`?")).fix(
                        format!("write `{near}`"),
                        name.span,
                        near,
                    ),
                    None => diagnostic.note(format!("it has {}", list(&all))),
                };
                self.report(diagnostic);
                broken = true;
            }
        }
        if broken {
            return self.broken(span);
        }
        let named = |name: &Text| seen.contains_key(name);
        let picked: Vec<(RowMember, ShapeMember)> = if keep {
            // In the order asked for.
            names.iter().filter_map(|name| all.iter().find(|(_, member)| member.name == name.text).cloned()).collect()
        } else {
            all.into_iter().filter(|(_, member)| !named(&member.name)).collect()
        };
        for (member, _) in &picked {
            if let RowMember::Derived(function) = member {
                self.note_call(*function, span);
            }
        }
        let (members, shape): (Vec<RowMember>, Vec<ShapeMember>) = picked.into_iter().unzip();
        let shape = self.shared.shape(shape);
        self.push(ExprKind::Pick { base, members }, Type::Record(shape), span)
    }
}

/// A member of a literal before its place in the shape is known.
enum Part {
    Set(Text, ExprId, bool),
    Spread(ExprId, Vec<(RowMember, Text)>),
}

fn put(members: &mut Members, mut member: ShapeMember) {
    // One tag chooses the case; a second one's cases become plain optional members.
    if member.tag && members.values().any(|other| other.tag && other.name != member.name) {
        member.tag = false;
    }
    members.insert(member.name.clone(), member);
}

pub(crate) fn has_spread(braced: &Braced) -> bool {
    braced.members.iter().any(|member| matches!(member.kind, MemberKind::Spread(_)))
}

/// Whether an expression is a record literal.
pub(crate) fn as_literal(expr: &Expr) -> Option<&Braced> {
    match &expr.kind {
        Tree::Braced(braced) => Some(braced),
        Tree::Paren(inner) => as_literal(inner),
        _ => None,
    }
}
