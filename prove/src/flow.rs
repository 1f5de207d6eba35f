//! Units with a clock: what is to be shown of the registers, for all sequences of operands, stalls and bubbles; and what is left
//! without them.
//!
//! 1. Where `en` is 0, every flip-flop keeps its bit, but those that a reset clears.
//! 2. So many clocks with `en` after operands were taken, the results are a function of these operands alone, whatever the
//!    registers held before: nothing feeds back, and every way has the same length.
//! 3. `out_valid` is `in_valid` as many such clocks ago; a reset makes it 0, and for as many clocks as follow without a valid
//!    operand it stays so.
//!
//! A stall changes nothing (1), so any sequence gives what its clocks without stalls give, and those are (2) and (3).

use binade_sim::lanes::{Graph, Literal};
use std::fmt;

/// Inputs before the operands: `rst_n`, `en`, `in_valid`.
const CONTROLS: usize = 3;

/// What is wrong with the registers of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowFault {
    /// A flip-flop changes while `en` is 0.
    Stall,
    /// Results depend on something else than the operands of so many clocks before.
    Latency,
    /// `out_valid` is not `in_valid` of so many clocks before.
    Valid,
    /// After a reset `out_valid` may be 1.
    Reset,
}

impl fmt::Display for FlowFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            FlowFault::Stall => "a flip-flop changes while en is 0",
            FlowFault::Latency => "the results depend on more than the operands that were taken the latency before",
            FlowFault::Valid => "out_valid is not in_valid of the latency before",
            FlowFault::Reset => "out_valid may be 1 after a reset",
        })
    }
}

/// The unit without its registers: results as functions of the operands.
///
/// # Errors
/// When the registers do not what they are there for.
///
/// # Panics
/// When the graph has not the ports of a unit with a clock.
pub fn flow(unit: &Graph, latency: u32) -> Result<Graph, FlowFault> {
    let steps = Steps { unit, latency };
    steps.check_stall()?;
    steps.check_reset()?;
    steps.results()
}

struct Steps<'a> {
    unit: &'a Graph,
    latency: u32,
}

/// One clock: what the flip-flops hold after it, and the outputs before it.
struct Step {
    next: Vec<Literal>,
    outputs: Vec<Vec<Literal>>,
}

impl Steps<'_> {
    fn operand_widths(&self) -> Vec<u32> {
        self.unit.inputs()[CONTROLS..].iter().map(|bits| bits.len() as u32).collect()
    }

    fn operand_bits(&self) -> usize {
        self.operand_widths().iter().sum::<u32>() as usize
    }

    fn step(&self, graph: &mut Graph, controls: [Literal; CONTROLS], operands: &[Literal], state: &[Literal]) -> Step {
        let sources = [&controls[..], operands, state].concat();
        let images = graph.add_gates(self.unit, sources, None);
        let next = self.unit.flip_flops().iter().map(|flip_flop| images.of(flip_flop.next)).collect();
        Step { next, outputs: images.of_words(self.unit.outputs()) }
    }

    fn check_stall(&self) -> Result<(), FlowFault> {
        let flip_flops = self.unit.flip_flops().len();
        let mut graph = Graph::new([1, self.operand_bits() as u32, flip_flops as u32]);
        let [valid, operands, state] = [0, 1, 2].map(|input| graph.inputs()[input].clone());
        let stalled = self.step(&mut graph, [Literal::TRUE, Literal::FALSE, valid[0]], &operands, &state);
        if stalled.next == state { Ok(()) } else { Err(FlowFault::Stall) }
    }

    fn check_reset(&self) -> Result<(), FlowFault> {
        let flip_flops = self.unit.flip_flops().len();
        let clocks = self.latency as usize + 1;
        let mut graph = Graph::new([2, flip_flops as u32, (clocks * self.operand_bits()) as u32]);
        let [controls, state, operands] = [0, 1, 2].map(|input| graph.inputs()[input].clone());
        let operands: Vec<&[Literal]> = operands.chunks(self.operand_bits().max(1)).collect();
        let reset = self.step(&mut graph, [Literal::FALSE, controls[0], controls[1]], operands[0], &state);
        let mut state = reset.next;
        for taken in &operands[1..] {
            let step = self.step(&mut graph, [Literal::TRUE, Literal::TRUE, Literal::FALSE], taken, &state);
            if step.outputs[0] != [Literal::FALSE] {
                return Err(FlowFault::Reset);
            }
            state = step.next;
        }
        Ok(())
    }

    /// The results, so many clocks after the operands: other operands, valid or not, go before and behind them.
    fn results(&self) -> Result<Graph, FlowFault> {
        let (flip_flops, bits, clocks) = (self.unit.flip_flops().len(), self.operand_bits(), self.latency as usize);
        // The operands come first, so that what is left is a graph of them alone.
        let others = [1 + clocks as u32, flip_flops as u32, (clocks * bits) as u32];
        let mut graph = Graph::new(self.operand_widths().into_iter().chain(others));
        let inputs = graph.inputs().to_vec();
        let [valid, state, later] = [3, 2, 1].map(|from_end| inputs[inputs.len() - from_end].clone());
        let operands = inputs[..inputs.len() - 3].concat();
        let own = operands.len() + 1;
        let mut taken = operands;
        let mut state = state;
        for clock in 0..=clocks {
            let controls = [Literal::TRUE, Literal::TRUE, valid[clock]];
            let step = self.step(&mut graph, controls, &taken, &state);
            if clock == clocks {
                return self.alone(&graph, &step.outputs, valid[0], own);
            }
            state = step.next;
            taken = later[clock * bits..][..bits].to_vec();
        }
        unreachable!("the last clock gives the results")
    }

    /// The results as a graph of the operands alone.
    fn alone(&self, graph: &Graph, outputs: &[Vec<Literal>], valid: Literal, own: usize) -> Result<Graph, FlowFault> {
        let (out_valid, results) = outputs.split_first().expect("out_valid is the first output");
        if *out_valid != [valid] {
            return Err(FlowFault::Valid);
        }
        let mut needed = vec![false; graph.gates().len()];
        results.iter().flatten().for_each(|literal| needed[literal.node()] = true);
        for id in (0..needed.len()).rev().filter(|&id| id > 0) {
            if needed[id] {
                graph.gates()[id].operands().for_each(|operand| needed[operand.node()] = true);
            }
        }
        if needed[own..=graph.sources().len()].iter().any(|&is_needed| is_needed) {
            return Err(FlowFault::Latency);
        }
        let mut left = Graph::new(self.operand_widths());
        let sources: Vec<Literal> = left.sources();
        let foreign = graph.sources().len() - sources.len();
        let images = left.add_gates(graph, sources.into_iter().chain(vec![Literal::FALSE; foreign]), None);
        images.of_words(results).into_iter().for_each(|bits| left.add_output(bits));
        Ok(left)
    }
}
