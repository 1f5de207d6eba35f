//! Units with a formula of many roundings, or of sums of many terms: every rounding is a stage of its own, in the formula's
//! order.
//!
//! | what is rounded | stage |
//! |---|---|
//! | a product and a code of the result's format | `fmac` |
//! | two codes of the result's format | `add` |
//! | the same, with the other sign | the same, of codes with the other sign |
//! | a product | `mul` |
//! | a quotient by a power of two | `mul` by its reciprocal |
//! | a quotient by a scale with a significand | `quotient.rs`: found among the bounds between elements |
//! | any other sum | `fixed.rs`: in fixed point, exactly; `beside.rs`, if one term's exponent goes far beyond the others' |
//! | a sum of products times the product of two scales, and a code | `scaled.rs`: in fixed point, the code beside it |
//! | a sum of terms that are cut off | `aligned.rs` |
//!
//! `number.rs` has what sums are made of: magnitudes scaled by powers of two; `total.rs` is the way from their sum to a rounded
//! result.

mod aligned;
mod beside;

pub mod fixed;
pub mod number;
mod quotient;
mod scale;
mod scaled;
pub mod total;

mod negate;

use super::{add::add_codes, convert::convert, fmac::fmac, mul::mul, result::Coded, target::Target};
use beside::Beside;
use binade_circuit::{Bits, Circuit, Part, concat};
use binade_spec::{Format, Formula, Meaning, Operation, Output, Port, Term, TermId};
use negate::negated;
use number::Number;

/// A code, and what it is called.
#[derive(Clone)]
pub struct Code<'c> {
    format: Format,
    bits: Bits<'c>,
    name: String,
}

impl<'c> Code<'c> {
    /// The code in a lane of a port, or the port's only one.
    pub fn of_lane(format: Format, bits: Bits<'c>, port: &str, lane: Option<u32>) -> Code<'c> {
        let Some(lane) = lane else { return Code { format, bits, name: port.into() } };
        let (width, name) = (format.width(), format!("{port}_{lane}"));
        Code { format, bits: bits.slice((lane + 1) * width - 1, lane * width).named(&name), name }
    }
}

/// What a term of a sum is.
enum Summand<'c> {
    Code(Code<'c>),
    Product([Code<'c>; 2]),
    /// The product of two scales times a sum.
    Scaled {
        scales: [Code<'c>; 2],
        terms: Vec<Summand<'c>>,
    },
    /// The summand of the other sign, where that has no code: with fixed-point codes.
    Negative(Box<Summand<'c>>),
}

impl<'c> Summand<'c> {
    /// The summand with the other sign.
    fn negated(self) -> Summand<'c> {
        match self {
            Summand::Code(code) if code.format.fixed().is_none() => Summand::Code(negated(code)),
            Summand::Product([a, b]) if a.format.fixed().is_none() => Summand::Product([negated(a), b]),
            Summand::Scaled { scales: [a, b], terms } => Summand::Scaled { scales: [negated(a), b], terms },
            Summand::Negative(summand) => *summand,
            summand => Summand::Negative(Box::new(summand)),
        }
    }

    /// The summand taken apart, or the product of significands.
    fn number(&self) -> Number<'c> {
        match self {
            Summand::Code(code) => Number::of_code(code),
            Summand::Product(factors) => Number::of_product(factors),
            Summand::Scaled { .. } => unreachable!("a scaled sum and a code are a sum of their own"),
            Summand::Negative(summand) => {
                let number = summand.number();
                let one = number.digits.circuit().ones(1);
                let number = number.negated_if(one);
                // The negative of the lowest code takes one place more, which a product has.
                match **summand {
                    Summand::Code(_) => Number { digits: number.digits.sext(number.digits.width() + 1), ..number },
                    Summand::Product(_) | Summand::Scaled { .. } | Summand::Negative(_) => number,
                }
            }
        }
    }
}

/// A formula as it is built, rounding after rounding.
struct Builder<'c, 'f> {
    circuit: &'c Circuit,
    formula: &'f Formula,
    /// The codes of the terms that have one.
    codes: Vec<Option<Code<'c>>>,
    flags: Option<Bits<'c>>,
}

/// Results of a formula, port by port, and the flags of all of them together.
pub struct Results<'c> {
    pub codes: Vec<Bits<'c>>,
    pub flags: Option<Bits<'c>>,
}

/// The results of the operation's formula, without what is converted to an output format; `random` hands out the bits for
/// each rounding that takes some.
pub fn formula<'c>(
    operation: &Operation,
    inputs: &[Bits<'c>],
    mut random: impl FnMut() -> Option<Bits<'c>>,
) -> Results<'c> {
    let Meaning::Formula(formula) = operation.meaning() else { unreachable!("the unit is a formula") };
    let mut results: Vec<&[TermId]> = formula.outputs().iter().map(Output::codes).collect();
    results.retain(|codes| !codes.is_empty());
    results.truncate(results.len() - usize::from(operation.output.is_some()));
    let last = results.concat().into_iter().max().expect("there is a result");
    let mut builder = Builder { circuit: inputs[0].circuit(), formula: &formula, codes: vec![], flags: None };
    let ports = operation.inputs();
    let mut names = Names::new(operation, &formula);
    let is_one = formula.within(last).iter().filter(|id| formula.terms()[id.0].target().is_some()).count() == 1;
    for (at, term) in formula.terms()[..=last.0].iter().enumerate() {
        let code = match term {
            Term::Operand { port, lane } => Some(lane_of(&ports[*port], inputs[*port], *lane)),
            Term::Zero => Some(builder.zero()),
            Term::Round { of, target } | Term::Convert { of, target } => {
                let random = if target.rounding.random_bits() > 0 { random() } else { None };
                let name = names.next(TermId(at));
                Some(builder.rounded(*of, target, (&name, is_one), random))
            }
            Term::Scale { of, element, format } => Some(builder.scale(of, element, *format)),
            Term::Product(..) | Term::Quotient(..) | Term::Sum { .. } | Term::Aligned { .. } | Term::Negate(_) => None,
            Term::Parts | Term::State { .. } | Term::Choose { .. } | Term::Rectify(_) => {
                unreachable!("such formulas are made of codes, products and sums")
            }
        };
        // What several products share is a part of none of them.
        if let Some(code) = &code {
            builder.prepare(TermId(at), code);
        }
        builder.codes.push(code);
    }
    let port = |codes: &[TermId]| concat(&codes.iter().rev().map(|&id| builder.code(id).bits).collect::<Vec<_>>());
    Results { codes: results.into_iter().map(port).collect(), flags: builder.flags }
}

/// What roundings are called where there are several: after the output that shows the result, or by their number.
struct Names {
    /// The results that outputs show.
    shown: Vec<(TermId, String)>,
    count: usize,
}

impl Names {
    fn new(operation: &Operation, formula: &Formula) -> Names {
        let ports = operation.outputs();
        let shown = ports.iter().zip(formula.outputs()).flat_map(|(port, output)| {
            let name = |lane: usize| if port.lanes > 1 { format!("{}_{lane}", port.name) } else { port.name.into() };
            output.codes().iter().enumerate().map(move |(lane, &id)| (id, name(lane)))
        });
        Names { shown: shown.collect(), count: 0 }
    }

    fn next(&mut self, id: TermId) -> String {
        if let Some((_, name)) = self.shown.iter().find(|(shown, _)| *shown == id) {
            return name.clone();
        }
        self.count += 1;
        format!("step_{}", self.count)
    }
}

/// The code in a lane of a port.
fn lane_of<'c>(port: &Port, bits: Bits<'c>, lane: u32) -> Code<'c> {
    Code::of_lane(port.format().expect("operands are codes"), bits, port.name, (port.lanes > 1).then_some(lane))
}

impl<'c> Builder<'c, '_> {
    /// The code of +0, of a format that has few bits.
    fn zero(&self) -> Code<'c> {
        let format = Format::ieee(2, 1);
        Code { format, bits: self.circuit.constant(0, format.width()), name: "zero".into() }
    }

    fn code(&self, id: TermId) -> &Code<'c> {
        self.codes[id.0].as_ref().expect("a term that has a code")
    }

    fn summand(&self, id: TermId) -> Summand<'c> {
        match self.formula.terms()[id.0] {
            Term::Product(a, b) => match (&self.formula.terms()[a.0], &self.formula.terms()[b.0]) {
                (Term::Product(a, b), Term::Sum { of, .. }) => Summand::Scaled {
                    scales: [a, b].map(|scale| self.code(*scale).clone()),
                    terms: of.iter().map(|&term| self.summand(term)).collect(),
                },
                _ => Summand::Product([a, b].map(|factor| self.code(factor).clone())),
            },
            Term::Negate(of) => self.summand(of).negated(),
            _ => Summand::Code(self.code(id).clone()),
        }
    }

    /// The scale of a block of codes.
    fn scale(&self, of: &[TermId], element: &Format, format: Format) -> Code<'c> {
        let codes: Vec<&Code> = of.iter().map(|&term| self.code(term)).collect();
        Code { format, bits: scale::of_block(&codes, element, format), name: "scale".into() }
    }

    /// What a term is rounded to. The signals of one rounding of several begin with its name, unless each result has but one.
    fn rounded(
        &mut self,
        of: TermId,
        target: &Target,
        (name, is_one): (&str, bool),
        random: Option<Bits<'c>>,
    ) -> Code<'c> {
        let which = name.rsplit_once('_').map_or(name, |(_, number)| number);
        let build = || self.circuit.part(self.part(of), which, || self.stage(of, target, random));
        let (coded, name) = match is_one {
            true => (build(), "result".into()),
            false => (self.circuit.prefixed(name, build), format!("rounded_{name}")),
        };
        let flags = [self.flags, coded.flags].into_iter().flatten();
        self.flags = flags.reduce(|all, flags| all | flags);
        Code { format: target.format, bits: coded.code.named(&name), name }
    }

    /// What several roundings read of a code.
    fn prepare(&self, id: TermId, code: &Code<'c>) {
        let terms = self.formula.terms();
        let products = terms.iter().filter(|term| matches!(term, Term::Product(a, b) if *a == id || *b == id));
        if products.take(2).count() == 2 {
            number::decoded(code);
        }
        if let Some(&Term::Quotient(x, _)) =
            terms.iter().find(|term| matches!(term, Term::Quotient(_, by) if *by == id))
        {
            let element = terms.iter().find_map(Term::target).expect("a quotient is rounded");
            quotient::prepare(element.format, self.code(x).format, code);
        }
    }

    /// The part of the unit that rounds a term.
    fn part(&self, of: TermId) -> Part {
        let is_product = |term: &TermId| matches!(self.formula.terms()[term.0], Term::Product(..));
        let (name, about) = match &self.formula.terms()[of.0] {
            Term::Product(..) => ("round_product", "A product, rounded."),
            Term::Quotient(..) => ("quotient", "A code divided by the scale, rounded."),
            Term::Sum { of, .. } | Term::Aligned { of, .. } => {
                match of.iter().filter(|term| is_product(term)).count() {
                    0 => ("add", "A sum, rounded."),
                    1 => ("multiply_add", "A product and what it is added to, rounded once."),
                    _ => ("dot", "A dot product, rounded once."),
                }
            }
            _ => ("round", "A code, rounded."),
        };
        Part { name, about }
    }

    fn stage(&self, of: TermId, target: &Target, random: Option<Bits<'c>>) -> Coded<'c> {
        let (terms, alignment) = match &self.formula.terms()[of.0] {
            Term::Sum { of, .. } => (of.clone(), None),
            Term::Aligned { of, alignment, .. } => (of.clone(), Some(alignment)),
            Term::Product(..) => (vec![of], None),
            Term::Quotient(x, scale) => return quotient::rounded(target, self.code(*x), self.code(*scale), random),
            _ => {
                let code = self.code(of);
                return convert(code.format, target, ("x", code.bits), random);
            }
        };
        let summands: Vec<Summand> = terms.iter().map(|&term| self.summand(term)).collect();
        if let Some(alignment) = alignment {
            return aligned::sum(target, alignment, &numbers(&summands), random);
        }
        let is_result = |code: &Code| code.format == target.format;
        match summands.as_slice() {
            [Summand::Product([a, b])] => mul([a.format, b.format], target, [a.bits, b.bits], random),
            [Summand::Scaled { scales, terms }, Summand::Code(c)] => {
                scaled::sum(target, scales, &numbers(terms), &Number::of_code(c), random)
            }
            [Summand::Product([a, b]), Summand::Code(c)] if is_result(c) && a.format == b.format => {
                fmac(a.format, target, [a.bits, b.bits, c.bits], random)
            }
            [Summand::Code(x), Summand::Code(y)] if is_result(x) && is_result(y) => {
                add_codes(target, [("x", x.bits), ("y", y.bits)], random)
            }
            _ => exact_sum(target, &numbers(&summands), random),
        }
    }
}

/// The exact sum in the narrower of two windows, rounded once.
fn exact_sum<'c>(target: &Target, numbers: &[Number<'c>], random: Option<Bits<'c>>) -> Coded<'c> {
    match Beside::of(target, numbers) {
        Some(beside) => beside.sum(target, beside.window(), random),
        None => fixed::sum(target, numbers, random),
    }
}

fn numbers<'c>(summands: &[Summand<'c>]) -> Vec<Number<'c>> {
    summands.iter().map(Summand::number).collect()
}

/// The sum of a product (or a code) and codes, rounded once, where one of the formats is fixed-point: exact sums need no exponents.
pub fn fixed_point_sum<'c>(
    target: &Target,
    product: Option<([Format; 2], [Bits<'c>; 2])>,
    codes: &[(Format, &str, Bits<'c>)],
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let code = |format: Format, name: &str, bits: Bits<'c>| Code { format, bits, name: name.into() };
    let factors = product
        .map(|([a_format, b_format], [a, b])| Summand::Product([code(a_format, "a", a), code(b_format, "b", b)]));
    let codes = codes.iter().map(|&(format, name, bits)| Summand::Code(code(format, name, bits)));
    exact_sum(target, &numbers(&factors.into_iter().chain(codes).collect::<Vec<_>>()), random)
}
