//! A unit as gates on single bits.

use rustc_hash::FxHashMap;
use std::ops::Not;

/// The bit of a node, or its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The constant 0.
    pub const FALSE: Literal = Literal(0);
    /// The constant 1.
    pub const TRUE: Literal = Literal(1);

    /// The bit of a node without inversion, by the node's index.
    ///
    /// # Panics
    /// When there are 2^31 nodes or more.
    pub fn of(node: usize) -> Literal {
        Literal(u32::try_from(node << 1).expect("fewer than 2^31 gates"))
    }

    /// The index of the node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether this is the inverse of the node's bit.
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    fn inverted_if(self, condition: bool) -> Literal {
        Literal(self.0 ^ u32::from(condition))
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        self.inverted_if(true)
    }
}

/// A gate in canonical form: literals carry inverters, which are moved to the output where possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Node 0.
    False,
    /// A bit of an input, an undefined bit, or the output of a flip-flop.
    Input,
    /// The conjunction of two literals, the one with the smaller node first.
    And(Literal, Literal),
    /// 1 where two nodes differ, neither inverted.
    Xor(Literal, Literal),
    /// `select ? one : zero`; `select` and `one` are not inverted.
    Mux {
        /// The select bit, not inverted.
        select: Literal,
        /// The value for select 1, not inverted.
        one: Literal,
        /// The value for select 0.
        zero: Literal,
    },
}

/// A fault in a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateFault {
    /// The gate's output is always 0.
    Zero,
    /// The gate's output is always 1.
    One,
    /// AND and XOR become OR; a multiplexer swaps its data inputs.
    Operator,
}

/// One bit of storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlipFlop {
    /// The flip-flop's output.
    pub state: Literal,
    /// The flip-flop's value after the next clock.
    pub next: Literal,
}

/// Gates in topological order. Constants are folded and equal gates shared as they are built.
#[derive(Clone, Debug)]
pub struct Graph {
    gates: Vec<Gate>,
    shared: FxHashMap<Gate, usize>,
    /// The bits of each input, lowest first.
    inputs: Vec<Vec<Literal>>,
    undefined: Vec<Literal>,
    flip_flops: Vec<FlipFlop>,
    /// The bits of each output, lowest first.
    outputs: Vec<Vec<Literal>>,
}

impl Graph {
    /// A graph with inputs of these widths and no outputs yet.
    pub fn new(widths: impl IntoIterator<Item = u32>) -> Graph {
        let mut gates = vec![Gate::False];
        let mut input = |width: u32| {
            let first = gates.len();
            gates.resize(first + width as usize, Gate::Input);
            (first..gates.len()).map(Literal::of).collect()
        };
        let inputs = widths.into_iter().map(&mut input).collect();
        Graph { gates, shared: FxHashMap::default(), inputs, undefined: vec![], flip_flops: vec![], outputs: vec![] }
    }

    /// A new undefined bit, such as an `x` of Verilog. Add these before the first flip-flop.
    ///
    /// # Panics
    /// When there are flip-flops or gates.
    pub fn add_undefined(&mut self) -> Literal {
        assert!(self.flip_flops.is_empty(), "undefined bits come before flip-flops");
        assert_eq!(self.gates.len(), self.first_gate(), "undefined bits come before gates");
        let bit = Literal::of(self.gates.len());
        self.gates.push(Gate::Input);
        self.undefined.push(bit);
        bit
    }

    /// The undefined bits. A unit is right only if it is right for any value of each, in each clock.
    pub fn undefined(&self) -> &[Literal] {
        &self.undefined
    }

    /// The output of a new flip-flop. Add flip-flops before the first gate.
    ///
    /// # Panics
    /// When there are gates.
    pub fn add_flip_flop(&mut self) -> Literal {
        assert_eq!(self.gates.len(), self.first_gate(), "flip-flops come before gates");
        let state = Literal::of(self.gates.len());
        self.gates.push(Gate::Input);
        self.flip_flops.push(FlipFlop { state, next: state });
        state
    }

    /// Sets the next value of the flip-flop with this output; by default it holds its value.
    ///
    /// # Panics
    /// When no flip-flop has this output.
    pub fn set_next(&mut self, state: Literal, next: Literal) {
        let place = self.place(state);
        self.flip_flops[place].next = next;
    }

    /// The next value of the flip-flop with this output.
    ///
    /// # Panics
    /// When no flip-flop has this output.
    pub fn next(&self, state: Literal) -> Literal {
        self.flip_flops[self.place(state)].next
    }

    /// The flip-flop with this output.
    fn place(&self, state: Literal) -> usize {
        self.flip_flops.binary_search_by_key(&state, |flip_flop| flip_flop.state).expect("the output of a flip-flop")
    }

    /// The flip-flops, in the order in which they were added.
    pub fn flip_flops(&self) -> &[FlipFlop] {
        &self.flip_flops
    }

    /// All nodes, each behind its operands: the constant, the bits of the inputs, the undefined bits, the flip-flops,
    /// the gates.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The bits of each input, lowest first.
    pub fn inputs(&self) -> &[Vec<Literal>] {
        &self.inputs
    }

    /// The bits of each output, lowest first.
    pub fn outputs(&self) -> &[Vec<Literal>] {
        &self.outputs
    }

    /// Whether another graph has the same ports, flip-flops and gates, in the same order.
    pub fn is_same(&self, other: &Graph) -> bool {
        let ports = |graph: &Graph| (graph.inputs.clone(), graph.undefined.clone(), graph.outputs.clone());
        ports(self) == ports(other) && self.flip_flops == other.flip_flops && self.gates == other.gates
    }

    /// Adds an output with these bits, lowest first.
    pub fn add_output(&mut self, bits: Vec<Literal>) {
        self.outputs.push(bits);
    }

    /// 1 if both are 1.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            Literal::FALSE => Literal::FALSE,
            Literal::TRUE => b,
            _ if a == b => a,
            _ if a == !b => Literal::FALSE,
            _ => self.gate(Gate::And(a, b)),
        }
    }

    /// 1 if at least one is 1.
    pub fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    /// 1 if the two differ.
    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let inverted = a.is_inverted() ^ b.is_inverted();
        let plain = |literal: Literal| Literal::of(literal.node());
        let (a, b) = (plain(a).min(plain(b)), plain(a).max(plain(b)));
        let either = match a {
            Literal::FALSE => b,
            _ if a == b => Literal::FALSE,
            _ => self.gate(Gate::Xor(a, b)),
        };
        either.inverted_if(inverted)
    }

    /// `one` if `select` is 1, else `zero`.
    pub fn mux(&mut self, select: Literal, one: Literal, zero: Literal) -> Literal {
        let (select, one, zero) = if select.is_inverted() { (!select, zero, one) } else { (select, one, zero) };
        match (one, zero) {
            _ if select == Literal::FALSE || one == zero => zero,
            _ if one == !zero => self.xor(select, zero),
            (Literal::FALSE, _) => self.and(!select, zero),
            (Literal::TRUE, _) => self.or(select, zero),
            (_, Literal::FALSE) => self.and(select, one),
            (_, Literal::TRUE) => self.or(!select, one),
            _ if one.node() == select.node() => self.mux(select, !Literal::FALSE.inverted_if(one != select), zero),
            _ if zero.node() == select.node() => self.mux(select, one, Literal::FALSE.inverted_if(zero != select)),
            _ => {
                let inverted = one.is_inverted();
                let [one, zero] = [one, zero].map(|literal| literal.inverted_if(inverted));
                self.gate(Gate::Mux { select, one, zero }).inverted_if(inverted)
            }
        }
    }

    /// 1 if any of the bits is 1.
    pub fn any(&mut self, bits: &[Literal]) -> Literal {
        !self.all(&bits.iter().map(|&bit| !bit).collect::<Vec<_>>())
    }

    /// 1 if all bits are 1, as a balanced tree.
    pub fn all(&mut self, bits: &[Literal]) -> Literal {
        match *bits {
            [] => Literal::TRUE,
            [bit] => bit,
            _ => {
                let (low, high) = bits.split_at(bits.len() / 2);
                let (low, high) = (self.all(low), self.all(high));
                self.and(low, high)
            }
        }
    }

    /// `a + b + carry`, and the carry out. The numbers have equal widths, lowest bit first.
    pub fn add(&mut self, a: &[Literal], b: &[Literal], mut carry: Literal) -> (Vec<Literal>, Literal) {
        let mut sum = vec![];
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            sum.push(self.xor(differ, carry));
            carry = self.mux(differ, carry, a);
        }
        (sum, carry)
    }

    /// Adds the gates of another graph, with one changed if `change` is given. `sources` are the images of its input
    /// bits and flip-flops, in order.
    ///
    /// # Panics
    /// When the number of sources is not theirs.
    pub fn add_gates(
        &mut self,
        other: &Graph,
        sources: impl IntoIterator<Item = Literal>,
        change: Option<(usize, GateFault)>,
    ) -> Images {
        let mut images = Images([Literal::FALSE].into_iter().chain(sources).collect());
        assert_eq!(images.0.len(), other.first_gate(), "a source for each input bit and flip-flop");
        for id in other.first_gate()..other.gates.len() {
            let fault = change.filter(|(gate, _)| *gate == id).map(|(_, fault)| fault);
            let new = |literal: Literal| images.of(literal);
            let literal = match (other.gates[id], fault) {
                (_, Some(GateFault::Zero)) => Literal::FALSE,
                (_, Some(GateFault::One)) => Literal::TRUE,
                (Gate::False | Gate::Input, _) => unreachable!("constant and inputs come first"),
                (Gate::And(a, b), None) => self.and(new(a), new(b)),
                (Gate::And(a, b) | Gate::Xor(a, b), Some(GateFault::Operator)) => self.or(new(a), new(b)),
                (Gate::Xor(a, b), None) => self.xor(new(a), new(b)),
                (Gate::Mux { select, one, zero }, None) => self.mux(new(select), new(one), new(zero)),
                (Gate::Mux { select, one, zero }, Some(GateFault::Operator)) => {
                    self.mux(new(select), new(zero), new(one))
                }
            };
            images.0.push(literal);
        }
        images
    }

    /// Adds the gates of a combinational graph with the same inputs; returns its outputs.
    ///
    /// # Panics
    /// When it has flip-flops, or inputs of other widths.
    pub fn add_graph(&mut self, other: &Graph) -> Vec<Vec<Literal>> {
        assert!(other.flip_flops.is_empty(), "a combinational graph");
        let sources: Vec<Literal> = self.inputs.concat();
        self.add_gates(other, sources, None).of_words(&other.outputs)
    }

    /// A graph with the same inputs and flip-flops, without gates and outputs.
    pub fn bare(&self) -> Graph {
        let mut graph = Graph::new(self.inputs.iter().map(|bits| bits.len() as u32));
        self.undefined.iter().for_each(|_| _ = graph.add_undefined());
        self.flip_flops.iter().for_each(|_| _ = graph.add_flip_flop());
        graph
    }

    /// The bits of the inputs, then the undefined bits, then the outputs of the flip-flops.
    pub fn sources(&self) -> Vec<Literal> {
        (1..self.first_gate()).map(Literal::of).collect()
    }

    /// Copies the outputs and the next values of the flip-flops of a graph whose gates were added.
    pub fn connect(&mut self, other: &Graph, images: &Images) {
        self.outputs = images.of_words(&other.outputs);
        for (flip_flop, of_other) in self.flip_flops.iter_mut().zip(&other.flip_flops) {
            flip_flop.next = images.of(of_other.next);
        }
    }

    /// A copy of this graph with one gate changed.
    pub fn with_fault(&self, gate: usize, fault: GateFault) -> Graph {
        let mut graph = self.bare();
        let images = graph.add_gates(self, self.sources(), Some((gate, fault)));
        graph.connect(self, &images);
        graph
    }

    /// The index of the first gate: the nodes before it are the constant, inputs and flip-flops.
    fn first_gate(&self) -> usize {
        1 + self.inputs.iter().map(Vec::len).sum::<usize>() + self.undefined.len() + self.flip_flops.len()
    }

    /// Adds a gate as it stands, neither simplified nor shared, and not in canonical form.
    pub fn push(&mut self, gate: Gate) -> Literal {
        let node = Literal::of(self.gates.len());
        self.gates.push(gate);
        node
    }

    fn gate(&mut self, gate: Gate) -> Literal {
        let next = self.gates.len();
        let node = *self.shared.entry(gate).or_insert(next);
        if node == next {
            self.gates.push(gate);
        }
        Literal::of(node)
    }
}

/// The image of each node of one graph in another.
pub struct Images(Vec<Literal>);

impl Images {
    /// The image of a literal of the added graph.
    pub fn of(&self, literal: Literal) -> Literal {
        self.0[literal.node()].inverted_if(literal.is_inverted())
    }

    /// The images of words of the added graph.
    pub fn of_words(&self, words: &[Vec<Literal>]) -> Vec<Vec<Literal>> {
        words.iter().map(|bits| bits.iter().map(|&bit| self.of(bit)).collect()).collect()
    }
}

impl Gate {
    /// The gate with other operands, as it stands.
    pub fn with_operands(self, image: impl Fn(Literal) -> Literal) -> Gate {
        match self {
            Gate::False | Gate::Input => self,
            Gate::And(a, b) => Gate::And(image(a), image(b)),
            Gate::Xor(a, b) => Gate::Xor(image(a), image(b)),
            Gate::Mux { select, one, zero } => Gate::Mux { select: image(select), one: image(one), zero: image(zero) },
        }
    }

    /// The operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = Literal> {
        let operands = match *self {
            Gate::False | Gate::Input => [None; 3],
            Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
            Gate::Mux { select, one, zero } => [Some(select), Some(one), Some(zero)],
        };
        operands.into_iter().flatten()
    }
}
