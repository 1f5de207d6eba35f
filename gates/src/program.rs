//! Gates as a straight-line program over wide words: bit `v` of a word is the gate's bit in vector `v`.

use crate::graph::{Gate, Graph, Literal};
use multiversion::multiversion;
use std::ops::{Deref, DerefMut};

/// Machine words per signal: enough to amortise decoding an instruction, few enough for all live signals to stay in a
/// core's cache.
const WORDS: usize = 64;

/// Vectors that a program evaluates at a time.
pub const LANES: usize = WORDS * 64;

/// One signal in all lanes, aligned for the widest registers of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Plane([u64; WORDS]);

impl Plane {
    /// The same machine word in all places.
    pub const fn of(word: u64) -> Plane {
        Plane([word; WORDS])
    }
}

impl From<[u64; WORDS]> for Plane {
    fn from(words: [u64; WORDS]) -> Plane {
        Plane(words)
    }
}

impl Deref for Plane {
    type Target = [u64; WORDS];

    fn deref(&self) -> &[u64; WORDS] {
        &self.0
    }
}

impl DerefMut for Plane {
    fn deref_mut(&mut self) -> &mut [u64; WORDS] {
        &mut self.0
    }
}

/// A signal in one lane.
pub fn bit(plane: &Plane, lane: usize) -> bool {
    plane[lane / 64] >> (lane % 64) & 1 == 1
}

/// What an instruction computes from its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    /// `a & b`
    And,
    /// `a & !b`
    AndNot,
    /// `!(a | b)`
    Nor,
    /// `a ^ b`
    Xor,
    /// `a ? b : c`
    Mux,
    /// `a ? b : !c`
    MuxNot,
    /// `!a`
    Not,
}

/// Operands and result are slots: planes that are reused once their content is no longer needed.
#[derive(Clone, Copy, Debug)]
struct Instruction {
    code: Code,
    result: u32,
    a: u32,
    b: u32,
    c: u32,
}

/// A graph ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    instructions: Vec<Instruction>,
    slots: usize,
    /// The input bits have the first slots: port after port, lowest bits first.
    input_bits: usize,
    /// The flip-flops have the next ones.
    flip_flop_bits: usize,
    /// The slots of the next values of the flip-flops.
    nexts: Vec<usize>,
    /// The slots of the output bits: port after port, lowest bits first.
    outputs: Vec<usize>,
}

impl Program {
    /// Compiles the gates that outputs and flip-flops need to instructions on as few slots as possible.
    ///
    /// # Panics
    /// When the graph has undefined bits.
    pub fn new(graph: &Graph) -> Program {
        assert!(graph.undefined().is_empty(), "every bit is defined");
        Compiler::new(graph).compile()
    }

    /// The number of gates that are evaluated per vector.
    pub fn gates(&self) -> usize {
        self.instructions.len()
    }

    /// The number of output planes.
    pub fn output_bits(&self) -> usize {
        self.outputs.len()
    }
}

/// The slots of one thread.
#[derive(Clone)]
pub struct Machine<'p> {
    program: &'p Program,
    slots: Vec<Plane>,
    /// The next values of the flip-flops.
    taken: Vec<Plane>,
    /// Whether only the lanes of the first machine word are computed.
    is_narrow: bool,
}

impl<'p> Machine<'p> {
    /// A machine with all planes 0.
    pub fn new(program: &'p Program) -> Machine<'p> {
        let planes = |count| vec![Plane::of(0); count];
        Machine { program, slots: planes(program.slots), taken: planes(program.flip_flop_bits), is_narrow: false }
    }

    /// The planes of the input bits, for the caller to fill: port after port, lowest bits first. Running the program
    /// does not change them.
    pub fn inputs(&mut self) -> &mut [Plane] {
        &mut self.slots[..self.program.input_bits]
    }

    /// The planes of the flip-flops.
    pub fn flip_flops(&mut self) -> &mut [Plane] {
        &mut self.slots[self.program.input_bits..][..self.program.flip_flop_bits]
    }

    /// The plane of an output bit.
    pub fn output(&self, bit: usize) -> &Plane {
        &self.slots[self.program.outputs[bit]]
    }

    /// Restricts later runs to these lanes, as far as that is faster.
    pub fn narrow(&mut self, lanes: usize) {
        self.is_narrow = lanes <= 64;
    }

    /// The number of output planes.
    pub fn output_bits(&self) -> usize {
        self.program.output_bits()
    }

    /// Computes the outputs of all lanes.
    pub fn run(&mut self) {
        if self.is_narrow {
            return run_first_word(&self.program.instructions, &mut self.slots);
        }
        run(&self.program.instructions, &mut self.slots);
    }

    /// Clocks the flip-flops: they load the values that the program computed. Outputs change at the next run.
    pub fn clock(&mut self) {
        for (taken, &next) in self.taken.iter_mut().zip(&self.program.nexts) {
            *taken = self.slots[next];
        }
        let first = self.program.input_bits;
        self.slots[first..first + self.taken.len()].copy_from_slice(&self.taken);
    }

    /// The first of `lanes` lanes in which an output is not as expected.
    pub fn first_wrong(&self, want: &[Plane], lanes: usize) -> Option<usize> {
        first_difference(want.iter().enumerate().map(|(bit, want)| (self.output(bit), want)), lanes)
    }

    /// The first of `lanes` lanes in which an output differs from that of another machine.
    pub fn first_difference(&self, other: &Machine, lanes: usize) -> Option<usize> {
        first_difference((0..self.program.output_bits()).map(|bit| (self.output(bit), other.output(bit))), lanes)
    }
}

/// The first of `lanes` lanes in which the planes of a pair differ.
fn first_difference<'a>(pairs: impl Iterator<Item = (&'a Plane, &'a Plane)>, lanes: usize) -> Option<usize> {
    let mut differing = Plane::of(0);
    pairs.for_each(|(got, want)| gather(&mut differing, got, want));
    let word = differing.iter().position(|&word| word != 0)?;
    let lane = word * 64 + differing[word].trailing_zeros() as usize;
    (lane < lanes).then_some(lane)
}

/// Marks the lanes in which the two differ.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn gather(differing: &mut Plane, got: &Plane, want: &Plane) {
    for (word, (got, want)) in differing.iter_mut().zip(got.iter().zip(want.iter())) {
        *word |= got ^ want;
    }
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn run(instructions: &[Instruction], slots: &mut [Plane]) {
    for instruction in instructions {
        let Instruction { code, result, a, b, c } = *instruction;
        let [result, a, b, c] = [result, a, b, c].map(|slot| slot as usize);
        match code {
            Code::And => two(slots, result, a, b, |a, b| a & b),
            Code::AndNot => two(slots, result, a, b, |a, b| a & !b),
            Code::Nor => two(slots, result, a, b, |a, b| !(a | b)),
            Code::Xor => two(slots, result, a, b, |a, b| a ^ b),
            Code::Mux => three(slots, result, [a, b, c], |a, b, c| c ^ (a & (b ^ c))),
            Code::MuxNot => three(slots, result, [a, b, c], |a, b, c| !c ^ (a & (b ^ !c))),
            Code::Not => {
                let [result, a] = disjoint(slots, [result, a]);
                for (result, a) in result.iter_mut().zip(a.iter()) {
                    *result = !*a;
                }
            }
        }
    }
}

/// Runs the instructions only in the lanes of the first machine word.
fn run_first_word(instructions: &[Instruction], slots: &mut [Plane]) {
    for instruction in instructions {
        let Instruction { code, result, a, b, c } = *instruction;
        let [a, b, c] = [a, b, c].map(|slot| slots[slot as usize][0]);
        slots[result as usize][0] = match code {
            Code::And => a & b,
            Code::AndNot => a & !b,
            Code::Nor => !(a | b),
            Code::Xor => a ^ b,
            Code::Mux => c ^ (a & (b ^ c)),
            Code::MuxNot => !c ^ (a & (b ^ !c)),
            Code::Not => !a,
        };
    }
}

#[inline(always)]
fn two(slots: &mut [Plane], result: usize, a: usize, b: usize, gate: impl Fn(u64, u64) -> u64) {
    let [result, a, b] = disjoint(slots, [result, a, b]);
    for word in 0..WORDS {
        result[word] = gate(a[word], b[word]);
    }
}

#[inline(always)]
fn three(slots: &mut [Plane], result: usize, [a, b, c]: [usize; 3], gate: impl Fn(u64, u64, u64) -> u64) {
    let [result, a, b, c] = disjoint(slots, [result, a, b, c]);
    for word in 0..WORDS {
        result[word] = gate(a[word], b[word], c[word]);
    }
}

#[inline(always)]
fn disjoint<const N: usize>(slots: &mut [Plane], indices: [usize; N]) -> [&mut Plane; N] {
    slots.get_disjoint_mut(indices).expect("a gate's operands and result are different slots")
}

/// Gives every signal a slot.
struct Compiler<'g> {
    graph: &'g Graph,
    /// The last gate that reads each node; `usize::MAX` if the node stays live.
    last_use: Vec<usize>,
    slot: Vec<Option<usize>>,
    free: Vec<usize>,
    program: Program,
}

impl<'g> Compiler<'g> {
    fn new(graph: &'g Graph) -> Compiler<'g> {
        let mut last_use = vec![0; graph.gates().len()];
        // Inputs keep their slots, so that unchanged inputs need not be filled again.
        let flip_flops = graph.flip_flops().iter().flat_map(|flip_flop| [&flip_flop.state, &flip_flop.next]);
        let kept = graph.inputs().iter().chain(graph.outputs()).flatten().chain(flip_flops);
        kept.for_each(|literal| last_use[literal.node()] = usize::MAX);
        for (id, gate) in graph.gates().iter().enumerate().rev() {
            if last_use[id] > 0 {
                gate.operands().for_each(|operand| last_use[operand.node()] = last_use[operand.node()].max(id));
            }
        }
        let slot = vec![None; graph.gates().len()];
        let program = Program {
            instructions: vec![],
            slots: 0,
            input_bits: 0,
            flip_flop_bits: graph.flip_flops().len(),
            nexts: vec![],
            outputs: vec![],
        };
        Compiler { graph, last_use, slot, free: vec![], program }
    }

    fn compile(mut self) -> Program {
        let graph = self.graph;
        for literal in graph.inputs().iter().flatten() {
            let slot = self.new_slot();
            self.slot[literal.node()] = Some(slot);
            self.program.input_bits += 1;
        }
        for flip_flop in graph.flip_flops() {
            self.slot[flip_flop.state.node()] = Some(self.new_slot());
        }
        // The constant: planes start as zeros, and nothing writes to this one.
        self.slot[0] = Some(self.new_slot());
        self.last_use[0] = usize::MAX;
        for (id, gate) in graph.gates().iter().enumerate() {
            if self.last_use[id] > 0 && !matches!(gate, Gate::False | Gate::Input) {
                self.gate(id, gate);
            }
        }
        for &literal in graph.outputs().iter().flatten() {
            let slot = self.output(literal);
            self.program.outputs.push(slot);
        }
        for flip_flop in graph.flip_flops() {
            let slot = self.output(flip_flop.next);
            self.program.nexts.push(slot);
        }
        self.program
    }

    fn gate(&mut self, id: usize, gate: &Gate) {
        let result = self.new_slot();
        self.slot[id] = Some(result);
        let (code, [a, b, c]) = instruction(gate);
        let [a, b, c] = [a, b, c].map(|literal| self.slot[literal.node()].expect("operands come first") as u32);
        self.program.instructions.push(Instruction { code, result: result as u32, a, b, c });
        for operand in gate.operands() {
            if self.last_use[operand.node()] == id
                && let Some(slot) = self.slot[operand.node()].take()
            {
                self.free.push(slot);
            }
        }
    }

    /// The slot of an output bit, without inversion.
    fn output(&mut self, literal: Literal) -> usize {
        let slot = self.slot[literal.node()].expect("outputs stay");
        if !literal.is_inverted() {
            return slot;
        }
        let result = self.new_slot();
        let a = slot as u32;
        self.program.instructions.push(Instruction { code: Code::Not, result: result as u32, a, b: a, c: a });
        result
    }

    fn new_slot(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.program.slots += 1;
            self.program.slots - 1
        })
    }
}

/// The instruction for a gate; unused operands repeat another one.
fn instruction(gate: &Gate) -> (Code, [Literal; 3]) {
    match *gate {
        Gate::False | Gate::Input => unreachable!("not computed"),
        Gate::And(a, b) => match (a.is_inverted(), b.is_inverted()) {
            (false, false) => (Code::And, [a, b, b]),
            (false, true) => (Code::AndNot, [a, b, b]),
            (true, false) => (Code::AndNot, [b, a, a]),
            (true, true) => (Code::Nor, [a, b, b]),
        },
        Gate::Xor(a, b) => (Code::Xor, [a, b, b]),
        Gate::Mux { select, one, zero } if zero.is_inverted() => (Code::MuxNot, [select, one, zero]),
        Gate::Mux { select, one, zero } => (Code::Mux, [select, one, zero]),
    }
}
