//! Expressions: which nodes become wires, and how the others are written where they are used.

use crate::naming::{Names, is_reserved, signal_names};
use crate::{Netlist, NodeId, Op};
use num_bigint::BigUint;

/// Longest expression that is written in place.
const MAX_LENGTH: usize = 72;

/// The text by which each node is known to its users.
pub struct Expressions<'n> {
    netlist: &'n Netlist,
    texts: Vec<Text>,
}

/// How a node appears.
#[derive(Clone)]
enum Text {
    /// By an identifier: a port or wire.
    Identifier(String),
    /// In place.
    Inline(String),
}

/// A wire to declare: its node, identifier, and the expression that drives it.
pub struct Wire {
    pub node: NodeId,
    pub name: String,
    pub driver: String,
}

impl<'n> Expressions<'n> {
    /// Chooses the wires of a netlist and writes their drivers, in order.
    /// `names` has those of the ports and gives those of the wires.
    pub fn new(netlist: &'n Netlist, names: &mut Names) -> (Expressions<'n>, Vec<Wire>) {
        let mut expressions = Expressions { netlist, texts: vec![] };
        let hints = wire_hints(netlist);
        let mut wires = vec![];
        for (id, hint) in hints.into_iter().enumerate() {
            let written = expressions.write(id);
            let text = match (&netlist.nodes[id].op, hint) {
                (Op::Input(port), _) => Text::Identifier(port_name(&netlist.inputs[*port].name)),
                (Op::Register(register), _) => Text::Identifier(netlist.registers[*register].name.clone()),
                (_, Hint::Inline) => Text::Inline(written),
                (_, Hint::InlineIfShort(_)) if written.len() <= MAX_LENGTH => Text::Inline(written),
                (_, Hint::InlineIfShort(name) | Hint::Wire(name)) => {
                    let name = names.give(&name);
                    wires.push(Wire { node: id, name: name.clone(), driver: strip_parentheses(&written) });
                    Text::Identifier(name)
                }
            };
            expressions.texts.push(text);
        }
        (expressions, wires)
    }

    /// The node as its users write it.
    pub fn text(&self, id: NodeId) -> &str {
        match &self.texts[id] {
            Text::Identifier(text) | Text::Inline(text) => text,
        }
    }

    /// The node without the parentheses that protect it in an expression.
    pub fn driver(&self, id: NodeId) -> String {
        strip_parentheses(self.text(id))
    }

    /// The identifier that stands for the node, if one does.
    pub fn identifier(&self, id: NodeId) -> Option<&str> {
        match &self.texts[id] {
            Text::Identifier(name) => Some(name),
            Text::Inline(_) => None,
        }
    }

    /// The expression of a node in terms of its operands' texts, in parentheses if it has an operator.
    fn write(&self, id: NodeId) -> String {
        let node = &self.netlist.nodes[id];
        let text = |id: NodeId| self.text(id);
        let infix = |a, operator, b| format!("({} {operator} {})", text(a), text(b));
        match node.op {
            Op::Input(_) | Op::Register(_) => String::new(),
            Op::Constant(ref value) => constant(value, node.width),
            Op::Not(a) => match (&self.texts[a], &self.netlist.nodes[a].op) {
                (Text::Inline(_), &Op::Lt(a, b)) => infix(a, ">=", b),
                (Text::Inline(_), &Op::Eq(a, b)) => infix(a, "!=", b),
                _ => format!("~{}", text(a)),
            },
            Op::And(a, b) => infix(a, "&", b),
            Op::Or(a, b) => infix(a, "|", b),
            Op::Xor(a, b) => infix(a, "^", b),
            Op::Add(a, b) => infix(a, "+", b),
            Op::Sub(a, b) => infix(a, "-", b),
            Op::Eq(a, b) => infix(a, "==", b),
            Op::Lt(a, b) => infix(a, "<", b),
            Op::Mul(a, b) => format!("({} * {})", self.extended(a, node.width), self.extended(b, node.width)),
            Op::Mux { select, one, zero } => format!("({} ? {} : {})", text(select), text(one), text(zero)),
            Op::AnyOne(a) => reduction("|", text(a)),
            Op::AllOnes(a) => reduction("&", text(a)),
            Op::Slice { of, low } => match node.width {
                1 => format!("{}[{low}]", text(of)),
                width => format!("{}[{}:{low}]", text(of), low + width - 1),
            },
            Op::Concat(ref parts) => {
                let parts: Vec<String> = parts.iter().map(|&part| strip_parentheses(text(part))).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Op::Repeat(bit) => format!("{{{}{{{}}}}}", node.width, strip_parentheses(text(bit))),
        }
    }

    /// A factor with zeros above, as wide as the product.
    fn extended(&self, id: NodeId, width: u32) -> String {
        let zeros = constant(&BigUint::ZERO, width - self.netlist.nodes[id].width);
        format!("{{{zeros}, {}}}", self.text(id))
    }
}

/// All bits of a word joined. `|~` and `&~` are one operator to some tools, so an inverted word is in parentheses.
fn reduction(operator: &str, word: &str) -> String {
    if word.starts_with('~') { format!("({operator}({word}))") } else { format!("({operator}{word})") }
}

/// Whether a node becomes a wire, and under what name.
enum Hint {
    Inline,
    InlineIfShort(String),
    Wire(String),
}

/// What becomes of each node.
fn wire_hints(netlist: &Netlist) -> Vec<Hint> {
    let mut users = vec![0; netlist.nodes.len()];
    let mut is_sliced = vec![false; netlist.nodes.len()];
    for node in &netlist.nodes {
        for operand in node.op.operands() {
            users[operand] += 1;
            is_sliced[operand] |= matches!(node.op, Op::Slice { .. });
        }
    }
    netlist.registers.iter().for_each(|register| users[register.next] += 1);
    let names = signal_names(netlist);
    let hint = |id: NodeId| {
        let node = &netlist.nodes[id];
        let part = || names[id].clone();
        match (&node.name, &node.op) {
            (_, Op::Constant(_) | Op::Input(_) | Op::Register(_)) => Hint::Inline,
            (Some(name), _) => Hint::Wire(name.clone()),
            _ if is_sliced[id] => Hint::Wire(part()),
            (_, Op::Concat(parts)) if is_extension(netlist, parts) => Hint::InlineIfShort(part()),
            (_, Op::Slice { .. } | Op::Repeat(_)) => Hint::Inline,
            (_, Op::Not(a)) if netlist.nodes[*a].width == 1 => Hint::InlineIfShort(part()),
            _ if users[id] > 1 => Hint::Wire(part()),
            _ => Hint::InlineIfShort(part()),
        }
    };
    (0..netlist.nodes.len()).map(hint).collect()
}

/// Whether a concatenation is nothing but a signal with constant bits or copies of its sign beside it.
fn is_extension(netlist: &Netlist, parts: &[NodeId]) -> bool {
    let is_padding = |&&part: &&NodeId| matches!(netlist.nodes[part].op, Op::Constant(_) | Op::Repeat(_));
    parts.iter().filter(is_padding).count() + 1 >= parts.len()
}

/// A port's name as it is written: reserved words (`rand`) as escaped identifiers, which end with a space.
pub fn port_name(name: &str) -> String {
    if is_reserved(name) { format!("\\{name} ") } else { name.into() }
}

/// A sized constant: binary for single bits, decimal for small numbers, else hexadecimal.
pub fn constant(value: &BigUint, width: u32) -> String {
    match width {
        1 => format!("1'b{value}"),
        _ if value.bits() <= 10 => format!("{width}'d{value}"),
        _ => format!("{width}'h{value:x}"),
    }
}

/// The text without parentheses around all of it.
fn strip_parentheses(text: &str) -> String {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return text.into();
    };
    let mut depth = 0_i32;
    for character in inner.chars() {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text.into();
        }
    }
    inner.into()
}
