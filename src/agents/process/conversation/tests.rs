//! Whatever comes in whatever order, there is one ending, and nothing after it counts.

use super::*;
use crate::agents::{Briefing, CallResult, Interrupt, Limits, TerminationReason};
use proptest::prelude::*;
use silo_runtime::value::Json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

struct Counting {
    briefing: Briefing,
    limits: Limits,
    calls: usize,
    max_calls: usize,
}

impl Counting {
    fn new(max_calls: usize) -> Self {
        let briefing = Briefing { task: "t".into(), policy: None, tools: [].into(), answer_schema: None };
        Self { briefing, limits: Limits::default(), calls: 0, max_calls }
    }
}

impl Rollout for Counting {
    fn briefing(&self) -> &Briefing {
        &self.briefing
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn call(&mut self, _: &str, _: &Json) -> CallResult {
        self.calls += 1;
        CallResult { output: Json::Null, is_error: false }
    }

    fn ended(&self) -> Option<TerminationReason> {
        (self.calls >= self.max_calls).then_some(TerminationReason::MaxToolCalls)
    }
}

/// What can happen to a conversation.
#[derive(Clone, Copy, Debug)]
enum Event {
    Call,
    Output,
    Failure,
    ForeignLine,
    Limit,
    Interrupt,
    Exit,
}

fn event() -> impl Strategy<Value = Event> {
    use Event::*;
    prop::sample::select(vec![Call, Call, Call, Output, Failure, ForeignLine, Limit, Interrupt, Exit])
}

/// What the first event that settles the ending settles it to: the model.
fn expected(events: &[Event], max_calls: usize) -> (Option<Ending>, usize) {
    let mut calls = 0;
    for event in events {
        let ending = match event {
            Event::Call => {
                calls += 1;
                if calls < max_calls {
                    continue;
                }
                Ending::Output("".into())
            }
            Event::Output => Ending::Output("done".into()),
            Event::Failure => Ending::AgentError("sorry".into()),
            Event::ForeignLine => Ending::AgentError("foreign".into()),
            Event::Limit => Ending::Timeout,
            Event::Interrupt => Ending::Interrupted,
            Event::Exit => Ending::AgentError("exit".into()),
        };
        return (Some(ending), calls);
    }
    (None, calls)
}

/// The kind of an ending, with the text of an output.
fn kind(ending: Option<&Ending>) -> String {
    match ending {
        Some(Ending::AgentError(message)) if message == "sorry" => "sorry".into(),
        Some(Ending::AgentError(message)) if message.starts_with("line ") => "foreign".into(),
        Some(Ending::AgentError(_)) => "exit".into(),
        other => format!("{other:?}"),
    }
}

fn kind_of_model(ending: Option<&Ending>) -> String {
    match ending {
        Some(Ending::AgentError(name)) => name.clone(),
        other => format!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// `at_once`: all events fall between two looks of the host. Then the agent's lines are read in the order written, and
    /// the interrupt and the limit come before any of them.
    #[test]
    fn pd04_events_in_one_instant_give_one_ending_and_no_call_after_it(
        events in prop::collection::vec(event(), 0..8),
        max_calls in 1_usize..5,
        at_once in any::<bool>(),
    ) {
        let time = Arc::new(AtomicU64::new(0));
        let clock = { let time = Arc::clone(&time); Arc::new(move || Duration::from_millis(time.load(Ordering::SeqCst))) };
        let interrupt = Interrupt::default();
        let abort = Abort::with_clock(clock, Some(Duration::from_secs(1)), &interrupt);
        let (mut rollout, mut log) = (Counting::new(max_calls), AgentLog::default());
        let mut conversation = Conversation::new(&rollout);
        let mut settled: Option<(Ending, usize)> = None;
        for (id, event) in events.iter().enumerate() {
            match event {
                Event::Call => conversation.hear(format!("{{\"type\":\"call\",\"id\":{id},\"tool\":\"t\",\"input\":{{}}}}\n").as_bytes()),
                Event::Output => conversation.hear(b"{\"type\":\"output\",\"output\":\"done\"}\n"),
                Event::Failure => conversation.hear(b"{\"type\":\"error\",\"message\":\"sorry\"}\n"),
                Event::ForeignLine => conversation.hear(b"Loading\n"),
                Event::Limit => time.store(1000, Ordering::SeqCst),
                Event::Interrupt => interrupt.raise(),
                Event::Exit if at_once => {}
                Event::Exit => conversation.closed("exited with code 0", &log),
            }
            if !at_once {
                conversation.answer(&mut rollout, &abort, &mut log, false);
            }
            if let Some(now) = &conversation.settled {
                let (ending, calls) = settled.get_or_insert((now.ending.clone(), rollout.calls));
                prop_assert_eq!(&*ending, &now.ending);
                prop_assert_eq!(*calls, rollout.calls);
            }
        }
        let mut order = events.clone();
        if at_once {
            conversation.answer(&mut rollout, &abort, &mut log, true);
            conversation.closed("exited with code 0", &log);
            let outside = |event: &Event| match event { Event::Interrupt => 0, Event::Limit => 1, Event::Exit => 3, _ => 2 };
            order.push(Event::Exit);
            order.sort_by_key(outside);
        }
        let (ending, calls) = expected(&order, max_calls);
        prop_assert_eq!(rollout.calls, calls);
        prop_assert_eq!(kind(conversation.into_ending().as_ref()), kind_of_model(ending.as_ref()));
    }

    #[test]
    fn any_bytes_are_heard_without_harm(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..8)) {
        let (mut rollout, mut log) = (Counting::new(9), AgentLog::default());
        let mut conversation = Conversation::new(&rollout);
        for piece in pieces {
            conversation.hear(&piece);
            conversation.answer(&mut rollout, &Abort::never(), &mut log, false);
        }
        conversation.answer(&mut rollout, &Abort::never(), &mut log, true);
        conversation.closed("exited with code 0", &log);
        prop_assert!(matches!(conversation.into_ending(), Some(Ending::AgentError(_))));
    }

    #[test]
    fn any_line_of_json_is_a_message_or_told_why_not(
        kind in "call|log|error|output|x", id in any::<i64>(), text in ".{0,20}", members in "(,\"[a-z]{1,6}\":(1|null|\\{\\}|\"s\")){0,3}",
    ) {
        let text = Json::from(text);
        let line = format!("{{\"type\":\"{kind}\",\"id\":{id},\"tool\":{text},\"message\":{text}{members}}}");
        if let Err(problem) = Message::parse(line.as_bytes()) {
            prop_assert!(!problem.is_empty());
        }
    }
}
