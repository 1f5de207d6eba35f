//! Checks that a netlist from another source is one that the builder could have made.

use crate::{MAX_WIDTH, Netlist, NodeId, Op};

/// A fault in a netlist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetlistError {
    /// An operand does not come before the node that reads it: the netlist has a loop without a register, or its nodes are out
    /// of order.
    #[error("{node} reads node {operand}, which is not before it")]
    Order {
        /// The name of the node, or its number.
        node: String,
        /// The operand that comes too late.
        operand: NodeId,
    },
    /// A width that does not match.
    #[error("{node} has {found} bits; {wanted} are possible there")]
    Width {
        /// The name of the node, output or register, or the node's number.
        node: String,
        /// Its width.
        found: u32,
        /// The required width.
        wanted: u32,
    },
    /// A constant or reset value with too many bits.
    #[error("{value} does not fit in the {width} bits of {node}")]
    Value {
        /// The name of the node or register, or the node's number.
        node: String,
        /// The value, in decimal.
        value: String,
        /// The width of the node or register.
        width: u32,
    },
    /// An index of a port, register or node that does not exist.
    #[error("{node} is {what} {index}, which does not exist")]
    Missing {
        /// The name of the node, output or register with the index, or the node's number.
        node: String,
        /// The kind of object that the index refers to: `input`, `register` or `node`.
        what: &'static str,
        /// The index that is out of range.
        index: usize,
    },
    /// A register that no node or more than one reads.
    #[error("the register {register} is read by {readers} nodes in place of one")]
    Readers {
        /// The name of the register.
        register: String,
        /// How many nodes read it.
        readers: usize,
    },
}

impl Netlist {
    /// Checks that operands come first, that all widths match, and that one node reads each register. Netlists from the
    /// builder pass.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), NetlistError> {
        (0..self.nodes.len()).try_for_each(|id| self.check_node(id))?;
        for (index, register) in self.registers.iter().enumerate() {
            let node = || format!("what the register {} holds next", register.name);
            self.check_driver(register.next, register.width, node)?;
            if register.reset.bits() > u64::from(register.width) {
                let (node, value) = (register.name.clone(), register.reset.to_string());
                return Err(NetlistError::Value { node, value, width: register.width });
            }
            let readers = self.nodes.iter().filter(|node| matches!(node.op, Op::Register(it) if it == index)).count();
            if readers != 1 {
                return Err(NetlistError::Readers { register: register.name.clone(), readers });
            }
        }
        self.outputs
            .iter()
            .try_for_each(|(port, node)| self.check_driver(*node, port.width, || format!("the output {}", port.name)))
    }

    fn check_driver(&self, driver: NodeId, width: u32, node: impl Fn() -> String) -> Result<(), NetlistError> {
        match self.nodes.get(driver) {
            None => Err(NetlistError::Missing { node: node(), what: "node", index: driver }),
            Some(found) => expect(node, found.width, width),
        }
    }

    fn check_node(&self, id: NodeId) -> Result<(), NetlistError> {
        let node = &self.nodes[id];
        let name = || node.label.as_ref().map_or(format!("node {id}"), |label| label.name.clone());
        if let Some(operand) = node.op.operands().into_iter().find(|&operand| operand >= id) {
            return Err(NetlistError::Order { node: name(), operand });
        }
        let width = |id: NodeId| self.nodes[id].width;
        let same = |a, b| expect(name, width(b), width(a));
        let result = |wanted| expect(name, node.width, wanted);
        let missing = |what, index| NetlistError::Missing { node: name(), what, index };
        result(node.width.clamp(1, MAX_WIDTH))?;
        match node.op {
            Op::Input(index) => result(self.inputs.get(index).ok_or(missing("input", index))?.width),
            Op::Register(index) => result(self.registers.get(index).ok_or(missing("register", index))?.width),
            Op::Constant(ref value) if value.bits() > u64::from(node.width) => {
                Err(NetlistError::Value { node: name(), value: value.to_string(), width: node.width })
            }
            Op::Constant(_) => Ok(()),
            Op::Not(a) => result(width(a)),
            Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) | Op::Add(a, b) | Op::Sub(a, b) => {
                same(a, b).and(result(width(a)))
            }
            Op::Eq(a, b) | Op::Lt(a, b) => same(a, b).and(result(1)),
            Op::Mul(a, b) => result(width(a) + width(b)),
            Op::Mux { select, one, zero } => {
                expect(name, width(select), 1).and(same(one, zero)).and(result(width(one)))
            }
            Op::AnyOne(_) | Op::AllOnes(_) => result(1),
            Op::Slice { of, low } => result(node.width.min(width(of).saturating_sub(low))),
            Op::Concat(ref parts) => result(parts.iter().map(|&part| width(part)).sum()),
            Op::Repeat(bit) => expect(name, width(bit), 1),
        }
    }
}

fn expect(node: impl Fn() -> String, found: u32, wanted: u32) -> Result<(), NetlistError> {
    if found == wanted { Ok(()) } else { Err(NetlistError::Width { node: node(), found, wanted }) }
}
