//! Checks the vectors of a source on all cores.

use super::source::{Piece, Source};
use crate::failure::Failure;
use crate::output;
use binade_generator::description::arguments as selection_words;
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::conform::{Claim, ClaimLine, ConformCase, JudgedCase, Responder, Syntax, Tally};
use binade_sim::{Engine, Gates, Hang, NanRule, Tolerance, Watchdog};
use binade_spec::{Operation, Word};
use binade_tools::{Error, Tools};
use binade_verdict::{Connected, ModuleOptions};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::process::exit;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The exit codes for a wrong unit and for an interrupted run.
const WRONG: i32 = 1;
const INTERRUPTED: i32 = 130;

/// How the RTL is evaluated.
pub struct Engines<'a> {
    pub tools: &'a Tools,
    pub needs_verilator: bool,
    /// A user's module in place of the generated one.
    pub user_module: Option<UserModule>,
    /// Whether outcomes have the operands of all vectors.
    pub keeps_operands: bool,
}

pub struct UserModule {
    pub options: ModuleOptions,
    /// The time limit for one vector.
    pub limit: Duration,
}

/// The reader of a source, and the units that its vectors test, generated on the first vector.
pub struct Bench<'a> {
    syntax: Box<dyn Syntax>,
    /// The only operation whose vectors are checked.
    wanted: Option<Operation>,
    engines: &'a Engines<'a>,
    subjects: Mutex<BTreeMap<usize, Option<Arc<Judged>>>>,
}

/// A unit, and the command that reproduces one of its vectors.
pub struct Judged {
    pub subject: JudgedCase,
    /// `binade verify` with the options of the unit.
    pub command: String,
}

/// The operands of one unit's vectors.
pub type Vectors = (Operation, Vec<Vec<Word>>);

/// The results of a source.
#[derive(Default)]
pub struct Outcome {
    /// The results of each unit's vectors.
    pub tallies: Vec<(Arc<Judged>, Tally)>,
    /// The operands of each unit's vectors, if they are kept.
    pub operands: Vec<Vectors>,
    /// Vectors that were skipped, by reason.
    pub left_out: BTreeMap<String, u64>,
}

/// The results of a piece, by case number.
#[derive(Default)]
struct PieceOutcome {
    tallies: BTreeMap<usize, Tally>,
    operands: BTreeMap<usize, Vec<Vec<Word>>>,
    left_out: BTreeMap<String, u64>,
}

impl Engines<'_> {
    /// The engine with its version.
    pub fn describe(&self) -> Result<String, Failure> {
        match self.needs_verilator {
            true => Ok(Engine::Verilator.describe(self.tools)?),
            false => Ok("lanes on the circuit".into()),
        }
    }

    fn judged(&self, case: ConformCase) -> Result<Judged, Failure> {
        let unit = generate(Design::from(case.operation));
        let words = selection_words(&unit.design).join(" ");
        match &self.user_module {
            Some(module) => {
                let connected = module.connected(self.tools, &unit)?;
                let rtl = Responder::new(self.tools, connected.subject(&unit), Engine::Verilator)?;
                let words = format!("{words}{}", module.options.words(Some(connected.latency)));
                Ok(Judged { subject: JudgedCase::new(case, rtl), command: format!("binade verify {words}") })
            }
            None if self.needs_verilator => {
                let rtl = Responder::new(self.tools, &unit, Engine::Verilator)?;
                Ok(Judged { subject: JudgedCase::new(case, rtl), command: format!("binade verify {words}") })
            }
            None => {
                let gates = Gates::of_circuit(&unit);
                let rtl = Responder::new(self.tools, &unit, Engine::Lanes(&gates))?;
                let command = format!("binade verify {words} --engine lanes");
                Ok(Judged { subject: JudgedCase::new(case, rtl), command })
            }
        }
    }
}

impl UserModule {
    /// The user's module that stands in for the unit.
    fn connected(&self, tools: &Tools, unit: &GeneratedUnit) -> Result<Connected, Failure> {
        let outline = self.options.outline(tools, unit)?;
        let tolerance = Tolerance { nan: NanRule::Any, ..Tolerance::default() };
        let bark = |hang: &Hang| give_up(hang, "while its latency is measured");
        let watchdog = Watchdog { limit: self.limit, bark: &bark };
        Ok(self.options.connected(tools, unit, outline, tolerance, watchdog)?)
    }
}

/// Ends the program: a hanging module cannot be stopped.
fn give_up(hang: &Hang, place: &str) {
    if hang.is_interrupted {
        Failure::Tool(Error::Interrupted).report();
        exit(INTERRUPTED);
    }
    let codes: Vec<String> = hang.operands.iter().map(|[name, code]| format!("{name} {code}")).collect();
    output::say(format_args!(
        "the module gives no answer for {} s {place} ({})",
        hang.limit.as_secs(),
        codes.join(", ")
    ));
    exit(WRONG);
}

impl<'a> Bench<'a> {
    pub fn new(syntax: Box<dyn Syntax>, wanted: Option<Operation>, engines: &'a Engines<'a>) -> Bench<'a> {
        Bench { syntax, wanted, engines, subjects: Mutex::default() }
    }

    /// Checks all vectors of a source.
    pub fn judge(&self, source: &Source) -> Result<Outcome, Failure> {
        let mut pieces = source.pieces()?;
        let mut whole = PieceOutcome::default();
        loop {
            let next = pieces.next(source, rayon::current_num_threads())?;
            if next.is_empty() {
                break;
            }
            let judged: Vec<Result<PieceOutcome, Failure>> =
                next.par_iter().map(|piece| self.judge_piece(source, piece)).collect();
            for outcome in judged {
                whole.add(outcome?);
            }
        }
        if whole.tallies.is_empty() && whole.left_out.is_empty() {
            return Err(Failure::Usage(format!("{source}: it contains no vectors")));
        }
        let operands = whole.operands.into_iter();
        let operands = operands.map(|(case, operands)| (self.syntax.case(case).operation, operands)).collect();
        let tallies = whole.tallies.into_iter();
        let tallies = tallies.map(|(case, tally)| Ok((self.judged(case)?.expect("it was judged"), tally)));
        Ok(Outcome { tallies: tallies.collect::<Result<_, Failure>>()?, operands, left_out: whole.left_out })
    }

    fn judge_piece(&self, source: &Source, piece: &Piece) -> Result<PieceOutcome, Failure> {
        let mut outcome = PieceOutcome::default();
        let mut claims: BTreeMap<usize, Vec<(u64, Claim)>> = BTreeMap::new();
        let lines = piece.lines().map_err(|line| source.failure(line, "this is not text (UTF-8)"))?;
        for (number, line) in lines {
            match self.syntax.read(line).map_err(|why| source.failure(number, &why))? {
                ClaimLine::Blank => {}
                ClaimLine::Claim { case, claim } => claims.entry(case).or_default().push((number, claim)),
                ClaimLine::LeftOut(reason) => *outcome.left_out.entry(reason).or_default() += 1,
            }
        }
        for (case, claims) in claims {
            match self.judged(case)? {
                Some(judged) => {
                    outcome.tallies.insert(case, self.watched(&judged, &claims));
                    if self.engines.keeps_operands {
                        outcome
                            .operands
                            .insert(case, claims.iter().map(|(_, claim)| judged.subject.words(claim)).collect());
                    }
                }
                None => {
                    *outcome.left_out.entry("of other units than --unit".into()).or_default() += claims.len() as u64
                }
            }
        }
        Ok(outcome)
    }

    fn watched(&self, judged: &Judged, claims: &[(u64, Claim)]) -> Tally {
        let Some(module) = &self.engines.user_module else { return judged.subject.judge(claims) };
        let bark = |hang: &Hang| give_up(hang, &format!("at line {}", hang.index));
        let watchdog = Watchdog { limit: module.limit, bark: &bark };
        judged.subject.rtl().watched(watchdog, || judged.subject.judge(claims))
    }

    /// The unit of a case; none if it is not the selected operation.
    fn judged(&self, number: usize) -> Result<Option<Arc<Judged>>, Failure> {
        let mut subjects = self.subjects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(judged) = subjects.get(&number) {
            return Ok(judged.clone());
        }
        let case = self.syntax.case(number);
        let is_wanted = self.wanted.is_none_or(|wanted| {
            let flags = case.operation.flags;
            Operation { flags, ..wanted } == case.operation
        });
        let judged = is_wanted.then(|| self.engines.judged(case).map(Arc::new)).transpose()?;
        subjects.insert(number, judged.clone());
        Ok(judged)
    }
}

impl PieceOutcome {
    /// Adds the results of a later piece.
    fn add(&mut self, later: PieceOutcome) {
        for (case, tally) in later.tallies {
            self.tallies.entry(case).or_default().add(tally);
        }
        for (case, operands) in later.operands {
            self.operands.entry(case).or_default().extend(operands);
        }
        for (reason, count) in later.left_out {
            *self.left_out.entry(reason).or_default() += count;
        }
    }
}
