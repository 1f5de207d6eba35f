//! Units with a clock: proves the contract of `docs/contract.md` for all sequences of operands, stalls, bubbles and
//! resets, and extracts the unit without its registers. These are the properties ([`Property`]); a step is a clock in
//! which `en` and `rst_n` are 1:
//!
//! - `stall`: where `en` is 0, every flip-flop keeps its bit. So any sequence gives the results of its steps and
//!   resets.
//! - `results`: a latency of steps after valid operands were taken, the results are a function of these operands alone,
//!   whatever the levels of `en` and `in_valid`, the later operands and the initial contents of the registers: there is
//!   no feedback, and all paths have the same length.
//! - `out-valid`: a latency of steps after a step, `out_valid` equals the `in_valid` of that step, whatever else
//!   happens.
//! - `reset`: `out_valid` is 0 from the first clock in reset until results of operands taken after it can be due,
//!   whatever the registers held and whatever is taken.
//! - `defined`: an undefined bit may have another value in each clock, and the results do not depend on it.
//!
//! Most of this follows structurally, since equal gates are shared; the solver proves the rest.
//!
//! A unit with state has the property `state` in place of `results`, for arbitrary codes in its registers: a fixed
//! number of steps after they were taken, valid operands reach the state. The results, and the codes that the state
//! holds one step later, follow from the codes that it holds then and these operands alone; invalid operands leave it
//! unchanged. After a reset it holds its initial codes until the first operands arrive. So the codes in any clock
//! result from the operands taken before, one after the other, and if each step is right for any code, so is any
//! sequence.
//!
//! Soon after a callback `is_over` returns true, the checks end, with a property that could not be proven.

use crate::dependence::{CONTROLS, FlowFault, alone, are_equal, undefined};
use crate::iterated::check_control;
use binade_gates::{Graph, Literal};
use binade_spec::contract::{ControlPorts, Pace, Property};

/// The unit without its registers: results as functions of the operands that come with `in_valid`.
///
/// # Errors
/// When the unit violates the contract, or it could not be proven.
///
/// # Panics
/// When the graph does not have the ports of a unit with a clock.
pub fn flow(unit: &Graph, latency: u32, ports: ControlPorts, is_over: &dyn Fn() -> bool) -> Result<Graph, FlowFault> {
    let steps = Steps { unit, latency, ports, is_over };
    steps.check()?;
    steps.alone()
}

/// The unit without its registers, like [`flow`], for one that takes this many clocks for an operation, with all controls.
///
/// # Errors
/// When the unit violates the contract, or it could not be proven.
///
/// # Panics
/// When the graph does not have the ports of a unit with a clock.
pub fn iterated_flow(unit: &Graph, clocks: u32, is_over: &dyn Fn() -> bool) -> Result<Graph, FlowFault> {
    let steps = Steps { unit, latency: clocks, ports: ControlPorts::ALL, is_over };
    steps.check_stall()?;
    check_control(unit, Pace::iterated(clocks), is_over)?;
    steps.results(steps.without_others())
}

/// A combinational unit without its undefined bits.
///
/// # Errors
/// When the results depend on these bits, or it could not be proven that they do not.
pub fn defined(unit: &Graph, is_over: &dyn Fn() -> bool) -> Result<Graph, FlowFault> {
    let widths: Vec<u32> = unit.inputs().iter().map(|bits| bits.len() as u32).collect();
    let mut graph = Graph::new(widths.iter().copied().chain([unit.undefined().len() as u32]));
    let sources = graph.sources();
    let results = graph.add_gates(unit, sources, None).of_words(unit.outputs());
    alone(&graph, &results, &widths, is_over).ok_or_else(|| undefined(&graph, &results, &widths, |_| true, is_over))
}

/// One step of a unit with state and all controls, without its other registers: the next state and the results as
/// functions of operands and state. The bits of the state are the last flip-flops; `first` are their values after a
/// reset.
///
/// # Errors
/// When the unit violates the contract, or it could not be proven.
///
/// # Panics
/// When the graph does not have the ports of a unit with a clock, or has too few flip-flops.
pub fn step(
    unit: &Graph,
    latency: u32,
    first: &[bool],
    widths: &[u32],
    is_over: &dyn Fn() -> bool,
) -> Result<Graph, FlowFault> {
    let steps = Steps { unit, latency, ports: ControlPorts::ALL, is_over };
    steps.check()?;
    (0..=latency as usize)
        .map(|rank| StateSteps { steps: &steps, rank, first, widths })
        .find_map(|steps| steps.result())
        .ok_or(FlowFault::Broken(Property::State))
}

/// The latency, up to `most`: the number of clocks after which the results depend on the operands alone.
///
/// # Panics
/// When the graph does not have the ports of a unit with a clock.
pub fn latency(unit: &Graph, most: u32, is_over: &dyn Fn() -> bool) -> Option<u32> {
    let ports = ControlPorts { has_in_valid: true, ..ControlPorts::NONE };
    let is_undefined = |fault: &FlowFault| matches!(fault, FlowFault::Undefined(_));
    (0..=most).find(|&latency| match (Steps { unit, latency, ports, is_over }).alone() {
        Ok(_) => true,
        Err(fault) => is_undefined(&fault),
    })
}

struct Steps<'a> {
    unit: &'a Graph,
    latency: u32,
    ports: ControlPorts,
    /// Soon after this returns true, the checks end without a proof.
    is_over: &'a dyn Fn() -> bool,
}

/// One clock: the next values of the flip-flops, and the outputs.
struct Step {
    next: Vec<Literal>,
    outputs: Vec<Vec<Literal>>,
}

/// A unit unrolled over several clocks, from any contents of its registers.
struct Unrolled {
    graph: Graph,
    /// `in_valid` of each step, and of the clock after them.
    valid: Vec<Literal>,
    /// `en` of the clock after the steps.
    enable: Literal,
    /// The initial contents of the registers.
    state: Vec<Literal>,
    /// Operands and undefined bits of each step, and of the clock after them.
    taken: Vec<Vec<Literal>>,
}

impl Steps<'_> {
    /// Checks the properties that do not involve operands.
    fn check(&self) -> Result<(), Property> {
        if self.ports.has_enable {
            self.check_stall()?;
        }
        if self.ports.has_out_valid {
            if self.ports.has_reset {
                self.check_reset()?;
            }
            self.check_valid()?;
        }
        Ok(())
    }

    fn operand_widths(&self) -> Vec<u32> {
        self.unit.inputs()[CONTROLS..].iter().map(|bits| bits.len() as u32).collect()
    }

    fn operand_bits(&self) -> usize {
        self.operand_widths().iter().sum::<u32>() as usize
    }

    /// The bits of a clock other than its controls: operands and undefined bits.
    fn clock_bits(&self) -> usize {
        self.operand_bits() + self.unit.undefined().len()
    }

    fn step(&self, graph: &mut Graph, controls: [Literal; CONTROLS], taken: &[Literal], state: &[Literal]) -> Step {
        let sources = [&controls[..], taken, state].concat();
        let images = graph.add_gates(self.unit, sources, None);
        let next = self.unit.flip_flops().iter().map(|flip_flop| images.of(flip_flop.next)).collect();
        Step { next, outputs: images.of_words(self.unit.outputs()) }
    }

    fn check_stall(&self) -> Result<(), Property> {
        let flip_flops = self.unit.flip_flops().len();
        let mut graph = Graph::new([1, self.clock_bits() as u32, flip_flops as u32]);
        let [valid, taken, state] = [0, 1, 2].map(|input| graph.inputs()[input].clone());
        let stalled = self.step(&mut graph, [Literal::TRUE, Literal::FALSE, valid[0]], &taken, &state);
        if are_equal(&mut graph, &stalled.next, &state, self.is_over) { Ok(()) } else { Err(Property::Stall) }
    }

    /// Checks that `out_valid` is 0 in the second clock in reset, and in the clocks after it until results could be
    /// due. Without latency it follows `in_valid`, and nothing is required of it in reset.
    fn check_reset(&self) -> Result<(), Property> {
        let Unrolled { mut graph, valid, enable, state, taken } = self.unrolled(&[1], self.latency as usize);
        let rst_n = graph.inputs()[0][0];
        let mut state = self.step(&mut graph, [Literal::FALSE, enable, valid[0]], &taken[0], &state).next;
        for clock in 1..=self.latency as usize {
            let (valid, taken) = (valid[clock], &taken[clock]);
            let seen = self.step(&mut graph, [rst_n, enable, valid], taken, &state);
            if !are_equal(&mut graph, &seen.outputs[0], &[Literal::FALSE], self.is_over) {
                return Err(Property::Reset);
            }
            state = self.step(&mut graph, [Literal::TRUE, Literal::TRUE, valid], taken, &state).next;
        }
        Ok(())
    }

    /// A graph with inputs of these widths, followed by all inputs of a unit in `steps` steps and the clock after them.
    fn unrolled(&self, own: &[u32], steps: usize) -> Unrolled {
        let (clocks, bits) = (steps + 1, self.clock_bits());
        let others = [clocks, 1, self.unit.flip_flops().len(), clocks * bits].map(|bits| bits as u32);
        let graph = Graph::new(own.iter().copied().chain(others));
        let [valid, enable, state, taken] = [0, 1, 2, 3].map(|place| graph.inputs()[own.len() + place].clone());
        let taken = (0..clocks).map(|clock| taken[clock * bits..][..bits].to_vec()).collect();
        Unrolled { graph, valid, enable: enable[0], state, taken }
    }

    /// Like `unrolled`, with the operands of the first step as inputs of their own.
    fn unrolled_from_operands(&self) -> Unrolled {
        let mut unrolled = self.unrolled(&self.operand_widths(), self.latency as usize);
        let operands = unrolled.graph.inputs()[..self.operand_widths().len()].concat();
        unrolled.taken[0][..operands.len()].copy_from_slice(&operands);
        unrolled
    }

    /// The outputs a latency of steps after the operands; `first` is their `in_valid`.
    fn outputs(&self, unrolled: &mut Unrolled, first: Literal) -> Vec<Vec<Literal>> {
        let Unrolled { graph, valid, enable, state, taken } = unrolled;
        let (steps, mut state) = (self.latency as usize, state.clone());
        valid[0] = first;
        for clock in 0..steps {
            state = self.step(graph, [Literal::TRUE, Literal::TRUE, valid[clock]], &taken[clock], &state).next;
        }
        self.step(graph, [Literal::TRUE, *enable, valid[steps]], &taken[steps], &state).outputs
    }

    fn check_valid(&self) -> Result<(), Property> {
        let mut unrolled = self.unrolled_from_operands();
        let valid = if self.ports.has_in_valid { unrolled.valid[0] } else { Literal::TRUE };
        let outputs = self.outputs(&mut unrolled, valid);
        if are_equal(&mut unrolled.graph, &outputs[0], &[valid], self.is_over) {
            Ok(())
        } else {
            Err(Property::OutValid)
        }
    }

    /// Like `unrolled_from_operands`, and no other operands are taken before the results.
    fn without_others(&self) -> Unrolled {
        let mut unrolled = self.unrolled_from_operands();
        unrolled.valid[1..self.latency as usize].fill(Literal::FALSE);
        unrolled
    }

    /// The results of operands that others may follow.
    fn alone(&self) -> Result<Graph, FlowFault> {
        self.results(self.unrolled_from_operands())
    }

    /// The results as a function of the operands alone.
    fn results(&self, mut unrolled: Unrolled) -> Result<Graph, FlowFault> {
        let outputs = self.outputs(&mut unrolled, Literal::TRUE);
        let (graph, results, widths) = (&unrolled.graph, &outputs[1..], &self.operand_widths());
        alone(graph, results, widths, self.is_over).ok_or_else(|| {
            let free: Vec<Literal> =
                unrolled.taken.iter().flat_map(|bits| &bits[self.operand_bits()..]).copied().collect();
            match free.is_empty() {
                true => Property::Results.into(),
                false => undefined(graph, results, widths, |source| free.contains(&source), self.is_over),
            }
        })
    }
}

/// One step of a unit with state that the operands reach after `rank` ranks.
struct StateSteps<'a> {
    steps: &'a Steps<'a>,
    rank: usize,
    first: &'a [bool],
    widths: &'a [u32],
}

impl StateSteps<'_> {
    fn result(&self) -> Option<Graph> {
        let (graph, words) = self.outputs(Literal::TRUE);
        let left = alone(&graph, &words, &self.own_widths(), self.steps.is_over)?;
        let (mut graph, kept) = self.outputs(Literal::FALSE);
        let state = self.state_of(&graph);
        let keeps = are_equal(&mut graph, &kept[kept.len() - self.widths.len()..].concat(), &state, self.steps.is_over);
        (keeps && self.is_first_after_reset()).then_some(left)
    }

    /// The widths of the operands and the state.
    fn own_widths(&self) -> Vec<u32> {
        self.steps.operand_widths().into_iter().chain(self.widths.iter().copied()).collect()
    }

    fn state_of(&self, graph: &Graph) -> Vec<Literal> {
        graph.inputs()[self.steps.operand_widths().len()..][..self.widths.len()].concat()
    }

    /// Results and next state for operands that are valid or not, in a graph of the operands, the state that they meet,
    /// and all other inputs.
    fn outputs(&self, is_valid: Literal) -> (Graph, Vec<Vec<Literal>>) {
        let (steps, last) = (self.steps, self.steps.latency as usize);
        let Unrolled { mut graph, mut valid, enable, mut state, mut taken } = steps.unrolled(&self.own_widths(), last);
        let met = self.state_of(&graph);
        let operands = graph.inputs()[..steps.operand_widths().len()].concat();
        taken[0][..operands.len()].copy_from_slice(&operands);
        valid[0] = is_valid;
        let (mut results, mut next) = (vec![], vec![]);
        for clock in 0..=last {
            if clock == self.rank {
                let at = state.len() - met.len();
                state[at..].copy_from_slice(&met);
            }
            let (valid, taken) = (valid[clock], &taken[clock]);
            // Results do not depend on `en`.
            results = steps.step(&mut graph, [Literal::TRUE, enable, valid], taken, &state).outputs;
            state = steps.step(&mut graph, [Literal::TRUE, Literal::TRUE, valid], taken, &state).next;
            if clock == self.rank {
                next = state[state.len() - met.len()..].to_vec();
            }
        }
        results.remove(0);
        for &width in self.widths {
            results.push(next.drain(..width as usize).collect());
        }
        (graph, results)
    }

    /// Whether the first operands after a reset meet the initial state.
    fn is_first_after_reset(&self) -> bool {
        let Unrolled { mut graph, valid, enable, mut state, taken } = self.steps.unrolled(&[], self.rank);
        for clock in 0..=self.rank {
            let (rst_n, en) = if clock == 0 { (Literal::FALSE, enable) } else { (Literal::TRUE, Literal::TRUE) };
            state = self.steps.step(&mut graph, [rst_n, en, valid[clock]], &taken[clock], &state).next;
        }
        let first: Vec<Literal> =
            self.first.iter().map(|&bit| if bit { Literal::TRUE } else { Literal::FALSE }).collect();
        are_equal(&mut graph, &state[state.len() - first.len()..], &first, self.steps.is_over)
    }
}
