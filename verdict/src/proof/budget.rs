//! The limit of a proof.

use cpu_time::ProcessTime;
use std::time::Duration;

/// Processor time for a proof, summed over all threads: other load on the machine does not count.
#[derive(Clone, Copy)]
pub struct Budget {
    started: ProcessTime,
    limit: Duration,
}

impl Budget {
    /// This much time from now.
    pub fn new(limit: Duration) -> Budget {
        Budget { started: ProcessTime::now(), limit }
    }

    pub(super) fn is_over(self) -> bool {
        self.started.elapsed() >= self.limit
    }

    /// Whether work that takes this processor time fits into the rest.
    pub(super) fn has(self, work: Duration) -> bool {
        self.started.elapsed() + work <= self.limit
    }
}
