//! Assigns nodes to pieces.

use crate::pipeline::is_wiring;
use crate::{Netlist, NodeId, Op};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A piece, by its number among the netlist's instances; `None` is the place around the pieces.
pub type Place = Option<usize>;

/// The contents of a piece.
#[derive(Default)]
pub struct Demand {
    /// Its nodes; wiring that several places read is copied into each of them.
    pub nodes: BTreeSet<NodeId>,
    /// The nodes of other places that it reads.
    pub inputs: BTreeSet<NodeId>,
    /// The nodes that other places read.
    pub outputs: BTreeSet<NodeId>,
}

/// The places of all nodes, seen from one piece or from outside all pieces.
pub struct Demands {
    /// The place of each node.
    pub owners: Vec<Place>,
    /// The demand of each place that has one.
    pub of: BTreeMap<Place, Demand>,
}

impl Demands {
    /// The pieces directly in `level`. A piece in `dissolved` is not counted; its own pieces are.
    pub fn new(netlist: &Netlist, level: Place, dissolved: &FxHashSet<usize>) -> Demands {
        let places = places(netlist, level, dissolved);
        let owners: Vec<Place> =
            netlist.nodes.iter().map(|node| node.instance.and_then(|instance| places[instance])).collect();
        let mut demands = Demands { owners, of: BTreeMap::from([(None, Demand::default())]) };
        let is_port = |id: &NodeId| matches!(netlist.nodes[*id].op, Op::Input(_) | Op::Register(_));
        let outputs = netlist.outputs.iter().map(|(_, node)| *node);
        let next = netlist.registers.iter().map(|register| register.next);
        let roots: Vec<NodeId> = (0..netlist.nodes.len()).filter(is_port).chain(outputs).chain(next).collect();
        demands.meet(netlist, roots);
        demands
    }

    /// Propagates the needs of the place around all pieces.
    fn meet(&mut self, netlist: &Netlist, roots: Vec<NodeId>) {
        let mut needs: Vec<(Place, NodeId)> = roots.into_iter().map(|node| (None, node)).collect();
        while let Some((place, id)) = needs.pop() {
            let owner = self.owners[id];
            if place != owner && !is_copied(netlist, id) {
                self.of.entry(place).or_default().inputs.insert(id);
                if self.of.entry(owner).or_default().outputs.insert(id) {
                    needs.push((owner, id));
                }
            } else if self.of.entry(place).or_default().nodes.insert(id) {
                needs.extend(netlist.nodes[id].op.operands().into_iter().map(|operand| (place, operand)));
            }
        }
    }
}

/// The place of each instance's nodes: the outermost piece around them.
fn places(netlist: &Netlist, level: Place, dissolved: &FxHashSet<usize>) -> Vec<Place> {
    let mut places: Vec<Place> = vec![];
    for (number, instance) in netlist.instances.iter().enumerate() {
        let around = instance.parent.and_then(|parent| places[parent]);
        let is_within = instance.parent == level || instance.parent.is_some_and(|parent| dissolved.contains(&parent));
        let own = (is_within && !dissolved.contains(&number)).then_some(number);
        places.push(around.or(own));
    }
    places
}

/// Whether a node is repeated wherever it is read: wiring without a name.
pub fn is_copied(netlist: &Netlist, id: NodeId) -> bool {
    let node = &netlist.nodes[id];
    is_wiring(&node.op) && node.wire_name().is_none()
}
