//! Watches a compiled model during a run.

use crate::engines::verilator::{Standstill, Watches};
use binade_tools::interrupted;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often a compiled model is inspected.
const LOOK: Duration = Duration::from_millis(50);

/// How long a vector may take after Ctrl-C.
const PATIENCE: Duration = Duration::from_secs(1);

/// Watches a compiled model that may loop forever, or longer than a user waits after Ctrl-C.
#[derive(Clone, Copy)]
pub struct Watchdog<'a> {
    /// How long a vector may take.
    pub limit: Duration,
    /// Called when a vector takes longer. A model cannot be stopped, so the process must be.
    pub bark: &'a (dyn Fn(&Hang) + Sync),
}

/// A vector that a model does not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hang {
    /// Number of the vector in its plan.
    pub index: u64,
    /// Names and codes of the operands; none before the first vector.
    pub operands: Vec<[String; 2]>,
    /// How long the watchdog waited.
    pub limit: Duration,
    /// Whether the user has pressed Ctrl-C.
    pub is_interrupted: bool,
}

impl Watchdog<'_> {
    /// Runs `work` while another thread watches the instances; `place` gives the number and the operands of the vector at which an instance
    /// is stuck.
    pub(crate) fn over<Output>(
        self,
        watches: &Watches,
        place: impl Fn(Standstill) -> (u64, Vec<[String; 2]>) + Send,
        work: impl FnOnce() -> Output,
    ) -> Output {
        let (done, is_done) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while is_done.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    let is_interrupted = interrupted();
                    let limit = if is_interrupted { self.limit.min(PATIENCE) } else { self.limit };
                    if let Some(still) = watches.standstill(limit) {
                        let (index, operands) = place(still);
                        (self.bark)(&Hang { index, operands, limit, is_interrupted });
                    }
                }
            });
            let output = work();
            drop(done);
            output
        })
    }
}
