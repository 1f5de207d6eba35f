//! Decides whether a mutant that no vector killed is equivalent to the unit.
//!
//! A clocked mutant is equivalent if nothing differs in a single clock, whatever the registers hold. Otherwise, as long as the change does
//! not affect when registers load, it is enough to compare the flow: results as functions of the operands that pass through open ranks,
//! independent of stalls and bubbles. In a unit that takes several clocks for an operation, the flow is that of an operation which no other
//! one replaces.

use super::{FlipFlopFault, Mutant, MutatedUnit};
use binade_circuit::Iteration;
use binade_circuit::pipeline::Pipeline;
use binade_gates::{Equivalence, Graph, KeptBit, Literal, kept_bits};
use binade_tools::interrupted;

/// The inputs before the operands: `rst_n`, `en`, `in_valid`. A flow does not have them.
const CONTROLS: usize = 3;

/// Whether a mutant is equivalent to the unit; `all_tried` says that the vectors covered all operands in all states.
pub fn judge(subject: &MutatedUnit, mutant: &Mutant, changed: &Graph, all_tried: bool) -> Equivalence {
    if let Some(iteration) = &subject.unit.iteration {
        return judge_iterated(iteration, &subject.sound, changed);
    }
    let Some(pipeline) = &subject.unit.pipeline else { return equivalence(&subject.sound, changed) };
    if are_equal(&one_clock(&subject.sound), &one_clock(changed)) {
        return Equivalence::Proven;
    }
    let sound = Flow { graph: &subject.sound, pipeline, free: None, spare: 0 };
    let fault = match *mutant {
        Mutant::FlipFlop { bit, fault } if matches!(kept_bits(pipeline)[bit], KeptBit::Rank { .. }) => {
            Some((bit, fault))
        }
        Mutant::FlipFlop { .. } => return Equivalence::Open,
        Mutant::Node { .. } => None,
    };
    match fault {
        None | Some((_, FlipFlopFault::StuckAt(_))) if all_tried => Equivalence::Proven,
        None | Some((_, FlipFlopFault::StuckAt(_))) => {
            sound.operands(equivalence(&sound.results(), &Flow { graph: changed, ..sound }.results()))
        }
        // The bit may belong to other operands.
        Some((bit, FlipFlopFault::Ignores(_) | FlipFlopFault::Missing)) => {
            let free = Flow { free: Some(bit), spare: 1, ..sound };
            let means_nothing = are_equal(&Flow { spare: 1, ..sound }.results(), &free.results());
            if means_nothing || sound.is_constant(bit) { Equivalence::Proven } else { Equivalence::Open }
        }
    }
}

/// Whether a mutant of a unit that takes several clocks is equivalent: nothing differs in a single clock, or the control is the same and so
/// are the results of an operation, whatever the registers held before.
fn judge_iterated(iteration: &Iteration, sound: &Graph, changed: &Graph) -> Equivalence {
    let clocks = [sound, changed].map(one_clock);
    let control: u32 = iteration.netlist.registers.iter().take(CONTROL_REGISTERS).map(|register| register.width).sum();
    let controls = [&clocks[0], &clocks[1]].map(|clock| {
        let mut of_control = clock.bare();
        let sources = of_control.sources();
        let words = of_control.add_gates(clock, sources, None).of_words(clock.outputs());
        let nexts = words.iter().skip(sound.outputs().len()).take(control as usize);
        words[..1].iter().chain(nexts).for_each(|bits| of_control.add_output(bits.clone()));
        of_control
    });
    if are_equal(&clocks[0], &clocks[1]) {
        return Equivalence::Proven;
    }
    if !are_equal(&controls[0], &controls[1]) {
        return Equivalence::Open;
    }
    let operands = iteration.netlist.inputs.len() - 1;
    match equivalence(&operation(sound, iteration.clocks), &operation(changed, iteration.clocks)) {
        Equivalence::Differs(vector) => Equivalence::Differs(vector[..operands].to_vec()),
        found @ (Equivalence::Proven | Equivalence::Open) => found,
    }
}

/// The registers of the control of a unit that takes several clocks: whether it is busy, and the clocks left.
const CONTROL_REGISTERS: usize = 2;

/// The results of an operation as functions of its operands, of the operands that come while it is in progress, and of what the registers
/// held before.
fn operation(graph: &Graph, clocks: u32) -> Graph {
    let operands = || graph.inputs()[CONTROLS..].iter().map(|bits| bits.len() as u32);
    let bits: u32 = operands().sum();
    let mut flow = Graph::new(operands().chain([bits * clocks, graph.flip_flops().len() as u32]));
    let inputs = flow.inputs().to_vec();
    let (own, others) = inputs.split_at(inputs.len() - 2);
    let mut state = others[1].clone();
    let mut taken = own.concat();
    for clock in 0..=clocks as usize {
        let valid = if clock == 0 { Literal::TRUE } else { Literal::FALSE };
        let sources = [&[Literal::TRUE, Literal::TRUE, valid], &taken[..], &state[..]].concat();
        let images = flow.add_gates(graph, sources, None);
        if clock == clocks as usize {
            images.of_words(&graph.outputs()[1..]).into_iter().for_each(|word| flow.add_output(word));
            break;
        }
        state = graph.flip_flops().iter().map(|flip_flop| images.of(flip_flop.next)).collect();
        taken = others[0][clock * bits as usize..][..bits as usize].to_vec();
    }
    flow
}

/// Compares two circuits; after Ctrl-C, they are left undecided.
pub fn equivalence(one: &Graph, other: &Graph) -> Equivalence {
    binade_gates::equivalence(one, other, &interrupted)
}

pub fn are_equal(one: &Graph, other: &Graph) -> bool {
    equivalence(one, other) == Equivalence::Proven
}

/// Outputs and next bits as functions of inputs and flip-flops.
pub fn one_clock(graph: &Graph) -> Graph {
    let inputs = graph.inputs().iter().map(|bits| bits.len() as u32);
    let mut combinational = Graph::new(inputs.chain(graph.flip_flops().iter().map(|_| 1)));
    let sources: Vec<Literal> = combinational.inputs().concat();
    let images = combinational.add_gates(graph, sources, None);
    let nexts = graph.flip_flops().iter().map(|flip_flop| vec![images.of(flip_flop.next)]);
    images.of_words(graph.outputs()).into_iter().chain(nexts).for_each(|bits| combinational.add_output(bits));
    combinational
}

/// A unit with all controls high and all ranks open.
#[derive(Clone, Copy)]
struct Flow<'a> {
    graph: &'a Graph,
    pipeline: &'a Pipeline,
    /// A rank bit that is made an input.
    free: Option<usize>,
    /// The width of that input, 0 or 1.
    spare: u32,
}

impl Flow<'_> {
    /// The results and the next state.
    fn results(&self) -> Graph {
        let (mut open, sources) = self.open();
        let images = open.add_gates(self.graph, sources, None);
        let nexts = self.state().map(|bit| vec![images.of(self.graph.flip_flops()[bit].next)]);
        let results = images.of_words(&self.graph.outputs()[1..]);
        results.into_iter().chain(nexts).for_each(|bits| open.add_output(bits));
        open
    }

    /// Whether a rank bit is the same for all operands.
    fn is_constant(&self, bit: usize) -> bool {
        let (open, sources) = self.open();
        let with_output = |literal: Literal| {
            let mut graph = open.clone();
            graph.add_output(vec![literal]);
            graph
        };
        let own = with_output(sources[sources.len() - self.graph.flip_flops().len() + bit]);
        [Literal::FALSE, Literal::TRUE].iter().any(|&constant| are_equal(&own, &with_output(constant)))
    }

    /// A graph with the operands, the state bits and the free bit as inputs, and the literals that stand for the unit's inputs and
    /// flip-flops.
    fn open(&self) -> (Graph, Vec<Literal>) {
        let Flow { graph, pipeline, free, spare } = *self;
        let operands = graph.inputs()[CONTROLS..].iter().map(|bits| bits.len() as u32);
        let mut open = Graph::new(operands.chain(self.state().map(|_| 1)).chain([spare]));
        let inputs = open.inputs().to_vec();
        let (operands, others) = inputs.split_at(graph.inputs().len() - CONTROLS);
        let mut sources = [vec![Literal::TRUE; CONTROLS], operands.concat()].concat();
        let first = sources.len();
        let free_bit = inputs[inputs.len() - 1].first().copied().unwrap_or(Literal::FALSE);
        sources.resize(first + graph.flip_flops().len(), free_bit);
        let kept = kept_bits(pipeline);
        sources[first..][..pipeline.stages as usize].fill(Literal::TRUE);
        self.state().zip(others).for_each(|(bit, input)| sources[first + bit] = input[0]);
        for _ in 0..pipeline.stages {
            let images = open.add_gates(graph, sources.iter().copied(), None);
            for bit in (0..kept.len()).filter(|&bit| free != Some(bit)) {
                if matches!(kept[bit], KeptBit::Rank { .. }) {
                    sources[first + bit] = images.of(graph.flip_flops()[bit].next);
                }
            }
        }
        (open, sources)
    }

    /// The indices of the state bits.
    fn state(&self) -> impl Iterator<Item = usize> {
        let kept = kept_bits(self.pipeline).into_iter().enumerate();
        kept.filter(|(_, bit)| matches!(bit, KeptBit::State { .. })).map(|(place, _)| place)
    }

    /// The finding in terms of the operands. With state, a difference may occur only in an unreachable state.
    fn operands(&self, found: Equivalence) -> Equivalence {
        let netlist = &self.pipeline.netlist;
        match found {
            Equivalence::Differs(_) if !netlist.registers.is_empty() => Equivalence::Open,
            Equivalence::Differs(vector) => Equivalence::Differs(vector[..netlist.inputs.len()].to_vec()),
            found @ (Equivalence::Proven | Equivalence::Open) => found,
        }
    }
}
