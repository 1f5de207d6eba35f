//! Rebuilds a netlist with some nodes replaced.

use crate::{Bits, Circuit, Netlist, NodeId, prune};

/// The replacement of nodes.
pub(crate) trait Instead {
    /// The replacement of the node with this number, from its operands; `None` if the node does not change.
    fn build<'c>(&self, id: NodeId, operands: &[Bits<'c>]) -> Option<Bits<'c>>;
}

/// A netlist with the same outputs, inputs, registers and names.
pub(crate) fn rebuild(old: &Netlist, instead: &impl Instead) -> Netlist {
    let circuit = Circuit::like(old, old.registers.clone());
    let mut new: Vec<NodeId> = vec![];
    for (id, node) in old.nodes.iter().enumerate() {
        circuit.build_for(old, node);
        let operands: Vec<Bits> = node.op.operands().iter().map(|&id| Bits::new(&circuit, new[id])).collect();
        let built = instead.build(id, &operands).unwrap_or_else(|| {
            let mut op = node.op.clone();
            op.for_each_operand(|operand| *operand = new[*operand]);
            circuit.bits(op, node.width)
        });
        if let Some(label) = &node.label {
            circuit.label(built.node(), label.clone());
        }
        new.push(built.node());
    }
    let mut netlist = circuit.state.take().netlist;
    netlist.outputs = old.outputs.iter().map(|(port, node)| (port.clone(), new[*node])).collect();
    netlist.registers.iter_mut().for_each(|register| register.next = new[register.next]);
    prune::prune(netlist)
}
