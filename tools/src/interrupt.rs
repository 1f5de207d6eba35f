//! Ctrl-C: the first one asks everything to stop and clean up, the second one stops at once. What does not listen is ended.

use nix::sys::signal::{SigHandler, Signal, signal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{process, thread};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit code of a program stopped by Ctrl-C.
const EXIT_INTERRUPTED: i32 = 130;

/// What has not stopped by then, such as a computation that polls nothing, is ended. Programs that clean up take less.
const PATIENCE: Duration = Duration::from_secs(10);

/// From now on SIGINT and SIGTERM set [`interrupted`]; a second signal, or 10 seconds, exit with code 130.
///
/// # Panics
/// When another handler was installed before: call it once, first thing in `main`.
pub fn catch_interrupts() {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            process::exit(EXIT_INTERRUPTED);
        }
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            process::exit(EXIT_INTERRUPTED);
        });
    })
    .expect("the only handler of Ctrl-C");
}

/// From now on a write beyond the limit of a file's length (`ulimit -f`) is an error that can be said; by default a signal
/// ends the program. The programs that it starts inherit that.
pub fn survive_file_limits() {
    // SAFETY: to ignore a signal installs no handler, so no code runs in one. It fails only for signals that do not exist.
    let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
}

/// Whether the user asked to stop; long loops poll it.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
