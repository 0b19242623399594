//! A tiny environment of doors, with a tool for each way a call can go.

use silo_runtime::calls::Calls;
use silo_runtime::diff::Touched;
use silo_runtime::environment::{
    CallError, Caller, Environment, Fault, Input, Manifest, Output, RewardMode, RuleSpec, SolutionError, TaskSpec,
    ToolSpec, Violation,
};
use silo_runtime::grade::{Check, Grading};
use silo_runtime::ids::{EntityId, FieldId, RecordId, RuleId, StateId, TaskId, ToolId};
use silo_runtime::input::{Decoder, InputFault, Keys};
use silo_runtime::keys::KeyPattern;
use silo_runtime::limits::{Limits, Meter};
use silo_runtime::model::{EntityShape, Field, Model, RecordShape, StateField};
use silo_runtime::schema::{Schema, TableWire};
use silo_runtime::store::{Seed, SeedBuilder, Store};
use silo_runtime::value::dynamic::{Value, WorldName};
use silo_runtime::value::error::ToolError;
use silo_runtime::value::json::Json;
use silo_runtime::value::{Decimal, Text};
use silo_runtime::world::World;
use std::sync::Arc;

pub(crate) const DOOR: EntityId = EntityId(0);
pub(crate) const DOORS: StateId = StateId(0);
const OPEN: FieldId = FieldId(1);

/// What the tools are called; each does what it says.
const TOOLS: [&str; 7] = ["list_doors", "open_door", "open_then_fail", "panic", "break_law", "flood", "spin"];

pub(crate) struct Doors {
    manifest: Manifest,
    seed: Arc<Seed>,
}

fn field(name: &str, schema: Schema) -> Field {
    Field {
        name: name.into(),
        wire: name.into(),
        schema,
        default: None,
        docs: "".into(),
        cases: Vec::new(),
        omit_null: false,
    }
}

impl Doors {
    pub(crate) fn new(reward: RewardMode) -> Self {
        let door = EntityShape {
            id: DOOR,
            name: "Door".into(),
            fields: vec![field("id", Schema::TEXT), field("open", Schema::Bool)],
            tag: None,
            key: FieldId(0),
            pattern: KeyPattern::Given,
            local: false,
            label: None,
            parent: None,
            docs: "".into(),
        };
        let input = RecordShape::new(None, vec![field("door", Schema::Entity(DOOR).optional())], None, "".into());
        let schema = Schema::Table { entity: DOOR, wire: TableWire::Array };
        let model = Arc::new(Model {
            enums: Vec::new(),
            records: vec![Arc::new(input)],
            entities: vec![Arc::new(door)],
            state: vec![StateField { name: "doors".into(), wire: "doors".into(), schema, docs: "".into() }],
        });
        let mut seed = SeedBuilder::new(model.clone());
        for key in ["DOOR-1", "DOOR-2", "DOOR-30"] {
            seed.row(DOORS, vec![Value::Text(key.into()), Value::Bool(false)]).unwrap();
        }
        let tool = |name: &&str| ToolSpec {
            name: (*name).into(),
            description: "Does what its name says.".into(),
            input: Schema::Record(RecordId(0)),
            output: Schema::Bool,
            read_only: *name == "list_doors",
            has_rules: *name == "open_door",
        };
        let task = |id: &str, answer: Option<Schema>| TaskSpec {
            id: id.into(),
            instruction: "Open DOOR-1.".into(),
            answer,
            reward,
            limits: Limits { max_calls: 5, ..Limits::default() },
            has_solution: id == "OPEN",
            rules: true,
            ..TaskSpec::default()
        };
        let manifest = Manifest {
            name: "doors".into(),
            version: "1".into(),
            hash: "0".into(),
            title: None,
            description: None,
            policy: Some("Never open DOOR-2.".into()),
            model,
            tools: TOOLS.iter().map(tool).collect(),
            tasks: vec![task("OPEN", None), task("COUNT", Some(Schema::INT)), task("FAULTY", None)],
            rules: vec![RuleSpec { name: "not_two".into(), docs: "Never open DOOR-2.".into(), tools: vec![ToolId(1)] }],
        };
        Self { manifest, seed: Arc::new(seed.finish()) }
    }
}

struct Rows<'a>(&'a Store);

impl Keys for Rows<'_> {
    fn find(&self, entity: EntityId, key: &str) -> Option<WorldName> {
        self.0.row(entity, key).map(|_| WorldName::Initial)
    }
}

fn store(world: &World) -> &Store {
    world.state().expect("a store")
}

fn is_open(world: &World, key: &str) -> bool {
    let row = store(world).row(DOOR, key).expect("a door");
    matches!(row.values.get(OPEN.index()), Some(Value::Bool(true)))
}

fn door_of(input: &Input) -> Option<Text> {
    let record = match input.data.downcast_ref::<Value>()? {
        Value::Record(record) => record.clone(),
        _ => return None,
    };
    match record.values.first()? {
        Value::Row(row) => Some(row.key.clone()),
        _ => None,
    }
}

impl Environment for Doors {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn seed(&self) -> World {
        World::new(Store::new(self.seed.clone()))
    }

    fn world(&self, _: TaskId) -> Result<World, Fault> {
        Ok(self.seed())
    }

    fn decode(&self, world: &World, _: ToolId, input: &Json) -> Result<Input, InputFault> {
        let value = Decoder::new(&self.manifest.model, &Rows(store(world))).record(RecordId(0), input)?;
        Ok(Input { data: Arc::new(value) })
    }

    fn call(&self, world: &mut World, tool: ToolId, input: &Input, meter: &mut Meter) -> Result<Output, CallError> {
        let open = |world: &mut World, key: &str| {
            let store: &mut Store = world.state_mut().expect("a store");
            store.set(DOOR, key, OPEN, Value::Bool(true)).map_err(CallError::Tool)
        };
        let door = door_of(input).unwrap_or_else(|| "DOOR-1".into());
        let json = match TOOLS[tool.index()] {
            "list_doors" => ["DOOR-1", "DOOR-2"].into_iter().map(Json::from).collect(),
            "open_door" => {
                open(world, &door)?;
                Json::from(true)
            }
            "open_then_fail" => {
                open(world, &door)?;
                return Err(CallError::Tool(ToolError::no_row("Door", "DOOR-3")));
            }
            "panic" => {
                open(world, &door)?;
                panic!("on purpose");
            }
            "break_law" => {
                open(world, "DOOR-30")?;
                Json::from(true)
            }
            "flood" => Json::from("x".repeat(5 << 20)),
            _ => {
                open(world, &door)?;
                loop {
                    meter.charge(1_000).map_err(CallError::Tool)?;
                }
            }
        };
        Ok(Output { json, data: Arc::new(()) })
    }

    fn rules(&self, _: &World, _: ToolId, input: &Input, _: &Calls) -> Result<Vec<Violation>, Fault> {
        let broken = door_of(input).as_deref() == Some("DOOR-2");
        let violation = || Violation { rule: RuleId(0), message: "DOOR-2 stays shut.".to_owned() };
        Ok(broken.then(violation).into_iter().collect())
    }

    fn invariants(&self, world: &World, _: &Touched) -> Result<(), Fault> {
        if is_open(world, "DOOR-30") { Err(Fault { message: "DOOR-30 never opens".to_owned() }) } else { Ok(()) }
    }

    fn grade(&self, at: &Grading<'_>) -> Result<Vec<Check>, Fault> {
        let check = |label: &str, passed: bool, required: bool| Check {
            label: label.into(),
            passed,
            required,
            weight: Decimal::ONE,
            detail: String::new(),
        };
        match &*self.manifest.tasks[at.task.index()].id {
            "OPEN" => Ok(vec![
                check("DOOR-1 is open", is_open(at.last, "DOOR-1"), true),
                check("DOOR-2 is shut", !is_open(at.last, "DOOR-2"), true),
                check("it says so", at.answer.text.contains("DOOR-1"), false),
            ]),
            "COUNT" => Ok(vec![check("three", at.answer.typed.is_some(), true)]),
            _ => Err(Fault { message: "the grader's budget is spent".to_owned() }),
        }
    }

    fn solve(&self, task: TaskId, caller: &mut dyn Caller) -> Option<Result<Json, SolutionError>> {
        (task == TaskId(0)).then(|| {
            let result = caller.call("open_door", Json::object([("door", "DOOR-1")]));
            assert!(!result.is_error);
            Ok(Json::from("Opened DOOR-1."))
        })
    }

    fn decode_answer(&self, _: TaskId, initial: &World, _: &World, answer: &Json) -> Result<Input, InputFault> {
        let value = Decoder::new(&self.manifest.model, &Rows(store(initial))).value(&Schema::INT, answer)?;
        Ok(Input { data: Arc::new(value) })
    }

    fn keys(&self, world: &World, _: &str) -> Vec<Text> {
        store(world).keys(DOOR)
    }
}
