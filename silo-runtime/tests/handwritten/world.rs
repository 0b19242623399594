//! The world: users, deals, an audit log.

use silo_runtime::diff::{Diff, Order, Touched};
use silo_runtime::ids::StateId;
use silo_runtime::keys::{KeyPart, KeyPattern};
use silo_runtime::typed::{Changes, Entity, Key, SeedTable, Table, TableMut, compare, touched};
use silo_runtime::value::json::Json;
use silo_runtime::value::{Date, ToolResult};
use silo_runtime::world::State;
use std::any::Any;
use std::sync::Arc;

pub(crate) const USERS: StateId = StateId(0);
pub(crate) const OPPORTUNITIES: StateId = StateId(1);
pub(crate) const AUDIT_LOG: StateId = StateId(2);

#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) id: Key<Self>,
    pub(crate) name: &'static str,
    pub(crate) active: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Open,
    Won,
    Lost,
}

#[derive(Clone, Debug)]
pub(crate) struct Opportunity {
    pub(crate) id: Key<Self>,
    pub(crate) name: &'static str,
    pub(crate) owner: Key<User>,
    pub(crate) stage_entered: Date,
    pub(crate) status: Status,
}

#[derive(Clone, Debug)]
pub(crate) struct AuditEvent {
    pub(crate) id: Key<Self>,
    pub(crate) actor: Key<User>,
    pub(crate) detail: String,
}

impl Status {
    pub(crate) const ALL: [Self; 3] = [Self::Open, Self::Won, Self::Lost];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

/// Derived fields.
impl Opportunity {
    pub(crate) fn days_in_stage(&self, now: Date) -> i64 {
        self.stage_entered.days_until(now)
    }

    pub(crate) fn stale(&self, now: Date) -> bool {
        self.status == Status::Open && self.days_in_stage(now) > 30
    }
}

fn counter(before: &str, zeros: u8) -> KeyPattern {
    KeyPattern::Text(vec![KeyPart::Literal(before.into()), KeyPart::Counter(zeros)])
}

impl Entity for User {
    const NAME: &'static str = "User";
    const FIELDS: &'static [&'static str] = &["id", "name", "active"];

    fn key(&self) -> &Key<Self> {
        &self.id
    }

    fn set_key(&mut self, key: Key<Self>) {
        self.id = key;
    }

    fn pattern() -> KeyPattern {
        counter("USR-", 3)
    }

    fn to_values(&self) -> Vec<Json> {
        vec![Json::from(&self.id), Json::from(self.name), Json::from(self.active)]
    }
}

impl Entity for Opportunity {
    const NAME: &'static str = "Opportunity";
    const FIELDS: &'static [&'static str] = &["id", "name", "ownerId", "stageEntered", "status"];

    fn key(&self) -> &Key<Self> {
        &self.id
    }

    fn set_key(&mut self, key: Key<Self>) {
        self.id = key;
    }

    fn pattern() -> KeyPattern {
        counter("OPP-", 3)
    }

    fn to_values(&self) -> Vec<Json> {
        vec![
            Json::from(&self.id),
            Json::from(self.name),
            Json::from(&self.owner),
            Json::from(self.stage_entered.to_string()),
            Json::from(self.status.as_str()),
        ]
    }
}

impl Entity for AuditEvent {
    const NAME: &'static str = "AuditEvent";
    const FIELDS: &'static [&'static str] = &["id", "actorId", "detail"];

    fn key(&self) -> &Key<Self> {
        &self.id
    }

    fn set_key(&mut self, key: Key<Self>) {
        self.id = key;
    }

    fn pattern() -> KeyPattern {
        counter("AUD-", 4)
    }

    fn to_values(&self) -> Vec<Json> {
        vec![Json::from(&self.id), Json::from(&self.actor), Json::from(self.detail.as_str())]
    }
}

/// What all worlds share.
pub(crate) struct Seed {
    pub(crate) now: Date,
    users: SeedTable<User>,
    opportunities: SeedTable<Opportunity>,
    audit_log: SeedTable<AuditEvent>,
}

/// One world: the seed and what changed since.
#[derive(Clone)]
pub(crate) struct CrmState {
    pub(crate) seed: Arc<Seed>,
    users: Changes<User>,
    opportunities: Changes<Opportunity>,
    audit_log: Changes<AuditEvent>,
}

impl Seed {
    pub(crate) fn new() -> ToolResult<Self> {
        let user = |id, name, active| User { id: Key::new(id), name, active };
        let deal = |id, name, owner, entered: &str, status| Opportunity {
            id: Key::new(id),
            name,
            owner: Key::new(owner),
            stage_entered: entered.parse().expect("a date"),
            status,
        };
        Ok(Self {
            now: "2026-03-31".parse().expect("a date"),
            users: SeedTable::new([
                user("USR-001", "Renata Silva", true),
                user("USR-003", "Kofi Adjei", true),
                user("USR-004", "Ilse Marquardt", false),
            ])?,
            opportunities: SeedTable::new([
                deal("OPP-001", "Harbour cranes", "USR-004", "2026-03-20", Status::Open),
                deal("OPP-002", "Cold storage", "USR-004", "2026-01-15", Status::Open),
                deal("OPP-003", "Night shift", "USR-004", "2026-02-02", Status::Won),
                deal("OPP-004", "Grain silos", "USR-001", "2026-02-10", Status::Open),
            ])?,
            audit_log: SeedTable::new([])?,
        })
    }
}

impl CrmState {
    pub(crate) fn new(seed: Arc<Seed>) -> Self {
        Self { seed, users: Changes::default(), opportunities: Changes::default(), audit_log: Changes::default() }
    }

    pub(crate) fn users(&self) -> Table<'_, User> {
        Table::new(&self.seed.users, &self.users)
    }

    pub(crate) fn opportunities(&self) -> Table<'_, Opportunity> {
        Table::new(&self.seed.opportunities, &self.opportunities)
    }

    pub(crate) fn audit_log(&self) -> Table<'_, AuditEvent> {
        Table::new(&self.seed.audit_log, &self.audit_log)
    }

    pub(crate) fn opportunities_mut(&mut self) -> TableMut<'_, Opportunity> {
        TableMut::new(&self.seed.opportunities, &mut self.opportunities)
    }

    pub(crate) fn audit_log_mut(&mut self) -> TableMut<'_, AuditEvent> {
        TableMut::new(&self.seed.audit_log, &mut self.audit_log)
    }
}

impl State for CrmState {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn fork(&self) -> Arc<dyn State> {
        Arc::new(self.clone())
    }

    fn diff(&self, before: &dyn State, order: Order) -> Diff {
        let mut diff = Diff::default();
        if let Some(before) = before.as_any().downcast_ref::<Self>() {
            compare(&mut diff, USERS, before.users(), self.users(), order);
            compare(&mut diff, OPPORTUNITIES, before.opportunities(), self.opportunities(), order);
            compare(&mut diff, AUDIT_LOG, before.audit_log(), self.audit_log(), order);
        }
        diff
    }

    fn touched(&self, before: &dyn State) -> Touched {
        let Some(before) = before.as_any().downcast_ref::<Self>() else { return Touched::default() };
        let fields = [
            (USERS, touched(before.users(), self.users())),
            (OPPORTUNITIES, touched(before.opportunities(), self.opportunities())),
            (AUDIT_LOG, touched(before.audit_log(), self.audit_log())),
        ];
        Touched { state: fields.into_iter().filter(|(_, keys)| !keys.is_empty()).collect() }
    }
}
