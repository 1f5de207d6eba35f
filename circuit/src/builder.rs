//! Circuits under construction.

use crate::word::{ones, twos_complement};
use crate::{
    Architecture, Bits, Label, Multiplier, Netlist, Node, NodeId, Op, Optimize, Port, Register, Section, fold, naming,
    prune,
};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// Widest signal, in bits: the widest vector that every Verilog tool must accept (IEEE 1364-2005, 3.3.1).
pub const MAX_WIDTH: u32 = 1 << 16;

/// A circuit under construction.
#[derive(Default)]
pub struct Circuit {
    architecture: Architecture,
    pub(crate) state: RefCell<State>,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) netlist: Netlist,
    /// The nodes of each piece, and of the circuit around the pieces.
    shared: FxHashMap<(Op, u32, Option<usize>), NodeId>,
    /// Whether something drives each register.
    pub(crate) is_driven: Vec<bool>,
    /// What comparisons say of numbers: comments, if they become wires with names.
    pub(crate) remarks: FxHashMap<NodeId, String>,
    /// The prefix of the names that are given now.
    pub(crate) prefix: String,
    /// The rounding that is built: it is added to the titles of sections.
    purpose: String,
    /// The length of the prefix that `prefixed` keeps in front of its own.
    scope: usize,
    /// The piece that nodes made now belong to.
    pub(crate) instance: Option<usize>,
}

impl Circuit {
    /// An empty circuit whose units are optimized for area.
    pub fn new() -> Circuit {
        Circuit::default()
    }

    /// An empty circuit whose units have this architecture, or are optimized for this goal.
    pub fn optimized(architecture: impl Into<Architecture>) -> Circuit {
        Circuit { architecture: architecture.into(), ..Circuit::default() }
    }

    /// The optimization goal; units with several architectures query it.
    pub fn optimize(&self) -> Optimize {
        self.architecture.optimize
    }

    /// How products are built.
    pub fn multiplier(&self) -> Multiplier {
        self.architecture.multiplier
    }

    /// Whether ranks of registers will be placed in the circuit.
    pub fn has_ranks(&self) -> bool {
        self.architecture.has_ranks
    }

    /// An input port. `about` is its comment in the Verilog.
    pub fn input(&self, name: &str, width: u32, about: &str) -> Bits<'_> {
        let mut state = self.state.borrow_mut();
        let index = state.netlist.inputs.len();
        state.netlist.inputs.push(Port { about: about.into(), ..Port::new(name, width) });
        drop(state);
        self.bits(Op::Input(index), width)
    }

    /// A constant of `width` bits.
    ///
    /// # Panics
    /// If `value` has more bits.
    #[track_caller]
    pub fn constant(&self, value: u128, width: u32) -> Bits<'_> {
        self.wide_constant(value.into(), width)
    }

    /// A constant of `width` bits, which may be more than 128.
    ///
    /// # Panics
    /// If `value` has more bits.
    #[track_caller]
    pub fn wide_constant(&self, value: BigUint, width: u32) -> Bits<'_> {
        assert!(value.bits() <= u64::from(width), "{value} does not fit in {width} bits");
        self.bits(Op::Constant(value), width)
    }

    /// The lowest `width` bits of an integer in two's complement.
    pub fn integer(&self, value: i64, width: u32) -> Bits<'_> {
        self.wide_constant(twos_complement(value, width), width)
    }

    /// A constant of `width` ones.
    pub fn ones(&self, width: u32) -> Bits<'_> {
        self.wide_constant(ones(width), width)
    }

    /// A single 0.
    pub fn zero(&self) -> Bits<'_> {
        self.constant(0, 1)
    }

    /// Starts a section: a banner in the Verilog above everything that is built after this call.
    pub fn section(&self, title: &str) {
        self.section_with(title, &[]);
    }

    /// Starts a section with explanatory sentences below its title.
    pub fn section_with(&self, title: &str, notes: &[&str]) {
        let purpose = self.state.borrow().purpose.clone();
        let title = if purpose.is_empty() || title.contains(stem(&purpose)) {
            title.into()
        } else {
            format!("{title}, for {purpose}")
        };
        let section = Section { title, notes: notes.iter().map(ToString::to_string).collect() };
        Arc::make_mut(&mut self.state.borrow_mut().netlist.sections).push(section);
    }

    /// Builds with `prefix_` in front of every name, for a stage that occurs twice.
    pub fn prefixed<T>(&self, prefix: &str, build: impl FnOnce() -> T) -> T {
        let before = self.state.borrow().prefix.clone();
        let scope = self.state.borrow().scope;
        self.state.borrow_mut().prefix = format!("{}{prefix}_", &before[..scope]);
        let built = build();
        self.state.borrow_mut().prefix = before;
        built
    }

    /// Builds with `name_` in front of every name, and with the name in the titles of sections, for one of several roundings.
    pub fn stage<T>(&self, name: &str, build: impl FnOnce() -> T) -> T {
        self.state.borrow_mut().purpose = name.into();
        let built = self.prefixed(name, build);
        self.state.borrow_mut().purpose.clear();
        built
    }

    /// Builds with `name_` in front of every name, for one of many equal parts; prefixes within the part follow
    /// `name_`.
    pub fn part_named<T>(&self, name: &str, build: impl FnOnce() -> T) -> T {
        let outer = self.state.borrow().scope;
        self.prefixed(name, || {
            let scope = self.state.borrow().prefix.len();
            self.state.borrow_mut().scope = scope;
            let built = build();
            self.state.borrow_mut().scope = outer;
            built
        })
    }

    /// An empty circuit with the ports and pieces of another and with these registers, which the caller must drive.
    pub(crate) fn like(old: &Netlist, registers: Vec<Register>) -> Circuit {
        let (inputs, instances) = (old.inputs.clone(), old.instances.clone());
        let netlist = Netlist { inputs, registers, instances, ..Netlist::default() };
        Circuit { state: RefCell::new(State { netlist, ..State::default() }), ..Circuit::default() }
    }

    /// The finished circuit with its outputs, each with a comment for the Verilog, pruned.
    ///
    /// # Panics
    /// If nothing drives one of its registers.
    #[track_caller]
    pub fn finish(self, outputs: &[(&str, NodeId, String)]) -> Netlist {
        self.check_driven();
        let mut netlist = self.state.borrow().netlist.clone();
        let port = |name: &str, node, about: &str| Port { about: about.into(), ..Port::new(name, self.width(node)) };
        netlist.outputs = outputs.iter().map(|(name, node, about)| (port(name, *node, about), *node)).collect();
        naming::name_registers(&mut netlist);
        prune::prune(netlist)
    }

    /// A handle on the node for `op`, folded and shared.
    #[track_caller]
    pub(crate) fn bits(&self, op: Op, width: u32) -> Bits<'_> {
        assert!((1..=MAX_WIDTH).contains(&width), "a signal of {width} bits; 1 to {MAX_WIDTH} are possible");
        Bits::new(self, fold::build(self, op, width))
    }

    /// The node for `op` as it is; an equal one of this piece, or of those around it, is shared. Pieces beside each other share nothing, so
    /// that equal pieces stay equal, and what one of them computes for itself is no output of another.
    pub(crate) fn node(&self, op: Op, width: u32) -> NodeId {
        let mut state = self.state.borrow_mut();
        let State { netlist, shared, instance, .. } = &mut *state;
        let is_inner = !matches!(op, Op::Input(_) | Op::Register(_) | Op::Constant(_));
        let instance = instance.filter(|_| is_inner);
        let scope = visible_in(netlist, instance);
        let mut key = (op, width, scope);
        loop {
            if let Some(&node) = shared.get(&key) {
                return node;
            }
            let Some(piece) = key.2 else { break };
            key.2 = visible_in(netlist, netlist.instances[piece].parent);
        }
        let section = netlist.sections.len();
        netlist.nodes.push(Node { op: key.0.clone(), width, label: None, section, instance });
        let node = netlist.nodes.len() - 1;
        shared.insert((key.0, width, scope), node);
        node
    }

    /// Makes nodes for a node of another netlist, after the titles that precede it and in the same piece.
    pub(crate) fn build_for(&self, old: &Netlist, node: &Node) {
        let mut state = self.state.borrow_mut();
        let begun = state.netlist.sections.len();
        let new = &old.sections[begun.min(node.section)..node.section];
        Arc::make_mut(&mut state.netlist.sections).extend_from_slice(new);
        state.instance = node.instance;
    }

    pub(crate) fn op(&self, node: NodeId) -> Op {
        self.state.borrow().netlist.nodes[node].op.clone()
    }

    pub(crate) fn width(&self, node: NodeId) -> u32 {
        self.state.borrow().netlist.nodes[node].width
    }

    pub(crate) fn is_named(&self, node: NodeId) -> bool {
        self.state.borrow().netlist.nodes[node].wire_name().is_some()
    }

    /// The name of a node, if its author gave it one.
    pub(crate) fn name(&self, node: NodeId) -> Option<String> {
        let state = self.state.borrow();
        let Node { label, op, .. } = &state.netlist.nodes[node];
        match op {
            Op::Input(port) => Some(state.netlist.inputs[*port].name.clone()),
            Op::Register(register) => Some(state.netlist.registers[*register].name.clone()),
            _ => label.as_ref().map(|label| label.name.clone()),
        }
    }

    /// Labels a node as a whole. The first label stays, unless its name is only for a wire that is needed for other reasons.
    pub(crate) fn label(&self, node: NodeId, label: Label) {
        let node = &mut self.state.borrow_mut().netlist.nodes[node];
        let is_free = node.label.as_ref().is_none_or(|present| label.is_wire && !present.is_wire);
        if is_free && !matches!(node.op, Op::Input(_) | Op::Register(_) | Op::Constant(_)) {
            node.label = Some(label);
        }
    }

    /// Calls `function` with a node's value and width, if it is a constant.
    pub(crate) fn with_constant<T>(&self, node: NodeId, function: impl FnOnce(&BigUint, u32) -> T) -> Option<T> {
        let state = self.state.borrow();
        let Node { op, width, .. } = &state.netlist.nodes[node];
        if let Op::Constant(value) = op { Some(function(value, *width)) } else { None }
    }

    /// The node's name if it has one, else its number, for messages to the author of a unit.
    pub(crate) fn describe(&self, node: NodeId) -> String {
        let state = self.state.borrow();
        let Node { label, op, width, .. } = &state.netlist.nodes[node];
        match (label, op) {
            (Some(label), _) => format!("{} [{width} bits]", label.name),
            (None, Op::Register(index)) => format!("{} [{width} bits]", state.netlist.registers[*index].name),
            (None, _) => format!("node {node} [{width} bits]"),
        }
    }
}

/// A name without its number.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_')
}

/// The piece in which the nodes of this one are visible: the next one around it, if it is shared.
fn visible_in(netlist: &Netlist, mut piece: Option<usize>) -> Option<usize> {
    while let Some(shared) = piece.filter(|&piece| netlist.instances[piece].part.is_shared) {
        piece = netlist.instances[shared].parent;
    }
    piece
}
