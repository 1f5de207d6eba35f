//! The nodes of a netlist as expressions: written in place, or as signals.

use super::expression::{Expression, Infix, Prefix, Signal};
use super::syntax::Syntax;
use crate::naming::Names;
use crate::wires::{Appearance, appearances};
use crate::{Netlist, Node, NodeId, Op, Port};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The longest expression that is written in place, if it has a name.
const MAX_LENGTH: usize = 72;

/// The same without a name. It is longer, because a long expression is easier to read than a meaningless name.
const MAX_NAMELESS_LENGTH: usize = 144;

/// The expression by which other nodes use each node.
pub struct Expressions<'n> {
    syntax: &'n dyn Syntax,
    netlist: &'n Netlist,
    texts: Vec<Text>,
    /// The nodes that output ports stand for.
    outputs: FxHashMap<NodeId, String>,
}

/// How a node appears.
enum Text {
    /// As a port, wire or register.
    Signal(Signal),
    InPlace(Expression),
}

/// A wire to declare: its node, and the expression that drives it.
pub struct Driven {
    pub node: NodeId,
    pub signal: Signal,
    pub driver: Expression,
    /// Whether it is an output port, which is declared already.
    pub is_output: bool,
}

/// The ports and connections of a netlist, which are known before its expressions are written.
pub struct Surroundings<'a> {
    /// Outputs that also name the nodes that drive them.
    pub outputs: &'a [(Port, NodeId)],
    /// The nodes that instances read.
    pub connected: &'a [(Port, NodeId)],
    /// The ports of the unit, as its user sees them.
    pub ports: &'a [Port],
}

impl<'n> Expressions<'n> {
    /// Chooses the wires of a netlist and writes their drivers, in order. `names` holds the names of the ports and
    /// gives those of the wires.
    pub fn new(
        netlist: &'n Netlist,
        around: &Surroundings,
        names: &mut Names,
        syntax: &'n dyn Syntax,
    ) -> (Expressions<'n>, Vec<Driven>) {
        let outputs = around.outputs.iter().map(|(port, node)| (*node, port.name.clone())).collect();
        let mut expressions = Expressions { syntax, netlist, texts: vec![], outputs };
        let mut wires = vec![];
        let must_be_wire = syntax.must_be_wires(netlist, around.connected);
        let inverses = inverses(netlist, |id| must_be_wire.contains(&id) || expressions.is_output(id));
        for (id, appearance) in appearances(netlist, &must_be_wire).into_iter().enumerate() {
            let written = expressions.write(id);
            let text = match (&netlist.nodes[id].op, appearance) {
                (Op::Input(input), _) => Text::Signal(around.signal(&netlist.inputs[*input], syntax)),
                (Op::Register(register), _) => {
                    let register = &netlist.registers[*register];
                    Text::Signal(Signal::number(&register.name, register.width))
                }
                _ if inverses.contains_key(&id) => Text::InPlace(written),
                _ if expressions.is_output(id) => {
                    let signal = Signal::number(&expressions.outputs[&id], netlist.nodes[id].width);
                    wires.push(Driven { node: id, signal: signal.clone(), driver: written, is_output: true });
                    Text::Signal(signal)
                }
                (_, Appearance::InPlace) => Text::InPlace(written),
                (_, Appearance::InPlaceIfShort(_)) if expressions.is_short(id, &written) => Text::InPlace(written),
                (_, Appearance::InPlaceIfShort(name) | Appearance::Wire(name)) => {
                    let signal = Signal::number(names.give(&name), netlist.nodes[id].width);
                    wires.push(Driven { node: id, signal: signal.clone(), driver: written, is_output: false });
                    Text::Signal(signal)
                }
            };
            expressions.texts.push(text);
            if let Op::Not(inverse) = netlist.nodes[id].op
                && inverses.get(&inverse) == Some(&id)
            {
                let inverted = Expression::prefix(Prefix::Not, expressions.expression(id));
                expressions.texts[inverse] = Text::InPlace(inverted);
            }
        }
        (expressions, wires)
    }

    fn is_short(&self, id: NodeId, written: &Expression) -> bool {
        let longest = if self.netlist.nodes[id].label.is_some() { MAX_LENGTH } else { MAX_NAMELESS_LENGTH };
        self.syntax.phrase(written).operand().len() <= longest
    }

    /// The node as an operand.
    pub fn expression(&self, id: NodeId) -> Expression {
        match &self.texts[id] {
            Text::Signal(signal) => signal.clone().into(),
            Text::InPlace(expression) => expression.clone(),
        }
    }

    /// Whether an output port stands for the node.
    pub fn is_output(&self, id: NodeId) -> bool {
        self.outputs.contains_key(&id)
    }

    /// The signal that stands for the node, if one does.
    pub fn signal(&self, id: NodeId) -> Option<&Signal> {
        match &self.texts[id] {
            Text::Signal(signal) => Some(signal),
            Text::InPlace(_) => None,
        }
    }

    /// The expression of a node in terms of its operands.
    fn write(&self, id: NodeId) -> Expression {
        let node = &self.netlist.nodes[id];
        let operand = |id: NodeId| self.expression(id);
        let infix = |a, operator, b| Expression::infix(operator, operand(a), operand(b));
        match node.op {
            // They are signals.
            Op::Input(_) | Op::Register(_) => Expression::zero(),
            Op::Constant(ref value) => Expression::constant(value, node.width),
            Op::Not(a) => match (&self.texts[a], &self.netlist.nodes[a].op) {
                (Text::InPlace(_), &Op::Lt(a, b)) => infix(a, Infix::Ge, b),
                (Text::InPlace(_), &Op::Eq(a, b)) => infix(a, Infix::Ne, b),
                _ => Expression::prefix(Prefix::Not, operand(a)),
            },
            Op::And(a, b) => infix(a, Infix::And, b),
            Op::Or(a, b) => infix(a, Infix::Or, b),
            Op::Xor(a, b) => infix(a, Infix::Xor, b),
            Op::Add(a, b) => self.sum(a, b),
            Op::Sub(a, b) => infix(a, Infix::Sub, b),
            Op::Eq(a, b) => infix(a, Infix::Eq, b),
            Op::Lt(a, b) => infix(a, Infix::Lt, b),
            Op::Mul(a, b) => infix(a, Infix::Mul, b),
            Op::Mux { select, one, zero } => Expression::Choice(Box::new([select, one, zero].map(operand))),
            Op::AnyOne(a) => self.reduced(a, Prefix::AnyOne, Infix::Or),
            Op::AllOnes(a) => self.reduced(a, Prefix::AllOnes, Infix::And),
            Op::Slice { of, low } => {
                let of = self.signal(of).expect("what bits are taken of is a signal").clone();
                Expression::Bits { of, low, width: node.width }
            }
            Op::Concat(ref parts) => Expression::Concat(parts.iter().map(|&part| operand(part)).collect()),
            Op::Repeat(bit) => Expression::Repeat { count: node.width, of: Box::new(operand(bit)) },
        }
    }

    /// A sum modulo 2^width. With a constant in the upper half, it is printed as a difference: `x + 6'd63` is `x -
    /// 6'd1`.
    fn sum(&self, a: NodeId, b: NodeId) -> Expression {
        let negated = |id: NodeId| match &self.netlist.nodes[id] {
            Node { op: Op::Constant(value), width, .. } if value.bits() == u64::from(*width) => {
                let negated = (BigUint::from(1_u32) << *width) - value;
                (negated < *value).then(|| Expression::constant(&negated, *width))
            }
            _ => None,
        };
        match (negated(a), negated(b)) {
            (_, Some(constant)) => Expression::infix(Infix::Sub, self.expression(a), constant),
            (Some(constant), None) => Expression::infix(Infix::Sub, self.expression(b), constant),
            (None, None) => Expression::infix(Infix::Add, self.expression(a), self.expression(b)),
        }
    }

    /// A reduction of a node: with a prefix operator, or for a list with an operator between its parts.
    fn reduced(&self, id: NodeId, operator: Prefix, between: Infix) -> Expression {
        let of = self.expression(id);
        let Expression::Concat(parts) = of else { return Expression::prefix(operator, of) };
        let single = |part: Expression| if part.width() == 1 { part } else { Expression::prefix(operator, part) };
        let singles = parts.into_iter().map(single);
        singles.reduce(|all, part| Expression::infix(between, all, part)).expect("a concatenation has parts")
    }
}

/// Nodes without a name that a wire with a name inverts, each with that wire: all that read the node come after the wire, and read it
/// inverted.
fn inverses(netlist: &Netlist, is_excluded: impl Fn(NodeId) -> bool) -> FxHashMap<NodeId, NodeId> {
    let mut inverses = FxHashMap::default();
    for (id, node) in netlist.nodes.iter().enumerate() {
        if let (Op::Not(inverse), Some(_)) = (&node.op, node.wire_name()) {
            let of = &netlist.nodes[*inverse];
            let is_expression = !matches!(of.op, Op::Input(_) | Op::Register(_) | Op::Constant(_) | Op::Slice { .. });
            if of.label.is_none() && is_expression && !is_excluded(*inverse) && !is_excluded(id) {
                inverses.insert(*inverse, id);
            }
        }
    }
    for (id, node) in netlist.nodes.iter().enumerate() {
        for operand in node.op.operands() {
            let wire = inverses.get(&operand).copied();
            if wire.is_some_and(|wire| id < wire || matches!(node.op, Op::Slice { .. })) {
                inverses.remove(&operand);
            }
        }
    }
    inverses
}

impl Surroundings<'_> {
    /// An input as a signal.
    fn signal(&self, input: &Port, syntax: &dyn Syntax) -> Signal {
        let is_number = self.ports.iter().all(|port| port.name != input.name);
        let lanes = if syntax.has_arrays() { input.lanes } else { 1 };
        Signal { lanes, is_number, ..Signal::number(&input.name, input.width) }
    }
}

/// A factor with zeros above, as wide as the product.
pub fn extended(factor: &Expression, width: u32) -> Expression {
    let zeros = Expression::constant(&BigUint::ZERO, width - factor.width());
    Expression::Concat(vec![zeros, factor.clone()])
}
