//! `dot`: `y = a[0] * b[0] + a[1] * b[1] + .. + c`, summed and rounded according to [`Summation`].

use super::{Definition, Facts, Meaning, OnPorts, accumulator_format, result_ports, with_outputs};
use crate::{
    Alignment, Class, Float, Format, Formula, Grouping, Kind, MatrixUnit, Operation, OperationError, Overflow, Port,
    PositRange, Products, Rounding, Selection, Setting, Summation, Target, Term, TermId,
};

/// The most products of a unit.
pub(crate) const MAX_LANES: u32 = 64;

pub(super) const DOT: Definition = Definition {
    name: "dot",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Formats },
    settings: &[
        Setting::FormatB,
        Setting::QuantizeFrom,
        Setting::Acc,
        Setting::Lanes,
        Setting::Sum,
        Setting::Block,
        Setting::Product,
        Setting::Like,
        Setting::Out,
        Setting::Activation,
        Setting::Round,
        Setting::Random,
        Setting::Overflow,
        Setting::PositRange,
        Setting::Flags,
        Setting::Tininess,
    ],
    formats,
    kind: || Kind::Products(Products::default()),
    resolve: Selection::dot,
    inputs,
    outputs: result_ports,
    meaning,
    module,
    about: None,
};

/// Operands in the format, the result in the accumulator format, which for a modeled matrix unit is binary32, or
/// binary64 for such operands.
pub(super) fn formats(selection: &Selection) -> Result<[Format; 2], OperationError> {
    let own = if selection.format == Format::binary64() { Format::binary64() } else { Format::binary32() };
    let wide = selection.like.map(|_| own);
    accumulator_format(&Selection { accumulator: selection.accumulator.or(wide), ..*selection })
}

impl Selection {
    /// Resolves the settings of a dot product.
    pub(super) fn dot(&self, operation: Operation) -> Result<Operation, OperationError> {
        let modeled = self.matrix_unit(&operation)?;
        let terms = modeled.and_then(|model| model.terms);
        let lanes = self.lanes.or(terms).unwrap_or(4);
        let summation = modeled.map_or(self.summation.unwrap_or_default(), |model| model.summation);
        let whole = if summation == Summation::Blocks { 8 } else { lanes };
        let block = self.block.or(terms.map(|terms| terms.min(lanes))).unwrap_or(whole);
        if self.block.is_some() && (terms.is_some() || !summation.has_blocks()) {
            return Err(OperationError::BlockUnused);
        }
        let rounds_each = matches!(summation, Summation::Chain | Summation::Tree);
        if let (true, true, Some(like)) = (self.rounds_products, rounds_each, self.like) {
            return Err(OperationError::ProductOfModel { like });
        }
        if self.rounds_products && summation == Summation::Flushed {
            return Err(OperationError::ProductsAlwaysRounded { summation });
        }
        if self.rounds_products && !rounds_each {
            return Err(OperationError::ProductsNotRounded { summation });
        }
        if summation.alignment().is_some() && self.flags.is_some() {
            return Err(OperationError::AlignedFlags);
        }
        if summation.is_of_amd() && self.flags.is_some() {
            return Err(OperationError::NoFlagsOfAmd { summation });
        }
        if summation.aligns() {
            let mut formats =
                [operation.operand, self.second.unwrap_or(operation.operand), operation.result].into_iter();
            if let Some(format) = formats.find(|format| format.fixed().is_some()) {
                return Err(OperationError::NoExponents { format });
            }
        }
        if summation == Summation::Blocks && operation.result.class_codes(Class::Zero).is_none() {
            return Err(OperationError::NoZero { unit: operation.unit, format: operation.result });
        }
        check_result_bits(&operation, summation)?;
        let rounding = match summation {
            Summation::Bulk => self.bulk_rounding(&operation)?,
            Summation::Flushed | Summation::Grouped | Summation::Interleaved => {
                self.rounding_of_amd(&operation, summation)?
            }
            Summation::Exact | Summation::Chain | Summation::Tree | Summation::Blocks | Summation::Aligned(_) => {
                modeled.map_or(operation.rounding, |model| model.rounding)
            }
        };
        let products = Products {
            second: self.second.filter(|&second| second != operation.operand),
            source: self.source,
            lanes,
            summation,
            block: if summation.has_blocks() { block } else { lanes },
            rounds_products: self.rounds_products,
            ..Products::default()
        };
        Ok(Operation { rounding, kind: Kind::Products(products), ..operation })
    }

    /// The rounding of bulk normalization, to an IEEE 754 format.
    fn bulk_rounding(&self, operation: &Operation) -> Result<Rounding, OperationError> {
        if !operation.result.float().is_some_and(is_ieee) {
            return Err(OperationError::NoIeeeResult { summation: Summation::Bulk, format: operation.result });
        }
        let is_other = self.rounding.is_some_and(|rounding| rounding != Rounding::Rto);
        if is_other || self.overflow != Overflow::default() {
            return Err(OperationError::BulkRounding);
        }
        Ok(Rounding::Rto)
    }

    /// The rounding of AMD's matrix units, to an IEEE 754 format.
    fn rounding_of_amd(&self, operation: &Operation, summation: Summation) -> Result<Rounding, OperationError> {
        if !operation.result.float().is_some_and(is_ieee) {
            return Err(OperationError::NoIeeeResult { summation, format: operation.result });
        }
        let is_other = self.rounding.is_some_and(|rounding| rounding != Rounding::Rne);
        if is_other || self.overflow != Overflow::default() {
            return Err(OperationError::RoundingOfAmd { summation });
        }
        Ok(Rounding::Rne)
    }

    /// The matrix unit that is modeled, which fixes everything but the number of lanes.
    fn matrix_unit(&self, operation: &Operation) -> Result<Option<MatrixUnit>, OperationError> {
        let Some(like) = self.like else { return Ok(None) };
        let Operation { operand, result, .. } = *operation;
        let second = self.second.unwrap_or(operand);
        let unknown = OperationError::NoMatrixUnit { like, operand, result };
        let models = [operand, second].map(|format| like.matrix_unit(format, result));
        let [Some(model), Some(other)] = models else { return Err(unknown) };
        if model != other {
            return Err(unknown);
        }
        if self.summation.is_some() || self.rounding.is_some_and(|rounding| rounding != model.rounding) {
            return Err(OperationError::MatrixUnitFixed { like, rounding: model.rounding });
        }
        Ok(Some(model))
    }
}

/// Requires fewer fraction bits than those of the result format, which must be a float.
fn check_result_bits(operation: &Operation, summation: Summation) -> Result<(), OperationError> {
    let Some(bits) = summation.alignment().and_then(|alignment| alignment.result_bits) else { return Ok(()) };
    let room = operation.result.float().map_or(0, |float| float.trailing_bits);
    let is_narrower = operation.result.float().is_some_and(is_ieee) && (1..room).contains(&bits);
    if is_narrower { Ok(()) } else { Err(OperationError::ResultBits { bits, format: operation.result }) }
}

/// Whether a format is an IEEE 754 format with subnormals.
pub(super) fn is_ieee(float: &Float) -> bool {
    *float == Float::ieee(float.exponent_bits, float.trailing_bits)
}

fn inputs(operation: &Operation) -> Vec<Port> {
    let lanes =
        |name, format| Port { lanes: operation.lanes(), ..Port::code(name, operation.source().unwrap_or(format)) };
    let [a, b] = operation.factors();
    vec![lanes("a", a), lanes("b", b), Port::code("c", operation.result)]
}

fn module(operation: &Operation) -> String {
    module_of(operation, format!("dot{}", operation.lanes()))
}

/// The name of a module that sums products, with `name` as its beginning.
pub(super) fn module_of(operation: &Operation, name: String) -> String {
    let mut parts = vec![name];
    let Products { summation, block, lanes, .. } = operation.settings();
    match summation {
        Summation::Exact => {}
        Summation::Aligned(Alignment { fraction_bits, floor, result_bits }) => {
            parts.push(format!("align{fraction_bits}"));
            parts.extend(floor.map(|floor| format!("floor{floor}").replace('-', "_minus_")));
            parts.extend(result_bits.map(|bits| format!("result{bits}")));
        }
        named => parts.push(named.to_string()),
    }
    if summation.has_blocks() && block != lanes {
        parts.push(format!("blocks_of_{block}"));
    }
    parts.extend(operation.rounds_products().then(|| "rounded".into()));
    parts.push(operation.operand.identifier());
    parts.extend(operation.second().map(|second| second.identifier()));
    parts.push(format!("acc_{}", operation.result.identifier()));
    parts.join("_")
}

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let [a, b] = [0, 1].map(|port| -> Vec<TermId> {
        (0..operation.lanes()).map(|lane| factor(&mut formula, operation, port, lane)).collect()
    });
    let c = formula.operand(2);
    let pairs: Vec<[TermId; 2]> = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
    let y = sum_of_products(&mut formula, operation, &pairs, c);
    with_outputs(formula, operation, y)
}

/// The code in a lane of an operand, rounded to the factor's format if it arrives in another.
pub(super) fn factor(formula: &mut Formula, operation: &Operation, port: usize, lane: u32) -> TermId {
    let target = Target { format: operation.factors()[port], ..operation.target() };
    let code = formula.lane(port, lane);
    let code = if operation.source().is_some() { formula.convert(code, target) } else { code };
    let is_flushed =
        operation.settings::<Products>().summation == Summation::Flushed && target.format.underflows_gradually();
    if is_flushed { formula.term(Term::Flush { of: code, keeps_sign: false }) } else { code }
}

/// The products of pairs of factors, and `c`, added and rounded as the operation requires.
pub(super) fn sum_of_products(
    formula: &mut Formula,
    operation: &Operation,
    pairs: &[[TermId; 2]],
    c: TermId,
) -> TermId {
    let target = operation.target();
    let product = |&[a, b]: &[TermId; 2]| {
        let product = formula.product(a, b);
        if operation.rounds_products() { formula.round(product, target) } else { product }
    };
    let products: Vec<TermId> = pairs.iter().map(product).collect();
    match operation.settings::<Products>().summation {
        Summation::Exact => {
            let sum = formula.sum(&[products, vec![c]].concat(), target.rounding);
            formula.round(sum, target)
        }
        Summation::Chain => chain(formula, target, &products, c),
        Summation::Tree => tree(formula, target, &products, c),
        Summation::Blocks => blocks(formula, operation, &products, c),
        Summation::Aligned(alignment) => products
            .chunks(operation.block() as usize)
            .fold(c, |c, block| aligned(formula, target, alignment, &[block, &[c]].concat())),
        Summation::Bulk => {
            products.chunks(operation.block() as usize).fold(c, |c, block| bulk(formula, operation, block, c))
        }
        Summation::Flushed => flushed(formula, operation, &products, c),
        Summation::Grouped | Summation::Interleaved => {
            products.chunks(operation.block() as usize).fold(c, |c, block| grouped(formula, operation, block, c))
        }
    }
}

/// A description of how the products of an element are added.
pub(super) fn sum_in_words(operation: &Operation) -> String {
    match operation.settings::<Products>().summation {
        Summation::Exact => "the exact sum".into(),
        Summation::Chain => "product after product".into(),
        Summation::Tree => "in pairs, c[i][j] last".into(),
        Summation::Blocks => format!("in chains of {}, which are added in binary32", operation.block()),
        Summation::Aligned(Alignment { fraction_bits, .. }) => {
            format!(
                "{} products at a time, truncated {fraction_bits} bits below the largest exponent",
                operation.block()
            )
        }
        Summation::Bulk => {
            format!("{} products at a time, rounded to odd below the largest exponent, and c[i][j]", operation.block())
        }
        Summation::Flushed => {
            format!("{} products at a time in pairs, c[i][j] last, without subnormal numbers", operation.block())
        }
        Summation::Grouped => {
            format!("{} products at a time, truncated below the largest exponent, and c[i][j]", operation.block())
        }
        Summation::Interleaved => {
            format!(
                "{} products at a time, even and odd ones truncated below the largest exponent, and c[i][j]",
                operation.block()
            )
        }
    }
}

/// Adds product after product.
fn chain(formula: &mut Formula, target: Target, products: &[TermId], first: TermId) -> TermId {
    products.iter().fold(first, |sum, &product| {
        let sum = formula.sum(&[product, sum], target.rounding);
        formula.round(sum, target)
    })
}

/// Adds in pairs, passing on a last one without a neighbour, then `c`.
fn tree(formula: &mut Formula, target: Target, products: &[TermId], c: TermId) -> TermId {
    let mut add = |terms: &[TermId]| {
        let sum = formula.sum(terms, target.rounding);
        formula.round(sum, target)
    };
    let products = in_pairs(products, &mut add);
    add(&[products, c])
}

/// Terms, added in pairs, the pairs in pairs, and so on; a last one without a neighbour is passed on.
fn in_pairs(terms: &[TermId], mut add: impl FnMut(&[TermId]) -> TermId) -> TermId {
    let mut level = terms.to_vec();
    while level.len() > 1 {
        let pair = |pair: &[TermId]| match pair {
            &[single] => single,
            pair => add(pair),
        };
        level = level.chunks(2).map(pair).collect();
    }
    level[0]
}

/// The sum of matrix units of AMD's CDNA 2: blocks of products, in each of which they are rounded and added in pairs, added to `c` one
/// after the other. Results that are subnormal are zeros of their sign. A product that is -0 becomes +0, and so does such a `c`.
fn flushed(formula: &mut Formula, operation: &Operation, products: &[TermId], c: TermId) -> TermId {
    let target = operation.target();
    let mut total = formula.term(Term::Flush { of: c, keeps_sign: false });
    let zero = formula.term(Term::Zero);
    let mut add = |terms: &[TermId]| {
        let sum = formula.sum(terms, target.rounding);
        let sum = formula.round(sum, target);
        formula.term(Term::Flush { of: sum, keeps_sign: true })
    };
    for block in products.chunks(operation.block() as usize) {
        let rounded: Vec<TermId> = block.iter().map(|&product| add(&[product, zero])).collect();
        let part = in_pairs(&rounded, &mut add);
        total = add(&[total, part]);
    }
    total
}

/// The sum of matrix units of AMD's CDNA 3: products of a block, in one group or in two, and `c`.
fn grouped(formula: &mut Formula, operation: &Operation, products: &[TermId], c: TermId) -> TermId {
    let target = operation.target();
    let result = target.format.float().expect("results are of an IEEE 754 format");
    let grouping = Grouping::of(result, operation.settings::<Products>().summation == Summation::Interleaved);
    let sum = formula.term(Term::Grouped { of: [products, &[c]].concat(), grouping });
    formula.round(sum, target)
}

/// Algorithm 1 of Popescu et al., "Representation range needs for 16-bit neural network training" (FMAC-8): each block
/// is a chain from zero in the result's format, added to a binary32 accumulator that is rounded at the end.
fn blocks(formula: &mut Formula, operation: &Operation, products: &[TermId], c: TermId) -> TermId {
    let target = operation.target();
    let wide = Target {
        format: Format::binary32(),
        rounding: Format::binary32().own_rounding(target.rounding),
        overflow: Overflow::default(),
        posit_range: PositRange::default(),
        ..target
    };
    let mut total = c;
    for block in products.chunks(operation.block() as usize) {
        let zero = formula.term(Term::Zero);
        let part = chain(formula, target, block, zero);
        let sum = formula.sum(&[total, part], wide.rounding);
        total = formula.round(sum, wide);
    }
    formula.convert(total, target)
}

/// One sum of truncated terms, rounded. Beyond the largest value of a floating-point format it is infinite in every rounding, as in matrix
/// units of GPUs.
pub(super) fn aligned(formula: &mut Formula, target: Target, alignment: Alignment, terms: &[TermId]) -> TermId {
    let overflow = match target.overflow {
        Overflow::Inf if target.format.float().is_some() => Overflow::ToInfinity,
        other => other,
    };
    let (target, rounding) = (Target { overflow, ..target }, target.rounding);
    let sum = formula.term(Term::Aligned { of: terms.to_vec(), alignment, cut: Rounding::Rtz, rounding });
    match (alignment.result_bits, target.format.float()) {
        (Some(bits), Some(float)) => {
            let narrow = Target { format: Format::ieee(float.exponent_bits, bits), ..target };
            let rounded = formula.round(sum, narrow);
            formula.convert(rounded, Target { rounding: Rounding::Rtz, ..target })
        }
        _ => formula.round(sum, target),
    }
}

/// RISC-V's bulk normalization: products that are rounded to odd, their sum, and its sum with `c`, both rounded to odd with infinity
/// beyond the largest value. The zero makes a sum of zeros +0.
fn bulk(formula: &mut Formula, operation: &Operation, products: &[TermId], c: TermId) -> TermId {
    let target = Target { overflow: Overflow::ToInfinity, ..operation.target() };
    let guard_bits = operation.block().next_power_of_two().ilog2();
    let fraction_bits = operation.result.precision() - 1 + guard_bits;
    let alignment = Alignment { fraction_bits, floor: None, result_bits: None };
    let zero = formula.term(Term::Zero);
    let of = [products, &[zero]].concat();
    let sum = formula.term(Term::Aligned { of, alignment, cut: Rounding::Rto, rounding: target.rounding });
    let sum = formula.round(sum, target);
    let y = formula.sum(&[sum, c], target.rounding);
    formula.round(y, target)
}
