//! Certificates: for each case of a unit its specification as AIGER, the clauses that say that unit and specification differ, and a
//! refutation of them in LRAT; and the same for the claim that some inputs lie in no case.
//!
//! | file | what it holds |
//! |---|---|
//! | `cover.rs` | the claim that some inputs lie in no case |

mod cover;

use crate::case::{Expected, ports};
use crate::miter::Miter;
use crate::plans::{NotSpecified, Plan, plans, plans_of_shifted_product};
use crate::sweep::{Effort, Outcome, sweep_recorded};
use crate::{Progress, Proof, Question, element, is_product_shifted, prove_plans, stages};
use binade_gates::{AigerLiteral, Ands, Graph, Literal, Refutation};
use binade_spec::{Operation, Port, Rounding};
use std::io::{self, Write};

/// Where the files of a certificate go.
pub trait Files: Sync {
    /// Writes a file with this name, or the reason why it cannot be written is kept for the end.
    fn write(&self, name: &str, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);
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
    pub(crate) plan: Plan,
    pub(crate) expected: Expected,
}

/// A proof with a certificate.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The proof.
    pub proof: Proof,
    /// The cases, parts of cases that were divided among them.
    pub cases: Vec<CertifiedCase>,
    /// The clauses of the refutation that inputs lie in no case; `None` if the proof is not whole.
    pub cover: Option<usize>,
}

/// Why there is no certificate of an operation.
///
/// # Errors
/// When there is none.
pub fn certifiable(operation: &Operation) -> Result<(), NotSpecified> {
    let why = if operation.is_wrapped() {
        "units with a port `fmt` have no certificates yet"
    } else if operation.rounding == Rounding::Any {
        "units with a port `rm` have no certificates yet"
    } else if element(operation).is_some() {
        "matrix units have no certificates yet"
    } else if stages(operation).is_some() {
        "units that round more than once have no certificates yet"
    } else {
        return plans(operation).map(|_| ());
    };
    Err(NotSpecified(why))
}

/// Compares a unit with its specification as [`crate::prove`] does, and writes a certificate.
///
/// # Errors
/// When the operation has no certificate.
///
/// # Panics
/// When the unit does not have the ports of the operation.
pub fn certify(
    question: Question,
    files: &dyn Files,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Certified, NotSpecified> {
    let operation = question.operation;
    certifiable(operation)?;
    let unit = settled(&question);
    let certifier = Certifier { ands: Ands::of(&unit), unit: &unit, files };
    certifier.write_unit(operation);
    let plans = plans(operation)?;
    let of_shifted = plans_of_shifted_product(operation).filter(|_| is_product_shifted(question, &plans, is_over));
    let chosen = of_shifted.as_ref().unwrap_or(&plans);
    let (proof, cases) = prove_plans(question, chosen, Some(&certifier), progress, is_over)?;
    let cover = if proof.is_whole() { certifier.cover(operation, &cases, is_over)? } else { None };
    Ok(Certified { proof, cases, cover })
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
    unit: &'a Graph,
    ands: Ands,
    files: &'a dyn Files,
}

impl Certifier<'_> {
    fn write_unit(&self, operation: &Operation) {
        let results = [operation.outputs(), operation.registers()].concat();
        let outputs = named(&names(&results), &self.unit.outputs().concat(), &self.ands);
        let inputs = names(&ports(operation));
        self.files.write("unit.aig", &mut |mut to| self.ands.write(&inputs, &outputs, &mut to));
    }

    /// Decides a case, and writes its files if unit and specification agree.
    pub fn decide(
        &self,
        operation: &Operation,
        stem: &str,
        plan: &Plan,
        expected: Expected,
        effort: Effort,
        is_over: &dyn Fn() -> bool,
    ) -> (Outcome, Option<CertifiedCase>) {
        let ands = Ands::of(&expected.graph);
        let miter = Miter::of_case(&expected, &ands, self.unit, &self.ands);
        let (outcome, lrat) = sweep_recorded(&miter, effort, is_over);
        let case = lrat.map(|lrat| {
            let results = [operation.outputs(), operation.registers()].concat();
            let bits = [vec![expected.valid], expected.inputs.concat(), expected.outputs.concat()].concat();
            let outputs =
                named(&[vec!["valid".into()], names(&ports(operation)), names(&results)].concat(), &bits, &ands);
            let inputs: Vec<String> = (0..ands.inputs).map(|bit| format!("free[{bit}]")).collect();
            self.files.write(&format!("{stem}.aig"), &mut |mut to| ands.write(&inputs, &outputs, &mut to));
            let steps = self.write_refutation(stem, &miter, &lrat);
            CertifiedCase { stem: stem.into(), name: plan.to_string(), steps, plan: plan.clone(), expected }
        });
        (outcome, case)
    }

    /// Writes the clauses and their refutation; returns its length.
    fn write_refutation(&self, stem: &str, miter: &Miter, refutation: &Refutation) -> usize {
        self.files.write(&format!("{stem}.cnf"), &mut |mut to| miter.write(&mut to));
        self.files.write(&format!("{stem}.lrat"), &mut |mut to| refutation.write(&mut to));
        refutation.count()
    }
}

/// The names of the bits of ports.
fn names(ports: &[Port]) -> Vec<String> {
    let of_port = |port: &Port| (0..port.width()).map(|bit| format!("{}[{bit}]", port.name)).collect::<Vec<_>>();
    ports.iter().flat_map(of_port).collect()
}

fn named(names: &[String], bits: &[Literal], ands: &Ands) -> Vec<(String, AigerLiteral)> {
    names.iter().cloned().zip(bits.iter().map(|&bit| ands.literal(bit))).collect()
}
