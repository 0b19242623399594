//! Heads of tasks: ids, settings, the type of the answer, and which code belongs to which part.

use super::collect::Items;
use super::constant::Constant;
use super::items::TaskDecl;
use super::messages::duplicate;
use super::types::Names;
use super::{Declared, fields, settings};
use crate::diagnostics::{Diagnostic, Span, codes};
use crate::syntax::tree::{self, Setting, TaskPartKind};
use silo_runtime::value::Text;

/// The settings of a task.
const TASK: [&str; 9] =
    ["title", "difficulty", "instruction", "tags", "answer", "reward", "max_calls", "timeout", "rules"];

/// How long the id of a task may be: folders are named after it.
const LONGEST_ID: usize = 100;

/// Reads all tasks.
pub(super) fn read<'t>(declared: &mut Declared<'t>, items: &Items<'t>, sink: &mut Vec<Diagnostic>) {
    let mut ids: Names<Span> = Names::default();
    for task in &items.tasks {
        if task.family.is_none()
            && let Some(id) = task.id.as_plain()
        {
            check_id(id, task.id.span, sink);
            match ids.get(id) {
                Some(first) => {
                    sink.push(duplicate("task", id, task.id.span, *first));
                    continue;
                }
                None => _ = ids.insert(Text::from(id), task.id.span),
            }
        }
        let read = read_task(declared, task, sink);
        declared.tasks.push(read);
    }
}

/// Reports an id that cannot be the id of a task.
pub(crate) fn check_id(id: &str, span: Span, sink: &mut Vec<Diagnostic>) {
    let message = if id.trim().is_empty() {
        "a task needs an id".to_owned()
    } else if id.chars().any(char::is_control) {
        "the id of a task holds no control characters".to_owned()
    } else if id.chars().count() > LONGEST_ID {
        format!("the id of a task has at most {LONGEST_ID} characters")
    } else {
        return;
    };
    sink.push(Diagnostic::error(codes::tasks::ID, span, message).help("write a short id such as `\"TASK-001\"`"));
}

fn read_task<'t>(declared: &mut Declared<'t>, task: &'t tree::Task, sink: &mut Vec<Diagnostic>) -> TaskDecl<'t> {
    let mut read = TaskDecl {
        id: &task.id,
        family: task.family.as_ref(),
        title: None,
        instruction: None,
        difficulty: None,
        tags: Vec::new(),
        answer: None,
        reward: None,
        max_calls: None,
        timeout_ms: None,
        rules: true,
        setup: None,
        verify: Vec::new(),
        solution: None,
        span: task.id.span,
    };
    let mut answer_at: Option<Span> = None;
    let mut written: Vec<&Setting> = Vec::new();
    for part in &task.parts {
        match &part.kind {
            TaskPartKind::Setting(setting) => written.push(setting),
            TaskPartKind::Answer(ty) => match answer_at {
                Some(first) => sink.push(duplicate("setting", "answer", part.span, first)),
                None => {
                    answer_at = Some(part.span);
                    read.answer = Some(declared.types.resolve(ty, sink).unwrap_or_else(fields::unknown));
                }
            },
            TaskPartKind::Setup(block) => once(&mut read.setup, block, "setup", part.span, sink),
            TaskPartKind::Solution(block) => once(&mut read.solution, block, "solution", part.span, sink),
            TaskPartKind::Verify(verify) => read.verify.push(verify),
        }
    }
    for setting in settings::unique(written, sink) {
        if setting.name == "answer" && read.answer.is_none() {
            // Nothing that stands there reads as a type, so it may be of any.
            read.answer = Some(fields::unknown());
        }
        set(declared, &mut read, setting, sink);
    }
    if read.instruction.is_none() {
        sink.push(
            Diagnostic::error(codes::tasks::NO_INSTRUCTION, task.id.span, "this task has no instruction")
                .label("the agent would not know what to do")
                .help("add `instruction: \"…\"`: it is all that the agent is told"),
        );
    }
    read
}

fn once<'t>(
    slot: &mut Option<&'t tree::Block>,
    block: &'t tree::Block,
    what: &str,
    span: Span,
    sink: &mut Vec<Diagnostic>,
) {
    match slot {
        Some(first) => sink.push(
            Diagnostic::error(codes::tasks::PART_TWICE, span, format!("this task has two parts `{what}`"))
                .label("the second one")
                .also(first.span, "the first one")
                .help("put both into one block"),
        ),
        None => *slot = Some(block),
    }
}

fn set<'t>(declared: &Declared<'t>, task: &mut TaskDecl<'t>, setting: &'t Setting, sink: &mut Vec<Diagnostic>) {
    match setting.name.as_str() {
        // These may have holes; they are code.
        "title" => return task.title = Some(&setting.value),
        "instruction" => {
            if let tree::ExprKind::Text(text) = &setting.value.kind
                && text.as_plain().is_some_and(|text| text.trim().is_empty())
            {
                sink.push(
                    Diagnostic::error(codes::tasks::NO_INSTRUCTION, setting.value.span, "the instruction is empty")
                        .label("the agent would not know what to do")
                        .help("say what is to be done: it is all that the agent is told"),
                );
            }
            return task.instruction = Some(&setting.value);
        }
        "answer" => {
            return sink.push(
                Diagnostic::error(codes::declarations::SETTING, setting.value.span, "the answer of a task needs a type")
                    .label("this is no type")
                    .help("write a type such as `int`, `list<string>`, `{ total: decimal }`, or the name of an entity, a record or an enum"),
            );
        }
        name if !TASK.contains(&name) => return settings::unknown("a task", &setting.name, &TASK, sink),
        _ => {}
    }
    let Some(value) = declared.types.constants.evaluate(&setting.value, sink) else { return };
    match setting.name.as_str() {
        "difficulty" => task.difficulty = settings::text(&value, setting, sink),
        "reward" => task.reward = settings::reward(&value, setting, sink),
        "max_calls" => {
            task.max_calls =
                settings::count(&value, setting, u32::MAX.into(), sink).and_then(|n| u32::try_from(n).ok());
        }
        "timeout" => task.timeout_ms = settings::duration(&value, setting, sink),
        "tags" => match &value.value {
            Constant::List(items) => {
                task.tags = items.iter().filter_map(|item| settings::text(item, setting, sink)).collect();
            }
            _ => _ = settings::wrong::<()>(setting, &value, "a list of strings, such as `[\"refunds\"]`", sink),
        },
        "rules" => match &value.value {
            Constant::Text(text) if **text == *"off" => task.rules = false,
            Constant::Text(text) if **text == *"on" => task.rules = true,
            _ => {
                _ = settings::wrong::<()>(
                    setting,
                    &value,
                    "`\"off\"`, if breaking a rule shall not fail the task",
                    sink,
                );
            }
        },
        _ => {}
    }
}
