//! Units with a formula of many roundings, or of sums of many terms. Every rounding is a separate stage, in the formula's
//! order.
//!
//! | rounded term | stage |
//! |---|---|
//! | a product and a code of the result's format | `fmac` |
//! | two codes of the result's format | `add` |
//! | the same, negated | the same, with negated codes |
//! | a product | `mul` |
//! | a quotient by a power of two | `mul` by its reciprocal |
//! | a quotient by a scale with a significand | `quotient.rs`: found by comparison with the bounds between elements, if these are few, else divided |
//! | any other quotient, a root | `divide`, digit by digit |
//! | a function of a code | `function/` |
//! | any other sum | `sums/` |

mod flush;
mod largest;
mod quotient;
mod scale;

use super::{
    add::add_codes,
    coded::Coded,
    convert::convert,
    divide::{divide, square_root, unpacked},
    flags::both,
    fmac::fmac,
    function::function,
    iterate::Schedule,
    mul::mul,
    sums::{Code, Summand, aligned, exact_sum, grouped, number, number::Number, numbers, scaled},
};
use binade_circuit::{Bits, Circuit, Part, concat};
use binade_spec::{
    Addend, AlignedTerm, Format, Formula, Grouping, Operation, Output, Pair, Port, ScaleRule, Signed, Stage, StageKind,
    Target, Term, TermId,
};

/// A formula under construction, rounding after rounding.
struct Builder<'c, 'f> {
    circuit: &'c Circuit,
    formula: &'f Formula,
    /// The codes of the terms that have one.
    codes: Vec<Option<Code<'c>>>,
    flags: Option<Bits<'c>>,
}

/// Results of a formula, port by port, and the combined flags.
pub struct Results<'c> {
    pub codes: Vec<Bits<'c>>,
    pub flags: Option<Bits<'c>>,
}

/// The results of the operation's formula, without the conversion to an output format; `random` provides the bits for each
/// rounding that needs them.
pub fn formula<'c>(
    operation: &Operation,
    formula: &Formula,
    inputs: &[Bits<'c>],
    mut random: impl FnMut() -> Option<Bits<'c>>,
) -> Results<'c> {
    let mut results: Vec<&[TermId]> = formula.outputs().iter().map(Output::codes).collect();
    results.retain(|codes| !codes.is_empty());
    results.truncate(results.len() - usize::from(operation.output.is_some()));
    let last = results.concat().into_iter().max().expect("there is a result");
    let mut builder = Builder { circuit: inputs[0].circuit(), formula, codes: vec![], flags: None };
    let ports = operation.inputs();
    let stages = formula.stages().expect("a unit's formula has a meaning");
    let mut stages = names(operation, formula, &stages).into_iter().zip(&stages);
    let is_one = formula.within(last).iter().filter(|id| formula.terms()[id.0].target().is_some()).count() == 1;
    for (at, term) in formula.terms()[..=last.0].iter().enumerate() {
        let code = match term {
            Term::Operand { port, lane } => Some(lane_of(&ports[*port], inputs[*port], *lane)),
            Term::Zero => Some(Code::small(builder.circuit, 0, "zero")),
            Term::Power(0) => Some(Code::one(builder.circuit)),
            Term::Power(exponent) => Some(builder.power(*exponent)),
            Term::Largest(of) => Some(builder.largest(of)),
            Term::Round { target, .. } | Term::Convert { target, .. } => {
                let random = if target.rounding.port_bits() > 0 { random() } else { None };
                let (name, stage) = stages.next().expect("each rounding is a stage");
                Some(builder.rounded(stage, (&name, is_one), random))
            }
            Term::Flush { of, keeps_sign } => Some(builder.flushed(*of, *keeps_sign)),
            Term::Scale { of, element, format, rule } => Some(builder.scale(of, element, *format, *rule)),
            Term::Product(..)
            | Term::Quotient(..)
            | Term::Root { .. }
            | Term::Function { .. }
            | Term::Sum { .. }
            | Term::Aligned { .. }
            | Term::Grouped { .. }
            | Term::Negate(_) => None,
            Term::Parts | Term::State { .. } | Term::Choose { .. } | Term::Rectify(_) => {
                unreachable!("such formulas are made of codes, products and sums")
            }
        };
        // Signals that several products share belong to none of them.
        if let Some(code) = &code {
            builder.prepare(TermId(at), code);
        }
        builder.codes.push(code);
    }
    let port = |codes: &[TermId]| concat(&codes.iter().rev().map(|&id| builder.code(id).bits).collect::<Vec<_>>());
    Results { codes: results.into_iter().map(port).collect(), flags: builder.flags }
}

/// The names of several roundings: that of the output with the result, or what is rounded, numbered if there are several such.
fn names(operation: &Operation, formula: &Formula, stages: &[Stage]) -> Vec<String> {
    let ports = operation.outputs();
    let shown = |id: TermId| {
        ports.iter().zip(formula.outputs()).find_map(|(port, output)| {
            let lane = output.codes().iter().position(|&code| code == id)?;
            Some(if port.lanes > 1 { format!("{}_{lane}", port.name) } else { port.name.into() })
        })
    };
    let shown: Vec<Option<String>> = stages.iter().map(|stage| shown(stage.id)).collect();
    let inner = |stages: &[Stage], what: &str| {
        stages.iter().zip(&shown).filter(|(stage, shown)| shown.is_none() && rounds(&stage.kind) == what).count()
    };
    let name = |at: usize| {
        let what = rounds(&stages[at].kind);
        match inner(stages, &what) {
            1 => what,
            _ => format!("{what}_{}", inner(&stages[..at], &what)),
        }
    };
    (0..stages.len()).map(|at| shown[at].clone().unwrap_or_else(|| name(at))).collect()
}

/// What a stage rounds, as the beginning of names.
fn rounds(kind: &StageKind) -> String {
    let is_square = |of: &Addend| matches!(of, Addend::Product(Pair { codes: [a, b], .. }) if a == b);
    let word = match kind {
        StageKind::Function { function, .. } => return function.name().replace('-', "_"),
        StageKind::Product(_) => "scaled",
        StageKind::Quotient(_) => "ratio",
        StageKind::Root { is_reciprocal: true, .. } => "reciprocal",
        StageKind::Root { .. } => "radical",
        StageKind::Sum([x, y]) if x.is_negated != y.is_negated => "difference",
        StageKind::Sum(_) => "total",
        StageKind::MultiplyAdd(..) => "multiply_add",
        StageKind::ExactSum(of) if of.iter().all(is_square) => "squares",
        StageKind::ExactSum(of) if of.iter().all(|of| matches!(of, Addend::Code(_))) => "total",
        StageKind::ExactSum(_) | StageKind::Aligned { .. } | StageKind::Grouped { .. } | StageKind::Scaled { .. } => {
            "dot"
        }
        StageKind::Code(_) | StageKind::Parts | StageKind::Choice { .. } => "converted",
    };
    word.into()
}

/// The code in a lane of a port.
fn lane_of<'c>(port: &Port, bits: Bits<'c>, lane: u32) -> Code<'c> {
    Code::of_lane(port.format().expect("operands are codes"), bits, port.name, (port.lanes > 1).then_some(lane))
}

impl<'c> Builder<'c, '_> {
    /// A power of two, as a scale.
    fn power(&self, exponent: i32) -> Code<'c> {
        let format = Format::e8m0();
        let code = u128::try_from(exponent + 127).expect("a power among the scales");
        Code { format, bits: self.circuit.constant(code, format.width()), name: "power".into() }
    }

    /// A code, or zero if it is subnormal.
    fn flushed(&self, of: TermId, keeps_sign: bool) -> Code<'c> {
        let code = self.code(of);
        let bits = flush::of_code(code, keeps_sign);
        let name = format!("{}_flushed", code.name);
        Code { format: code.format, bits: bits.named(&name), name }
    }

    /// The largest of these codes.
    fn largest(&self, of: &[TermId]) -> Code<'c> {
        let codes: Vec<&Code> = of.iter().map(|&term| self.code(term)).collect();
        Code { format: codes[0].format, bits: largest::of_codes(&codes).named("largest"), name: "largest".into() }
    }

    /// Whether a quotient by this code is found without a division: by a power of two, or by a scale made for a block of elements with few
    /// codes.
    fn needs_no_division(&self, target: &Target, [source, divisor]: [Format; 2], by: TermId) -> bool {
        let is_scale = matches!(self.formula.terms()[by.0], Term::Scale { .. });
        divisor == Format::e8m0()
            || is_scale && (divisor.has_only_powers_of_two() || quotient::is_compared(target, source, divisor))
    }

    fn code(&self, id: TermId) -> &Code<'c> {
        self.codes[id.0].as_ref().expect("a term that has a code")
    }

    fn summand(&self, addend: &Addend) -> Summand<'c> {
        match addend {
            Addend::Code(code) => self.signed(code),
            Addend::Product(product) => self.product(product),
        }
    }

    fn summands(&self, of: &[Addend]) -> Vec<Summand<'c>> {
        of.iter().map(|addend| self.summand(addend)).collect()
    }

    /// The product of scales: the last one, if it is that of the same scales.
    fn scale_of<'s>(&self, last: &'s mut Option<(Pair, Number<'c>)>, scales: &Pair) -> &'s Number<'c> {
        let known = last.take().filter(|(known, _)| known == scales);
        let built = || (*scales, self.circuit.prefixed("scale", || self.product(scales).number()));
        &last.insert(known.unwrap_or_else(built)).1
    }

    /// The terms of an aligned sum. Terms with the same scales follow each other.
    fn aligned_terms(&self, of: &[AlignedTerm]) -> Vec<aligned::CutTerm<'c>> {
        let mut last = None;
        let terms = of.iter().enumerate().map(|(at, term)| match term {
            AlignedTerm::Plain(addend) => self.summand(addend).number().into(),
            AlignedTerm::ScaledSum { scales, of } => {
                let scale = self.scale_of(&mut last, scales);
                let (terms, zero) = (numbers(&self.summands(of)), self.circuit.zero());
                let number = scaled::scaled_sum(&format!("group_{at}"), scale, &terms, zero);
                aligned::CutTerm { number, has_no_exponent: scale.class.is_zero }
            }
            AlignedTerm::ScaledProduct { scales, product } => {
                scaled::scaled_product(self.scale_of(&mut last, scales), &self.product(product).number()).into()
            }
        });
        terms.collect()
    }

    fn signed(&self, Signed { code, is_negated }: &Signed) -> Summand<'c> {
        Summand::Code(self.code(*code).clone()).negated_if(*is_negated)
    }

    fn product(&self, Pair { codes, is_negated }: &Pair) -> Summand<'c> {
        Summand::Product(codes.map(|factor| self.code(factor).clone())).negated_if(*is_negated)
    }

    /// A product of a group.
    fn grouped_product(&self, pair: &Pair, grouping: &Grouping) -> grouped::GroupedProduct<'c> {
        let number = self.product(pair).number();
        let formats = pair.codes.map(|code| self.code(code).format);
        grouped::GroupedProduct { may_begin_low: grouped::may_begin_low(formats, grouping.limit), number }
    }

    /// The scale of a block of codes.
    fn scale(&self, of: &[TermId], element: &Format, format: Format, rule: ScaleRule) -> Code<'c> {
        let codes: Vec<&Code> = of.iter().map(|&term| self.code(term)).collect();
        Code { format, bits: scale::of_block(&codes, element, format, rule), name: "scale".into() }
    }

    /// The code of a rounded term. If there are several roundings, its signals begin with its name, unless each result has
    /// only one.
    fn rounded(&mut self, stage: &Stage, (name, is_one): (&str, bool), random: Option<Bits<'c>>) -> Code<'c> {
        let number = name.rsplit_once('_').map_or("", |(_, number)| number);
        let which = if number.parse::<u32>().is_ok() { number } else { "" };
        let build = || self.circuit.part(part(&stage.kind), which, || self.stage(stage, random));
        let (coded, name) = match is_one {
            true => (build(), "result".into()),
            false => (self.circuit.stage(name, build), name.into()),
        };
        let flags = [self.flags, coded.flags].into_iter().flatten();
        self.flags = flags.reduce(both);
        Code { format: stage.target.format, bits: coded.code.named(&name), name }
    }

    /// The signals of a code that several roundings read.
    fn prepare(&self, id: TermId, code: &Code<'c>) {
        let terms = self.formula.terms();
        let products = terms.iter().filter(|term| matches!(term, Term::Product(a, b) if *a == id || *b == id));
        if products.take(2).count() == 2 {
            number::decoded(code);
        }
        let sums = terms.iter().filter(|term| matches!(term, Term::Sum { of, .. } if of.contains(&id)));
        if sums.take(2).count() == 2 && code.bits.width() > 1 {
            // The magnitude, by which operands of sums are ordered.
            code.bits.low(code.bits.width() - 1);
        }
        let is_by = |term: &&Term| matches!(term, Term::Quotient(_, by) if *by == id);
        if let Some(&Term::Quotient(x, _)) = terms.iter().find(is_by) {
            let element = terms.iter().find_map(Term::target).expect("a quotient is rounded");
            if self.needs_no_division(element, [self.code(x).format, code.format], id) {
                quotient::prepare(element.format, self.code(x).format, code);
            } else if terms.iter().filter(is_by).take(2).count() == 2 {
                unpacked(code);
            }
        }
    }

    fn stage(&self, Stage { kind, target, .. }: &Stage, random: Option<Bits<'c>>) -> Coded<'c> {
        let summands = match kind {
            StageKind::Code(code) => match self.signed(code) {
                Summand::Code(x) => return convert(x.format, target, ("x", x.bits), random),
                negative => vec![negative],
            },
            StageKind::Product(product) => vec![self.product(product)],
            StageKind::Sum(codes) => codes.iter().map(|code| self.signed(code)).collect(),
            StageKind::MultiplyAdd(product, addend) => vec![self.product(product), self.signed(addend)],
            StageKind::ExactSum(of) => self.summands(of),
            StageKind::Quotient(Pair { codes: [x, y], is_negated: false }) => {
                let codes = [self.code(*x), self.code(*y)];
                return match self.needs_no_division(target, codes.map(|code| code.format), *y) {
                    true => quotient::rounded(target, codes[0], codes[1], random),
                    false => divide(target, codes, random, &Schedule::AtOnce),
                };
            }
            StageKind::Root { of, is_reciprocal } => {
                return square_root(target, self.code(*of), *is_reciprocal, random, &Schedule::AtOnce);
            }
            StageKind::Function { of, function: which } => {
                return function(target, *which, self.code(*of), random);
            }
            StageKind::Scaled { scales: Pair { codes, is_negated: false }, of, addend } => {
                let scales = codes.map(|scale| self.code(scale).clone());
                let addend = self.signed(addend).number();
                return scaled::sum(target, &scales, &numbers(&self.summands(of)), &addend, random);
            }
            StageKind::Aligned { of, alignment, cut } => {
                let cut = aligned::Cut { alignment, rounding: *cut };
                return aligned::sum(target, cut, self.aligned_terms(of), random);
            }
            StageKind::Grouped { products, addend, grouping } => {
                let group = |of: Vec<Pair>| of.iter().map(|pair| self.grouped_product(pair, grouping)).collect();
                let groups: Vec<Vec<grouped::GroupedProduct>> =
                    grouping.groups(products).into_iter().map(group).collect();
                let addend = Summand::Code(self.code(*addend).clone()).number();
                return grouped::sum(target, grouping, groups, &addend, random);
            }
            StageKind::Quotient(_) | StageKind::Scaled { .. } | StageKind::Parts | StageKind::Choice { .. } => {
                unreachable!("no such unit is built from its formula")
            }
        };
        let is_result = |code: &Code| code.format == target.format;
        match summands.as_slice() {
            [Summand::Product([a, b])] => {
                mul([a.format, b.format], target, [(&a.name, a.bits), (&b.name, b.bits)], random)
            }
            [Summand::Product([a, b]), Summand::Code(c)] if is_result(c) && a.format == b.format => {
                fmac(a.format, target, [a.bits, b.bits, c.bits], random)
            }
            [Summand::Code(x), Summand::Code(y)] if is_result(x) && is_result(y) => {
                // The ports of update have names of their own.
                let names = match (&*x.name, &*y.name) {
                    ("u", "w") => ["u", "w"],
                    ("w", "u") => ["w", "u"],
                    _ => ["x", "y"],
                };
                add_codes(target, [(names[0], x.bits), (names[1], y.bits)], random)
            }
            _ => exact_sum(target, &numbers(&summands), random),
        }
    }
}

/// The part of a sum of so many products.
fn dot_part(products: usize) -> (&'static str, &'static str) {
    match products {
        0 => ("add", "A sum, rounded."),
        1 => ("multiply_add", "A product plus an addend, rounded once."),
        _ => ("dot", "A dot product, rounded once."),
    }
}

/// The part of the unit that is a stage.
fn part(kind: &StageKind) -> Part {
    let (name, about) = match kind {
        StageKind::Product(_) => ("round_product", "A product, rounded."),
        StageKind::Quotient(_) => ("quotient", "A quotient, rounded."),
        StageKind::Root { .. } => ("root", "A square root or its reciprocal, rounded."),
        StageKind::Function { .. } => ("function", "A function of a code, rounded."),
        StageKind::Sum(_) => ("add", "A sum, rounded."),
        StageKind::MultiplyAdd(..) => ("multiply_add", "A product plus an addend, rounded once."),
        StageKind::ExactSum(of) => dot_part(of.iter().filter(|of| matches!(of, Addend::Product(_))).count()),
        StageKind::Aligned { of, .. } => {
            dot_part(of.iter().filter(|of| !matches!(of, AlignedTerm::Plain(Addend::Code(_)))).count())
        }
        StageKind::Grouped { products, .. } => dot_part(products.len()),
        StageKind::Scaled { .. } => ("scaled_dot", "A dot product times its scales plus an addend, rounded once."),
        StageKind::Code(_) | StageKind::Parts | StageKind::Choice { .. } => ("round", "A code, rounded."),
    };
    Part::repeated(name, about)
}
