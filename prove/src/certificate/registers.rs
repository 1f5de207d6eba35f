//! The registers of a unit with a clock: the properties of [`clocked`](crate::clocked), each as clauses that say that it is violated, and a
//! refutation of them.
//!
//! `step.aig` is one clock. Inputs: `rst_n`, `en`, `in_valid`, the inputs of the unit, undefined bits, and the contents of the registers.
//! Outputs: `out_valid`, the outputs of the unit, and the contents of the registers after the clock. The free bits of a property are the
//! contents of the registers at first, then the other inputs of each clock.

use super::{Certified, Files, names};
use crate::Question;
use crate::dependence::CONTROLS;
use crate::miter::{Miter, image};
use crate::sweep::{Effort, Outcome, sweep_recorded};
use binade_gates::{Ands, Graph, Literal};
use binade_spec::contract::ControlPorts;

/// Most of this follows from equal gates.
const EFFORT: Effort = Effort { guess: 1_000, again: 0, left: usize::MAX, goal: 1_000_000 };

/// A unit with a clock, whose logic without registers was proven.
#[derive(Clone, Copy, Debug)]
pub struct Clocked<'a> {
    /// The unit with its registers.
    pub gates: &'a Graph,
    /// The steps from operands to results.
    pub latency: u32,
    /// Its controls.
    pub ports: ControlPorts,
}

/// The part of a certificate about registers.
#[derive(Clone, Debug)]
pub struct CertifiedRegisters {
    /// The steps from operands to results.
    pub latency: u32,
    /// The controls that the module has.
    pub controls: Vec<&'static str>,
    /// The clauses of all refutations.
    pub steps: usize,
}

/// A violation of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Violation {
    /// With `en` at 0, a register changes.
    Stall,
    /// After a clock in reset, and fewer steps than the latency, `out_valid` is 1.
    Reset,
    /// A latency of steps after some operands, `out_valid` is not their `in_valid`, or it is, and the outputs are not those of the unit without
    /// registers.
    Results,
}

impl Violation {
    fn name(self) -> &'static str {
        match self {
            Violation::Stall => "stall",
            Violation::Reset => "reset",
            Violation::Results => "results",
        }
    }
}

impl Clocked<'_> {
    /// Writes what shows that the registers of a certified unit keep the contract; `None` if not all was shown.
    pub fn certify(
        self,
        question: &Question,
        certified: &Certified,
        files: &dyn Files,
        is_over: &dyn Fn() -> bool,
    ) -> Option<CertifiedRegisters> {
        let unit = certified.gates(question);
        let step = self.step(question);
        let (ands, of_unit) = (Ands::of(&step), Ands::of(&unit));
        let kept = self.gates.flip_flops().len();
        let clock = Step { clocked: self, graph: &step, ands: &ands, kept };
        let ControlPorts { has_enable, has_in_valid, has_out_valid, has_reset, .. } = self.ports;
        let properties = [
            (Violation::Stall, has_enable),
            (Violation::Reset, has_reset && has_out_valid && self.latency > 0),
            (Violation::Results, true),
        ];
        let mut steps = 0;
        for (violation, _) in properties.into_iter().filter(|(_, applies)| *applies) {
            let miter = clock.violated(violation, &unit, &of_unit);
            let (outcome, refutation) = sweep_recorded(&miter, EFFORT, is_over);
            let refutation = refutation.filter(|_| outcome == Outcome::Proven)?;
            steps += super::write_refutation(files, &format!("registers-{}", violation.name()), &miter, &refutation);
        }
        let inputs = [
            ["rst_n", "en", "in_valid"].map(String::from).to_vec(),
            names(&certified.inputs),
            numbered("undefined", self.gates.undefined().len()),
            numbered("register", kept),
        ];
        let outputs = [vec!["out_valid".into()], names(&certified.outputs), numbered("next", kept)].concat();
        let outputs = super::named(&outputs, &step.outputs().concat(), &ands);
        files.write("step.aig", &mut |mut to| ands.write(&inputs.concat(), &outputs, &mut to));
        let controls =
            [("rst_n", has_reset), ("en", has_enable), ("in_valid", has_in_valid), ("out_valid", has_out_valid)];
        let controls = controls.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect();
        Some(CertifiedRegisters { latency: self.latency, controls, steps })
    }

    /// One clock, with equivalent results as one.
    fn step(self, question: &Question) -> Graph {
        let widths = self.gates.inputs().iter().map(|bits| bits.len() as u32);
        let others = [self.gates.undefined().len(), self.gates.flip_flops().len()].map(|bits| bits as u32);
        let mut graph = Graph::new(widths.chain(others));
        let sources = graph.sources();
        let images = graph.add_gates(self.gates, sources, None);
        let outputs = images.of_words(self.gates.outputs());
        let next = self.gates.flip_flops().iter().map(|flip_flop| images.of(flip_flop.next)).collect();
        let settled = question.tolerance.settled_words(&mut graph, question.operation, &outputs[1..]);
        [vec![outputs[0].clone()], settled, vec![next]].concat().into_iter().for_each(|word| graph.add_output(word));
        graph
    }
}

fn numbered(name: &str, count: usize) -> Vec<String> {
    (0..count).map(|bit| format!("{name}[{bit}]")).collect()
}

/// One clock of a unit, to be repeated.
struct Step<'a> {
    clocked: Clocked<'a>,
    graph: &'a Graph,
    ands: &'a Ands,
    /// The number of registers.
    kept: usize,
}

impl Step<'_> {
    /// The clauses that say that a property is violated.
    fn violated(&self, violation: Violation, unit: &Graph, of_unit: &Ands) -> Miter {
        let clocks = if violation == Violation::Stall { 0 } else { self.clocked.latency as usize };
        let width = self.graph.sources().len() - self.kept;
        let free = Graph::new([(self.kept + (clocks + 1) * width) as u32]);
        let mut miter = Miter::new(&free, &Ands::of(&free));
        let (state, taken) = free.inputs()[0].split_at(self.kept);
        let (mut state, taken): (Vec<Literal>, Vec<&[Literal]>) = (state.to_vec(), taken.chunks(width).collect());
        let [zero, one] = [Some(Literal::FALSE), Some(Literal::TRUE)];
        let mut differing = vec![];
        match violation {
            Violation::Stall => {
                let seen = self.add(&mut miter, taken[0], [one, zero], &state);
                differing.extend(self.next(&seen).iter().zip(&state).map(|(&next, &bit)| miter.xor(next, bit)));
            }
            Violation::Reset => {
                let seen = self.add(&mut miter, taken[0], [zero, None], &state);
                state = self.next(&seen).to_vec();
                for &taken in &taken[1..] {
                    differing.push(self.add(&mut miter, taken, [None, None], &state)[0]);
                    let seen = self.add(&mut miter, taken, [one, one], &state);
                    state = self.next(&seen).to_vec();
                }
            }
            Violation::Results => {
                let ports = self.clocked.ports;
                let valid = if ports.has_in_valid { taken[0][CONTROLS - 1] } else { Literal::TRUE };
                for &taken in &taken[..clocks] {
                    let seen = self.add(&mut miter, taken, [one, one], &state);
                    state = self.next(&seen).to_vec();
                }
                let seen = self.add(&mut miter, taken[clocks], [one, None], &state);
                let operands = &taken[0][CONTROLS..][..unit.sources().len()];
                let images = miter.add(unit, of_unit, operands, &vec![true; unit.gates().len()]);
                let results = unit.outputs().concat();
                let wrong: Vec<Literal> =
                    seen[1..].iter().zip(results).map(|(&seen, bit)| miter.xor(seen, image(&images, bit))).collect();
                let wrong = miter.any(wrong);
                differing.push(miter.and(valid, wrong));
                if ports.has_out_valid {
                    differing.push(miter.xor(seen[0], valid));
                }
            }
        }
        miter.case.differs = miter.any(differing);
        miter
    }

    /// Adds a clock, with `rst_n` and `en` as given or free; returns its outputs.
    fn add(
        &self,
        miter: &mut Miter,
        taken: &[Literal],
        levels: [Option<Literal>; 2],
        state: &[Literal],
    ) -> Vec<Literal> {
        let mut sources = [taken, state].concat();
        for (source, level) in sources.iter_mut().zip(levels) {
            *source = level.unwrap_or(*source);
        }
        let images = miter.add(self.graph, self.ands, &sources, &vec![true; self.graph.gates().len()]);
        self.graph.outputs().concat().into_iter().map(|bit| image(&images, bit)).collect()
    }

    /// The contents of the registers after a clock.
    fn next<'s>(&self, seen: &'s [Literal]) -> &'s [Literal] {
        &seen[seen.len() - self.kept..]
    }
}
