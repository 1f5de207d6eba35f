//! Progress of proofs: a bar on a terminal, a line now and then elsewhere.

use crate::heartbeat::with_heartbeat;
use crate::output;
use binade_prove::Progress;
use binade_verdict::proof::Watch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};

/// The unit of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// The cases of a unit, or its inputs.
    Cases,
    /// The units of a suite.
    Units,
}

/// A progress bar, with the state of the current unit.
pub struct Meter {
    bar: ProgressBar,
    counts: Counts,
    cases: AtomicU64,
    done: AtomicU64,
    open: AtomicU64,
    /// The inputs of a unit that were tried, and all of them; 0 as long as cases are proven.
    tried: [AtomicU64; 2],
}

impl Meter {
    /// For one unit.
    pub fn of_unit() -> Meter {
        Meter::new(Counts::Cases, 0, "{bar:40} {msg}, {elapsed}, {eta} left")
    }

    /// For this many units.
    pub fn of_suite(units: usize) -> Meter {
        Meter::new(Counts::Units, units as u64, "{bar:40} {pos} of {len} units, {elapsed}; {prefix}: {msg}")
    }

    fn new(counts: Counts, length: u64, template: &str) -> Meter {
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style);
        Meter {
            bar,
            counts,
            cases: AtomicU64::new(0),
            done: AtomicU64::new(0),
            open: AtomicU64::new(0),
            tried: Default::default(),
        }
    }

    /// The cases of the unit: all, finished, and open ones among the finished.
    fn counts(&self) -> [u64; 3] {
        [&self.cases, &self.done, &self.open].map(|count| count.load(Ordering::Relaxed))
    }

    fn state(&self) -> String {
        let [tried, all] = self.tried.each_ref().map(|count| count.load(Ordering::Relaxed));
        match self.counts() {
            _ if all > 0 => format!("{} % of all inputs", u128::from(tried) * 100 / u128::from(all)),
            [0, _, _] => "no cases yet".into(),
            [cases, done, open] => format!("{done} of {cases} cases, {open} open"),
        }
    }

    /// Does the work, and removes the bar.
    pub fn watch<T>(&self, work: impl FnOnce() -> T) -> T {
        let result = match self.bar.is_hidden() {
            true => with_heartbeat(|| format!("{}: {}", self.bar.prefix(), self.state()), work),
            false => work(),
        };
        self.finish();
        result
    }

    fn show(&self, done: u64, total: u64, message: String) {
        if self.counts == Counts::Cases {
            self.bar.set_length(total);
            self.bar.set_position(done);
        }
        self.bar.set_message(message);
    }

    /// Finishes a unit of a suite with a line about it.
    pub fn end(&self, line: impl Display) {
        self.bar.suspend(|| output::say(line));
        self.bar.inc(1);
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Meter {
    /// Starts a unit.
    fn begin(&self, module: &str) {
        self.bar.set_prefix(module.to_string());
        self.bar.set_message("its gates");
        let counts = [&self.cases, &self.done, &self.open].into_iter().chain(&self.tried);
        counts.for_each(|count| count.store(0, Ordering::Relaxed));
    }

    /// Updates the unit's cases.
    fn hear(&self, progress: Progress) {
        match progress {
            Progress::Cases(cases) => {
                self.cases.fetch_add(cases as u64, Ordering::Relaxed);
            }
            Progress::Done { is_open } => {
                self.done.fetch_add(1, Ordering::Relaxed);
                self.open.fetch_add(u64::from(is_open), Ordering::Relaxed);
            }
        }
        let [cases, done, _] = self.counts();
        self.show(done, cases, self.state());
    }

    /// Updates the number of inputs tried.
    fn tried(&self, vectors: u64, total: u64) {
        self.tried.iter().zip([vectors, total]).for_each(|(count, value)| count.store(value, Ordering::Relaxed));
        self.show(vectors, total, self.state());
    }
}
