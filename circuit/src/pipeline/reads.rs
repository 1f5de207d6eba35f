//! The readers of each bit, through the wiring between nodes.

use crate::{Netlist, NodeId, Op};

/// Whether a node is only wires and inverters. Their delay is neglected, and each segment that reads them repeats them
/// instead of using registers.
pub fn is_wiring(op: &Op) -> bool {
    matches!(op, Op::Constant(_) | Op::Not(_) | Op::Slice { .. } | Op::Concat(_) | Op::Repeat(_))
}

/// Bits `low` to `high`, both included, of a computing node or input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    pub node: NodeId,
    pub low: u32,
    pub high: u32,
}

/// The bits that a node reads; for a register, the bits of its next value.
pub fn reads_of(netlist: &Netlist, id: NodeId) -> Vec<Read> {
    let op = &netlist.nodes[id].op;
    let mut reads = vec![];
    let next = if let Op::Register(register) = *op { Some(netlist.registers[register].next) } else { None };
    for operand in op.operands().into_iter().chain(next) {
        push(netlist, Read { node: operand, low: 0, high: netlist.nodes[operand].width - 1 }, &mut reads);
    }
    reads
}

/// The bits that an output reads.
pub fn reads_of_output(netlist: &Netlist, id: NodeId) -> Vec<Read> {
    let mut reads = vec![];
    push(netlist, Read { node: id, low: 0, high: netlist.nodes[id].width - 1 }, &mut reads);
    reads
}

fn push(netlist: &Netlist, read: Read, reads: &mut Vec<Read>) {
    match netlist.nodes[read.node].op {
        Op::Slice { of, low } => push(netlist, Read { node: of, low: read.low + low, high: read.high + low }, reads),
        // Other wiring is repeated as a whole.
        ref op if is_wiring(op) => reads.extend(reads_of(netlist, read.node)),
        _ => reads.push(read),
    }
}
