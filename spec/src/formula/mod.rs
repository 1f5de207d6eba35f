//! What a unit computes, as a formula: exact terms over its ports, rounded explicitly.
//!
//! ```text
//! fmac        Round(Sum[Product(a, b), c])
//! mac         Round(Sum[Round(Product(a, b)), c])
//! accumulate  acc := Round(Choose(clear, x, Sum[acc, x]))
//! ```
//!
//! A formula is a list of terms in which operands precede their users; a term that is used twice is listed once.
//! [`Formula::check`] says which formulas have a meaning. The golden model evaluates formulas, the header of the
//! Verilog prints them, and coverage and stimulus are derived from them.

mod check;
mod facets;
mod stages;
mod window;

pub use check::FormulaError;
pub use facets::{Facets, Invalid, NanFrom};
pub use stages::{Addend, AlignedTerm, Pair, Signed, Stage, StageKind};

use crate::{Alignment, Class, Format, Function, Grouping, Port, Rounding, ScaleRule, Target};

/// The index of a term in its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub usize);

/// A value in terms of others. Values are exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// The value of the code in a lane of an input port.
    Operand {
        /// The index of the port among the operation's inputs.
        port: usize,
        /// The lane of the code on the port, from 0 in the lowest bits.
        lane: u32,
    },
    /// +0.
    Zero,
    /// Two to this power.
    Power(i32),
    /// The largest of codes of a format; NaN if one is NaN. -0 is less than +0.
    Largest(Vec<TermId>),
    /// The number on the input ports sign, zero, nar, exponent, significand and sticky.
    Parts,
    /// The value of the code in a register.
    State {
        /// The index of the register in the formula's list.
        register: usize,
    },
    /// The product of two terms.
    Product(TermId, TermId),
    /// The sum of terms; `rounding` decides the sign of an exact zero (IEEE 754 section 6.3).
    Sum {
        /// The terms that are added.
        of: Vec<TermId>,
        /// The rounding direction of the result of the sum.
        rounding: Rounding,
    },
    /// The sum of terms whose magnitudes are truncated, or rounded to odd, at a place below the largest exponent of all; otherwise
    /// like [`Term::Sum`]. Infinities of both signs are an invalid operation even beside a NaN.
    Aligned {
        /// The terms that are added: codes, products of codes, and products or sums times a product of scales. The exponent of a product is
        /// the sum of its factors', and that of a sum is 0.
        of: Vec<TermId>,
        /// Where they are cut off.
        alignment: Alignment,
        /// How they are rounded there: [`Rounding::Rtz`] or [`Rounding::Rto`].
        cut: Rounding,
        /// The rounding direction of the result of the sum.
        rounding: Rounding,
    },
    /// The sum of groups of products, and a code, as matrix units of AMD's CDNA 3 add them; a sum of zero is +0.
    ///
    /// - Infinities and NaN give what they give in [`Term::Sum`]. Without any, products from two to the power [`Grouping::limit`] on are
    ///   infinite; those of both signs give NaN.
    /// - Each product is truncated below the largest exponent of the nonzero products of its group, and the group is added. The sums of the
    ///   groups are rounded down below the larger of their exponents, and added.
    /// - This sum and the addend are rounded down below the largest exponent of all, at different places, and added.
    Grouped {
        /// The products, and last the code.
        of: Vec<TermId>,
        /// The groups and the places.
        grouping: Grouping,
    },
    /// The first term if the bit on an input port is 1, else the second.
    Choose {
        /// The index of the port among the operation's inputs.
        port: usize,
        /// The term for bit 1.
        one: TermId,
        /// The term for bit 0.
        zero: TermId,
    },
    /// The result of arithmetic, rounded.
    Round {
        /// The exact result.
        of: TermId,
        /// The format and policies of the rounding.
        target: Target,
    },
    /// A converted code: NaN payloads and meaningless signs are kept.
    Convert {
        /// The term whose code is converted.
        of: TermId,
        /// The format and policies of the conversion.
        target: Target,
    },
    /// A code, or +0 if its value is negative.
    Rectify(TermId),
    /// A code, or zero if it is subnormal.
    Flush {
        /// The code.
        of: TermId,
        /// Whether zeros keep their sign; otherwise they become +0.
        keeps_sign: bool,
    },
    /// The code of the negated value; zeros and NaNs without a sign are unchanged.
    Negate(TermId),
    /// The scale of a block, chosen so that the largest magnitude of the block becomes one of the largest elements; NaN
    /// if a term is infinite or NaN.
    ///
    /// In a format of powers of two, it follows from the rule, limited to the range of scales. In other formats, it is the
    /// largest magnitude divided by the largest element, rounded to nearest, with the same limits.
    Scale {
        /// The terms of the block.
        of: Vec<TermId>,
        /// The format of elements.
        element: Format,
        /// The format of the scale.
        format: Format,
        /// How a power of two is chosen.
        rule: ScaleRule,
    },
    /// A code divided by a code. A finite quotient is truncated far below its leading bits and keeps a sticky bit.
    ///
    /// A nonzero number divided by zero is infinite, or NaN where the divisor's format has no signed zero (IEEE
    /// 754-2019 section 7.3; P3109).
    Quotient(TermId, TermId),
    /// The square root of a code, or of its reciprocal; truncated like a quotient. The root of a zero is that zero, and
    /// the root of a negative number is NaN (IEEE 754-2019 sections 5.4.1 and 9.2.1).
    Root {
        /// The code.
        of: TermId,
        /// Whether the result is the reciprocal of the root.
        is_reciprocal: bool,
    },
    /// A function of a code; truncated like a quotient.
    Function {
        /// The code.
        of: TermId,
        /// The function.
        function: Function,
    },
}

/// The value of an output port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// The codes of these terms, the first in the lowest lane.
    Codes(Vec<TermId>),
    /// The exception flags of all terms.
    Flags,
}

impl Output {
    /// The code of one term.
    pub fn code(id: TermId) -> Output {
        Output::Codes(vec![id])
    }

    /// The terms whose codes are output.
    pub fn codes(&self) -> &[TermId] {
        match self {
            Output::Codes(ids) => ids,
            Output::Flags => &[],
        }
    }
}

/// A register in the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// The name of the register in the formula's text, such as `acc`.
    pub name: &'static str,
    /// The term whose code the register holds after a step.
    pub next: TermId,
    /// The format of the code.
    pub format: Format,
}

/// A formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    terms: Vec<Term>,
    outputs: Vec<Output>,
    registers: Vec<Register>,
}

impl Formula {
    /// A formula without terms.
    pub fn new() -> Formula {
        Formula::default()
    }

    /// Adds a term.
    ///
    /// # Panics
    /// When it uses a term that does not exist yet.
    pub fn term(&mut self, term: Term) -> TermId {
        assert!(term.uses().iter().all(|used| used.0 < self.terms.len()), "operands come first");
        self.terms.push(term);
        TermId(self.terms.len() - 1)
    }

    /// The code in the only lane of an input port.
    pub fn operand(&mut self, port: usize) -> TermId {
        self.lane(port, 0)
    }

    /// The code in a lane of an input port.
    pub fn lane(&mut self, port: usize, lane: u32) -> TermId {
        self.term(Term::Operand { port, lane })
    }

    /// The code in a register.
    pub fn state(&mut self, register: usize) -> TermId {
        self.term(Term::State { register })
    }

    /// The exact product.
    pub fn product(&mut self, a: TermId, b: TermId) -> TermId {
        self.term(Term::Product(a, b))
    }

    /// The quotient.
    pub fn quotient(&mut self, dividend: TermId, divisor: TermId) -> TermId {
        self.term(Term::Quotient(dividend, divisor))
    }

    /// The exact sum, to be rounded with `rounding`.
    pub fn sum(&mut self, of: &[TermId], rounding: Rounding) -> TermId {
        self.term(Term::Sum { of: of.to_vec(), rounding })
    }

    /// A rounded result of arithmetic.
    pub fn round(&mut self, of: TermId, target: Target) -> TermId {
        self.term(Term::Round { of, target })
    }

    /// A converted code.
    pub fn convert(&mut self, of: TermId, target: Target) -> TermId {
        self.term(Term::Convert { of, target })
    }

    /// The code of the negated value.
    pub fn negate(&mut self, of: TermId) -> TermId {
        self.term(Term::Negate(of))
    }

    /// Sets the value of the next output port.
    pub fn output(&mut self, output: Output) {
        self.outputs.push(output);
    }

    /// Adds a register.
    pub fn register(&mut self, register: Register) {
        self.registers.push(register);
    }

    /// The terms, operands before their users.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The terms whose codes are output, in the order of ports and lanes.
    pub fn results(&self) -> impl Iterator<Item = TermId> {
        self.outputs.iter().flat_map(|output| output.codes().iter().copied())
    }

    /// The values of the output ports, in order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The registers.
    pub fn registers(&self) -> &[Register] {
        &self.registers
    }

    /// The targets of all roundings, in the order in which they use their random bits.
    pub fn roundings(&self) -> impl Iterator<Item = (TermId, &Target)> {
        self.terms.iter().enumerate().filter_map(|(at, term)| term.target().map(|target| (TermId(at), target)))
    }

    /// Random bits of all roundings together, or the bits of port `rm`.
    pub fn rounding_port_bits(&self) -> u32 {
        self.roundings().map(|(_, target)| target.rounding.port_bits()).sum()
    }

    /// The terms that a term depends on, including itself, in order.
    pub fn within(&self, id: TermId) -> Vec<TermId> {
        let mut is_within = vec![false; id.0 + 1];
        is_within[id.0] = true;
        for at in (0..=id.0).rev() {
            if is_within[at] {
                self.terms[at].uses().iter().for_each(|used| is_within[used.0] = true);
            }
        }
        (0..=id.0).filter(|&at| is_within[at]).map(TermId).collect()
    }

    /// Whether its flags have one for a division by zero (IEEE 754-2019 section 7.3): a divisor can be zero, or there is a function,
    /// with a pole or without.
    pub fn divides(&self, inputs: &[Port]) -> bool {
        self.terms.iter().any(|term| matches!(term, Term::Function { .. })) || self.divides_by_zero(inputs)
    }

    /// Whether a code can be divided by zero, or be the pole of a function. Scales are never zero.
    pub fn divides_by_zero(&self, inputs: &[Port]) -> bool {
        let may_be_zero = |divisor: TermId| {
            let is_scale = matches!(self.terms[divisor.0], Term::Scale { .. });
            !is_scale && self.format(divisor, inputs).is_some_and(|format| format.class_codes(Class::Zero).is_some())
        };
        self.terms.iter().any(|term| match term {
            Term::Quotient(_, divisor) | Term::Root { of: divisor, is_reciprocal: true } => may_be_zero(*divisor),
            Term::Function { function: Function::Log1p, .. } => true,
            Term::Function { of, function } => function.has_pole() && may_be_zero(*of),
            _ => false,
        })
    }

    /// The text of a term with the names of these input ports: `a * b + c`; intermediate roundings are in parentheses.
    pub fn text(&self, inputs: &[Port], id: TermId) -> String {
        let inner = |id: TermId| match self.terms[id.0] {
            Term::Round { .. } | Term::Convert { .. } => format!("({})", self.text(inputs, id)),
            _ => self.text(inputs, id),
        };
        match &self.terms[id.0] {
            Term::Operand { port, lane } if inputs[*port].lanes > 1 => format!("{}[{lane}]", inputs[*port].name),
            Term::Operand { port, .. } => inputs[*port].name.into(),
            Term::Zero => "0".into(),
            Term::Power(0) => "1".into(),
            Term::Power(exponent) => format!("2^{exponent}"),
            Term::Root { of, is_reciprocal: false } => format!("sqrt({})", self.text(inputs, *of)),
            Term::Root { of, is_reciprocal: true } => format!("1 / sqrt({})", self.text(inputs, *of)),
            Term::Function { of, function } => function.text(&self.text(inputs, *of)),
            Term::Parts => "(-1)^sign * significand * 2^exponent".into(),
            Term::State { register } => self.registers[*register].name.into(),
            Term::Product(a, b) => format!("{} * {}", inner(*a), inner(*b)),
            Term::Quotient(x, scale) => format!("{} / {}", inner(*x), inner(*scale)),
            Term::Sum { of, .. } => {
                of.iter().map(|&term| inner(term)).collect::<Vec<_>>().join(" + ").replace("+ -", "- ")
            }
            Term::Aligned { of, alignment, cut, .. } => {
                let terms: Vec<String> = of.iter().map(|&term| inner(term)).collect();
                let name = if *cut == Rounding::Rto { "align_to_odd" } else { "align" };
                format!("{name}{}({})", alignment.fraction_bits, terms.join(" + "))
            }
            Term::Grouped { of, grouping } => {
                let (products, addend) = of.split_at(of.len().saturating_sub(1));
                let group = |of: Vec<TermId>| {
                    let terms: Vec<String> = of.into_iter().map(inner).collect();
                    format!("align{}({})", grouping.fraction_bits, terms.join(" + "))
                };
                let groups = grouping.groups(products).into_iter().map(group);
                let terms: Vec<String> = groups.chain(addend.iter().map(|&id| inner(id))).collect();
                format!("add_down{}({})", grouping.sum_bits, terms.join(" + "))
            }
            Term::Choose { port, one, zero } => {
                format!("{} ? {} : {}", inputs[*port].name, inner(*one), inner(*zero))
            }
            Term::Round { of, .. } | Term::Convert { of, .. } => self.text(inputs, *of),
            Term::Rectify(of) => format!("max({}, 0)", self.text(inputs, *of)),
            Term::Flush { of, .. } => format!("flush({})", self.text(inputs, *of)),
            Term::Negate(of) => format!("-{}", inner(*of)),
            Term::Scale { .. } => "scale".into(),
            Term::Largest(of) => {
                format!("max({})", of.iter().map(|&term| inner(term)).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl Term {
    /// The terms that it uses directly.
    pub fn uses(&self) -> Vec<TermId> {
        match self {
            Term::Operand { .. } | Term::Zero | Term::Power(_) | Term::Parts | Term::State { .. } => vec![],
            Term::Product(a, b) | Term::Quotient(a, b) => vec![*a, *b],
            Term::Sum { of, .. }
            | Term::Aligned { of, .. }
            | Term::Grouped { of, .. }
            | Term::Scale { of, .. }
            | Term::Largest(of) => of.clone(),
            Term::Choose { one, zero, .. } => vec![*one, *zero],
            Term::Round { of, .. } | Term::Convert { of, .. } | Term::Rectify(of) | Term::Negate(of) => vec![*of],
            Term::Root { of, .. } | Term::Function { of, .. } | Term::Flush { of, .. } => vec![*of],
        }
    }

    /// The target of the rounding, if the term is one.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Term::Round { target, .. } | Term::Convert { target, .. } => Some(target),
            Term::Operand { .. }
            | Term::Zero
            | Term::Power(_)
            | Term::Largest(_)
            | Term::Parts
            | Term::State { .. }
            | Term::Product(..)
            | Term::Sum { .. }
            | Term::Aligned { .. }
            | Term::Grouped { .. }
            | Term::Choose { .. }
            | Term::Rectify(_)
            | Term::Flush { .. }
            | Term::Negate(_)
            | Term::Scale { .. }
            | Term::Quotient(..)
            | Term::Root { .. }
            | Term::Function { .. } => None,
        }
    }
}
