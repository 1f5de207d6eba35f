//! Decides which nodes become wires in the printed circuit, and finds the bits of them that are read.

use crate::naming::signal_names;
use crate::runs::Runs;
use crate::{Netlist, NodeId, Op};
use std::collections::HashSet;

/// The most parts of a concatenation whose parts may have operators; in longer ones each part is a plain signal.
pub const MAX_PARTS: usize = 3;

/// How a node is printed.
pub enum Appearance {
    /// Written where it is used.
    InPlace,
    /// Written where it is used if that is short, else a wire of this name.
    InPlaceIfShort(String),
    Wire(String),
}

/// How each node is printed. The nodes in `must_be_wire` are wires in any case, except ports, registers and constants.
pub fn appearances(netlist: &Netlist, must_be_wire: &HashSet<NodeId>) -> Vec<Appearance> {
    let uses = Uses::new(netlist);
    let is_long_part = uses.long_parts(netlist);
    let names = signal_names(netlist);
    let appearance = |id: NodeId| {
        let node = &netlist.nodes[id];
        let name = names[id].clone();
        match &node.op {
            Op::Constant(_) | Op::Input(_) | Op::Register(_) => Appearance::InPlace,
            _ if node.wire_name().is_some() || uses.is_sliced[id] || is_long_part[id] => Appearance::Wire(name),
            _ if must_be_wire.contains(&id) => Appearance::Wire(name),
            Op::Concat(_) if uses.is_listed[id] => Appearance::InPlace,
            Op::Concat(parts) if is_extension(netlist, parts) => Appearance::InPlaceIfShort(name),
            Op::Slice { .. } | Op::Repeat(_) => Appearance::InPlace,
            Op::Not(a) if netlist.nodes[*a].width == 1 => Appearance::InPlaceIfShort(name),
            _ if uses.count[id] > 1 => Appearance::Wire(name),
            _ => Appearance::InPlaceIfShort(name),
        }
    };
    (0..netlist.nodes.len()).map(appearance).collect()
}

/// How each node is used.
struct Uses {
    count: Vec<u32>,
    /// Whether some of its bits are used.
    is_sliced: Vec<bool>,
    /// Whether it is only a list: a concatenation without a name that is only reduced to any one or all ones.
    is_listed: Vec<bool>,
}

impl Uses {
    fn new(netlist: &Netlist) -> Uses {
        let nodes = netlist.nodes.len();
        let mut uses = Uses { count: vec![0; nodes], is_sliced: vec![false; nodes], is_listed: vec![false; nodes] };
        for node in &netlist.nodes {
            for operand in node.op.operands() {
                uses.count[operand] += 1;
                uses.is_sliced[operand] |= matches!(node.op, Op::Slice { .. });
            }
        }
        netlist.registers.iter().for_each(|register| uses.count[register.next] += 1);
        for node in &netlist.nodes {
            if let Op::AnyOne(of) | Op::AllOnes(of) = node.op {
                let is_list = matches!(netlist.nodes[of].op, Op::Concat(_)) && netlist.nodes[of].wire_name().is_none();
                uses.is_listed[of] = is_list && uses.count[of] == 1;
            }
        }
        netlist.outputs.iter().for_each(|(_, node)| uses.is_listed[*node] = false);
        uses
    }

    /// Whether each node is an operator and a part of a long concatenation.
    fn long_parts(&self, netlist: &Netlist) -> Vec<bool> {
        let mut is_long_part = vec![false; netlist.nodes.len()];
        for (id, node) in netlist.nodes.iter().enumerate() {
            if let Op::Concat(parts) = &node.op
                && parts.len() > MAX_PARTS
                && !self.is_listed[id]
            {
                parts.iter().for_each(|&part| is_long_part[part] |= !self.is_plain(netlist, part));
            }
        }
        is_long_part
    }

    /// Whether a node reads like a signal: bits of one, their inverse or copies, or a comparison with a constant.
    fn is_plain(&self, netlist: &Netlist, id: NodeId) -> bool {
        let is_constant = |id: NodeId| matches!(netlist.nodes[id].op, Op::Constant(_));
        match netlist.nodes[id].op {
            Op::Input(_) | Op::Register(_) | Op::Constant(_) | Op::Slice { .. } => true,
            Op::Not(of) | Op::Repeat(of) => {
                netlist.nodes[of].wire_name().is_some() || self.count[of] > 1 || self.is_plain(netlist, of)
            }
            Op::Eq(a, b) => is_constant(a) || is_constant(b),
            Op::And(..)
            | Op::Or(..)
            | Op::Xor(..)
            | Op::Add(..)
            | Op::Sub(..)
            | Op::Lt(..)
            | Op::Mul(..)
            | Op::Mux { .. }
            | Op::AnyOne(_)
            | Op::AllOnes(_)
            | Op::Concat(_) => false,
        }
    }
}

/// Whether a concatenation is only a signal with constant bits or copies of its sign beside it.
fn is_extension(netlist: &Netlist, parts: &[NodeId]) -> bool {
    let is_padding = |&&part: &&NodeId| matches!(netlist.nodes[part].op, Op::Constant(_) | Op::Repeat(_));
    parts.iter().filter(is_padding).count() + 1 >= parts.len()
}

/// Which bits of each node others read.
pub fn read_bits(netlist: &Netlist) -> Vec<Runs> {
    let mut read = vec![Runs::default(); netlist.nodes.len()];
    for (port, output) in &netlist.outputs {
        read[*output].insert(0, port.width - 1);
    }
    for register in &netlist.registers {
        read[register.next].insert(0, register.width - 1);
    }
    for node in &netlist.nodes {
        match node.op {
            Op::Slice { of, low } => read[of].insert(low, low + node.width - 1),
            ref op => {
                for operand in op.operands() {
                    read[operand].insert(0, netlist.nodes[operand].width - 1);
                }
            }
        }
    }
    read
}
