//! The nodes of a netlist as expressions: in place, or by the wires that stand for them.

use super::syntax::{Expression, bits, constant, port_name};
use crate::naming::Names;
use crate::wires::{Appearance, appearances};
use crate::{Netlist, NodeId, Op, Port};
use num_bigint::BigUint;
use std::collections::HashMap;

/// Longest expression that is written in place, if it has a name.
const MAX_LENGTH: usize = 72;

/// The same without a name: longer ones are rather read than a name that says nothing.
const MAX_NAMELESS_LENGTH: usize = 144;

/// What each node is known by to its users.
pub struct Expressions<'n> {
    netlist: &'n Netlist,
    texts: Vec<Text>,
    /// The nodes that output ports stand for.
    outputs: HashMap<NodeId, String>,
}

/// How a node appears.
enum Text {
    /// By an identifier: a port or wire.
    Identifier(String),
    InPlace(Expression),
}

/// A wire to declare: its node, identifier, and the expression that drives it.
pub struct Wire {
    pub node: NodeId,
    pub name: String,
    pub driver: Expression,
    /// Whether it is an output port, which is declared already.
    pub is_output: bool,
}

impl<'n> Expressions<'n> {
    /// Chooses the wires of a netlist and writes their drivers, in order.
    /// `names` has those of the ports and gives those of the wires.
    pub fn new(netlist: &'n Netlist, names: &mut Names) -> (Expressions<'n>, Vec<Wire>) {
        Expressions::with_outputs(netlist, &[], names)
    }

    /// The same, but each of these outputs stands for the node that drives it.
    pub fn with_outputs(
        netlist: &'n Netlist,
        outputs: &[(Port, NodeId)],
        names: &mut Names,
    ) -> (Expressions<'n>, Vec<Wire>) {
        let outputs = outputs.iter().map(|(port, node)| (*node, port.name.clone())).collect();
        let mut expressions = Expressions { netlist, texts: vec![], outputs };
        let mut wires = vec![];
        for (id, appearance) in appearances(netlist).into_iter().enumerate() {
            let written = expressions.write(id);
            let longest = if netlist.nodes[id].label.is_some() { MAX_LENGTH } else { MAX_NAMELESS_LENGTH };
            let text = match (&netlist.nodes[id].op, appearance) {
                (Op::Input(port), _) => Text::Identifier(port_name(&netlist.inputs[*port].name)),
                (Op::Register(register), _) => Text::Identifier(netlist.registers[*register].name.clone()),
                _ if expressions.is_output(id) => {
                    let name = expressions.outputs[&id].clone();
                    wires.push(Wire { node: id, name: name.clone(), driver: written, is_output: true });
                    Text::Identifier(name)
                }
                (_, Appearance::InPlace) => Text::InPlace(written),
                (_, Appearance::InPlaceIfShort(_)) if written.operand().len() <= longest => Text::InPlace(written),
                (_, Appearance::InPlaceIfShort(name) | Appearance::Wire(name)) => {
                    let name = names.give(&name);
                    wires.push(Wire { node: id, name: name.clone(), driver: written, is_output: false });
                    Text::Identifier(name)
                }
            };
            expressions.texts.push(text);
        }
        (expressions, wires)
    }

    /// The node as its users write it.
    pub fn expression(&self, id: NodeId) -> Expression {
        match &self.texts[id] {
            Text::Identifier(name) => Expression::Atom(name.clone()),
            Text::InPlace(expression) => expression.clone(),
        }
    }

    /// Bits of the node.
    pub fn width(&self, id: NodeId) -> u32 {
        self.netlist.nodes[id].width
    }

    /// Whether an output port stands for the node.
    pub fn is_output(&self, id: NodeId) -> bool {
        self.outputs.contains_key(&id)
    }

    /// The identifier that stands for the node, if one does.
    pub fn identifier(&self, id: NodeId) -> Option<&str> {
        match &self.texts[id] {
            Text::Identifier(name) => Some(name),
            Text::InPlace(_) => None,
        }
    }

    /// The expression of a node in terms of its operands.
    fn write(&self, id: NodeId) -> Expression {
        let node = &self.netlist.nodes[id];
        let operand = |id: NodeId| self.expression(id);
        let infix = |a, operator, b| Expression::infix(operator, operand(a), operand(b));
        match node.op {
            Op::Input(_) | Op::Register(_) => Expression::Atom(String::new()),
            Op::Constant(ref value) => constant(value, node.width),
            Op::Not(a) => match (&self.texts[a], &self.netlist.nodes[a].op) {
                (Text::InPlace(_), &Op::Lt(a, b)) => infix(a, ">=", b),
                (Text::InPlace(_), &Op::Eq(a, b)) => infix(a, "!=", b),
                _ => Expression::prefix('~', operand(a)),
            },
            Op::And(a, b) => infix(a, "&", b),
            Op::Or(a, b) => infix(a, "|", b),
            Op::Xor(a, b) => infix(a, "^", b),
            Op::Add(a, b) => infix(a, "+", b),
            Op::Sub(a, b) => infix(a, "-", b),
            Op::Eq(a, b) => infix(a, "==", b),
            Op::Lt(a, b) => infix(a, "<", b),
            Op::Mul(a, b) => Expression::infix("*", self.extended(a, node.width), self.extended(b, node.width)),
            Op::Mux { select, one, zero } => Expression::Choice(Box::new([select, one, zero].map(operand))),
            Op::AnyOne(a) => Expression::prefix('|', operand(a)),
            Op::AllOnes(a) => Expression::prefix('&', operand(a)),
            Op::Slice { of, low } => Expression::Atom(format!("{}{}", operand(of).operand(), bits(low, node.width))),
            Op::Concat(ref parts) => {
                Expression::Concat(parts.iter().map(|&part| (operand(part), self.netlist.nodes[part].width)).collect())
            }
            Op::Repeat(bit) => Expression::Repeat { count: node.width, of: Box::new(operand(bit)) },
        }
    }

    /// A factor with zeros above, as wide as the product.
    fn extended(&self, id: NodeId, width: u32) -> Expression {
        let own = self.netlist.nodes[id].width;
        let zeros = constant(&BigUint::ZERO, width - own);
        Expression::Concat(vec![(zeros, width - own), (self.expression(id), own)])
    }
}
