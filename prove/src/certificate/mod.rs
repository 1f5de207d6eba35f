//! Certificates: for each case of a unit its specification as AIGER, the clauses that say that unit and specification differ, and a
//! refutation of them in LRAT; and the same for the claim that some inputs lie in no case.
//!
//! | file | what it holds |
//! |---|---|
//! | `cover.rs` | the claim that some inputs lie in no case |
//! | `frame.rs` | the ports of a unit, and those of the operation that its cases specify |
//! | `table.rs` | units with few inputs, whose specification is a table of results |
//! | `registers.rs` | units with a clock: what shows that their registers do not change the results |
//! | `parts.rs` | units whose certificate is that of parts: a rounding of several, an element of a matrix |

mod cover;
mod frame;
mod parts;
mod registers;
mod table;

use parts::Assembly;
pub use parts::{CertifiedPart, Instance};
pub use registers::{CertifiedRegisters, Clocked};
use table::MOST_INPUT_BITS;

use crate::case::Expected;
use crate::directions::{VALUES, heard_of_parts, of_mode, with_constant};
use crate::miter::Miter;
use crate::plans::{NotSpecified, Plan, plans, plans_of_shifted_product};
use crate::stages::stages;
use crate::sweep::{Effort, Outcome, sweep_recorded};
use crate::{Progress, Proof, Question, element, is_product_shifted, prove_plans};
use binade_gates::{AigerLiteral, Ands, Graph, Literal, Refutation};
use binade_spec::{Meaning, Operation, Port, Rounding, Word};
use frame::Frame;
use std::io::{self, Write};

/// Where the files of a certificate go.
pub trait Files: Sync {
    /// Writes a file with this name, or the reason why it cannot be written is kept for the end.
    fn write(&self, name: &str, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);

    /// Removes a folder with files of a part, which are not needed after all.
    fn remove(&self, folder: &str);
}

/// Files below a folder of another certificate.
struct Below<'a> {
    files: &'a dyn Files,
    folder: String,
}

impl Files for Below<'_> {
    fn write(&self, name: &str, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        self.files.write(&format!("{}/{name}", self.folder), content);
    }

    fn remove(&self, folder: &str) {
        self.files.remove(&format!("{}/{folder}", self.folder));
    }
}

/// A case of a certificate.
#[derive(Clone, Debug)]
pub struct CertifiedCase {
    /// The beginning of the names of its files.
    pub stem: String,
    /// The case in words.
    pub name: String,
    /// The clauses of its refutation.
    pub steps: usize,
    expected: Expected,
    /// The plan that reads the free bits from inputs of the unit; if there is none, they are the lowest bits of the inputs.
    plan: Option<(Plan, Frame)>,
}

/// The words of an operation's outputs for each of some lists of words on its ports, from its definition.
pub type Results<'a> = dyn Fn(&Operation, &[Vec<Word>]) -> Vec<Vec<Word>> + Sync + 'a;

/// A proof with a certificate.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The proof.
    pub proof: Proof,
    /// The input ports of the unit.
    pub inputs: Vec<Port>,
    /// Its output ports.
    pub outputs: Vec<Port>,
    /// What the certificate holds.
    pub evidence: Evidence,
    /// What it holds about registers, if the unit has some.
    pub registers: Option<CertifiedRegisters>,
}

/// What a certificate holds.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// The cases, parts of cases that were divided among them, and the clauses of the refutation that inputs lie in no case; `None` if
    /// the proof is not whole.
    Cases(Vec<CertifiedCase>, Option<usize>),
    /// The certificates of parts, and how the unit is made of them.
    Parts {
        /// The parts.
        parts: Vec<CertifiedPart>,
        /// The parts in the unit, one after the other.
        instances: Vec<Instance>,
        /// The bit of an instance or input that each bit of the unit's outputs is.
        outputs: Vec<String>,
    },
}

impl Certified {
    /// Whether all that the certificate needs was shown.
    pub fn is_whole(&self) -> bool {
        self.proof.is_whole()
            && match &self.evidence {
                Evidence::Cases(_, cover) => cover.is_some(),
                Evidence::Parts { parts, .. } => parts.iter().all(|part| part.certified.is_whole()),
            }
    }

    /// The gates that `unit.aig` has.
    fn gates(&self, question: &Question) -> Graph {
        match &self.evidence {
            Evidence::Cases(..) => settled(question),
            Evidence::Parts { parts, instances, outputs } => {
                let (ands, literals) = parts::composed(&self.inputs, parts, instances, outputs);
                ands.graph(self.inputs.iter().map(Port::width), &literals)
            }
        }
    }

    /// The number of cases, and the clauses of all refutations.
    pub fn size(&self) -> (usize, usize) {
        let of_registers = self.registers.as_ref().map_or(0, |registers| registers.steps);
        match &self.evidence {
            Evidence::Cases(cases, cover) => {
                let of_cases: usize = cases.iter().map(|case| case.steps).sum();
                (cases.len(), of_cases + cover.unwrap_or(0) + of_registers)
            }
            Evidence::Parts { parts, .. } => {
                let sizes = parts.iter().map(|part| part.certified.size());
                sizes.fold((0, of_registers), |(cases, steps), (more_cases, more_steps)| {
                    (cases + more_cases, steps + more_steps)
                })
            }
        }
    }
}

/// Why there is no certificate of an operation.
///
/// # Errors
/// When there is none.
pub fn certifiable(operation: &Operation) -> Result<(), NotSpecified> {
    match (element(operation), stages(operation)) {
        _ if has_function(operation) => certifiable(&without_output(operation)),
        _ if is_table(operation) => Ok(()),
        _ if operation.has_codebook() => {
            Err(NotSpecified("units of codebooks with more than 16 input bits have no certificates yet"))
        }
        _ if operation.is_wrapped() => Err(NotSpecified("units with a port `fmt` have no certificates yet")),
        (Some(dot), _) => certifiable(&dot),
        (None, Some(_)) => Ok(()),
        (None, None) => plans(&of_mode(operation, 0).unwrap_or(*operation)).map(|_| ()),
    }
}

/// Whether the second output is a function of the first.
fn has_function(operation: &Operation) -> bool {
    let has_few_operands =
        |function: Operation| function.input_bits() <= MOST_INPUT_BITS && function.random_bits() == 0;
    operation.flags.is_none()
        && operation.random_bits() == 0
        && operation.activation_function().is_some_and(has_few_operands)
}

fn without_output(operation: &Operation) -> Operation {
    Operation { output: None, ..*operation }
}

/// Whether the specification is a table of all results.
fn is_table(operation: &Operation) -> bool {
    let is_plain = !operation.has_state() && matches!(operation.meaning(), Meaning::Formula(_));
    let has_cases = !operation.has_codebook() && plans(operation).is_ok();
    is_plain && operation.input_bits() <= MOST_INPUT_BITS && !has_cases
}

/// Compares a unit with its specification as [`crate::prove`] does, and writes a certificate. The results of units without cases are
/// `results`.
///
/// # Errors
/// When the operation has no certificate.
///
/// # Panics
/// When the unit does not have the ports of the operation.
pub fn certify(
    question: Question,
    results: &Results,
    files: &dyn Files,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Certified, NotSpecified> {
    let operation = question.operation;
    certifiable(operation)?;
    let assembly = Assembly::new(question, results, files);
    if has_function(operation) {
        return assembly.of_function(progress, is_over);
    }
    if is_table(operation) {
        return table::of_table(question, results, files, progress, is_over);
    }
    if let Some(dot) = element(operation) {
        return assembly.of_elements(&dot, progress, is_over);
    }
    if let Some(stages) = stages(operation) {
        let certified = assembly.of_stages(&stages, progress, is_over);
        let is_whole = certified.as_ref().is_ok_and(Certified::is_whole);
        if is_whole || plans(operation).is_err() || is_over() {
            return certified;
        }
        parts::remove_stages(&stages, files);
    }
    if operation.rounding == Rounding::Any {
        return of_directions(question, files, progress, is_over);
    }
    let plans = plans(operation)?;
    let of_shifted = plans_of_shifted_product(operation).filter(|_| is_product_shifted(question, &plans, is_over));
    let unit = settled(&question);
    let certifier = Certifier::new(Frame::plain(operation), &unit, files);
    certifier.of_plans(question, of_shifted.as_ref().unwrap_or(&plans), progress, is_over)
}

/// The cases of each value of port `rm`, whose bits are constants among the operands of the case.
fn of_directions(
    question: Question,
    files: &dyn Files,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Certified, NotSpecified> {
    let unit = settled(&question);
    let hear = heard_of_parts(progress, VALUES as usize);
    let (mut whole, mut cases) = (Proof::default(), vec![]);
    let mut certifier = Certifier::new(Frame::plain(question.operation), &unit, files);
    certifier.write_unit();
    for rm in 0..VALUES {
        let operation = of_mode(question.operation, rm).expect("a unit with the port rm");
        let alone = with_constant(question.unit, rm);
        let asked = Question { unit: &alone, operation: &operation, ..question };
        let plans = plans(&operation)?;
        let of_shifted = plans_of_shifted_product(&operation).filter(|_| is_product_shifted(asked, &plans, is_over));
        let chosen = of_shifted.as_ref().unwrap_or(&plans);
        certifier.frame = Frame::of_direction(question.operation, operation, rm);
        certifier.prefix = format!("rm{rm}-");
        let (mut proof, of_value) = prove_plans(asked, chosen, Some(&certifier), &hear, is_over)?;
        cases.extend(of_value);
        whole.differs = proof.differs.take().map(|operands| [operands, vec![rm.into()]].concat());
        whole.join(proof, &format!("rm {rm}"));
        if whole.differs.is_some() {
            break;
        }
    }
    certifier.covered(whole, cases, is_over)
}

/// The unit with equivalent results as one.
fn settled(question: &Question) -> Graph {
    let Question { unit, operation, tolerance, .. } = *question;
    let mut graph = Graph::new(unit.inputs().iter().map(|bits| bits.len() as u32));
    let outputs = graph.add_graph(unit);
    for word in tolerance.settled_words(&mut graph, operation, &outputs) {
        graph.add_output(word);
    }
    graph
}

/// Writes the files of a unit's certificate.
pub struct Certifier<'a> {
    frame: Frame,
    unit: &'a Graph,
    ands: Ands,
    files: &'a dyn Files,
    /// The beginning of the names of cases.
    prefix: String,
}

impl<'a> Certifier<'a> {
    fn new(frame: Frame, unit: &'a Graph, files: &'a dyn Files) -> Certifier<'a> {
        Certifier { frame, ands: Ands::of(unit), unit, files, prefix: String::new() }
    }

    fn outputs(&self) -> Vec<Port> {
        [self.frame.operation.outputs(), self.frame.operation.registers()].concat()
    }

    fn write_unit(&self) {
        let outputs = named(&names(&self.outputs()), &self.unit.outputs().concat(), &self.ands);
        let inputs = names(&self.frame.ports());
        self.files.write("unit.aig", &mut |mut to| self.ands.write(&inputs, &outputs, &mut to));
    }

    /// The certificate of a unit by these cases.
    fn of_plans(
        &self,
        question: Question,
        plans: &[Plan],
        progress: &(dyn Fn(Progress) + Sync),
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Certified, NotSpecified> {
        self.write_unit();
        let (proof, cases) = prove_plans(question, plans, Some(self), progress, is_over)?;
        self.covered(proof, cases, is_over)
    }

    /// The certificate with its cover, if the proof is whole.
    fn covered(
        &self,
        proof: Proof,
        cases: Vec<CertifiedCase>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Certified, NotSpecified> {
        let cover = if proof.is_whole() { self.cover(&cases, is_over)? } else { None };
        let (inputs, outputs) = (self.frame.ports(), self.outputs());
        Ok(Certified { proof, inputs, outputs, evidence: Evidence::Cases(cases, cover), registers: None })
    }

    /// Decides the case of a plan, and writes its files if unit and specification agree.
    pub fn decide_plan(
        &self,
        stem: &str,
        plan: &Plan,
        expected: Expected,
        effort: Effort,
        is_over: &dyn Fn() -> bool,
    ) -> (Outcome, Option<CertifiedCase>) {
        let of_case = Some((plan.clone(), self.frame.clone()));
        self.decide(stem, &plan.to_string(), of_case, expected, effort, is_over)
    }

    fn decide(
        &self,
        stem: &str,
        name: &str,
        plan: Option<(Plan, Frame)>,
        mut expected: Expected,
        effort: Effort,
        is_over: &dyn Fn() -> bool,
    ) -> (Outcome, Option<CertifiedCase>) {
        let stem = format!("{}{stem}", self.prefix);
        expected.inputs = self.frame.of_unit(expected.inputs);
        let ands = Ands::of(&expected.graph);
        let miter = Miter::of_case(&expected, &ands, self.unit, &self.ands);
        let (outcome, lrat) = sweep_recorded(&miter, effort, is_over);
        let case = lrat.map(|lrat| {
            let bits = [vec![expected.valid], expected.inputs.concat(), expected.outputs.concat()].concat();
            let outputs = [vec!["valid".into()], names(&self.frame.ports()), names(&self.outputs())].concat();
            let outputs = named(&outputs, &bits, &ands);
            let inputs: Vec<String> = (0..ands.inputs).map(|bit| format!("free[{bit}]")).collect();
            self.files.write(&format!("{stem}.aig"), &mut |mut to| ands.write(&inputs, &outputs, &mut to));
            let steps = write_refutation(self.files, &stem, &miter, &lrat);
            CertifiedCase { stem, name: name.into(), steps, expected, plan }
        });
        (outcome, case)
    }
}

/// Writes the clauses and their refutation; returns its length.
fn write_refutation(files: &dyn Files, stem: &str, miter: &Miter, refutation: &Refutation) -> usize {
    files.write(&format!("{stem}.cnf"), &mut |mut to| miter.write(&mut to));
    files.write(&format!("{stem}.lrat"), &mut |mut to| refutation.write(&mut to));
    refutation.count()
}

/// The names of the bits of ports.
fn names(ports: &[Port]) -> Vec<String> {
    let of_port = |port: &Port| (0..port.width()).map(|bit| format!("{}[{bit}]", port.name)).collect::<Vec<_>>();
    ports.iter().flat_map(of_port).collect()
}

fn named(names: &[String], bits: &[Literal], ands: &Ands) -> Vec<(String, AigerLiteral)> {
    names.iter().cloned().zip(bits.iter().map(|&bit| ands.literal(bit))).collect()
}
