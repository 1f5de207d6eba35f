//! A run: units are chosen and examined, one after the other.

use crate::covering::Covering;
use crate::draw::Draw;
use crate::examine::{Examiner, Outcome};
use crate::fault::{Fault, Step};
use crate::pairs::pairs;
use crate::report::{Finding, FuzzReport, Tried};
use crate::shrink::shrink;
use crate::words::Words;
use binade_tools::Error;
use std::time::{Duration, Instant};

/// One unit in this many is also simulated, which takes some seconds.
const SIMULATED: usize = 8;

/// The time spent on finding a simpler unit with the same fault.
const LONGEST_SHRINKING: Duration = Duration::from_secs(60);

/// How the units of a run are chosen.
pub enum Way {
    /// At random.
    Drawn,
    /// Every unit, with a small format of each family and every pair of its settings.
    Pairs,
    /// Only the unit of these words.
    Only(Words),
}

/// Watches a run.
pub trait Watch {
    /// Hears what is being done, and what has been done.
    fn work(&self, report: &FuzzReport, elapsed: Duration, doing: &str);

    /// Hears of a fault.
    ///
    /// # Errors
    /// When the user cannot be told, which ends the run.
    fn find(&self, finding: &Finding) -> Result<(), Error>;
}

/// A run that looks for faults.
pub struct Hunt<'a> {
    examiner: Examiner<'a>,
    /// The run ends after so many units,
    units: Option<usize>,
    /// or else after this time.
    limit: Option<Duration>,
    watch: &'a dyn Watch,
    started: Instant,
    report: FuzzReport,
}

impl<'a> Hunt<'a> {
    /// A run that ends after so many units, or else after this time.
    pub fn new(
        examiner: Examiner<'a>,
        (units, limit): (Option<usize>, Option<Duration>),
        watch: &'a dyn Watch,
    ) -> Hunt<'a> {
        let report = FuzzReport::new(examiner.seed, examiner.vectors);
        Hunt { examiner, units, limit, watch, started: Instant::now(), report }
    }

    /// Does the run, and returns its report; also why it ended early, if it did.
    pub fn run(mut self, way: &Way) -> (FuzzReport, Result<(), Error>) {
        let ended = match way {
            Way::Drawn => self.draw(),
            Way::Pairs => self.pair(),
            Way::Only(words) => self.take(words, true),
        };
        self.report.seconds = self.started.elapsed().as_secs_f64();
        (self.report, ended)
    }

    /// Draws one unit after the other.
    fn draw(&mut self) -> Result<(), Error> {
        let mut covering = Covering::new(Draw::new(self.examiner.seed));
        while !self.is_over() {
            let words = covering.next();
            let examined = self.report.tried();
            self.take(&words, self.is_simulated())?;
            if self.report.tried() > examined {
                covering.meet(&words);
            }
        }
        Ok(())
    }

    /// Takes the selections that cover all pairs, in an order that the seed determines.
    fn pair(&mut self) -> Result<(), Error> {
        for words in pairs(&mut Draw::new(self.examiner.seed)) {
            if self.is_over() {
                break;
            }
            self.take(&words, self.is_simulated())?;
        }
        Ok(())
    }

    /// Whether the next unit is also simulated.
    fn is_simulated(&self) -> bool {
        self.report.tried() % SIMULATED == SIMULATED - 1
    }

    fn is_over(&self) -> bool {
        match self.units {
            Some(units) => self.report.tried() >= units,
            None => self.limit.is_some_and(|limit| self.started.elapsed() >= limit),
        }
    }

    /// Examines the unit that these words choose, if they choose one.
    fn take(&mut self, words: &Words, is_simulated: bool) -> Result<(), Error> {
        self.watch.work(&self.report, self.started.elapsed(), &words.to_string());
        match self.examiner.examine(words, is_simulated)? {
            Outcome::Refused => self.report.refuse(),
            Outcome::TooLarge => self.report.leave_out(),
            Outcome::Right(verdict) => self.report.note(Tried::right(words, verdict)),
            Outcome::Wrong(fault) => self.find(words, fault)?,
        }
        Ok(())
    }

    /// Handles a fault in the unit that these words choose: simplifies it, and reports the command that reproduces it.
    fn find(&mut self, words: &Words, fault: Fault) -> Result<(), Error> {
        let doing = format!("looking for simpler words than {words}");
        self.watch.work(&self.report, self.started.elapsed(), &doing);
        self.report.note(Tried::wrong(words, &fault));
        let finding = self.simplest(words, fault);
        if !self.report.knows(&finding) {
            self.watch.find(&finding)?;
            self.report.add(finding);
        }
        Ok(())
    }

    /// The same fault in a simpler unit.
    fn simplest(&self, words: &Words, fault: Fault) -> Finding {
        let (started, is_simulated) = (Instant::now(), fault.step == Step::Simulation);
        let mut simplest = fault;
        let fails = |candidate: &Words| {
            let is_late = started.elapsed() > LONGEST_SHRINKING;
            match (!is_late).then(|| self.examiner.examine(candidate, is_simulated)) {
                Some(Ok(Outcome::Wrong(fault))) if fault.is_like(&simplest) => {
                    simplest = fault;
                    true
                }
                _ => false,
            }
        };
        let spelt = words.with_numbers();
        let shrunk = shrink(spelt.clone(), Words::simpler, fails);
        Finding::new(words, if shrunk == spelt { words } else { &shrunk }, simplest)
    }
}
