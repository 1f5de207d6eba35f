//! The cases that a unit is split into: where each operand lies, and how far apart the terms of a sum are. Together,
//! the plans of a unit cover every input.

use crate::normalized::Wide;
use crate::pieces::{Piece, Subnormals, all_subnormals, outer_pieces, pieces};
use crate::window::Window;
use crate::words::bits_of;
use binade_spec::{
    Addend, Float, Format, Formula, Meaning, Operation, Pair, PlainFunction, Rounding, Scaled, Signed, Stage,
    StageKind, Target, Term, TermId,
};
use std::fmt;
use std::iter;
use std::ops::RangeInclusive;

/// Where the code of an operand lies.
#[derive(Clone, Debug)]
pub enum Choice {
    /// Anywhere, fully decoded.
    Anywhere,
    /// Anywhere, as long as the result is zero, infinite or NaN.
    Any,
    /// At zero, or a code that is read as zero.
    Zero,
    /// At one code of zero.
    Exactly(u128),
    /// In a piece of the format.
    In(Box<Piece>),
    /// Among the normalized numbers.
    Across(Wide),
    /// A bit rather than a code, which selects a term.
    Bit(bool),
}

/// How the terms of the sum meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// There is no sum.
    None,
    /// In any way: the terms are aligned by variable shifts.
    Anyhow,
    /// One of the terms is infinite or NaN.
    Special,
    /// In any way, but none of the terms is infinite or NaN.
    Finite,
    /// Neither is infinite or NaN, and at least one is zero.
    Alone,
    /// Both are nonzero, and the last place of the first term is this many places above that of the second.
    At(i128),
    /// The first term is at this distance or lower, below every place that matters.
    Below(i128),
    /// The second term is below every place that matters: the first is at this distance or higher.
    Above(i128),
}

/// One case.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where the codes of the ports lie, in the order of the ports.
    pub choices: Vec<Choice>,
    /// How the terms of the sum meet.
    pub meeting: Meeting,
    /// A distant term is replaced by a sticky bit this many places below the other's last place.
    pub reach: usize,
    /// The value of the sum, if terms at a distance are split further.
    pub sum: Sum,
}

/// The value of the sum of terms at a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// Anything.
    Any,
    /// Exactly zero.
    Zero,
    /// A magnitude with its highest 1 in this place.
    Leading(usize),
}

/// Why a unit has no specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotSpecified(pub &'static str);

impl fmt::Display for NotSpecified {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The terms of a formula that determine how it is split.
#[derive(Clone, Copy, Debug)]
enum Core {
    /// One operand, converted.
    One,
    /// A number whose parts are on separate ports.
    Parts,
    /// A product.
    Product,
    /// A quotient by a power of two.
    QuotientByPower,
    /// A quotient of two operands.
    Quotient,
    /// The reciprocal of an operand.
    Reciprocal,
    /// The root of an operand, or its reciprocal.
    Root,
    /// A sum of two operands.
    Sum,
    /// A product and an operand; the product may be rounded first.
    ProductAndOperand { is_rounded: bool },
    /// The sum of several products and an operand.
    ProductsAndOperand,
    /// The product of two scales and a sum of products, and an operand.
    ScaledAndOperand,
    /// An operand, or its sum with a register.
    RunningSum,
    /// A sum of terms that are cut off, in groups or all together.
    Aligned,
}

/// What a specification says, if there is one.
pub type Specified<Value> = Result<Value, NotSpecified>;

/// Of a unit that is not planned.
pub const UNSPECIFIED: NotSpecified = NotSpecified("this unit has no specification circuit yet");

/// Of a unit with a plan that is that of another one.
pub const OTHER_PLAN: NotSpecified = NotSpecified("the plan of the case is not one of this unit");

const REAL_FUNCTION: NotSpecified = NotSpecified("a function of real numbers has no specification circuit");

impl Core {
    fn of(formula: &Formula) -> Result<Core, NotSpecified> {
        // Refuses a formula without meaning instead of taking it for another.
        let stages = formula.stages().map_err(|error| NotSpecified(error.why))?;
        if stages.iter().any(|stage| matches!(stage.kind, StageKind::Function { .. })) {
            return Err(REAL_FUNCTION);
        }
        let operands = Operands(formula);
        match formula.without_output(&stages) {
            [stage] if formula.registers().is_empty() => operands.core(&stage.kind),
            [stage] if formula.is_running_sum(stage) => Ok(Core::RunningSum),
            [
                Stage { id, kind: StageKind::Product(product), .. },
                Stage { kind: StageKind::Sum([rounded, addend]), .. },
            ] if rounded.code == *id && operands.are(&[product.codes[0], product.codes[1], addend.code]) => {
                Ok(Core::ProductAndOperand { is_rounded: true })
            }
            _ if !formula.registers().is_empty() => {
                Err(NotSpecified("a unit with this kind of state has no specification circuit yet"))
            }
            _ => Err(NotSpecified("this sequence of roundings has no specification circuit yet")),
        }
    }
}

/// The operands of a formula.
struct Operands<'f>(&'f Formula);

impl Operands<'_> {
    /// Whether codes are the operands on the first ports, in order: cases are listed by port.
    fn are(&self, codes: &[TermId]) -> bool {
        codes.iter().enumerate().all(|(port, code)| self.is(*code, port, 0))
    }

    fn is(&self, code: TermId, port: usize, lane: u32) -> bool {
        self.0.terms()[code.0] == Term::Operand { port, lane }
    }

    /// Determines how a unit with one rounding is split. How terms meet does not depend on their signs.
    fn core(&self, kind: &StageKind) -> Result<Core, NotSpecified> {
        match kind {
            StageKind::Code(Signed { code, is_negated: false }) if self.are(&[*code]) => Ok(Core::One),
            StageKind::Code(_) => {
                Err(NotSpecified("a conversion of anything but an operand has no specification circuit yet"))
            }
            StageKind::Parts => Ok(Core::Parts),
            StageKind::Product(product) if self.are(&product.codes) => Ok(Core::Product),
            StageKind::Product(_) => {
                Err(NotSpecified("a product of anything but operands has no specification circuit yet"))
            }
            StageKind::Quotient(Pair { codes, is_negated: false }) if self.are(codes) => Ok(Core::Quotient),
            StageKind::Quotient(Pair { codes: [one, x], is_negated: false })
                if self.0.terms()[one.0] == Term::Power(0) && self.are(&[*x]) =>
            {
                Ok(Core::Reciprocal)
            }
            StageKind::Root { of, .. } if self.are(&[*of]) => Ok(Core::Root),
            StageKind::Root { .. } => {
                Err(NotSpecified("a root of anything but an operand has no specification circuit yet"))
            }
            StageKind::Function { .. } => Err(REAL_FUNCTION),
            StageKind::Quotient(_) => {
                Err(NotSpecified("a block of elements with a scale has no specification circuit yet"))
            }
            StageKind::Sum([x, y]) if self.are(&[x.code, y.code]) => Ok(Core::Sum),
            StageKind::MultiplyAdd(Pair { codes: [a, b], .. }, c) if self.are(&[*a, *b, c.code]) => {
                Ok(Core::ProductAndOperand { is_rounded: false })
            }
            StageKind::ExactSum(of) if self.are_products_and_operand(of) => Ok(Core::ProductsAndOperand),
            StageKind::Sum(_) | StageKind::MultiplyAdd(..) | StageKind::ExactSum(_) => {
                Err(NotSpecified("a sum of such terms has no specification circuit yet"))
            }
            StageKind::Scaled { scales: Pair { codes: [a, b], is_negated: false }, of, addend }
                if self.is(*a, 2, 0)
                    && self.is(*b, 3, 0)
                    && self.are_products(of)
                    && !addend.is_negated
                    && self.is(addend.code, 4, 0) =>
            {
                Ok(Core::ScaledAndOperand)
            }
            StageKind::Scaled { .. } => {
                Err(NotSpecified("a sum of such terms with scales has no specification circuit yet"))
            }
            StageKind::Aligned { cut: Rounding::Rtz, .. } => Ok(Core::Aligned),
            StageKind::Aligned { .. } => {
                Err(NotSpecified("a sum whose terms are rounded to odd has no specification circuit yet"))
            }
            StageKind::Grouped { .. } => Ok(Core::Aligned),
            StageKind::Choice { .. } => Err(NotSpecified("a choice of terms has no specification circuit yet")),
        }
    }

    /// Whether these are the products of the lanes of the first two ports, and the operand on the third.
    fn are_products_and_operand(&self, of: &[Addend]) -> bool {
        let Some((Addend::Code(Signed { code, is_negated: false }), products)) = of.split_last() else { return false };
        self.is(*code, 2, 0) && self.are_products(products)
    }

    /// Whether these are the products of the lanes of the first two ports.
    fn are_products(&self, of: &[Addend]) -> bool {
        let is_product = |(lane, addend): (u32, &Addend)| match addend {
            Addend::Product(Pair { codes: [a, b], is_negated: false }) => self.is(*a, 0, lane) && self.is(*b, 1, lane),
            Addend::Product(_) | Addend::Code(_) => false,
        };
        (0..).zip(of).all(is_product)
    }
}

/// All cases of a unit.
///
/// # Errors
/// When the unit has no specification.
pub fn plans(operation: &Operation) -> Result<Vec<Plan>, NotSpecified> {
    Ok(match core(operation)? {
        Some(core) if !is_split(operation, core) => vec![undivided(operation)?],
        Some(core) => plans_of_formula(operation, core),
        None => {
            let choices = vec![Choice::Any; operation.inputs().len()];
            vec![Plan { choices, meeting: Meeting::None, reach: 0, sum: Sum::Any }]
        }
    })
}

/// The cases of a product whose unit shifts subnormals up before it multiplies. The cases of [`plans`] are those of a unit that
/// multiplies significands as they are. None for other units.
pub fn plans_of_shifted_product(operation: &Operation) -> Option<Vec<Plan>> {
    match (core(operation), operation.operand) {
        (Ok(Some(Core::Product)), Format::Float(float)) if all_subnormals(&float).is_some() => {
            Some(products(operation, shifted_factors(&float)))
        }
        _ => None,
    }
}

/// Cases of a product with these nonzero factors.
fn products(operation: &Operation, factors: impl Iterator<Item = Vec<Choice>>) -> Vec<Plan> {
    let plan = |choices| Plan { choices, meeting: Meeting::None, reach: reach(operation), sum: Sum::Any };
    iter::once(vec![Choice::Any; 2]).chain(factors).map(plan).collect()
}

/// Whether the specification covers a unit.
///
/// # Errors
/// When it does not, and why.
pub fn check(operation: &Operation) -> Result<(), NotSpecified> {
    match core(operation)? {
        Some(core) if !is_split(operation, core) => undivided(operation).map(|_| ()),
        Some(_) | None => Ok(()),
    }
}

/// Whether a unit has several cases. Codebooks have few codes, and are cut only where terms are cut off. Terms in fixed point meet at one distance, unless the addend is not in fixed
/// point.
fn is_split(operation: &Operation, core: Core) -> bool {
    if operation.has_codebook() {
        return matches!(core, Core::Aligned);
    }
    let is_fixed = |format: Format| format.fixed().is_some();
    if ![operation.operand, operation.result].into_iter().any(is_fixed) && !has_fixed_factor(operation) {
        return true;
    }
    match core {
        Core::One => !is_fixed(operation.operand),
        // One product has a known exponent if both factors do.
        Core::ProductAndOperand { is_rounded: false } => {
            !is_fixed(operation.result) && operation.factors().into_iter().all(is_fixed)
        }
        Core::ProductsAndOperand => !is_fixed(operation.result),
        Core::ScaledAndOperand | Core::Aligned => true,
        Core::ProductAndOperand { is_rounded: true } => false,
        Core::Parts
        | Core::Product
        | Core::QuotientByPower
        | Core::Quotient
        | Core::Reciprocal
        | Core::Root
        | Core::Sum
        | Core::RunningSum => false,
    }
}

fn has_fixed_factor(operation: &Operation) -> bool {
    operation.factors().iter().any(|format| format.fixed().is_some())
}

/// The only case of an undivided unit.
///
/// # Errors
/// When the unit has no specification.
pub fn undivided(operation: &Operation) -> Result<Plan, NotSpecified> {
    if let Some(Core::RunningSum) = core(operation)? {
        return Err(NotSpecified("a unit with state has no stateless specification circuit"));
    }
    let choices = vec![Choice::Anywhere; operation.inputs().len()];
    Ok(Plan { choices, meeting: Meeting::Anyhow, reach: reach(operation), sum: Sum::Any })
}

/// What determines how a unit is split; none for a plain function, which is not split.
fn core(operation: &Operation) -> Result<Option<Core>, NotSpecified> {
    let formula = match operation.meaning() {
        Meaning::Formula(formula) => formula,
        Meaning::Function(PlainFunction::OfChoice) | Meaning::Machine(..) => {
            return Err(UNSPECIFIED);
        }
        Meaning::Function(_) => return Ok(None),
    };
    formula.check(&operation.inputs()).map_err(|error| NotSpecified(error.why))?;
    let is_stochastic =
        |target: &Target| target.rounding.random_bits() > 0 && matches!(target.format, Format::Codebook(_));
    if formula.roundings().any(|(_, target)| is_stochastic(target)) {
        return Err(NotSpecified("stochastic rounding to a codebook has no specification circuit yet"));
    }
    match Core::of(&formula)? {
        Core::Quotient if operation.inputs()[1].format() == Some(Format::e8m0()) => Ok(Some(Core::QuotientByPower)),
        core => Ok(Some(core)),
    }
}

/// The number of places below the last one of a term that can affect the rounding of a sum, with a margin.
fn reach(operation: &Operation) -> usize {
    let target = operation.target();
    (target.format.precision() + target.rounding.tail_bits() + 2) as usize
}

fn plans_of_formula(operation: &Operation, core: Core) -> Vec<Plan> {
    let any = |operands| vec![Choice::Any; operands];
    let reach = reach(operation);
    let plan = |choices, meeting| Plan { choices, meeting, reach, sum: Sum::Any };
    let (operand, addend) = (operation.operand, operation.result);
    let mut all = vec![];
    match core {
        Core::One => {
            all.push(plan(any(1), Meeting::None));
            let rest = pieces(&operand, Subnormals::Apart).into_iter().map(in_piece);
            all.extend(rest.map(|choice| plan(vec![choice], Meeting::None)));
        }
        Core::Parts => all.push(plan(any(operation.inputs().len()), Meeting::None)),
        Core::Product => all.extend(match operand {
            Format::Float(float) => products(operation, factors(&float)),
            Format::Posit(_) | Format::Fixed(_) | Format::Codebook(_) => {
                products(operation, normalized_factors([operand; 2], &addend))
            }
        }),
        Core::Quotient => {
            all.push(plan(any(2), Meeting::None));
            let operands = pairs(magnitudes(&operand), magnitudes(&operand));
            all.extend(operands.map(|factors| plan(factors, Meeting::None)));
        }
        Core::Reciprocal | Core::Root => {
            all.push(plan(any(1), Meeting::None));
            all.extend(magnitudes(&operand).into_iter().map(|choice| plan(vec![choice], Meeting::None)));
        }
        Core::QuotientByPower => {
            all.push(plan(any(2), Meeting::None));
            let numbers = normalized_factors([operand, Format::e8m0()], &addend);
            all.extend(numbers.map(|factors| plan(factors, Meeting::None)));
        }
        Core::Sum => {
            all.push(plan(any(2), Meeting::Special));
            for a in operand_choices(&operand) {
                let first = Extent::of_choice(&a);
                let met = meetings(first, false, operand_choices(&operand), reach);
                all.extend(met.map(|(b, meeting)| plan(vec![a.clone(), b], meeting)));
            }
        }
        Core::ProductAndOperand { is_rounded } if !has_fixed_factor(operation) => {
            for factors in iter::once(any(2)).chain(normalized_factors(operation.factors(), &addend)) {
                let with = |addend: Choice| [factors.clone(), vec![addend]].concat();
                let first = if is_rounded { Some(Extent::of_format(&addend)) } else { Extent::of_product(&factors) };
                // An exact product of two numbers is a number.
                if is_rounded || first.is_none() {
                    all.push(plan(with(Choice::Any), Meeting::Special));
                }
                let met = meetings(first, is_rounded, operand_choices(&addend), reach);
                all.extend(met.map(|(c, meeting)| plan(with(c), meeting)));
            }
        }
        Core::ProductAndOperand { .. } | Core::ProductsAndOperand => {
            let with = |choice: Choice, addend| [vec![choice; 2], vec![addend]].concat();
            let window = products_window(operation);
            let first = Extent { bits: window.places() as i128, exponents: window.lowest..=window.lowest };
            all.push(plan(with(Choice::Any, Choice::Any), Meeting::Special));
            let met = meetings(Some(first), true, operand_choices(&addend), reach);
            all.extend(met.map(|(c, meeting)| plan(with(Choice::Anywhere, c), meeting)));
        }
        Core::ScaledAndOperand => all.extend(scaled_sums(operation).map(|(choices, meeting)| plan(choices, meeting))),
        Core::Aligned => {
            let anywhere = || vec![Choice::Anywhere; operation.inputs().len()];
            all.extend([Meeting::Special, Meeting::Finite].map(|meeting| plan(anywhere(), meeting)));
        }
        Core::RunningSum => all.extend(running_sums(operation).map(|(choices, meeting)| plan(choices, meeting))),
    }
    all
}

/// All cases of a sum of products and a zero.
pub fn plans_of_products(operation: &Operation, zero: u128) -> Vec<Plan> {
    let plan = |choice: Choice, meeting| {
        let random = (operation.random_bits() > 0).then_some(Choice::Any);
        let choices = [choice.clone(), choice, Choice::Exactly(zero)].into_iter().chain(random).collect();
        Plan { choices, meeting, reach: reach(operation), sum: Sum::Any }
    };
    vec![plan(Choice::Any, Meeting::Special), plan(Choice::Anywhere, Meeting::Alone)]
}

/// The code of the neutral zero, which does not even change the sign of another zero: -0, but +0 where rounding makes the sum
/// of both -0. None if the format has no zero.
pub fn neutral(operation: &Operation) -> Option<u128> {
    let Target { format, rounding, .. } = operation.target();
    let has_zero = format.float().is_none_or(|float| float.has_zero());
    has_zero.then(|| format.zero_code(rounding != Rounding::Rdn))
}

/// The window for the sum of a unit's products.
pub fn products_window(operation: &Operation) -> Window {
    let [a, b] = operation.factors().map(|format| Extent::of_format(&format));
    let lowest = a.exponents.start() + b.exponents.start();
    let end = a.exponents.end() + a.bits + b.exponents.end() + b.bits;
    Window::of_terms(operation.lanes() as usize, lowest, end)
}

/// The exponent of the lowest place of the products and of the operand.
pub fn lowest_place(operation: &Operation) -> i128 {
    products_window(operation).lowest.min(*Extent::of_format(&operation.result).exponents.start())
}

/// Whether the operand's exponent goes so far beyond those of the products that units add it to the sum of the products, and
/// do not place it in a window for all terms. The sum does not depend on it; which intermediate gates can be matched does.
pub fn is_operand_beside(operation: &Operation) -> bool {
    if matches!(operation.result, Format::Fixed(_) | Format::Codebook(_)) {
        return false;
    }
    let (window, operand) = (products_window(operation), Extent::of_format(&operation.result));
    let (end, lowest) = (window.highest - bits_of(operation.lanes().into()) as i128, window.lowest);
    let precision = i128::from(operation.result.precision());
    let rounding = 2 + i128::from(operation.rounding.tail_bits());
    let [above, below] = [(precision - operand.bits).max(0), precision.max(operand.bits)].map(|bits| bits + rounding);
    let of_operand = operand.exponents.end() + operand.bits;
    end - lowest + operand.bits + above + below < end.max(of_operand) - lowest.min(*operand.exponents.start())
}

/// Cases on the ports of a sum of products with scales: the factors, the scales and the addend. The factors may have any codes,
/// also where the result is infinite or NaN: an infinite scale times a sum that is zero is NaN.
fn scaled_sums(operation: &Operation) -> impl Iterator<Item = (Vec<Choice>, Meeting)> {
    let window = products_window(operation);
    let ports = |scales: [Choice; 2], c: Choice| [vec![Choice::Anywhere; 2], scales.into(), vec![c]].concat();
    let mut all = vec![(ports([Choice::Any, Choice::Any], Choice::Any), Meeting::Special)];
    let scales = || operand_choices(&operation.settings::<Scaled>().scale);
    for scales in pairs(scales(), scales()) {
        let scale = Extent::of_product(&scales);
        let first = scale.map(|Extent { bits, exponents }| Extent {
            bits: window.places() as i128 + bits,
            exponents: window.lowest + exponents.start()..=window.lowest + exponents.end(),
        });
        let met = meetings(first, true, operand_choices(&operation.result), reach(operation));
        all.extend(met.map(|(c, meeting)| (ports([scales[0].clone(), scales[1].clone()], c), meeting)));
    }
    all.into_iter()
}

/// Cases on the ports of an accumulator: the operand, whether it replaces the sum, random bits, and the register.
fn running_sums(operation: &Operation) -> impl Iterator<Item = (Vec<Choice>, Meeting)> {
    let (operand, result) = (operation.operand, operation.result);
    let ports = |x: Choice, clear: bool, acc: Choice| {
        let random = (operation.random_bits() > 0).then_some(Choice::Any);
        [x, Choice::Bit(clear)].into_iter().chain(random).chain([acc]).collect::<Vec<_>>()
    };
    let added = if operand == result { operand_choices(&operand) } else { added_choices(&operand, &result) };
    let special = (ports(Choice::Any, false, Choice::Any), Meeting::Special);
    let mut all = vec![special, (ports(Choice::Any, true, Choice::Any), Meeting::None)];
    let numbers = added.iter().filter(|x| !matches!(x, Choice::Zero));
    all.extend(numbers.map(|x| (ports(x.clone(), true, Choice::Any), Meeting::None)));
    for acc in operand_choices(&result) {
        let met = meetings(Extent::of_choice(&acc), false, added.clone(), reach(operation));
        all.extend(met.map(|(x, meeting)| (ports(x, false, acc.clone()), meeting)));
    }
    all.into_iter()
}

/// The nonzero numbers of a format as quotients and roots read them. Digits of quotients and roots have no signs, so posits are read by their
/// magnitudes, as for a floating-point result.
fn magnitudes(format: &Format) -> Vec<Choice> {
    normalized(format, &Format::binary32())
}

/// Zero, and the numbers of a format as they are normalized before they are added to codes of another.
fn added_choices(format: &Format, result: &Format) -> Vec<Choice> {
    let has_zero = format.float().is_none_or(|float| float.has_zero());
    has_zero.then_some(Choice::Zero).into_iter().chain(normalized(format, result)).collect()
}

fn in_piece(piece: Piece) -> Choice {
    Choice::In(Box::new(piece))
}

/// Zero, and the pieces of a format.
fn operand_choices(format: &Format) -> Vec<Choice> {
    let has_zero = format.float().is_none_or(|float| float.has_zero());
    let zero = has_zero.then_some(Choice::Zero);
    let numbers: Vec<Choice> = match format {
        Format::Posit(_) => Wide::all(format, format).into_iter().map(Choice::Across).collect(),
        Format::Float(_) | Format::Fixed(_) | Format::Codebook(_) => {
            pieces(format, Subnormals::Together).into_iter().map(in_piece).collect()
        }
    };
    zero.into_iter().chain(numbers).collect()
}

/// Pairs of nonzero factors, whose significands are multiplied as they are. The last place of a product of two subnormals is
/// always the same: they are one case.
fn factors(float: &Float) -> impl Iterator<Item = Vec<Choice>> {
    let all = || pieces(&Format::Float(*float), Subnormals::Apart).into_iter();
    let (subnormals, others): (Vec<Piece>, Vec<Piece>) = all().partition(Piece::is_subnormal);
    let [subnormals, others, both] = [subnormals, others, all_subnormals(float).into_iter().collect()]
        .map(|pieces: Vec<Piece>| pieces.into_iter().map(in_piece).collect::<Vec<Choice>>());
    pairs(subnormals.clone(), others.clone())
        .chain(pairs(others.clone(), subnormals))
        .chain(pairs(others.clone(), others))
        .chain(pairs(both.clone(), both))
}

/// Pairs of nonzero factors, with subnormals shifted up.
fn shifted_factors(float: &Float) -> impl Iterator<Item = Vec<Choice>> {
    let pieces = pieces(&Format::Float(*float), Subnormals::ShiftedUp);
    let choices: Vec<Choice> = pieces.into_iter().map(in_piece).collect();
    pairs(choices.clone(), choices)
}

/// Pairs of nonzero factors, as units normalize them.
fn normalized_factors(formats: [Format; 2], result: &Format) -> impl Iterator<Item = Vec<Choice>> {
    let [a, b] = formats.map(|format| normalized(&format, result));
    pairs(a, b)
}

/// The numbers of a format, with those that units normalize in one set.
fn normalized(format: &Format, result: &Format) -> Vec<Choice> {
    let normalized = Wide::all(format, result);
    let rest = match (format, normalized.is_empty()) {
        (_, true) => pieces(format, Subnormals::Apart),
        (Format::Float(float), false) => outer_pieces(float),
        (Format::Posit(_) | Format::Fixed(_) | Format::Codebook(_), false) => vec![],
    };
    normalized.into_iter().map(Choice::Across).chain(rest.into_iter().map(in_piece)).collect()
}

fn pairs(of_a: Vec<Choice>, of_b: Vec<Choice>) -> impl Iterator<Item = Vec<Choice>> {
    let pairs: Vec<_> = of_a.iter().flat_map(|a| of_b.iter().map(|b| vec![a.clone(), b.clone()])).collect();
    pairs.into_iter()
}

/// The width and exponents of a nonzero term.
#[derive(Clone, Debug)]
struct Extent {
    bits: i128,
    exponents: RangeInclusive<i128>,
}

impl Extent {
    fn of_choice(choice: &Choice) -> Option<Extent> {
        match choice {
            Choice::Anywhere | Choice::Any | Choice::Zero | Choice::Exactly(_) | Choice::Bit(_) => None,
            Choice::In(piece) => Some(Extent { bits: piece.significand_bits() as i128, exponents: piece.exponents() }),
            Choice::Across(wide) => Some(Extent { bits: wide.significand_bits() as i128, exponents: wide.exponents() }),
        }
    }

    fn of_product(factors: &[Choice]) -> Option<Extent> {
        let [a, b] = [&factors[0], &factors[1]].map(Extent::of_choice);
        let (a, b) = (a?, b?);
        let exponents = a.exponents.start() + b.exponents.start()..=a.exponents.end() + b.exponents.end();
        Some(Extent { bits: a.bits + b.bits, exponents })
    }

    /// All nonzero values of a format.
    fn of_format(format: &Format) -> Extent {
        if let Format::Codebook(_) = format {
            let bits = i128::from(format.precision());
            let exponents = i128::from(format.min_exponent()) + 1 - bits..=i128::from(format.max_exponent()) + 1 - bits;
            return Extent { bits, exponents };
        }
        if let Format::Fixed(fixed) = format {
            let exponent = i128::from(fixed.min_exponent());
            return Extent { bits: fixed.bits.into(), exponents: exponent..=exponent };
        }
        let all = pieces(format, Subnormals::Together);
        let bits = all.iter().map(|piece| piece.significand_bits() as i128).max().unwrap_or(1);
        let least = all.iter().map(|piece| *piece.exponents().start()).min().unwrap_or(0);
        let most = all.iter().map(|piece| *piece.exponents().end()).max().unwrap_or(0);
        Extent { bits, exponents: least..=most }
    }
}

/// How a term meets an operand: zero, or each piece at each distance. Without an extent the term is zero; a rounded
/// code or a sum may be zero in any case.
fn meetings(
    first: Option<Extent>,
    may_be_zero: bool,
    seconds: Vec<Choice>,
    reach: usize,
) -> impl Iterator<Item = (Choice, Meeting)> {
    let mut all = vec![];
    for choice in seconds {
        let other = Extent::of_choice(&choice);
        let (Some(first), Some(other)) = (&first, &other) else {
            all.push((choice, Meeting::Alone));
            continue;
        };
        if may_be_zero {
            all.push((choice.clone(), Meeting::Alone));
        }
        let (low, high) = (-(first.bits + reach as i128), other.bits + reach as i128);
        let least = first.exponents.start() - other.exponents.end();
        let most = first.exponents.end() - other.exponents.start();
        let mut meet = |meeting| all.push((choice.clone(), meeting));
        if least <= low {
            meet(Meeting::Below(low));
        }
        (least.max(low + 1)..=most.min(high - 1)).for_each(|distance| meet(Meeting::At(distance)));
        if most >= high {
            meet(Meeting::Above(high));
        }
    }
    all.into_iter()
}

impl Plan {
    /// Whether several products are added to a term that they meet in a certain way.
    pub fn is_sum_of_products(&self) -> bool {
        let has_lanes = matches!(self.choices[0], Choice::Anywhere);
        has_lanes && !matches!(self.meeting, Meeting::None | Meeting::Anyhow)
    }

    /// Whether an operand is a subnormal with one leading zero.
    pub fn has_one_zero_above(&self) -> bool {
        self.choices.iter().any(|choice| matches!(choice, Choice::In(piece) if piece.has_one_zero_above()))
    }

    /// The parts of a case that is not decided as a whole, if it has parts. `sum_bits` is the width of the sum of terms at one
    /// distance, and 0 without such a sum.
    pub fn parts(&self, sum_bits: usize) -> Vec<Plan> {
        match (self.meeting, self.sum) {
            (Meeting::Above(distance), Sum::Any) => self.parts_by_distance(distance),
            (_, Sum::Any) if sum_bits > 0 => self.parts_by_sum(sum_bits),
            _ => vec![],
        }
    }

    /// The parts by the place of the leading 1 of the sum.
    fn parts_by_sum(&self, bits: usize) -> Vec<Plan> {
        let with = |sum| Plan { sum, ..self.clone() };
        iter::once(Sum::Zero).chain((0..bits).map(Sum::Leading)).map(with).collect()
    }

    /// The parts by the distance of the second term. A unit of a wider format adds more of its places exactly.
    fn parts_by_distance(&self, least: i128) -> Vec<Plan> {
        let end = least + self.reach as i128;
        let at = |distance| Plan { meeting: Meeting::At(distance), ..self.clone() };
        let beyond = Plan { meeting: Meeting::Above(end), reach: 2 * self.reach, ..self.clone() };
        (least..end).map(at).chain(iter::once(beyond)).collect()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = |choice: &Choice| match choice {
            Choice::Anywhere | Choice::Any => "any".into(),
            Choice::Zero | Choice::Exactly(_) => "zero".into(),
            Choice::In(piece) => piece.name.clone(),
            Choice::Across(wide) => wide.to_string(),
            Choice::Bit(bit) => u8::from(*bit).to_string(),
        };
        let names: Vec<String> = self.choices.iter().map(name).collect();
        write!(f, "{}", names.join(", "))?;
        match self.meeting {
            Meeting::None | Meeting::Anyhow | Meeting::Special | Meeting::Finite | Meeting::Alone => Ok(()),
            Meeting::At(distance) => write!(f, ", distance {distance}"),
            Meeting::Below(distance) => write!(f, ", distance up to {distance}"),
            Meeting::Above(distance) => write!(f, ", distance from {distance}"),
        }?;
        match self.sum {
            Sum::Any => Ok(()),
            Sum::Zero => f.write_str(", sum zero"),
            Sum::Leading(place) => write!(f, ", leading 1 of the sum in place {place}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::{Output, Unit};

    /// The core of a formula with three operands, taken from these ports.
    fn core(ports: [usize; 3], made: impl FnOnce(&mut Formula, [TermId; 3]) -> TermId) -> Result<Core, NotSpecified> {
        let binary16 = Format::ieee(5, 10);
        let mut formula = Formula::new();
        let operands = ports.map(|port| formula.operand(port));
        let exact = made(&mut formula, operands);
        let y = formula.round(exact, Operation::new(Unit::Add, binary16, binary16).target());
        formula.output(Output::code(y));
        Core::of(&formula)
    }

    /// Cases are listed by port: terms in another order would leave inputs out.
    #[test]
    fn terms_come_in_the_order_of_the_ports() {
        let sum = |formula: &mut Formula, [a, b, _]: [TermId; 3]| formula.sum(&[a, b], Rounding::Rne);
        assert!(matches!(core([0, 1, 2], sum), Ok(Core::Sum)));
        assert!(core([1, 0, 2], sum).is_err());
        let fused = |formula: &mut Formula, [a, b, c]: [TermId; 3]| {
            let product = formula.product(a, b);
            formula.sum(&[product, c], Rounding::Rne)
        };
        assert!(matches!(core([0, 1, 2], fused), Ok(Core::ProductAndOperand { is_rounded: false })));
        for ports in [[1, 0, 2], [0, 0, 2], [1, 2, 0]] {
            assert!(core(ports, fused).is_err(), "{ports:?}");
        }
    }

    #[test]
    fn other_kinds_of_stages_are_refused() {
        let chosen = core([0, 1, 2], |formula, [a, b, _]| formula.term(Term::Choose { port: 2, one: a, zero: b }));
        assert_eq!(chosen.expect_err("a choice of codes").0, "a choice of terms has no specification circuit yet");
        let of_sum = core([0, 1, 2], |formula, [a, b, c]| {
            let product = formula.product(a, b);
            formula.sum(&[c, product], Rounding::Rne)
        });
        assert_eq!(of_sum.expect_err("the addend first").0, "a sum of such terms has no specification circuit yet");
    }
}
