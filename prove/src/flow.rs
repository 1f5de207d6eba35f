//! Units with a clock: what is to be shown of the registers, for all sequences of operands, stalls and bubbles; and what is left
//! without them.
//!
//! 1. Where `en` is 0, every flip-flop keeps its bit, but those that a reset clears.
//! 2. So many clocks with `en` after valid operands were taken, the results are a function of these operands alone, whatever
//!    the registers held before: nothing feeds back, and every way has the same length.
//! 3. `out_valid` is `in_valid` as many such clocks ago; a reset makes it 0, and for as many clocks as follow without a valid
//!    operand it stays so.
//!
//! A stall changes nothing (1), so any sequence gives what its clocks without stalls give, and those are (2) and (3).
//! Most of this is seen, since equal gates are one; the solver shows the rest.
//!
//! A unit with state has (1) and (3), and in place of (2), for registers whose codes may be any: so many clocks after they
//! were taken, valid operands come to the state. From the codes that it holds then and these operands alone follow the
//! results, whatever else there is, and the codes that it holds a clock later; what is not valid leaves it as it is. After a
//! reset it holds its first codes until the first operands come. So the codes of a clock are those that the operands taken
//! before have made one after the other, and if each step is right for any code, so is any sequence.

use binade_sim::lanes::{Graph, Literal};
use binade_sim::prove::{Answer, Solver};
use std::fmt;

/// Inputs before the operands: `rst_n`, `en`, `in_valid`.
const CONTROLS: usize = 3;

/// Conflicts after which the solver gives up: a second or so.
const MOST_CONFLICTS: u64 = 10_000;

/// What a unit with a clock has beside operands and results; what it has not, nothing is shown of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controls {
    /// Whether it rests while `en` is 0.
    pub has_enable: bool,
    /// Whether it says when results are valid.
    pub has_out_valid: bool,
    /// Whether it has a reset.
    pub has_reset: bool,
}

impl Controls {
    /// Those of every generated unit.
    pub const ALL: Controls = Controls { has_enable: true, has_out_valid: true, has_reset: true };
}

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
    /// The state is not what operands, one after the other, make of it.
    State,
}

impl fmt::Display for FlowFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            FlowFault::Stall => "a flip-flop changes while en is 0",
            FlowFault::Latency => "the results depend on more than the operands that were taken the latency before",
            FlowFault::Valid => "out_valid is not in_valid of the latency before",
            FlowFault::Reset => "out_valid may be 1 after a reset",
            FlowFault::State => "the state is not what the operands that were taken, one after the other, make of it",
        })
    }
}

/// The unit without its registers: results as functions of the operands that come with `in_valid`.
///
/// # Errors
/// When the registers do not what they are there for, as far as that can be shown.
///
/// # Panics
/// When the graph has not the ports of a unit with a clock.
pub fn flow(unit: &Graph, latency: u32, controls: Controls) -> Result<Graph, FlowFault> {
    let steps = Steps { unit, latency };
    steps.check(controls)?;
    steps.results()
}

/// One step of a unit with state and all controls, without its other registers: what the state holds next and the results, as
/// functions of operands and state. Its bits are the last flip-flops; `first` are those that it holds after a reset.
///
/// # Errors
/// When the registers do not what they are there for, as far as that can be shown.
///
/// # Panics
/// When the graph has not the ports of a unit with a clock, or fewer flip-flops.
pub fn step(unit: &Graph, latency: u32, first: &[bool], widths: &[u32]) -> Result<Graph, FlowFault> {
    let steps = Steps { unit, latency };
    steps.check(Controls::ALL)?;
    (0..=latency as usize)
        .map(|rank| StateSteps { steps: &steps, rank, first, widths })
        .find_map(|steps| steps.result())
        .ok_or(FlowFault::State)
}

/// After how many clocks, `most` of them at most, the results depend on the operands alone.
///
/// # Panics
/// When the graph has not the ports of a unit with a clock.
pub fn latency(unit: &Graph, most: u32) -> Option<u32> {
    (0..=most).find(|&latency| Steps { unit, latency }.results().is_ok())
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
    /// What does not depend on operands.
    fn check(&self, controls: Controls) -> Result<(), FlowFault> {
        if controls.has_enable {
            self.check_stall()?;
        }
        if controls.has_reset && controls.has_out_valid {
            self.check_reset()?;
        }
        if controls.has_out_valid {
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
        if are_equal(&mut graph, &stalled.next, &state) { Ok(()) } else { Err(FlowFault::Stall) }
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
            if !are_equal(&mut graph, &step.outputs[0], &[Literal::FALSE]) {
                return Err(FlowFault::Reset);
            }
            state = step.next;
        }
        Ok(())
    }

    /// A graph with the operands as inputs, so that what is left is a graph of them alone, and then all that goes before and
    /// behind them: whether each clock's operands are valid, what the registers hold, and later operands.
    fn unrolled(&self) -> Graph {
        let (clocks, flip_flops) = (self.latency, self.unit.flip_flops().len() as u32);
        let others = [1 + clocks, flip_flops, clocks * self.operand_bits() as u32];
        Graph::new(self.operand_widths().into_iter().chain(others))
    }

    /// The outputs, so many clocks after the operands; `is_valid` says whether these are.
    fn outputs(&self, graph: &mut Graph, is_valid: Literal) -> Vec<Vec<Literal>> {
        let (inputs, bits, clocks) = (graph.inputs().to_vec(), self.operand_bits(), self.latency as usize);
        let [valid, state, later] = [3, 2, 1].map(|from_end| &inputs[inputs.len() - from_end]);
        let (mut taken, mut state) = (inputs[..inputs.len() - 3].concat(), state.clone());
        for clock in 0..clocks {
            let valid = if clock == 0 { is_valid } else { valid[clock] };
            state = self.step(graph, [Literal::TRUE, Literal::TRUE, valid], &taken, &state).next;
            taken = later[clock * bits..][..bits].to_vec();
        }
        let valid = if clocks == 0 { is_valid } else { valid[clocks] };
        self.step(graph, [Literal::TRUE, Literal::TRUE, valid], &taken, &state).outputs
    }

    fn check_valid(&self) -> Result<(), FlowFault> {
        let mut graph = self.unrolled();
        let valid = graph.inputs()[graph.inputs().len() - 3][0];
        let outputs = self.outputs(&mut graph, valid);
        if are_equal(&mut graph, &outputs[0], &[valid]) { Ok(()) } else { Err(FlowFault::Valid) }
    }

    /// The results as a graph of the operands alone.
    fn results(&self) -> Result<Graph, FlowFault> {
        let mut graph = self.unrolled();
        let outputs = self.outputs(&mut graph, Literal::TRUE);
        alone(&graph, &outputs[1..], self.operand_widths()).ok_or(FlowFault::Latency)
    }
}

/// One step of a unit with state that comes to it so many ranks behind the operands.
struct StateSteps<'a> {
    steps: &'a Steps<'a>,
    rank: usize,
    first: &'a [bool],
    widths: &'a [u32],
}

impl StateSteps<'_> {
    fn result(&self) -> Option<Graph> {
        let widths: Vec<u32> = self.steps.operand_widths().into_iter().chain(self.widths.iter().copied()).collect();
        let (mut graph, words) = self.unrolled(Literal::TRUE);
        let left = alone(&graph, &words, widths)?;
        let (holding, kept) = self.unrolled(Literal::FALSE);
        graph = holding;
        let state = self.state_of(&graph);
        let keeps = are_equal(&mut graph, &kept[kept.len() - self.widths.len()..].concat(), &state);
        (keeps && self.is_first_after_reset()).then_some(left)
    }

    fn state_of(&self, graph: &Graph) -> Vec<Literal> {
        graph.inputs()[self.steps.operand_widths().len()..][..self.widths.len()].concat()
    }

    /// Results and next state for operands that are valid or not. Inputs are the operands, the state that they come to, and then
    /// whether other operands are valid, what all registers hold before, and later operands.
    fn unrolled(&self, is_valid: Literal) -> (Graph, Vec<Vec<Literal>>) {
        let steps = self.steps;
        let (clocks, bits) = (steps.latency as usize, steps.operand_bits());
        let others = [1 + clocks, steps.unit.flip_flops().len(), clocks * bits].map(|bits| bits as u32);
        let own = steps.operand_widths().into_iter().chain(self.widths.iter().copied());
        let mut graph = Graph::new(own.chain(others));
        let (inputs, met) = (graph.inputs().to_vec(), self.state_of(&graph));
        let [valid, state, later] = [3, 2, 1].map(|from_end| &inputs[inputs.len() - from_end]);
        let (mut taken, mut state) = (inputs[..steps.operand_widths().len()].concat(), state.clone());
        let (mut results, mut next) = (vec![], vec![]);
        for clock in 0..=clocks {
            if clock == self.rank {
                let at = state.len() - met.len();
                state[at..].copy_from_slice(&met);
            }
            let valid = if clock == 0 { is_valid } else { valid[clock] };
            let step = steps.step(&mut graph, [Literal::TRUE, Literal::TRUE, valid], &taken, &state);
            if clock == self.rank {
                next = step.next[state.len() - met.len()..].to_vec();
            }
            state = step.next;
            results = step.outputs;
            taken = later.get(clock * bits..(clock + 1) * bits).unwrap_or_default().to_vec();
        }
        results.remove(0);
        for &width in self.widths {
            results.push(next.drain(..width as usize).collect());
        }
        (graph, results)
    }

    /// Whether the first operands after a reset come to the first state.
    fn is_first_after_reset(&self) -> bool {
        let steps = self.steps;
        let (flip_flops, bits) = (steps.unit.flip_flops().len(), steps.operand_bits());
        let clocks = self.rank + 1;
        let mut graph = Graph::new([1 + clocks as u32, flip_flops as u32, (clocks * bits) as u32]);
        let [controls, mut state, operands] = [0, 1, 2].map(|input| graph.inputs()[input].clone());
        for clock in 0..clocks {
            let (is_not_reset, enable) =
                if clock == 0 { (Literal::FALSE, controls[clocks]) } else { (Literal::TRUE, Literal::TRUE) };
            let taken = &operands[clock * bits..][..bits];
            state = steps.step(&mut graph, [is_not_reset, enable, controls[clock]], taken, &state).next;
        }
        let first: Vec<Literal> =
            self.first.iter().map(|&bit| if bit { Literal::TRUE } else { Literal::FALSE }).collect();
        are_equal(&mut graph, &state[flip_flops - first.len()..], &first)
    }
}

/// Results as a graph of the first inputs alone, which are so wide; nothing if they depend on others, too.
fn alone(graph: &Graph, results: &[Vec<Literal>], widths: Vec<u32>) -> Option<Graph> {
    let own = widths.iter().sum::<u32>() as usize;
    let foreign = graph.sources().len() - own;
    let mut left = Graph::new(widths);
    let sources = left.sources();
    let images = left.add_gates(graph, sources.iter().copied().chain(vec![Literal::FALSE; foreign]), None);
    images.of_words(results).into_iter().for_each(|bits| left.add_output(bits));
    (!depends_on_others(graph, results, own) || are_those_of(graph, results, own, &left)).then_some(left)
}

/// Whether the results are those of `left`, of the first inputs, whatever the other inputs are.
fn are_those_of(graph: &Graph, results: &[Vec<Literal>], own: usize, left: &Graph) -> bool {
    let mut graph = graph.clone();
    let mut sources = graph.sources();
    sources.truncate(own);
    let expected = graph.add_gates(left, sources, None).of_words(left.outputs());
    are_equal(&mut graph, &results.concat(), &expected.concat())
}

/// Whether some result has a way from an input behind the first ones.
fn depends_on_others(graph: &Graph, results: &[Vec<Literal>], first: usize) -> bool {
    let mut needed = vec![false; graph.gates().len()];
    results.iter().flatten().for_each(|literal| needed[literal.node()] = true);
    for id in (1..needed.len()).rev() {
        if needed[id] {
            graph.gates()[id].operands().for_each(|operand| needed[operand.node()] = true);
        }
    }
    needed[first + 1..=graph.sources().len()].contains(&true)
}

/// Whether words are equal, as can be seen or shown.
pub(crate) fn are_equal(graph: &mut Graph, one: &[Literal], other: &[Literal]) -> bool {
    assert_eq!(one.len(), other.len(), "words of one width are compared");
    let differing: Vec<Literal> = one.iter().zip(other).map(|(&one, &other)| graph.xor(one, other)).collect();
    let differs = graph.any(&differing);
    differs == Literal::FALSE || Solver::default().solve(graph, &[differs], MOST_CONFLICTS) == Answer::Unsatisfiable
}
