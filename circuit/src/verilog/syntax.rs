//! Expressions of Verilog, and their text on one line.

use crate::naming::is_reserved;
use crate::word::low_bits;
use num_bigint::BigUint;

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A name, some bits of one, or a constant.
    Atom(String),
    /// An operator in front: `~`, `|`, `&`.
    Prefix {
        operator: char,
        operand: Box<Expression>,
    },
    Infix {
        operator: &'static str,
        operands: Box<[Expression; 2]>,
    },
    /// `select ? one : zero`.
    Choice(Box<[Expression; 3]>),
    /// Parts with their widths, the highest first.
    Concat(Vec<(Expression, u32)>),
    Repeat {
        count: u32,
        of: Box<Expression>,
    },
}

impl Expression {
    pub fn prefix(operator: char, operand: Expression) -> Expression {
        Expression::Prefix { operator, operand: Box::new(operand) }
    }

    pub fn infix(operator: &'static str, a: Expression, b: Expression) -> Expression {
        Expression::Infix { operator, operands: Box::new([a, b]) }
    }

    /// The expression where nothing is around it.
    pub fn text(&self) -> String {
        match self {
            Expression::Atom(text) => text.clone(),
            Expression::Prefix { operator, operand } => match (operator, &**operand) {
                // `|~` and `&~` are one operator to some tools.
                ('|' | '&', Expression::Prefix { .. }) => format!("{operator}({})", operand.text()),
                _ => format!("{operator}{}", operand.operand()),
            },
            Expression::Infix { operator, .. } => self.chain().join(&format!(" {operator} ")),
            Expression::Choice(parts) => {
                let [select, one, zero] = parts.each_ref().map(Expression::operand);
                format!("{select} ? {one} : {zero}")
            }
            Expression::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(|(part, _)| part.text()).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Expression::Repeat { count, of } => format!("{{{count}{{{}}}}}", of.text()),
        }
    }

    /// The expression as an operand: in parentheses if it has an operator, but for `~` in front.
    pub fn operand(&self) -> String {
        if self.needs_parentheses() { format!("({})", self.text()) } else { self.text() }
    }

    pub fn needs_parentheses(&self) -> bool {
        match self {
            Expression::Atom(_) | Expression::Concat(_) | Expression::Repeat { .. } => false,
            Expression::Prefix { operator, .. } => *operator != '~',
            Expression::Infix { .. } | Expression::Choice(_) => true,
        }
    }

    /// The operands of a chain such as `a & b & c`, which is `(a & b) & c`; the expression alone if it is no chain.
    pub fn links(&self) -> Vec<&Expression> {
        let Expression::Infix { operator, operands } = self else { return vec![self] };
        let [first, last] = &**operands;
        let continues = matches!(*operator, "&" | "|" | "^" | "+")
            && matches!(first, Expression::Infix { operator: inner, .. } if inner == operator);
        let mut links = if continues { first.links() } else { vec![first] };
        links.push(last);
        links
    }

    fn chain(&self) -> Vec<String> {
        self.links().into_iter().map(Expression::operand).collect()
    }
}

/// A port's name as it is written: reserved words (`rand`) as escaped identifiers, which end with a space.
pub fn port_name(name: &str) -> String {
    if is_reserved(name) { format!("\\{name} ") } else { name.into() }
}

/// `[7:0]`, or nothing for a single bit.
pub fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0]", width - 1) }
}

/// The bits from `low` up: `[3]` or `[7:4]`.
pub fn bits(low: u32, width: u32) -> String {
    if width == 1 { format!("[{low}]") } else { format!("[{}:{low}]", low + width - 1) }
}

/// A sized constant: binary for single bits, decimal for small numbers, else hexadecimal, in parts if it is very wide.
pub fn constant(value: &BigUint, width: u32) -> Expression {
    let digits = match width {
        1 => format!("1'b{value}"),
        _ if value.bits() <= 10 => format!("{width}'d{value}"),
        _ if value.bits() <= MAX_CONSTANT.into() => format!("{width}'h{value:x}"),
        _ => {
            let places = (0..width).step_by(MAX_CONSTANT as usize).rev();
            return Expression::Concat(places.map(|low| part_of_constant(value, width, low)).collect());
        }
    };
    Expression::Atom(digits)
}

/// Most bits of a constant that is written as one number.
const MAX_CONSTANT: u32 = 256;

/// The bits of a wide constant from `low` up, with their number.
fn part_of_constant(value: &BigUint, width: u32, low: u32) -> (Expression, u32) {
    let bits = MAX_CONSTANT.min(width - low);
    (constant(&low_bits(value >> low, bits), bits), bits)
}
