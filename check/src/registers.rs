//! The registers of a unit with a clock. `step.aig` is one clock. Inputs: `rst_n`, `en`, `in_valid`, the inputs of the unit, undefined bits,
//! and the contents of the registers. Outputs: `out_valid`, the outputs of the unit, and the next contents. The inputs of the clauses are
//! the contents at first, then the other inputs of each clock. A step is a clock in which `rst_n` and `en` are 1.

use crate::aiger::{Aig, Literal};
use crate::clauses::{Clauses, Gates};
use serde::Deserialize;

/// What the manifest says of registers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Registers {
    /// The steps from operands to outputs.
    pub latency: usize,
    /// The controls that the module has, of `rst_n`, `en`, `in_valid` and `out_valid`.
    pub controls: Vec<String>,
}

impl Registers {
    fn has(&self, control: &str) -> bool {
        self.controls.iter().any(|name| name == control)
    }

    /// The properties whose violation is refuted.
    pub fn properties(&self) -> impl Iterator<Item = &'static str> {
        let has_reset = self.has("rst_n") && self.has("out_valid") && self.latency > 0;
        let all = [("stall", self.has("en")), ("reset", has_reset), ("results", true)];
        all.into_iter().filter(|(_, applies)| *applies).map(|(name, _)| name)
    }

    /// Whether a circuit has the ports of one clock of a unit.
    pub fn is_clock(step: &Aig, unit: &Aig) -> bool {
        let named = |controls: &[&str], names: &[String]| {
            [controls.iter().map(|name| (*name).into()).collect(), names.to_vec()].concat()
        };
        let kept = step.outputs.len().saturating_sub(1 + unit.outputs.len());
        step.inputs() >= 3 + unit.inputs() + kept
            && step.input_names.starts_with(&named(&["rst_n", "en", "in_valid"], &unit.input_names))
            && step.output_names.starts_with(&named(&["out_valid"], &unit.output_names))
    }

    /// The clauses that say that a property is violated.
    pub fn clauses(&self, property: &str, step: &Aig, unit: &Aig) -> Clauses {
        let first = 1 + unit.outputs.len();
        let kept = step.outputs.len() - first;
        let width = step.inputs() - kept;
        let latency = if property == "stall" { 0 } else { self.latency };
        let bits = kept + (latency + 1) * width;
        let free: Vec<Literal> = (1..=bits as Literal).map(|bit| 2 * bit).collect();
        let (contents, taken) = free.split_at(kept);
        let clocks: Vec<&[Literal]> = taken.chunks(width).collect();
        let mut gates = Gates::behind(bits);
        // The outputs of a clock with these levels of `rst_n` and `en`, if they are not free.
        let clock = |gates: &mut Gates, number: usize, levels: [Option<Literal>; 2], contents: &[Literal]| {
            let mut inputs = [clocks[number], contents].concat();
            (0..2).for_each(|at| inputs[at] = levels[at].unwrap_or(inputs[at]));
            gates.added(step, &inputs)
        };
        let [zero, one] = [Some(0), Some(1)];
        let mut contents = contents.to_vec();
        let mut differing = vec![];
        if property == "stall" {
            let next = clock(&mut gates, 0, [one, zero], &contents).split_off(first);
            differing.extend(next.iter().zip(&contents).map(|(&next, &bit)| gates.xor(next, bit)));
        } else if property == "reset" {
            contents = clock(&mut gates, 0, [zero, None], &contents).split_off(first);
            for number in 1..=latency {
                differing.push(clock(&mut gates, number, [None; 2], &contents)[0]);
                contents = clock(&mut gates, number, [one; 2], &contents).split_off(first);
            }
        } else {
            for number in 0..latency {
                contents = clock(&mut gates, number, [one; 2], &contents).split_off(first);
            }
            let seen = clock(&mut gates, latency, [one, None], &contents);
            let valid = if self.has("in_valid") { clocks[0][2] } else { 1 };
            let outputs = gates.added(unit, &clocks[0][3..][..unit.inputs()]);
            let wrong = seen[1..].iter().zip(outputs).map(|(&seen, bit)| gates.xor(seen, bit)).collect();
            let wrong = gates.any(wrong);
            differing.push(gates.and(valid, wrong));
            if self.has("out_valid") {
                differing.push(gates.xor(seen[0], valid));
            }
        }
        let differs = gates.any(differing);
        gates.clauses([1, differs])
    }
}
