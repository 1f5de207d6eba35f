//! A netlist whose pieces are instances, as data.

use crate::{Netlist, NodeId};

/// A netlist with instances in it. What they hand on are inputs behind its own, and what they read are outputs behind its own.
pub struct Divided {
    pub netlist: Netlist,
    /// How many of the inputs and outputs are its own.
    pub own: [usize; 2],
    pub placed: Vec<Placed>,
}

/// An instance of a module, or several that loops make.
pub struct Placed {
    pub module: String,
    pub name: String,
    /// What the module computes.
    pub about: &'static str,
    /// It stands before this node.
    pub at: NodeId,
    pub section: usize,
    /// How often each loop is run through, the outer one first; none for a single instance.
    pub counts: Vec<usize>,
    /// What the loops are called.
    pub blocks: Vec<String>,
    /// Ports of the module, each with the node that it reads in each instance.
    pub inputs: Vec<(String, Vec<NodeId>)>,
    /// Ports of the module, each with the node that stands for it: in loops for those of all instances, the first one lowest.
    pub outputs: Vec<(String, NodeId)>,
}

impl Placed {
    /// Calls `change` with each node that it reads or hands on.
    pub fn each_node(&mut self, change: impl FnMut(&mut NodeId)) {
        let read = self.inputs.iter_mut().flat_map(|(_, nodes)| nodes);
        read.chain(self.outputs.iter_mut().map(|(_, node)| node)).for_each(change);
    }
}
