//! A small environment written in Rust against the typed tables: two tools and a task of a sales team's CRM, played by the
//! engine like any other.

mod environment;
mod tools;
mod world;

use environment::Crm;
use silo_runtime::ids::TaskId;
use silo_runtime::limits::Limits;
use silo_runtime::session::{Clock, Ending, Engine, Session, Setup, solve};
use silo_runtime::trace::{Event, Sink};
use silo_runtime::value::DateTime;
use silo_runtime::value::json::Json;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// A clock that stands.
struct Still;

impl Clock for Still {
    fn now(&self) -> DateTime {
        "2026-03-31T09:00:00Z".parse().unwrap()
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

struct Unread;

impl Sink for Unread {
    fn record(&mut self, _: Event) -> io::Result<()> {
        Ok(())
    }
}

fn session() -> Session {
    let setup = Setup {
        run_id: "run".into(),
        agent: "test".into(),
        limits: Limits::default(),
        clock: Box::new(Still),
        sink: Box::new(Unread),
    };
    Engine::new(Arc::new(Crm::new())).session(TaskId(0), setup).unwrap()
}

fn call(session: &mut Session, tool: &str, input: &str) -> String {
    session.call_text(tool, input).output.to_string()
}

#[test]
fn the_reference_solution_passes() {
    let mut session = session();
    let ending = solve(&mut session).unwrap();
    let outcome = session.finish(ending);
    insta::assert_snapshot!("result", outcome.result_json().to_pretty());
    insta::assert_snapshot!("state-diff", outcome.diff_json().to_pretty());
}

#[test]
fn doing_nothing_earns_nothing() {
    let outcome = session().finish(Ending::Output("".into()));
    assert_eq!(outcome.passed(), Some(false));
    assert_eq!(outcome.result_json().get("reward"), Some(&Json::from(0)));
    assert!(outcome.diff.is_empty());
}

#[test]
fn tools_list_and_refuse() {
    let mut session = session();
    let heard = [
        call(&mut session, "list_opportunities", r#"{ "ownerId": "USR-004", "limit": 2 }"#),
        call(&mut session, "list_opportunities", r#"{ "staleOnly": true }"#),
        call(
            &mut session,
            "reassign_opportunity",
            r#"{ "opportunityId": "OPP-003", "newOwnerId": "USR-003", "actorId": "USR-001" }"#,
        ),
        call(
            &mut session,
            "reassign_opportunity",
            r#"{ "opportunityId": "OPP-001", "newOwnerId": "USR-004", "actorId": "USR-001" }"#,
        ),
        call(&mut session, "reassign_opportunity", r#"{ "opportunityId": "OPP-001", "newOwnerId": "USR-999" }"#),
    ];
    insta::assert_snapshot!(heard.join("\n"));
    assert!(session.diff().is_empty());
}

#[test]
fn another_change_is_named() {
    let mut session = session();
    call(
        &mut session,
        "reassign_opportunity",
        r#"{ "opportunityId": "OPP-004", "newOwnerId": "USR-003", "actorId": "USR-001" }"#,
    );
    let outcome = session.finish(Ending::Output("done".into()));
    let details: Vec<String> = outcome.verdict.unwrap().checks.into_iter().map(|check| check.detail).collect();
    insta::assert_debug_snapshot!(details);
}
