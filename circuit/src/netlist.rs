//! A circuit as plain data.

use crate::Instance;
use crate::word::column;
use num_bigint::BigUint;
use std::{fmt, sync::Arc};

/// Index of a node; operands always have smaller ones.
pub type NodeId = usize;

/// An input or output.
#[derive(Clone, Debug, Hash)]
pub struct Port {
    /// The port's name in Verilog.
    pub name: String,
    /// Bits of the port.
    pub width: u32,
    /// The number of words of equal width side by side in it, the first one lowest.
    pub lanes: u32,
    /// Comment in the Verilog.
    pub about: String,
}

impl Port {
    /// A port with one word, and without a comment.
    pub fn new(name: impl Into<String>, width: u32) -> Port {
        Port { name: name.into(), width, lanes: 1, about: String::new() }
    }
}

/// Some bits of state: their value is part of the circuit's meaning.
#[derive(Clone, Debug, Hash)]
pub struct Register {
    /// The register's name in Verilog.
    pub name: String,
    /// Bits of the register.
    pub width: u32,
    /// The value at first and after a reset; no more bits than `width`.
    pub reset: BigUint,
    /// Comment in the Verilog.
    pub about: String,
    /// The node whose value the register takes in a step with operands. It may come before or after the node that reads
    /// the register.
    pub next: NodeId,
    /// Whether it stays even if no output needs it.
    pub is_kept: bool,
}

/// What a node computes. Operands of `And` .. `Lt` have equal widths.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// The input port with this index.
    Input(usize),
    /// The register with this index.
    Register(usize),
    /// A value of no more bits than the node.
    Constant(BigUint),
    /// Each bit inverted.
    Not(NodeId),
    /// Bitwise conjunction.
    And(NodeId, NodeId),
    /// Bitwise disjunction.
    Or(NodeId, NodeId),
    /// 1 where two bits differ.
    Xor(NodeId, NodeId),
    /// Sum, modulo 2^width.
    Add(NodeId, NodeId),
    /// Difference, modulo 2^width.
    Sub(NodeId, NodeId),
    /// 1 if equal.
    Eq(NodeId, NodeId),
    /// 1 if the first is less, unsigned.
    Lt(NodeId, NodeId),
    /// Unsigned product, as wide as both factors together.
    Mul(NodeId, NodeId),
    /// `select ? one : zero`.
    Mux {
        /// The single bit that chooses.
        select: NodeId,
        /// The value if it is 1.
        one: NodeId,
        /// The value if it is 0.
        zero: NodeId,
    },
    /// 1 if any bit is 1.
    AnyOne(NodeId),
    /// 1 if all bits are 1.
    AllOnes(NodeId),
    /// The bits of `of` from `low` up.
    Slice {
        /// The node that the bits belong to.
        of: NodeId,
        /// The place of the lowest bit taken; the node's width is their number.
        low: u32,
    },
    /// Parts side by side, the highest first.
    Concat(Vec<NodeId>),
    /// One bit, `width` times.
    Repeat(NodeId),
}

/// A node, and its appearance in the Verilog.
#[derive(Clone, Debug, Hash)]
pub struct Node {
    /// The operation, and its operands.
    pub op: Op,
    /// Bits of its value, from 1 to [`MAX_WIDTH`](crate::MAX_WIDTH).
    pub width: u32,
    /// The name that its author gave it, if any; names need not be unique.
    pub label: Option<Label>,
    /// Number of section titles before it.
    pub section: usize,
    /// The piece that it belongs to, if the circuit is made of pieces.
    pub instance: Option<usize>,
}

/// The name and the note of a signal in the Verilog; they are given together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The name, which need not be unique.
    pub name: String,
    /// The comment above the wire, after its name.
    pub note: Option<Note>,
    /// Whether the signal is always a wire; else the name is for a wire that is needed for other reasons.
    pub is_wire: bool,
}

/// The comment on a signal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// The meaning of the value.
    Value(String),
    /// The parts of the signal, which explain its width.
    Width(String),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (Note::Value(text) | Note::Width(text)) = self;
        f.write_str(text)
    }
}

impl Label {
    /// The label of the rest if only bits `low` to `low + width - 1` of `whole` are needed.
    pub(crate) fn cut(&self, low: u32, width: u32, whole: u32) -> Label {
        const CUT: &str = "low bits, ";
        let note = match self.note.clone() {
            note if width == whole => note,
            // Without its highest bit, a signed number has no sign.
            Some(Note::Value(text)) if low == 0 && !text.starts_with(CUT) => {
                Some(Note::Value(format!("{CUT}{}", text.trim_start_matches("signed: "))))
            }
            Some(Note::Value(text)) if low == 0 => Some(Note::Value(text)),
            Some(Note::Value(_) | Note::Width(_)) | None => None,
        };
        Label { note, ..self.clone() }
    }
}

impl Node {
    /// The name, if the signal is always a wire.
    pub fn wire_name(&self) -> Option<&str> {
        self.label.as_ref().filter(|label| label.is_wire).map(|label| label.name.as_str())
    }
}

/// A section of the Verilog: its banner.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    /// The title.
    pub title: String,
    /// Explanatory sentences below the title.
    pub notes: Vec<String>,
}

/// A circuit: inputs, nodes in an order in which operands come first, registers, outputs.
#[derive(Clone, Debug, Default, Hash)]
pub struct Netlist {
    /// The input ports.
    pub inputs: Vec<Port>,
    /// The nodes, each after its operands.
    pub nodes: Vec<Node>,
    /// The Verilog's sections, in order. Netlists of parts of a circuit share them.
    pub sections: Arc<Vec<Section>>,
    /// The pieces that it is made of, each after the piece that contains it; also shared.
    pub instances: Arc<Vec<Instance>>,
    /// The state; none for a function of the inputs.
    pub registers: Vec<Register>,
    /// The output ports, each with the node that drives it.
    pub outputs: Vec<(Port, NodeId)>,
}

impl Netlist {
    /// The parts of a concatenation, the highest first, each with the place of its lowest bit; none for other nodes.
    pub(crate) fn places(&self, node: &Node) -> Vec<(NodeId, u32)> {
        let Op::Concat(parts) = &node.op else { return vec![] };
        let mut low = node.width;
        let mut place = |part: NodeId| {
            low -= self.nodes[part].width;
            (part, low)
        };
        parts.iter().map(|&part| place(part)).collect()
    }

    /// A column for each register, for this number of machines that have just been reset; see
    /// [`Interpreter`](crate::Interpreter).
    pub fn reset_states(&self, machines: usize) -> Vec<Vec<u64>> {
        self.registers.iter().map(|register| column(&register.reset, register.width).repeat(machines)).collect()
    }
}

impl Op {
    /// The operands, in order.
    pub fn operands(&self) -> Vec<NodeId> {
        match *self {
            Op::Input(_) | Op::Register(_) | Op::Constant(_) => vec![],
            Op::Not(a) | Op::AnyOne(a) | Op::AllOnes(a) | Op::Slice { of: a, .. } | Op::Repeat(a) => vec![a],
            Op::And(a, b)
            | Op::Or(a, b)
            | Op::Xor(a, b)
            | Op::Add(a, b)
            | Op::Sub(a, b)
            | Op::Eq(a, b)
            | Op::Lt(a, b)
            | Op::Mul(a, b) => vec![a, b],
            Op::Mux { select, one, zero } => vec![select, one, zero],
            Op::Concat(ref parts) => parts.clone(),
        }
    }

    /// Calls `change` with each operand, in order.
    pub fn for_each_operand(&mut self, mut change: impl FnMut(&mut NodeId)) {
        match self {
            Op::Input(_) | Op::Register(_) | Op::Constant(_) => {}
            Op::Not(a) | Op::AnyOne(a) | Op::AllOnes(a) | Op::Slice { of: a, .. } | Op::Repeat(a) => change(a),
            Op::And(a, b)
            | Op::Or(a, b)
            | Op::Xor(a, b)
            | Op::Add(a, b)
            | Op::Sub(a, b)
            | Op::Eq(a, b)
            | Op::Lt(a, b)
            | Op::Mul(a, b) => [a, b].into_iter().for_each(change),
            Op::Mux { select, one, zero } => [select, one, zero].into_iter().for_each(change),
            Op::Concat(parts) => parts.iter_mut().for_each(change),
        }
    }
}
