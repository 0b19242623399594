//! A stack of known size, so that what is too deep is the same on every thread.

/// The stack of the front end, in bytes: enough for everything that source of the allowed depth can ask for, in any build.
const STACK: usize = 64 << 20;

/// Runs something on a thread with a stack of 64 MiB and waits for it. A panic in it goes on here.
pub fn with_deep_stack<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    let mut run = Some(run);
    let mut result = None;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("silo".to_owned()).stack_size(STACK);
        let spawned = thread.spawn_scoped(scope, || result = run.take().map(|run| run()));
        if let Ok(handle) = spawned
            && let Err(panic) = handle.join()
        {
            std::panic::resume_unwind(panic);
        }
    });
    match (result, run) {
        (Some(result), _) => result,
        // The system has no thread to give: this one has to do.
        (None, Some(run)) => run(),
        (None, None) => unreachable!("the thread has run and has not panicked"),
    }
}

#[cfg(test)]
mod tests {
    use super::with_deep_stack;

    fn sink(depth: u32) -> u64 {
        let frame = std::hint::black_box([u64::from(depth); 64]);
        if depth == 0 { 0 } else { sink(depth - 1) + frame.iter().take(1).sum::<u64>() }
    }

    #[test]
    fn the_stack_is_deep() {
        assert!(with_deep_stack(|| sink(20_000)) > 0);
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn a_panic_goes_on() {
        with_deep_stack(|| panic!("on purpose"));
    }
}
