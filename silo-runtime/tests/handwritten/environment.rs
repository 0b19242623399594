//! What the engine sees of it.

use crate::tools::{list_opportunities, reassign_opportunity};
use crate::world::{AUDIT_LOG, AuditEvent, CrmState, OPPORTUNITIES, Opportunity, Seed, Status, User};
use silo_runtime::calls::Calls;
use silo_runtime::diff::{ChangeKind, Only, OnlyStep, Touched, uncovered};
use silo_runtime::environment::{
    CallError, Caller, Environment, Fault, Input, Manifest, Output, SolutionError, TaskSpec, ToolSpec, Violation,
};
use silo_runtime::explain::{Finding, Part};
use silo_runtime::grade::{Check, Grading};
use silo_runtime::ids::{EntityId, EnumId, FieldId, RecordId, TaskId, ToolId};
use silo_runtime::input::{Decoder, InputFault, Keys};
use silo_runtime::limits::Meter;
use silo_runtime::model::{EntityShape, EnumShape, Field, Model, RecordShape, StateField};
use silo_runtime::schema::{Schema, TableWire};
use silo_runtime::typed::{Entity, Key};
use silo_runtime::value::dynamic::{Value, WorldName};
use silo_runtime::value::json::Json;
use silo_runtime::value::{Decimal, Text, ToolError};
use silo_runtime::world::World;
use std::sync::Arc;

const USER: EntityId = EntityId(0);
const OPPORTUNITY: EntityId = EntityId(1);
const AUDIT_EVENT: EntityId = EntityId(2);
const LIST: ToolId = ToolId(0);
const OWNER: FieldId = FieldId(2);

/// The environment.
pub(crate) struct Crm {
    manifest: Manifest,
    seed: Arc<Seed>,
}

impl Crm {
    pub(crate) fn new() -> Self {
        Self { manifest: manifest(), seed: Arc::new(Seed::new().expect("the seed's keys are unique")) }
    }
}

fn field(name: &str, schema: Schema) -> Field {
    Field {
        name: name.into(),
        wire: name.into(),
        schema,
        default: None,
        docs: Text::default(),
        cases: Vec::new(),
        omit_null: false,
    }
}

/// The shape of a typed entity, for names; its rows are read in Rust.
fn shape<E: Entity>(id: EntityId) -> Arc<EntityShape> {
    Arc::new(EntityShape {
        id,
        name: E::NAME.into(),
        fields: E::FIELDS.iter().map(|name| field(name, Schema::TEXT)).collect(),
        tag: None,
        key: FieldId(0),
        pattern: E::pattern(),
        local: false,
        label: None,
        parent: None,
        docs: Text::default(),
    })
}

fn manifest() -> Manifest {
    let status = EnumId(0);
    let member = |status: Status| Text::from(status.as_str());
    let with_default = |field: Field, value| Field { default: Some(value), ..field };
    let list = vec![
        field("ownerId", Schema::Entity(USER).optional()),
        field("status", Schema::Enum(status).optional()),
        with_default(field("staleOnly", Schema::Bool), Value::Bool(false)),
        with_default(field("limit", Schema::Int { min: Some(1), max: Some(100) }), Value::Int(20)),
        with_default(field("offset", Schema::Int { min: Some(0), max: None }), Value::Int(0)),
    ];
    let reassign = vec![
        field("opportunityId", Schema::Entity(OPPORTUNITY)),
        field("newOwnerId", Schema::Entity(USER)),
        field("actorId", Schema::Entity(USER)),
    ];
    let record = |fields| Arc::new(RecordShape::new(None, fields, None, Text::default()));
    let state = |name: &str, entity| StateField {
        name: name.into(),
        wire: name.into(),
        schema: Schema::Table { entity, wire: TableWire::Array },
        docs: Text::default(),
    };
    let tool = |name: &str, description: &str, record, read_only| ToolSpec {
        name: name.into(),
        description: description.into(),
        input: Schema::Record(RecordId(record)),
        output: Schema::AnyOf(Vec::new()),
        read_only,
        has_rules: false,
    };
    Manifest {
        name: "crm".into(),
        version: "1".into(),
        hash: "0".into(),
        title: None,
        description: None,
        policy: None,
        model: Arc::new(Model {
            enums: vec![Arc::new(EnumShape {
                name: "Status".into(),
                members: Status::ALL.map(member).to_vec(),
                docs: Text::default(),
            })],
            records: vec![record(list), record(reassign)],
            entities: vec![shape::<User>(USER), shape::<Opportunity>(OPPORTUNITY), shape::<AuditEvent>(AUDIT_EVENT)],
            state: vec![state("users", USER), state("opportunities", OPPORTUNITY), state("auditLog", AUDIT_EVENT)],
        }),
        tools: vec![
            tool("list_opportunities", "List opportunities.", 0, true),
            tool("reassign_opportunity", "Move an open opportunity to a different owner.", 1, false),
        ],
        tasks: vec![TaskSpec {
            id: "TASK-002".into(),
            instruction:
                "Ilse Marquardt has left. Move every open opportunity she owns to Kofi Adjei, acting as Renata \
                          Silva."
                    .into(),
            has_solution: true,
            ..TaskSpec::default()
        }],
        rules: Vec::new(),
    }
}

fn state(world: &World) -> &CrmState {
    world.state().expect("a world of this environment")
}

/// Where references of an input are looked up.
struct InWorld<'a>(&'a CrmState);

impl Keys for InWorld<'_> {
    fn find(&self, entity: EntityId, key: &str) -> Option<WorldName> {
        let found = match entity {
            USER => self.0.users().find(key).is_some(),
            OPPORTUNITY => self.0.opportunities().find(key).is_some(),
            _ => self.0.audit_log().find(key).is_some(),
        };
        found.then_some(WorldName::Initial)
    }
}

/// The arguments of a call, in order.
struct Args<'a>(&'a [Value]);

impl Args<'_> {
    fn key<E>(&self, at: usize) -> Option<Key<E>> {
        match &self.0[at] {
            Value::Row(row) => Some(Key::new(row.key.clone())),
            _ => None,
        }
    }

    fn given<E>(&self, at: usize) -> Key<E> {
        self.key(at).expect("a required reference")
    }

    fn int(&self, at: usize) -> i64 {
        match self.0[at] {
            Value::Int(number) => number,
            _ => 0,
        }
    }
}

impl Environment for Crm {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn seed(&self) -> World {
        World::new(CrmState::new(self.seed.clone()))
    }

    fn world(&self, _: TaskId) -> Result<World, Fault> {
        Ok(self.seed())
    }

    fn decode(&self, world: &World, tool: ToolId, input: &Json) -> Result<Input, InputFault> {
        let keys = InWorld(state(world));
        let decoder = Decoder::new(&self.manifest.model, &keys);
        let Value::Record(record) = decoder.record(RecordId(tool.0), input)? else { unreachable!() };
        Ok(Input { data: record })
    }

    fn call(&self, world: &mut World, tool: ToolId, input: &Input, _: &mut Meter) -> Result<Output, CallError> {
        let record = input.data.downcast_ref::<silo_runtime::value::dynamic::Record>().expect("a decoded input");
        let args = Args(&record.values);
        let json = if tool == LIST {
            let status = match args.0[1] {
                Value::Enum(_, member) => Some(Status::ALL[usize::from(member)]),
                _ => None,
            };
            let stale_only = matches!(args.0[2], Value::Bool(true));
            list_opportunities(state(world), args.key(0).as_ref(), status, stale_only, args.int(3), args.int(4)).map(
                |page| {
                    Json::object([
                        ("total", Json::from(page.total)),
                        ("count", Json::from(page.count)),
                        ("offset", Json::from(page.offset)),
                        ("results", Json::from(page.results)),
                    ])
                },
            )
        } else {
            let world = world.state_mut::<CrmState>().expect("a world of this environment");
            reassign_opportunity(world, &args.given(0), &args.given(1), &args.given(2))
        };
        let json = json.map_err(CallError::Tool)?;
        Ok(Output { json, data: Arc::new(()) })
    }

    fn rules(&self, _: &World, _: ToolId, _: &Input, _: &Calls) -> Result<Vec<Violation>, Fault> {
        Ok(Vec::new())
    }

    fn invariants(&self, _: &World, _: &Touched) -> Result<(), Fault> {
        Ok(())
    }

    fn grade(&self, grading: &Grading<'_>) -> Result<Vec<Check>, Fault> {
        let (initial, last) = (state(grading.initial), state(grading.last));
        let fault = |error: ToolError| Fault { message: error.message.clone() };
        let hers = initial.opportunities().keep(|o| Ok(o.owner == "USR-004" && o.status == Status::Open));
        let hers = hers.map_err(fault)?;
        let broken = hers.iter().find_map(|o| {
            let owner = &last.opportunities().find(o.id.text())?.owner;
            let finding = || {
                Finding::equal(Part::new("final.opportunities[o].owner", owner.text()), Part::literal("USR-003"), false)
            };
            (*owner != "USR-003").then(|| (o.id.to_string(), finding()))
        });
        let moved = Finding::all("hers", hers.iter().len(), broken);

        let owners = OnlyStep::Fields(vec![OWNER]);
        let only = [
            Only { state: OPPORTUNITIES, steps: vec![owners], kind: None },
            Only { state: AUDIT_LOG, steps: Vec::new(), kind: Some(ChangeKind::Added) },
        ];
        let diff = grading.last.diff(grading.initial);
        let others = uncovered(&diff, &only, |permission, difference| {
            let is_hers = hers.some(|o| Ok(Some(o.id.text()) == difference.row()))?;
            Ok(permission == 1 || is_hers)
        });
        let others = others.map_err(fault)?;
        let model = &self.manifest.model;
        let others: Vec<String> = others.into_iter().map(|difference| difference.describe(model)).collect();
        let seen = match others.as_slice() {
            [] => format!("{} differences, all of them permitted", diff.differences.len()),
            others => others.join("; "),
        };
        let check = |label: &str, passed, detail| Check {
            label: label.into(),
            passed,
            required: true,
            weight: Decimal::ONE,
            detail,
        };
        Ok(vec![
            check("her open deals belong to Kofi", moved.holds(), moved.detail()),
            check("changes only what it must", others.is_empty(), seen),
        ])
    }

    fn solve(&self, _: TaskId, caller: &mut dyn Caller) -> Option<Result<Json, SolutionError>> {
        let open = Json::object([("ownerId", Json::from("USR-004")), ("status", Json::from("open"))]);
        let listed = caller.call("list_opportunities", open).output;
        let deals = listed.get("results").and_then(Json::as_array).unwrap_or_default();
        for id in deals.iter().filter_map(|deal| deal.get("id")) {
            let input =
                [("opportunityId", id.clone()), ("newOwnerId", "USR-003".into()), ("actorId", "USR-001".into())];
            caller.call("reassign_opportunity", Json::object(input));
        }
        Some(Ok(Json::from("Moved her open deals to Kofi Adjei.")))
    }

    fn decode_answer(&self, _: TaskId, _: &World, _: &World, _: &Json) -> Result<Input, InputFault> {
        Ok(Input { data: Arc::new(()) })
    }

    fn keys(&self, world: &World, entity: &str) -> Vec<Text> {
        let world = state(world);
        match entity {
            "User" => world.users().iter().map(|user| user.id.text().clone()).collect(),
            "Opportunity" => world.opportunities().iter().map(|deal| deal.id.text().clone()).collect(),
            _ => Vec::new(),
        }
    }
}
