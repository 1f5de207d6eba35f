//! A netlist built again, with some nodes built otherwise.

use crate::{Bits, Circuit, Netlist, NodeId, prune};

/// What is built otherwise.
pub(crate) trait Instead {
    /// The node of this number from its operands; nothing if it stays as it was.
    fn build<'c>(&self, id: NodeId, operands: &[Bits<'c>]) -> Option<Bits<'c>>;
}

/// A netlist of the same outputs from the same inputs and registers, with the same names.
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
