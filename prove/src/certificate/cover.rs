//! The claim that some inputs lie in no case, and its refutation. For given inputs, the free bits that a case would take are read from
//! them; the inputs lie in the case if these bits make the same inputs, and its condition holds.

use super::{CertifiedCase, Certifier, named, names, write_refutation};
use crate::case::free_bits;
use crate::miter::{Miter, image};
use crate::plans::NotSpecified;
use crate::sweep::{Effort, Outcome, cone, sweep_recorded};
use binade_gates::{Ands, Graph, Literal};
use binade_spec::Port;

/// Conflicts after which the solver gives up; a few hundred are typical.
const EFFORT: Effort = Effort { guess: 100, again: 0, left: usize::MAX, goal: 1_000_000 };

impl Certifier<'_> {
    /// Writes the cover of some cases and its refutation; returns the length of that, or `None` if it was not found.
    pub fn cover(&self, cases: &[CertifiedCase], is_over: &dyn Fn() -> bool) -> Result<Option<usize>, NotSpecified> {
        let ports = match cases.first().map(|case| &case.plan) {
            Some(Some((_, frame))) => frame.ports(),
            _ => self.frame.ports(),
        };
        let mut graph = Graph::new(ports.iter().map(Port::width));
        let given = graph.inputs().to_vec();
        let mut free = vec![];
        for case in cases {
            let mut bits = match &case.plan {
                Some((plan, frame)) => {
                    let of_operation = frame.of_operation(given.clone());
                    let bits;
                    (graph, bits) = free_bits(&frame.operation, plan, &case.expected.draws, graph, of_operation)?;
                    bits
                }
                None => given.concat(),
            };
            // Bits that the case does not use are 0.
            bits.resize(case.expected.graph.sources().len(), Literal::FALSE);
            free.push(bits);
        }
        let ands = Ands::of(&graph);
        let of_case = |(case, bits): (&CertifiedCase, &Vec<Literal>)| {
            (0..bits.len()).map(|bit| format!("{}.free[{bit}]", case.stem)).collect::<Vec<_>>()
        };
        let outputs = named(&cases.iter().zip(&free).flat_map(of_case).collect::<Vec<_>>(), &free.concat(), &ands);
        self.files.write("cover.aig", &mut |mut to| ands.write(&names(&ports), &outputs, &mut to));
        let miter = none_has(&graph, &ands, cases, &free);
        let (outcome, lrat) = sweep_recorded(&miter, EFFORT, is_over);
        Ok(lrat.filter(|_| outcome == Outcome::Proven).map(|lrat| write_refutation(self.files, "cover", &miter, &lrat)))
    }
}

/// 1 for inputs that lie in no case.
fn none_has(graph: &Graph, ands: &Ands, cases: &[CertifiedCase], free: &[Vec<Literal>]) -> Miter {
    let mut miter = Miter::new(graph, ands);
    let given = graph.sources();
    let mut none = Literal::TRUE;
    for (case, bits) in cases.iter().zip(free) {
        let expected = &case.expected;
        let operands = expected.inputs.concat();
        let needed = cone(&expected.graph, &[&operands[..], &[expected.valid]].concat());
        let images = miter.add(&expected.graph, &Ands::of(&expected.graph), bits, &needed);
        // The condition comes last, so that cases with the same operands share what they have in common.
        let mut has = Literal::TRUE;
        let pairs = operands.iter().zip(&given);
        let differing: Vec<Literal> = pairs.map(|(&made, &given)| miter.xor(image(&images, made), given)).collect();
        for differs in differing {
            has = miter.and(has, !differs);
        }
        has = miter.and(has, image(&images, expected.valid));
        none = miter.and(none, !has);
    }
    (miter.case.valid, miter.case.differs) = (Literal::TRUE, none);
    miter
}
