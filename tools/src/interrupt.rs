//! Ctrl-C: the first one asks everything to stop and clean up, the second one exits immediately.

use nix::sys::signal::{SigHandler, Signal, signal};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit code of a program stopped by Ctrl-C.
const EXIT_INTERRUPTED: i32 = 130;

/// Whether the current work leaves nothing behind.
static IS_CLEAN: AtomicBool = AtomicBool::new(false);

/// Makes SIGINT and SIGTERM set [`interrupted`]; a second signal exits with code 130 immediately.
///
/// # Panics
/// When another handler was installed before: call it once, at the start of `main`.
pub fn catch_interrupts() {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) || IS_CLEAN.load(Ordering::Relaxed) {
            exit(EXIT_INTERRUPTED);
        }
    })
    .expect("the only handler of Ctrl-C");
}

/// Makes a write beyond the file size limit (`ulimit -f`) an ordinary error; by default a signal kills the program. Programs that it starts
/// inherit this.
pub fn survive_file_limits() {
    // SAFETY: to ignore a signal installs no handler, so no code runs in one. It fails only for signals that do not exist.
    let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
}

/// Does long work that does not poll [`interrupted`] and leaves neither files nor programs behind: the first signal exits with code 130,
/// even one that came before.
pub fn left_on_interrupt<T>(work: impl FnOnce() -> T) -> T {
    IS_CLEAN.store(true, Ordering::Relaxed);
    if interrupted() {
        exit(EXIT_INTERRUPTED);
    }
    let result = work();
    IS_CLEAN.store(false, Ordering::Relaxed);
    result
}

/// Whether the user asked to stop; long loops must poll it.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Asks all work to stop, as Ctrl-C does: for programs that catch signals themselves.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Lets work begin again after [`interrupt`], when what was at work has stopped.
pub fn forget_interrupt() {
    INTERRUPTED.store(false, Ordering::Relaxed);
}
