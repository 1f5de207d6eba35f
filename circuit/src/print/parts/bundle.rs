//! Ports of a module that are the lanes or the bits of one thing, as one port.
//!
//! ```text
//!   a_sign, a_sign, a_sign     ->  [2:0] a_sign     lanes, in their order
//!   entry_2, entry_0, entry_1  ->  [2:0] entry      bits, by their numbers
//!   entry_5, entry_4, entry_3  ->  [2:0] entry_5_3
//! ```

use super::names::{ANY, common_name};
use crate::naming::Names;
use crate::{MAX_WIDTH, Netlist, Node, NodeId, Op, Port};

/// The fewest inputs or outputs that become one port.
const MIN_MEMBERS: usize = 3;

/// The inputs or outputs that make up a port, the lowest first, by their numbers.
pub type Bundle = Vec<usize>;

/// The netlist of a module with `instances` with unique names of ports, and with one port for each bundle of inputs and outputs.
pub fn bundled(netlist: Netlist, instances: usize, names: &mut Names) -> (Netlist, [Vec<Bundle>; 2]) {
    let (driven, nodes): (Vec<Port>, Vec<NodeId>) = netlist.outputs.iter().cloned().unzip();
    let bundles = [bundles(&netlist.inputs, 1), bundles(&driven, instances)];
    let mut ports = |of: &[Port], bundles: &[Bundle]| {
        let members = bundles.iter().map(|bundle| bundle.iter().map(|&at| of[at].clone()).collect::<Vec<_>>());
        let port = |of: Vec<Port>| Port::new(names.give(&name(&of)), of.iter().map(|port| port.width).sum());
        members.map(port).collect::<Vec<_>>()
    };
    let [inputs, outputs] = [ports(&netlist.inputs, &bundles[0]), ports(&driven, &bundles[1])];
    let mut rebuilt = Rebuilt::with_inputs(&netlist, &inputs, &bundles[0]);
    netlist.nodes[netlist.inputs.len()..].iter().for_each(|node| rebuilt.copy(node));
    let outputs = outputs.into_iter().zip(&bundles[1]).map(|(port, bundle)| {
        let node = rebuilt.side_by_side(bundle.iter().map(|&at| nodes[at]), port.width);
        (port, node)
    });
    let outputs = outputs.collect();
    (Netlist { inputs, nodes: rebuilt.nodes, outputs, ..netlist }, bundles)
}

/// The name of a port with these members.
fn name(of: &[Port]) -> String {
    let common = common_name(of.iter().map(|port| port.name.as_str()));
    let number = |port: &Port| port.name.strip_prefix(&format!("{common}_")).map(String::from);
    match of.first().zip(of.last()).and_then(|(first, last)| number(first).zip(number(last))) {
        Some((low, high)) if low != "0" => format!("{common}_{high}_{low}"),
        _ => common,
    }
}

/// The bundles of ports with these names and widths; no bundle is wider than signals may be in each of `instances`.
fn bundles(ports: &[Port], instances: usize) -> Vec<Bundle> {
    let mut all: Vec<Bundle> = vec![];
    for at in 0..ports.len() {
        if all.iter().all(|bundle| !bundle.contains(&at)) {
            let width = |bundle: &Bundle| bundle.iter().map(|&at| ports[at].width as usize).sum::<usize>();
            let whole = bits(ports, at).or_else(|| lanes(ports, at));
            all.push(whole.filter(|whole| width(whole) * instances <= MAX_WIDTH as usize).unwrap_or_else(|| vec![at]));
        }
    }
    all
}

/// The ports with the same name and width as one.
fn lanes(ports: &[Port], of: usize) -> Option<Bundle> {
    let key = |at: usize| (&ports[at].name, ports[at].width);
    let lanes: Bundle = (0..ports.len()).filter(|&at| key(at) == key(of)).collect();
    (lanes.len() >= MIN_MEMBERS && ports[of].name != ANY).then_some(lanes)
}

/// The single bits whose names are numbered one after the other, and otherwise equal.
fn bits(ports: &[Port], of: usize) -> Option<Bundle> {
    let numbered = |at: usize| {
        let (stem, number) = ports[at].name.rsplit_once('_').filter(|_| ports[at].width == 1)?;
        Some((stem, number.parse::<usize>().ok()?, at))
    };
    let (stem, ..) = numbered(of)?;
    let mut bits: Vec<(usize, usize)> =
        (0..ports.len()).filter_map(numbered).filter(|bit| bit.0 == stem).map(|bit| (bit.1, bit.2)).collect();
    bits.sort_unstable();
    let is_whole = bits.len() >= MIN_MEMBERS && bits.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0);
    is_whole.then(|| bits.into_iter().map(|bit| bit.1).collect())
}

/// The nodes of a module with other ports.
struct Rebuilt {
    nodes: Vec<Node>,
    /// The new node of each old one.
    new: Vec<NodeId>,
}

impl Rebuilt {
    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The inputs; a member of a bundle is bits of its port.
    fn with_inputs(netlist: &Netlist, ports: &[Port], bundles: &[Bundle]) -> Rebuilt {
        let wiring = |op, width| Node { op, width, label: None, section: 0, instance: None };
        let input = |(at, port): (usize, &Port)| wiring(Op::Input(at), port.width);
        let nodes = ports.iter().enumerate().map(input).collect();
        let mut rebuilt = Rebuilt { nodes, new: vec![0; netlist.inputs.len()] };
        for (of, bundle) in bundles.iter().enumerate() {
            let mut low = 0;
            for &at in bundle {
                let width = netlist.inputs[at].width;
                let is_whole = bundle.len() == 1;
                rebuilt.new[at] = if is_whole { of } else { rebuilt.push(wiring(Op::Slice { of, low }, width)) };
                low += width;
            }
        }
        rebuilt
    }

    /// A node; bits of bits of a port are bits of the port.
    fn copy(&mut self, node: &Node) {
        let mut op = node.op.clone();
        op.for_each_operand(|operand| *operand = self.new[*operand]);
        if let Op::Slice { of, low } = &mut op
            && let Node { op: Op::Slice { of: port, low: begin }, label: None, .. } = self.nodes[*of]
        {
            (*of, *low) = (port, begin + *low);
        }
        let node = self.push(Node { op, ..node.clone() });
        self.new.push(node);
    }

    /// Nodes as one, the first one lowest.
    fn side_by_side(&mut self, nodes: impl DoubleEndedIterator<Item = NodeId>, width: u32) -> NodeId {
        let parts: Vec<NodeId> = nodes.rev().map(|node| self.new[node]).collect();
        let last = self.nodes[parts[0]].clone();
        if parts.len() == 1 { parts[0] } else { self.push(Node { op: Op::Concat(parts), width, label: None, ..last }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_and_bits_are_one_port() {
        let named = |names: &[(&str, u32)]| {
            let ports: Vec<Port> = names.iter().map(|(name, width)| Port::new(*name, *width)).collect();
            bundles(&ports, 1)
        };
        assert_eq!(named(&[("a", 3), ("b", 1), ("a", 3), ("a", 3)]), [vec![0, 2, 3], vec![1]]);
        assert_eq!(named(&[("e_2", 1), ("e_0", 1), ("e_1", 1)]), [vec![1, 2, 0]]);
        let apart = [vec![0], vec![1], vec![2]];
        assert_eq!(named(&[("a", 3), ("a", 3), ("a", 2)]), apart);
        assert_eq!(named(&[("e_3", 1), ("e_0", 1), ("e_1", 1)]), apart);
        let bits = |names: [&str; 3]| name(&names.map(|name| Port::new(name, 1)));
        assert_eq!(
            [bits(["e_0", "e_1", "e_2"]), bits(["e_3", "e_4", "e_5"]), bits(["a", "a", "a"])],
            ["e", "e_5_3", "a"]
        );
        assert_eq!(named(&[(ANY, 1), (ANY, 1), (ANY, 1)]), apart);
    }
}
