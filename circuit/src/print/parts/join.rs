//! Joins operations on lanes that lie side by side in one signal into one expression.
//!
//! ```text
//!   {product[23:16], product[15:8], product[7:0]}   ->  product
//!   |{x[0] & y[0], x[1] & y[1], x[2] & y[2]}        ->  |(x & y)
//! ```
//!
//! Nodes that are no longer read are dropped.

use super::divided::Divided;
use crate::{Netlist, Node, NodeId, Op};
use std::cmp::Reverse;

/// The same netlist, with neighbours joined.
pub fn joined(Divided { netlist, own, mut placed }: Divided) -> Divided {
    let readers = readers(&netlist);
    let mut joiner = Joiner { nodes: vec![], readers: vec![] };
    let mut new: Vec<NodeId> = vec![];
    let mut begins: Vec<NodeId> = vec![];
    for (node, readers) in netlist.nodes.iter().zip(readers) {
        begins.push(joiner.nodes.len());
        let mut node = node.clone();
        node.op.for_each_operand(|operand| *operand = new[*operand]);
        new.push(joiner.join(node, readers));
    }
    begins.push(joiner.nodes.len());
    let mut netlist = Netlist { nodes: joiner.nodes, ..netlist };
    netlist.outputs.iter_mut().for_each(|(_, node)| *node = new[*node]);
    netlist.registers.iter_mut().for_each(|register| register.next = new[register.next]);
    for placed in &mut placed {
        placed.at = begins[placed.at];
        placed.each_node(|node| *node = new[*node]);
    }
    without_unread(Divided { netlist, own, placed })
}

/// The number of readers of each node.
fn readers(netlist: &Netlist) -> Vec<usize> {
    let mut readers = vec![0; netlist.nodes.len()];
    netlist.nodes.iter().flat_map(|node| node.op.operands()).for_each(|operand| readers[operand] += 1);
    netlist.outputs.iter().for_each(|(_, node)| readers[*node] += 1);
    netlist.registers.iter().for_each(|register| readers[register.next] += 1);
    readers
}

/// The same netlist without unread nodes.
fn without_unread(Divided { mut netlist, own, mut placed }: Divided) -> Divided {
    let mut readers = readers(&netlist);
    for (id, node) in netlist.nodes.iter().enumerate().rev() {
        match node.op {
            Op::Input(_) | Op::Register(_) => readers[id] += 1,
            ref op if readers[id] == 0 => op.operands().into_iter().for_each(|operand| readers[operand] -= 1),
            _ => {}
        }
    }
    // The number of nodes that stay before each node.
    let before: Vec<NodeId> = std::iter::once(&0)
        .chain(&readers)
        .scan(0, |count, readers| {
            *count += usize::from(*readers > 0);
            Some(*count)
        })
        .collect();
    let mut stays = readers.iter().map(|readers| *readers > 0);
    netlist.nodes.retain(|_| stays.next().unwrap_or(true));
    netlist.nodes.iter_mut().for_each(|node| node.op.for_each_operand(|operand| *operand = before[*operand]));
    netlist.outputs.iter_mut().for_each(|(_, node)| *node = before[*node]);
    netlist.registers.iter_mut().for_each(|register| register.next = before[register.next]);
    for placed in &mut placed {
        placed.at = before[placed.at];
        placed.each_node(|node| *node = before[*node]);
    }
    Divided { netlist, own, placed }
}

struct Joiner {
    nodes: Vec<Node>,
    readers: Vec<usize>,
}

impl Joiner {
    fn push(&mut self, node: Node, readers: usize) -> NodeId {
        self.nodes.push(node);
        self.readers.push(readers);
        self.nodes.len() - 1
    }

    /// A node whose operands are in `nodes`, with neighbours among them joined.
    fn join(&mut self, mut node: Node, readers: usize) -> NodeId {
        match node.op.clone() {
            Op::Slice { of, low } => {
                if let (None, Op::Slice { of, low: begin }) = (self.nodes[of].wire_name(), &self.nodes[of].op) {
                    node.op = Op::Slice { of: *of, low: low + begin };
                }
            }
            Op::Concat(parts) => match self.runs(&parts, &node)[..] {
                [single] => return self.named(single, node, readers),
                ref parts => node.op = Op::Concat(parts.to_vec()),
            },
            Op::AnyOne(of) | Op::AllOnes(of) => {
                if let (true, Op::Concat(parts)) = (self.is_in_place(of), &self.nodes[of].op) {
                    let parts = self.sorted(parts);
                    let of = self.concatenation(&parts, &node);
                    node.op.for_each_operand(|operand| *operand = of);
                }
            }
            _ => {}
        }
        self.push(node, readers)
    }

    /// A node that replaces one that may have a name.
    fn named(&mut self, single: NodeId, node: Node, readers: usize) -> NodeId {
        if node.wire_name().is_none() {
            self.readers[single] += readers;
            return single;
        }
        let op = match self.nodes[single].op {
            Op::Input(_) | Op::Register(_) => Op::Slice { of: single, low: 0 },
            ref op => op.clone(),
        };
        self.push(Node { op, ..node }, readers)
    }

    /// Whether a node is written where it is read.
    fn is_in_place(&self, id: NodeId) -> bool {
        self.nodes[id].wire_name().is_none() && self.readers[id] == 1
    }

    /// Sorts parts whose order does not matter: the parts of a signal from its highest bits down.
    fn sorted(&self, parts: &[NodeId]) -> Vec<NodeId> {
        let bits: Vec<Option<(NodeId, u32)>> = parts.iter().map(|&part| self.bits(part)).collect();
        let key = |at: usize| match bits[at] {
            None => (at, Reverse(0)),
            Some((of, low)) => {
                let first = bits.iter().position(|bits| bits.is_some_and(|(other, _)| other == of));
                (first.unwrap_or(at), Reverse(low))
            }
        };
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|&at| key(at));
        order.into_iter().map(|at| parts[at]).collect()
    }

    /// The first bits of a signal in the operands of a node.
    fn bits(&self, id: NodeId) -> Option<(NodeId, u32)> {
        match self.nodes[id].op {
            Op::Slice { of, low } => Some((of, low)),
            Op::Not(of) | Op::And(of, _) | Op::Or(of, _) | Op::Xor(of, _) if self.is_in_place(id) => self.bits(of),
            _ => None,
        }
    }

    /// Parts side by side; sections are those of `like`.
    fn concatenation(&mut self, parts: &[NodeId], like: &Node) -> NodeId {
        let width = parts.iter().map(|&part| self.nodes[part].width).sum();
        match self.runs(parts, like)[..] {
            [single] => single,
            ref parts => self.push_like(like, Op::Concat(parts.to_vec()), width),
        }
    }

    fn push_like(&mut self, like: &Node, op: Op, width: u32) -> NodeId {
        self.push(Node { op, width, label: None, ..like.clone() }, 1)
    }

    /// The parts; neighbours are joined into one.
    fn runs(&mut self, parts: &[NodeId], like: &Node) -> Vec<NodeId> {
        let runs: Vec<Vec<NodeId>> =
            parts.chunk_by(|high, low| self.is_above(*high, *low)).map(<[NodeId]>::to_vec).collect();
        runs.into_iter().map(|run| if let [single] = run[..] { single } else { self.joined(&run, like) }).collect()
    }

    /// Whether the bits of one node are directly above those of the other in a signal, or both nodes are computed from
    /// such bits.
    fn is_above(&self, high: NodeId, low: NodeId) -> bool {
        let [above, below] = [high, low].map(|id| &self.nodes[id]);
        let are_in_place = || [high, low].into_iter().all(|id| self.is_in_place(id));
        match (&above.op, &below.op) {
            (Op::Slice { of, low }, Op::Slice { of: other, low: begin }) => {
                let are_free = above.wire_name().is_none() && below.wire_name().is_none();
                are_free && of == other && begin + below.width == *low
            }
            (&Op::Not(a), &Op::Not(b)) => are_in_place() && self.is_above(a, b),
            (&Op::And(a, x), &Op::And(b, y)) | (&Op::Or(a, x), &Op::Or(b, y)) | (&Op::Xor(a, x), &Op::Xor(b, y)) => {
                are_in_place() && self.is_above(a, b) && self.is_above(x, y)
            }
            _ => false,
        }
    }

    /// Neighbours, the highest first, as one node.
    fn joined(&mut self, parts: &[NodeId], like: &Node) -> NodeId {
        let width = parts.iter().map(|&part| self.nodes[part].width).sum();
        let mut op = self.nodes[parts[0]].op.clone();
        if let Op::Slice { of, .. } = op {
            let Op::Slice { low, .. } = self.nodes[parts[parts.len() - 1]].op else { unreachable!("parts are alike") };
            return if self.nodes[of].width == width { of } else { self.push_like(like, Op::Slice { of, low }, width) };
        }
        let operands: Vec<Vec<NodeId>> = parts.iter().map(|&part| self.nodes[part].op.operands()).collect();
        let mut places = 0..;
        op.for_each_operand(|operand| {
            let place = places.next().expect("there is no last place");
            let side_by_side: Vec<NodeId> = operands.iter().map(|operands| operands[place]).collect();
            *operand = self.joined(&side_by_side, like);
        });
        self.push_like(like, op, width)
    }
}
