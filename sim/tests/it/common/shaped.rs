//! Random vectors shaped so that the operands meet: a few hundred of them reach every stage of a unit.

use super::{complain, interpreted, netlist_for};
use binade_circuit::Optimize;
use binade_golden::{Codec, Model};
use binade_sim::Counterexample;
use binade_spec::{Column, ColumnMut, Format, Operation, Port, Sign, Unit, Word};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Vectors a column, at most.
const BATCH: u64 = 1024;

/// Checks both circuits of an operation on `count` shaped vectors; how many there were.
pub fn check(operation: &Operation, count: u64) -> u64 {
    let netlists = Optimize::ALL.map(|optimize| netlist_for(operation, optimize));
    let mut units = netlists.each_ref().map(interpreted);
    for batch in batches(operation, count) {
        for (unit, optimize) in units.iter_mut().zip(Optimize::ALL) {
            if let Some(found) = batch.disagreement(unit) {
                complain(operation, optimize, &found);
            }
        }
    }
    count
}

/// Some vectors with what the golden model answers: columns of ports of up to 64 bits.
pub struct Batch {
    first: u64,
    inputs: Vec<Vec<u64>>,
    want: Vec<Vec<u64>>,
}

impl Batch {
    /// Vectors of a plan or of another source, the first of which has this number there.
    pub fn new(model: &Model, first: u64, vectors: &[Vec<u64>]) -> Batch {
        let column = |operand: usize| vectors.iter().map(|vector| vector[operand]).collect();
        let inputs: Vec<Vec<u64>> = (0..vectors[0].len()).map(column).collect();
        let mut want = vec![vec![0; vectors.len()]; model.operation().outputs().len()];
        model.evaluate_columns(&views(&inputs), &mut narrow(&mut want));
        Batch { first, inputs, want }
    }

    /// The first of the vectors on which a unit disagrees with the golden model.
    pub fn disagreement(&self, unit: &mut impl FnMut(&[Column], &mut [ColumnMut])) -> Option<Counterexample> {
        let mut got = vec![vec![0; self.inputs[0].len()]; self.want.len()];
        unit(&views(&self.inputs), &mut narrow(&mut got));
        let first_difference =
            |(got, want): (&Vec<u64>, &Vec<u64>)| got.iter().zip(want).position(|(got, want)| got != want);
        let at = got.iter().zip(&self.want).filter_map(first_difference).min()?;
        let words = |columns: &[Vec<u64>]| columns.iter().map(|column| Word::from(column[at])).collect();
        let (index, operands) = (self.first + at as u64, words(&self.inputs));
        let (got, want) = (words(&got), words(&self.want));
        Some(Counterexample { index, operands, before: vec![], got, want, violation: None })
    }
}

/// `count` shaped vectors.
pub fn batches(operation: &Operation, count: u64) -> impl Iterator<Item = Batch> {
    let model = Model::new(operation);
    // The sum that the addend should meet.
    let product = Model::new(&Operation::new(Unit::Fmac, operation.operand, operation.result));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(count);
    (0..count).step_by(BATCH as usize).map(move |start| {
        let numbers = start..count.min(start + BATCH);
        let vectors: Vec<Vec<u64>> = numbers.map(|_| vector(model.operation(), &product, &mut random)).collect();
        Batch::new(&model, start, &vectors)
    })
}

fn views(columns: &[Vec<u64>]) -> Vec<Column<'_>> {
    columns.iter().map(|column| Column::narrow(column)).collect()
}

/// Columns of ports of up to 64 bits.
fn narrow(columns: &mut [Vec<u64>]) -> Vec<ColumnMut<'_>> {
    columns.iter_mut().map(|column| ColumnMut::narrow(column)).collect()
}

/// Operand codes; the last one is often near what the others make, or near a value or tie of the result.
fn vector(operation: &Operation, product: &Model, random: &mut impl Rng) -> Vec<u64> {
    let operand = operation.operand;
    let mut vector = match operation.unit {
        Unit::Decode | Unit::Encode | Unit::Convert => vec![near_result(operation, random)],
        Unit::Mul | Unit::Divide => vec![code(&operand, random), code(&operand, random)],
        Unit::Add | Unit::Sub => {
            let a = code(&operand, random);
            vec![a, partner(&operand, a, random)]
        }
        Unit::Fmac | Unit::Mac => {
            let (a, b) = (code(&operand, random), code(&operand, random));
            let product = product.first_result(&[a.into(), b.into(), 0]);
            vec![a, b, partner(&operation.result, product as u64, random)]
        }
        Unit::Dot
        | Unit::Mma
        | Unit::MxDot
        | Unit::MxQuantize
        | Unit::Unscale
        | Unit::Softmax
        | Unit::RmsNorm
        | Unit::LayerNorm
        | Unit::Hadamard
        | Unit::Reduce => {
            let ports = operation.inputs();
            let mut word = |port: &Port| {
                let format = port.format().expect("an operand is a code");
                (0..port.lanes).fold(0, |word, _| word << format.width() | code(&format, random))
            };
            ports.iter().filter(|port| port.format().is_some()).map(&mut word).collect()
        }
        Unit::Update => {
            let operands = operation.inputs().into_iter().filter(|port| port.format().is_some());
            operands.map(|_| code(&operand, random)).collect()
        }
        Unit::DotExact => {
            let mut bit = || random.random_range(0..2);
            let bits = [bit(), bit()];
            [[code(&operand, random), code(&operand, random)], bits].concat()
        }
        Unit::DotStream => vec![code(&operand, random), code(&operand, random), random.random_range(0..2)],
        Unit::Accumulate => vec![code(&operand, random), random.random_range(0..2)],
        Unit::LossScaler => vec![code(&operand, random), random.random_range(0..2)],
        Unit::Random => vec![edge_or_any(operation.inputs()[0].width(), random), random.random_range(0..2)],
        Unit::PositDecoder | Unit::Classify | Unit::Reciprocal | Unit::Sqrt | Unit::Rsqrt | Unit::Function => {
            vec![code(&operand, random)]
        }
        Unit::Compare | Unit::Minmax => {
            let a = code(&operand, random);
            vec![a, partner(&operand, a, random)]
        }
        Unit::Sgnj => vec![code(&operand, random), code(&operand, random), random.random_range(0..4)],
        Unit::PositEncoder => operation.inputs()[..6].iter().map(|port| edge_or_any(port.width(), random)).collect(),
    };
    if operation.rounding_port_bits() > 0 {
        vector.push(edge_or_any(operation.rounding_port_bits(), random));
    }
    vector
}

/// A special code, or one with an edge or a random number in each of its fields.
fn code(format: &Format, random: &mut impl Rng) -> u64 {
    if random.random_range(0..8) == 0 {
        let specials =
            [Some(0), Some(format.min_code()), Some(format.max_code()), format.infinity_code(), format.nan_code()];
        let special = specials[random.random_range(0..specials.len())].unwrap_or(0);
        return special as u64 ^ random.random::<u64>() & format.sign_mask() as u64;
    }
    let sign = random.random::<u64>() & format.sign_mask() as u64;
    match format {
        Format::Float(float) => {
            let field = edge_or_any(float.exponent_bits, random);
            sign | field << float.trailing_bits | edge_or_any(float.trailing_bits, random)
        }
        Format::Posit(posit) => {
            // A run of zeros or ones, and anything or an edge behind it.
            let rest = random.random_range(0..posit.bits);
            let run = if random.random() { format.magnitude_mask() >> rest << rest } else { 0 };
            sign | run as u64 ^ edge_or_any(rest.max(1), random)
        }
        Format::Fixed(fixed) => sign | edge_or_any(fixed.magnitude_bits().min(63), random),
        Format::Codebook(_) => random.random::<u64>() & format.code_mask() as u64,
    }
}

/// A number of `bits` bits: random, few bits set, or near 0, the middle or the end.
fn edge_or_any(bits: u32, random: &mut impl Rng) -> u64 {
    let ones = (1_u64 << bits) - 1;
    let any = random.random::<u64>();
    let near = any >> 32 & 3;
    let number = match random.random_range(0..8) {
        0 => near,
        1 => ones.wrapping_sub(near),
        2 => (ones / 2).wrapping_add(near).wrapping_sub(1),
        3 => 1_u64 << random.random_range(0..=bits),
        _ => any,
    };
    number & ones
}

/// A code to meet `code` in a sum: some binades or ulps off, or anything.
fn partner(format: &Format, code: u64, random: &mut impl Rng) -> u64 {
    let reach = i64::from(format.precision()) + 3;
    let sign = random.random::<u64>() & format.sign_mask() as u64;
    let trailing_bits = format.precision() - 1;
    let magnitude = code & format.magnitude_mask() as u64;
    let offset = match random.random_range(0..4) {
        0 => random.random_range(-2..=2),
        1 => random.random_range(-reach..=reach) << trailing_bits,
        2 => (random.random_range(-reach..=reach) << trailing_bits) + random.random_range(-3..=3),
        _ => return self::code(format, random),
    };
    let trailing = if random.random() { edge_or_any(trailing_bits, random) } else { 0 };
    let moved = (magnitude ^ trailing).saturating_add_signed(offset).min(format.magnitude_mask() as u64);
    sign | moved
}

/// An operand at a value of the result or halfway to the next one, or a lone bit above or below that.
fn near_result(operation: &Operation, random: &mut impl Rng) -> u64 {
    let (from, to) = (&operation.operand, &operation.result);
    if random.random_range(0..3) == 0 {
        return code(from, random);
    }
    let target = code(to, random);
    let magnitude = |code: u64| {
        let nearest = from.encode(to.decode(code.into()), from.default_rounding(), operation.overflow);
        from.magnitude(nearest)
    };
    let last = (to.sign_mask() | to.magnitude_mask()) as u64;
    let (at, next) = (magnitude(target), magnitude(target.saturating_add(1).min(last)));
    let trailing_bits = from.precision() - 1;
    // Codes are linear in a binade, and half a binade up is 1.5; half the smallest value is a binade down.
    let (tie, half_gap) = match at {
        0 => (next.saturating_sub(1 << trailing_bits), 1 << trailing_bits),
        _ => (at.midpoint(next), at.abs_diff(next) / 2),
    };
    let base = if random.random() { tie } else { at };
    let lone = [0, 1 << random.random_range(0..=half_gap.checked_ilog2().unwrap_or(0))][random.random_range(0..2)];
    let moved = if random.random() { base.saturating_add(lone) } else { base.saturating_sub(lone) };
    let negative = to.sign() == Sign::Signed && random.random();
    from.code(negative, moved.min(from.magnitude_mask())) as u64
}
