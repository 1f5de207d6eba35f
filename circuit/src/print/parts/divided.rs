//! A netlist whose pieces are instances, as data.

use crate::{Netlist, NodeId};

/// A netlist with instances. The outputs of the instances are inputs of the netlist after its own, and their inputs are
/// outputs of the netlist after its own.
pub struct Divided {
    pub netlist: Netlist,
    /// The numbers of its own inputs and outputs.
    pub own: [usize; 2],
    pub placed: Vec<Placed>,
}

/// An instance of a module, or several instances in loops.
pub struct Placed {
    pub module: String,
    pub name: String,
    /// What the module computes.
    pub about: &'static str,
    /// The instance comes before this node.
    pub at: NodeId,
    pub section: usize,
    /// The number of iterations of each loop, the outer loop first; none for a single instance.
    pub counts: Vec<usize>,
    /// The labels of the loops.
    pub blocks: Vec<String>,
    /// Ports of the module, each with the nodes that it reads, the lowest first, and each of these in each instance.
    pub inputs: Vec<(String, Vec<Vec<NodeId>>)>,
    /// Ports of the module, each with its node; in loops, the node has the outputs of all instances, the first one lowest.
    pub outputs: Vec<(String, NodeId)>,
}

impl Placed {
    /// Calls `change` with each node that it reads or drives.
    pub fn each_node(&mut self, change: impl FnMut(&mut NodeId)) {
        let read = self.inputs.iter_mut().flat_map(|(_, parts)| parts).flatten();
        read.chain(self.outputs.iter_mut().map(|(_, node)| node)).for_each(change);
    }
}
