use crate::support::{Place, settled};
use std::collections::BTreeSet;
use std::process::Stdio;

/// The files of a rollout that may not differ between two runs of the same thing.
fn comparable(place: &Place) -> (String, String, String) {
    let trace: Vec<String> = place
        .artifact("trace.jsonl")
        .lines()
        .map(|line| {
            let mut event: serde_json::Value = serde_json::from_str(line).expect("a whole line");
            let event = event.as_object_mut().expect("an object");
            for varying in ["at", "durationMs", "runId"] {
                event.remove(varying);
            }
            serde_json::to_string(event).unwrap()
        })
        .collect();
    (place.artifact("result.json"), place.artifact("state-diff.json"), trace.join("\n"))
}

#[test]
fn artifacts_are_as_documented() {
    let place = Place::with_rooms();
    place.silo(&["run", "rooms", "--task", "BOOK-1"]);
    settled().bind(|| {
        insta::assert_snapshot!("trace_jsonl", place.artifact("trace.jsonl"));
        insta::assert_snapshot!("result_json", place.artifact("result.json"));
        insta::assert_snapshot!("state_diff_json", place.artifact("state-diff.json"));
        insta::assert_snapshot!("run_json", place.artifact("run.json"));
    });
    let names: BTreeSet<String> = std::fs::read_dir(place.runs().pop().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected = ["agent.log", "result.json", "run.json", "state-diff.json", "trace.jsonl"];
    assert_eq!(names, expected.map(str::to_owned).into());
}

#[test]
fn r27_pb04_pb05_locale_zone_and_folder_change_no_byte() {
    let mut seen = BTreeSet::new();
    let zones = ["UTC", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Kiritimati", "nonsense"];
    for (index, zone) in zones.iter().cycle().take(10).enumerate() {
        let place = Place::with_rooms();
        let locale = if index % 2 == 0 { "C" } else { "tr_TR.UTF-8" };
        let ran = place
            .command(&["run", "rooms", "--task", "BOOK-1"])
            .env("TZ", zone)
            .env("LC_ALL", locale)
            .env("LANG", locale)
            .env("HOME", place.path())
            .env("RANDOM_SEED", index.to_string())
            .output()
            .unwrap();
        assert!(ran.status.success());
        seen.insert(comparable(&place));
    }
    assert_eq!(seen.len(), 1);
}

#[test]
fn r06_pd07_rollouts_of_one_moment_never_share_a_folder() {
    let place = Place::with_rooms();
    let children: Vec<_> = (0..4)
        .map(|_| {
            place
                .command(&["run", "rooms", "--task", "BOOK-1", "--runs", "16", "--jobs", "4"])
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(place.runs().len(), 64);
    for folder in place.runs() {
        let trace = std::fs::read_to_string(folder.join("trace.jsonl")).unwrap();
        let events: Vec<serde_json::Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
        assert_eq!(events.iter().filter(|event| event["type"] == "run_end").count(), 1);
        assert_eq!(events[0]["runId"], folder.file_name().unwrap().to_str().unwrap());
    }
}

#[cfg(unix)]
#[test]
fn r26_whenever_it_is_killed_every_file_is_whole() {
    let place = Place::with_rooms();
    for wait in 0..50_u64 {
        let mut child = place
            .command(&["run", "rooms", "--task", "BOOK-1", "--runs", "1000"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_micros(4_000 + wait * 397));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    for folder in place.runs() {
        for name in ["result.json", "state-diff.json", "run.json"] {
            if let Ok(text) = std::fs::read_to_string(folder.join(name)) {
                serde_json::from_str::<serde_json::Value>(&text).expect("a file that is there is whole");
            }
        }
        let trace = std::fs::read_to_string(folder.join("trace.jsonl")).unwrap_or_default();
        let whole = trace.rfind('\n').map_or("", |end| &trace[..end]);
        for line in whole.lines() {
            serde_json::from_str::<serde_json::Value>(line).expect("every whole line is an event");
        }
    }
}

#[cfg(unix)]
#[test]
fn artifacts_that_cannot_be_written_give_no_verdict() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::with_rooms();
    place.write("blocked", "a file where a folder should be");
    let ran = place.silo(&["run", "rooms", "--task", "BOOK-1", "--out", "blocked"]);
    assert_eq!(ran.code, Some(3), "{}", ran.shown());
    // As root nothing is read-only; elsewhere a folder without write permission is the same fault.
    let folder = place.path().join("readonly");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o500)).unwrap();
    let ran = place.silo(&["run", "rooms", "--task", "BOOK-1", "--out", "readonly"]);
    assert!(matches!(ran.code, Some(0 | 3)), "{}", ran.shown());
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_costs_no_rollout() {
    let place = Place::with_rooms();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ran = place.command(&["run", "rooms", "--task", "BOOK-1"]).stdout(full).output().unwrap();
    assert_eq!(ran.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("standard output cannot be written"));
    assert!(place.artifact("result.json").contains("\"passed\": true"));
}
