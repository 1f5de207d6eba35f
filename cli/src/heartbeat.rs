//! Prints a line on stderr now and then during long work without a progress bar.

use crate::output;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two lines.
const PAUSE: Duration = Duration::from_secs(60);

/// Does the work, and prints its status after each minute.
pub fn with_heartbeat<T>(state: impl Fn() -> String + Send, work: impl FnOnce() -> T) -> T {
    beating(PAUSE, state, output::say, work)
}

fn beating<T>(
    pause: Duration,
    state: impl Fn() -> String + Send,
    say: impl Fn(String) + Send,
    work: impl FnOnce() -> T,
) -> T {
    let started = Instant::now();
    thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        scope.spawn(move || {
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                say(format!("after {} s: {}", started.elapsed().as_secs(), state()));
            }
        });
        let result = work();
        drop(end);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_work_says_how_it_stands() {
        let (said, heard) = channel();
        let state = || "12 of 30 cases".into();
        let lines = beating(
            Duration::from_millis(5),
            state,
            move |line| said.send(line).expect("a listener"),
            || [heard.recv(), heard.recv()].map(|line| line.expect("a line")),
        );
        assert_eq!(lines, ["after 0 s: 12 of 30 cases"; 2]);
    }

    #[test]
    fn short_work_says_nothing() {
        assert_eq!(beating(PAUSE, || unreachable!(), |_| unreachable!(), || 7), 7);
    }
}
