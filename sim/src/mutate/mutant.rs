//! Ways to break a circuit: one gate, constant, operator or flip-flop at a time.

use super::flip_flops::{self, FlipFlopFault};
use super::{Breakable, verdict};
use binade_circuit::{Netlist, NodeId, Op, ones};
use binade_gates::{Equivalence, Gate, GateFault, Graph, NodeGates, kept_bits};
use binade_generator::GeneratedUnit;
use binade_spec::Operation;
use binade_spec::contract::Pace;

/// A circuit with one thing changed.
#[derive(Clone, Debug)]
pub enum Mutant {
    /// A node of a combinational circuit, or of one segment of a pipeline.
    Node {
        /// The index of the segment in the pipeline; 0 for a combinational circuit.
        segment: usize,
        /// The node in the segment.
        node: NodeId,
        /// What is wrong with it.
        change: Change,
    },
    /// A register bit, by its index in [`kept_bits`].
    FlipFlop {
        /// The index of the bit.
        bit: usize,
        /// What is wrong with it.
        fault: FlipFlopFault,
    },
}

/// How a node is changed.
#[derive(Clone, Debug)]
pub enum Change {
    /// The operator or its operands.
    Op(Op),
    /// One of the node's gates.
    Gate {
        /// The gate's index in the graph.
        gate: usize,
        /// What is wrong with it.
        fault: GateFault,
    },
}

/// The unit to be mutated, with its gates and where each comes from.
pub struct MutatedUnit<'u> {
    pub(super) unit: &'u GeneratedUnit,
    pub(super) sound: Graph,
    /// The circuit, or the segments between its ranks.
    segments: &'u [Netlist],
    /// The gates of each node of each segment.
    gates: Vec<NodeGates>,
}

impl<'u> MutatedUnit<'u> {
    /// The gates of a unit, from its circuit or pipeline.
    pub fn new(unit: &'u GeneratedUnit) -> MutatedUnit<'u> {
        match (&unit.iteration, &unit.pipeline) {
            (None, None) => {
                let (sound, gates) = Graph::of_circuit_by_node(&unit.netlist);
                MutatedUnit { unit, sound, segments: std::slice::from_ref(&unit.netlist), gates: vec![gates] }
            }
            (Some(iteration), _) => {
                let (sound, gates) = Graph::of_iteration_by_node(iteration);
                MutatedUnit { unit, sound, segments: std::slice::from_ref(&iteration.netlist), gates: vec![gates] }
            }
            (None, Some(pipeline)) => {
                let (sound, gates) = Graph::of_pipeline_by_node(pipeline);
                MutatedUnit { unit, sound, segments: &pipeline.segments, gates }
            }
        }
    }

    fn with_op(&self, segment: usize, node: NodeId, op: &Op) -> Graph {
        match (&self.unit.iteration, &self.unit.pipeline) {
            (Some(iteration), _) => {
                let mut changed = iteration.clone();
                changed.netlist.nodes[node].op = op.clone();
                Graph::of_iteration(&changed)
            }
            (None, None) => {
                let mut changed = self.unit.netlist.clone();
                changed.nodes[node].op = op.clone();
                Graph::of_circuit(&changed)
            }
            (None, Some(pipeline)) => {
                let mut changed = pipeline.clone();
                changed.segments[segment].nodes[node].op = op.clone();
                Graph::of_pipeline(&changed)
            }
        }
    }
}

impl Breakable for MutatedUnit<'_> {
    type Mutant = Mutant;

    fn operation(&self) -> &Operation {
        &self.unit.design.operation
    }

    fn pace(&self) -> Option<Pace> {
        self.unit.is_clocked().then(|| self.unit.design.pace())
    }

    fn sound(&self) -> &Graph {
        &self.sound
    }

    /// Segment by segment, node by node, then the flip-flops.
    fn mutants(&self) -> Vec<Mutant> {
        let mut all = vec![];
        for (segment, (netlist, gates)) in self.segments.iter().zip(&self.gates).enumerate() {
            for (node, gates) in gates.iter().enumerate() {
                let words = changes(netlist, node).into_iter().map(Change::Op);
                let faults = |gate| faults(&self.sound, gate).map(move |fault| Change::Gate { gate, fault });
                let gates = gates.clone().flat_map(faults);
                all.extend(words.chain(gates).map(|change| Mutant::Node { segment, node, change }));
            }
        }
        let of_flip_flops = self.unit.pipeline.iter().flat_map(|pipeline| flip_flops::faults(&self.sound, pipeline));
        all.extend(of_flip_flops.map(|(bit, fault)| Mutant::FlipFlop { bit, fault }));
        all
    }

    fn graph(&self, mutant: &Mutant) -> Graph {
        match mutant {
            Mutant::Node { segment, node, change: Change::Op(op) } => self.with_op(*segment, *node, op),
            Mutant::Node { change: Change::Gate { gate, fault }, .. } => self.sound.with_fault(*gate, *fault),
            Mutant::FlipFlop { bit, fault } => flip_flops::with_fault(&self.sound, *bit, *fault),
        }
    }

    fn describe(&self, mutant: &Mutant) -> String {
        match mutant {
            Mutant::Node { segment, node, change } => describe_change(&self.segments[*segment], *node, change),
            Mutant::FlipFlop { bit, fault } => {
                let kept = self.unit.pipeline.as_ref().map(kept_bits).unwrap_or_default();
                format!("registers: {} {}", kept[*bit], fault.describe(&kept))
            }
        }
    }

    fn judge(&self, mutant: &Mutant, changed: &Graph, all_tried: bool) -> Equivalence {
        verdict::judge(self, mutant, changed, all_tried)
    }
}

/// The faults of a gate.
pub(super) fn faults(graph: &Graph, gate: usize) -> impl Iterator<Item = GateFault> {
    let is_gate = !matches!(graph.gates()[gate], Gate::False | Gate::Input);
    [GateFault::Zero, GateFault::One, GateFault::Operator].into_iter().filter(move |_| is_gate)
}

/// The changes to a node.
fn changes(netlist: &Netlist, id: NodeId) -> Vec<Op> {
    let node = &netlist.nodes[id];
    let width = |id: NodeId| netlist.nodes[id].width;
    // One operand instead of both: a lost sticky bit, a forgotten condition.
    let only = |a: NodeId| Op::And(a, a);
    match node.op {
        Op::Input(_) | Op::Register(_) => vec![],
        Op::Constant(ref value) => {
            // Plus one and minus one, modulo 2^width.
            let ones = ones(node.width);
            let mut near = vec![(value + 1_u32) & &ones, (value + &ones) & &ones];
            near.dedup();
            near.into_iter().map(Op::Constant).collect()
        }
        Op::Not(a) => vec![only(a)],
        Op::And(a, b) => vec![Op::Or(a, b), only(a), only(b)],
        Op::Or(a, b) => vec![Op::And(a, b), Op::Xor(a, b), only(a), only(b)],
        Op::Xor(a, b) => vec![Op::Or(a, b), only(a), only(b)],
        Op::Add(a, b) => vec![Op::Sub(a, b), Op::Or(a, b), only(a)],
        Op::Sub(a, b) => vec![Op::Add(a, b), Op::Sub(b, a), only(a)],
        Op::Eq(a, b) => vec![Op::Lt(a, b), Op::Lt(b, a)],
        Op::Lt(a, b) => vec![Op::Lt(b, a), Op::Eq(a, b)],
        // The factors concatenated in place of their product.
        Op::Mul(a, b) => vec![Op::Concat(vec![a, b]), Op::Concat(vec![b, a])],
        Op::Mux { select, one, zero } => vec![Op::Mux { select, one: zero, zero: one }, only(one), only(zero)],
        Op::AnyOne(a) => vec![Op::AllOnes(a), Op::Slice { of: a, low: 0 }, Op::Slice { of: a, low: width(a) - 1 }],
        Op::AllOnes(a) => vec![Op::AnyOne(a), Op::Slice { of: a, low: 0 }, Op::Slice { of: a, low: width(a) - 1 }],
        Op::Slice { of, low } => {
            let up = (low + node.width < width(of)).then(|| Op::Slice { of, low: low + 1 });
            up.into_iter().chain(low.checked_sub(1).map(|low| Op::Slice { of, low })).collect()
        }
        Op::Concat(_) | Op::Repeat(_) => vec![],
    }
}

/// A node with its section and its change.
fn describe_change(netlist: &Netlist, id: NodeId, change: &Change) -> String {
    let node = &netlist.nodes[id];
    let section = node.section.checked_sub(1).map_or("inputs", |section| &netlist.sections[section].title);
    let name = |id: NodeId| match (netlist.nodes[id].wire_name(), &netlist.nodes[id].op) {
        (Some(name), _) => name.into(),
        (None, Op::Input(port)) => netlist.inputs[*port].name.clone(),
        (None, Op::Register(register)) => netlist.registers[*register].name.clone(),
        (None, Op::Constant(value)) => value.to_string(),
        (None, _) => format!("n{id}"),
    };
    let was = describe(&node.op, &name);
    let becomes = match change {
        Change::Op(op) => format!("becomes {}", describe(op, &name)),
        Change::Gate { gate, fault: GateFault::Zero } => format!("has gate {gate} stuck at 0"),
        Change::Gate { gate, fault: GateFault::One } => format!("has gate {gate} stuck at 1"),
        Change::Gate { gate, fault: GateFault::Operator } => format!("has another operator in gate {gate}"),
    };
    format!("{section}: {} [{} bits] = {was} {becomes}", name(id), node.width)
}

/// An operator with named operands, much as in Verilog.
fn describe(op: &Op, name: &dyn Fn(NodeId) -> String) -> String {
    let infix = |a: NodeId, operator: &str, b: NodeId| format!("{} {operator} {}", name(a), name(b));
    match *op {
        Op::Input(port) => format!("input {port}"),
        Op::Register(register) => format!("register {register}"),
        Op::Constant(ref value) => value.to_string(),
        Op::Not(a) => format!("~{}", name(a)),
        Op::And(a, b) if a == b => name(a),
        Op::And(a, b) => infix(a, "&", b),
        Op::Or(a, b) => infix(a, "|", b),
        Op::Xor(a, b) => infix(a, "^", b),
        Op::Add(a, b) => infix(a, "+", b),
        Op::Sub(a, b) => infix(a, "-", b),
        Op::Eq(a, b) => infix(a, "==", b),
        Op::Lt(a, b) => infix(a, "<", b),
        Op::Mul(a, b) => infix(a, "*", b),
        Op::Mux { select, one, zero } => format!("{} ? {} : {}", name(select), name(one), name(zero)),
        Op::AnyOne(a) => format!("|{}", name(a)),
        Op::AllOnes(a) => format!("&{}", name(a)),
        Op::Slice { of, low } => format!("{}[{low}..]", name(of)),
        Op::Concat(ref parts) => format!("{{{}}}", parts.iter().map(|&part| name(part)).collect::<Vec<_>>().join(", ")),
        Op::Repeat(bit) => format!("copies of {}", name(bit)),
    }
}
