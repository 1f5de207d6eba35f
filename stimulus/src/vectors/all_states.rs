//! Exhaustive vectors for units with few states: all inputs in all reachable states, as sequences from a reset.

use super::block::BLOCK;
use super::nearest::Ways;
use super::order::Order;
use crate::columns::Columns;
use crate::words::widths;
use binade_golden::Model;
use binade_spec::word::limbs;
use binade_spec::{Operation, Port};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// The most steps from one state to the next that are enumerated.
pub(super) const MOST_STEPS: usize = 1 << 24;

/// The most steps from one state to the next that are enumerated by default.
pub(super) const DEFAULT_STEPS: usize = 1 << 22;

/// The most vectors per step in a tour, which also contains ways to states with remaining inputs.
const MOST_VECTORS: usize = 4;

/// Inputs to try for a direct step to a state with remaining inputs, before a longer way is taken.
const TRIES: usize = 64;

/// A walk over all steps.
#[derive(Clone, Debug)]
pub(crate) struct Tour {
    pub states: usize,
    /// Combinations of the inputs.
    pub inputs: usize,
    /// The inputs of each vector, side by side.
    vectors: Vec<u32>,
    widths: Vec<u32>,
}

impl Tour {
    /// `None` if there are more than `most` steps (states times inputs).
    pub fn of(operation: &Operation, most: usize) -> Option<Tour> {
        let machine = Machine::explore(operation, most)?;
        let vectors = Walk::new(&machine).run()?;
        let widths = widths(&operation.inputs()).collect();
        Some(Tour { states: machine.states(), inputs: machine.inputs, vectors, widths })
    }

    /// The number of vectors.
    pub fn len(&self) -> u64 {
        self.vectors.len() as u64
    }

    /// A description of what is enumerated.
    pub fn describe(&self) -> String {
        let sequences = self.vectors.len().div_ceil(BLOCK);
        let counted =
            |count: usize, noun: &str| if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") };
        let (states, inputs) = (counted(self.states, "reachable state"), counted(self.inputs, "input"));
        format!("all {states} x {inputs}, in {}", counted(sequences, "sequence"))
    }

    /// Appends vectors to the columns of the inputs.
    pub fn fill(&self, range: Range<u64>, columns: &mut Columns) {
        let vectors = &self.vectors[range.start as usize..range.end as usize];
        super::order::place(vectors.iter().map(|&inputs| inputs.into()), &self.widths, 0, columns);
    }
}

/// The states reachable from a reset, which is state 0, and their transitions.
struct Machine {
    inputs: usize,
    /// The next state for each input of each state.
    next: Vec<u32>,
    /// The first way in which each state was reached: the state before, and the input.
    first_way: Vec<(u32, u32)>,
}

impl Machine {
    fn states(&self) -> usize {
        self.first_way.len()
    }

    fn next(&self, state: usize, input: usize) -> usize {
        self.next[state * self.inputs + input] as usize
    }

    /// Explores the states breadth first.
    fn explore(operation: &Operation, most: usize) -> Option<Machine> {
        let bits = operation.input_bits();
        if bits > most.ilog2() {
            return None;
        }
        let (model, inputs) = (Model::new(operation), 1_usize << bits);
        let ports = operation.inputs();
        let mut operands = Columns::new(widths(&ports));
        Order::counting(&ports).fill(0..inputs as u64, &mut operands);
        let mut outputs = Columns::zeros(widths(&operation.outputs()), inputs);
        let registers = operation.registers();
        let mut states = States::new(&registers, &model);
        let mut machine = Machine { inputs, next: vec![], first_way: vec![(0, 0)] };
        let mut state = 0;
        while state < states.len() {
            if states.len() * inputs > most {
                return None;
            }
            let mut columns = states.repeated(state, inputs);
            model.step_columns(&mut columns.views_mut(inputs), &operands.views(), &mut outputs.views_mut(inputs));
            for input in 0..inputs {
                let next = states.number(&columns, input);
                if next == machine.first_way.len() {
                    machine.first_way.push((state as u32, input as u32));
                }
                machine.next.push(next as u32);
            }
            state += 1;
        }
        Some(machine)
    }

    /// Inputs that lead to the same state from every state, such as a clear, and that state.
    fn resets(&self) -> Vec<(u32, usize)> {
        let is_same = |input: usize, next| (1..self.states()).all(|state| self.next(state, input) == next);
        let candidates = (0..self.inputs).map(|input| (input, self.next(0, input)));
        candidates.filter(|&(input, next)| is_same(input, next)).map(|(input, next)| (input as u32, next)).collect()
    }
}

/// The codes of the registers in the known states.
struct States {
    limbs: Vec<usize>,
    codes: Vec<Vec<u64>>,
    numbers: HashMap<Vec<u64>, usize>,
    /// The codes of the state that is looked up.
    wanted: Vec<u64>,
    register_widths: Vec<u32>,
}

impl States {
    fn new(registers: &[Port], model: &Model) -> States {
        let register_widths: Vec<u32> = widths(registers).collect();
        let first = Columns::of_vectors(register_widths.iter().copied(), &[model.reset()]);
        let limbs = register_widths.iter().map(|&width| limbs(width)).collect();
        let mut states = States { limbs, codes: vec![], numbers: HashMap::new(), wanted: vec![], register_widths };
        states.number(&first, 0);
        states
    }

    fn len(&self) -> usize {
        self.codes.len()
    }

    /// The codes of a state for many machines.
    fn repeated(&self, state: usize, machines: usize) -> Columns {
        let mut columns = Columns::new(self.register_widths.iter().copied());
        (0..machines).for_each(|_| columns.push(&self.codes[state]));
        columns
    }

    /// The number of the state of a machine, which may be a new one.
    fn number(&mut self, columns: &Columns, machine: usize) -> usize {
        let views = columns.views();
        let codes = views.iter().zip(&self.limbs).flat_map(|(view, &limbs)| &view.words[machine * limbs..][..limbs]);
        self.wanted.clear();
        self.wanted.extend(codes);
        if let Some(&number) = self.numbers.get(&self.wanted) {
            return number;
        }
        self.numbers.insert(self.wanted.clone(), self.codes.len());
        self.codes.push(self.wanted.clone());
        self.codes.len() - 1
    }
}

/// A tour under construction.
struct Walk<'m> {
    machine: &'m Machine,
    /// The number of inputs tried in each state, in order from the first.
    given: Vec<usize>,
    left: usize,
    vectors: Vec<u32>,
    state: usize,
    /// All states before this one are complete.
    pending: usize,
    /// The last input of the shortest way to each state from anywhere, and the state before; `None` if it is only
    /// reachable from a reset.
    ways: Vec<Option<(u32, Option<u32>)>>,
    /// Ways through a machine that no input resets.
    anywhere: Option<Ways>,
    /// Inputs for the beginnings of sequences, in turn: they expose what a reset has left in the registers.
    first: Vec<usize>,
}

impl<'m> Walk<'m> {
    fn new(machine: &'m Machine) -> Walk<'m> {
        let states = machine.states();
        let left = states * machine.inputs;
        let ways = ways(machine);
        let resets = machine.resets();
        let hides = |input: usize| resets.iter().any(|&(reset, _)| reset as usize == input);
        let first = (0..machine.inputs).filter(|&input| machine.next(0, input) == 0 && !hides(input)).collect();
        let anywhere = resets.is_empty().then(|| Ways::new(&machine.next, machine.inputs));
        Walk { machine, given: vec![0; states], left, vectors: vec![], state: 0, pending: 0, ways, anywhere, first }
    }

    /// `None` if the tour gets too long.
    fn run(mut self) -> Option<Vec<u32>> {
        let most = MOST_VECTORS * self.left + 16 * BLOCK;
        while self.left > 0 {
            if self.vectors.len() > most {
                return None;
            }
            if self.vectors.len().is_multiple_of(BLOCK) && !self.first.is_empty() {
                self.step(self.first[self.vectors.len() / BLOCK % self.first.len()]);
            }
            let input = match self.given[self.state] {
                given if given < self.machine.inputs => given,
                _ => match self.input_to_more() {
                    Some(input) => input,
                    None => {
                        self.go_to_pending();
                        continue;
                    }
                },
            };
            self.step(input);
        }
        Some(self.vectors)
    }

    fn has_more(&self, state: usize) -> bool {
        self.given[state] < self.machine.inputs
    }

    fn step(&mut self, input: usize) {
        if input == self.given[self.state] {
            self.given[self.state] += 1;
            self.left -= 1;
        }
        self.vectors.push(input as u32);
        self.state = self.machine.next(self.state, input);
        if self.vectors.len().is_multiple_of(BLOCK) {
            self.state = 0;
        }
    }

    /// An input that leads to a state with remaining inputs, if one is found quickly.
    fn input_to_more(&self) -> Option<usize> {
        let inputs = self.machine.inputs;
        let tries = inputs.min(TRIES);
        let first = self.vectors.len().wrapping_mul(7);
        let mut candidates = (0..tries).map(|at| (first + at * (inputs / tries)) % inputs);
        candidates.find(|&input| self.has_more(self.machine.next(self.state, input)))
    }

    /// Walks to the first state with remaining inputs, or to the end of the block if that state is only reachable from
    /// a reset.
    fn go_to_pending(&mut self) {
        while !self.has_more(self.pending) {
            self.pending += 1;
        }
        let nearest = self.anywhere.as_ref().and_then(|ways| ways.to_nearest(self.state, |state| self.has_more(state)));
        let way = nearest.or_else(|| self.way_to(self.pending)).unwrap_or(vec![0]);
        for input in way {
            self.step(input);
            if self.vectors.len().is_multiple_of(BLOCK) {
                return;
            }
        }
    }

    /// A way from anywhere, or from the state after a reset if the machine is in it.
    fn way_to(&self, state: usize) -> Option<Vec<usize>> {
        let mut way = vec![];
        let mut at = state;
        if self.ways[state].is_some() {
            while let Some((input, before)) = self.ways[at] {
                way.push(input as usize);
                let Some(before) = before else { break };
                at = before as usize;
            }
        } else if self.state == 0 {
            while at != 0 {
                let (before, input) = self.machine.first_way[at];
                way.push(input as usize);
                at = before as usize;
            }
        } else {
            return None;
        }
        way.reverse();
        Some(way)
    }
}

/// The shortest ways that begin with an input that leads to the same state from everywhere.
fn ways(machine: &Machine) -> Vec<Option<(u32, Option<u32>)>> {
    let mut ways = vec![None; machine.states()];
    let mut queue = VecDeque::new();
    for (input, state) in machine.resets() {
        if ways[state].is_none() {
            ways[state] = Some((input, None));
            queue.push_back(state);
        }
    }
    while let Some(state) = queue.pop_front() {
        for input in 0..machine.inputs {
            let next = machine.next(state, input);
            if ways[next].is_none() {
                ways[next] = Some((input as u32, Some(state as u32)));
                queue.push_back(next);
            }
        }
    }
    ways
}
