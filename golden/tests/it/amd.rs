//! The matrix units of AMD's GPUs against their rules, written here with floats and integers: CDNA 2 with the host's binary32, CDNA 3 with
//! numbers in fixed point.

use crate::common::Random;
use binade_golden::Model;
use binade_spec::{Format, Like, Selection, Summation, Unit, Word};

/// The fields of a format, its bias, and whether all ones in the exponent are infinities and NaN, or only the code of -0 is NaN.
#[derive(Clone, Copy)]
struct Fields {
    name: &'static str,
    exponent_bits: u32,
    trailing_bits: u32,
    bias: i32,
    is_ieee: bool,
}

const fn ieee(name: &'static str, exponent_bits: u32, trailing_bits: u32) -> Fields {
    Fields { name, exponent_bits, trailing_bits, bias: (1 << (exponent_bits - 1)) - 1, is_ieee: true }
}

const BINARY32: Fields = ieee("binary32", 8, 23);
const BINARY16: Fields = ieee("binary16", 5, 10);
const BFLOAT16: Fields = ieee("bfloat16", 8, 7);
const TF32: Fields = ieee("tf32", 8, 10);
const E3M2: Fields = ieee("e3m2", 3, 2);
const E4M3FNUZ: Fields = Fields { name: "k8p4sf", exponent_bits: 4, trailing_bits: 3, bias: 8, is_ieee: false };
const E5M2FNUZ: Fields = Fields { name: "k8p3sf", exponent_bits: 5, trailing_bits: 2, bias: 16, is_ieee: false };

/// What a code stands for: a significand, which is an integer, and the exponent of its integer bit.
#[derive(Clone, Copy, PartialEq)]
enum Decoded {
    Finite { significand: i128, exponent: i32 },
    Infinite { negative: bool },
    Nan,
}

impl Fields {
    fn width(self) -> u32 {
        1 + self.exponent_bits + self.trailing_bits
    }

    fn format(self) -> Format {
        self.name.parse().unwrap()
    }

    fn top(self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    fn decode(self, code: u64) -> Decoded {
        let negative = code >> (self.width() - 1) & 1 == 1;
        let trailing = code & ((1 << self.trailing_bits) - 1);
        let field = code >> self.trailing_bits & self.top();
        match (field, trailing) {
            (0, 0) if negative && !self.is_ieee => return Decoded::Nan,
            (field, 0) if field == self.top() && self.is_ieee => return Decoded::Infinite { negative },
            (field, _) if field == self.top() && self.is_ieee => return Decoded::Nan,
            _ => {}
        }
        let magnitude = i128::from(trailing | u64::from(field > 0) << self.trailing_bits);
        let significand = if negative { -magnitude } else { magnitude };
        Decoded::Finite { significand, exponent: field.max(1) as i32 - self.bias }
    }

    /// The code of `n * 2^exponent`, rounded to nearest even, of a format with infinities.
    fn nearest(self, n: i128, exponent: i32) -> u64 {
        let sign = u64::from(n < 0) << (self.width() - 1);
        let magnitude = n.unsigned_abs();
        let first = 127 - magnitude.max(1).leading_zeros() as i32;
        let last = (first + exponent - self.trailing_bits as i32).max(1 - self.bias - self.trailing_bits as i32);
        let drop = last - exponent;
        let (kept, is_up) = match drop {
            ..=0 => (magnitude << -drop, false),
            _ => {
                let drop = drop.min(127) as u32;
                let (kept, rest, half) = (magnitude >> drop, magnitude & ((1 << drop) - 1), 1 << (drop - 1));
                (kept, rest > half || rest == half && kept & 1 == 1)
            }
        };
        let kept = kept + u128::from(is_up);
        // The integer bit adds 1 to the exponent field, and so does a carry.
        let field = (last + self.trailing_bits as i32 + self.bias - 1) as u64;
        let code = (field << self.trailing_bits) + kept as u64;
        sign | code.min(self.infinity())
    }

    fn infinity(self) -> u64 {
        self.top() << self.trailing_bits
    }

    fn nan(self) -> u64 {
        self.infinity() | 1 << (self.trailing_bits - 1)
    }
}

/// `n * 2^shift`, rounded down.
fn down(n: i128, shift: i32) -> i128 {
    if shift >= 0 { n << shift } else { n >> (-shift).min(127) }
}

/// The same, truncated.
fn truncated(n: i128, shift: i32) -> i128 {
    down(n.abs(), shift) * n.signum()
}

/// A sum as CDNA 3 has it, of one group of products or of two.
fn grouped([x, y]: [Fields; 2], result: Fields, is_interleaved: bool, a: &[u64], b: &[u64], c: u64) -> u64 {
    let infinity = |negative: bool| result.infinity() | u64::from(negative) << (result.width() - 1);
    let addend = result.decode(c);
    let pairs: Vec<[Decoded; 2]> = a.iter().zip(b).map(|(&a, &b)| [x.decode(a), y.decode(b)]).collect();
    let is_negative = |of: &Decoded| match of {
        Decoded::Finite { significand, .. } => *significand < 0,
        Decoded::Infinite { negative } => *negative,
        Decoded::Nan => false,
    };
    let is_zero = |of: &Decoded| matches!(of, Decoded::Finite { significand: 0, .. });
    let is_infinite = |of: &Decoded| matches!(of, Decoded::Infinite { .. });
    let mut infinities: Vec<bool> = vec![];
    for [a, b] in &pairs {
        if *a == Decoded::Nan || *b == Decoded::Nan || is_infinite(a) && is_zero(b) || is_zero(a) && is_infinite(b) {
            return result.nan();
        }
        if is_infinite(a) || is_infinite(b) {
            infinities.push(is_negative(a) != is_negative(b));
        }
    }
    if addend == Decoded::Nan {
        return result.nan();
    }
    infinities.extend(is_infinite(&addend).then(|| is_negative(&addend)));
    if infinities.is_empty() {
        // Products from two to this power on.
        let limit = result.bias + 1;
        for [a, b] in &pairs {
            let &[Decoded::Finite { significand: m, exponent: e }, Decoded::Finite { significand: n, exponent: f }] =
                &[*a, *b]
            else {
                continue;
            };
            let product = m * n;
            let place = e + f - (x.trailing_bits + y.trailing_bits) as i32;
            let first = 127 - product.unsigned_abs().max(1).leading_zeros() as i32;
            if product != 0 && first + place >= limit {
                infinities.push(product < 0);
            }
        }
    }
    if let Some(&first) = infinities.first() {
        return if infinities.contains(&!first) { result.nan() } else { infinity(first) };
    }
    let (products_bits, sum_bits) = (result.trailing_bits as i32 + 1, result.trailing_bits as i32 + 8);
    let below = (x.trailing_bits + y.trailing_bits) as i32;
    let mut groups: Vec<(i128, i32)> = vec![];
    for first in 0..if is_interleaved { 2 } else { 1 } {
        let step = if is_interleaved { 2 } else { 1 };
        let products = pairs.iter().skip(first).step_by(step).filter_map(|[a, b]| match (a, b) {
            (Decoded::Finite { significand: m, exponent: e }, Decoded::Finite { significand: n, exponent: f })
                if m * n != 0 =>
            {
                Some((m * n, e + f))
            }
            _ => None,
        });
        let products: Vec<(i128, i32)> = products.collect();
        if let Some(largest) = products.iter().map(|&(_, exponent)| exponent).max() {
            let term = |&(product, e): &(i128, i32)| truncated(product, products_bits - below + e - largest);
            groups.push((products.iter().map(term).sum(), largest));
        }
    }
    let of_groups = groups.iter().map(|&(_, exponent)| exponent).max();
    let products: i128 = groups.iter().map(|&(sum, exponent)| down(sum, exponent - of_groups.unwrap())).sum();
    let Decoded::Finite { significand, exponent } = addend else { unreachable!("infinities are dealt with") };
    let mut largest = of_groups.unwrap_or(i32::MIN).max(1 - result.bias);
    if significand != 0 {
        largest = largest.max(exponent);
    }
    let products = of_groups.map_or(0, |of_groups| down(products, sum_bits - products_bits + of_groups - largest));
    let is_dropped = is_interleaved && exponent < largest - products_bits - 1;
    let addend = down(significand, products_bits - result.trailing_bits as i32 + exponent - largest);
    let addend = if is_dropped || significand == 0 { 0 } else { addend };
    match products + (addend << (sum_bits - products_bits)) {
        0 => 0,
        sum => result.nearest(sum, largest - sum_bits),
    }
}

/// A sum as CDNA 2 has it, with the host's binary32.
fn flushed(of: Fields, block: usize, a: &[u64], b: &[u64], c: u32) -> u32 {
    let subnormal = |x: f32| x.abs() < f32::MIN_POSITIVE;
    let flush = |x: f32| if subnormal(x) { 0.0_f32.copysign(x) } else { x };
    // A product of two numbers with few bits, with the sign of the sum with +0.
    let value = |code: u64| match of.decode(code) {
        _ if code >> of.trailing_bits & of.top() == 0 => 0.0,
        Decoded::Finite { significand, exponent } => {
            (significand as f64 * 2.0_f64.powi(exponent - of.trailing_bits as i32)) as f32
        }
        Decoded::Infinite { negative } => {
            if negative {
                f32::NEG_INFINITY
            } else {
                f32::INFINITY
            }
        }
        Decoded::Nan => f32::NAN,
    };
    let c = f32::from_bits(c);
    let mut total = if subnormal(c) { 0.0 } else { c };
    for (a, b) in a.chunks(block).zip(b.chunks(block)) {
        let mut level: Vec<f32> = a.iter().zip(b).map(|(&a, &b)| flush(value(a).mul_add(value(b), 0.0))).collect();
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| if let &[x, y] = pair { flush(x + y) } else { pair[0] }).collect();
        }
        total = flush(total + level[0]);
    }
    if total.is_nan() { 0x7fc0_0000 } else { total.to_bits() }
}

/// A code with an exponent anywhere, near others, or at an end.
fn code(random: &mut Random, of: Fields, kind: u64) -> u64 {
    let top = of.top();
    let exponent = match kind {
        0 => random.below(top + 1),
        1 => random.below(3),
        2 => top - random.below(3),
        _ => top / 2 - 2 + random.below(5),
    };
    let trailing = if random.below(4) == 0 { 0 } else { random.below(1 << of.trailing_bits) };
    random.below(2) << (of.width() - 1) | exponent.min(top) << of.trailing_bits | trailing
}

/// An addend anywhere, or with an exponent around that of a sum.
fn addend(random: &mut Random, of: Fields, sum: u64) -> u64 {
    let kind = random.below(4);
    let any = code(random, of, kind);
    let field = sum >> of.trailing_bits & of.top();
    let near = (field + random.below(73)).saturating_sub(36).min(of.top() - 1);
    match random.below(8) {
        0 => any & 1 << (of.width() - 1),
        1 => sum ^ 1 << (of.width() - 1),
        2..5 => any & !(of.top() << of.trailing_bits) | near << of.trailing_bits,
        _ => any,
    }
}

fn word(codes: &[u64], width: u32) -> Word {
    codes.iter().rev().fold(Word::default(), |word, code| (word << width as usize) + *code)
}

#[test]
fn cdna3_follows_its_rules() {
    let mut random = Random(1);
    let mut specials = 0;
    let units = [
        ([BINARY16; 2], BINARY32, false, 8),
        ([BFLOAT16; 2], BINARY32, false, 8),
        ([BFLOAT16; 2], BINARY32, false, 3),
        ([TF32; 2], BINARY32, false, 4),
        ([E4M3FNUZ; 2], BINARY32, true, 16),
        ([E5M2FNUZ; 2], BINARY32, true, 16),
        ([E4M3FNUZ, E5M2FNUZ], BINARY32, true, 16),
        ([E5M2FNUZ, E4M3FNUZ], BINARY32, true, 5),
        ([E5M2FNUZ; 2], BINARY32, true, 1),
        ([E3M2; 2], E3M2, false, 3),
        ([E3M2, E5M2FNUZ], E3M2, true, 3),
        ([E5M2FNUZ; 2], BINARY16, true, 4),
    ];
    for (formats, result, is_interleaved, lanes) in units {
        let selection = Selection {
            second: Some(formats[1].format()),
            lanes: Some(lanes as u32),
            accumulator: Some(result.format()),
            summation: Some(if is_interleaved { Summation::Interleaved } else { Summation::Grouped }),
            ..Selection::new(Unit::Dot, formats[0].format())
        };
        let model = Model::new(&selection.operation().unwrap());
        for _ in 0..20_000 {
            let kind = random.below(4);
            let [mut a, mut b] =
                formats.map(|of| -> Vec<u64> { (0..lanes).map(|_| code(&mut random, of, kind)).collect() });
            if random.below(4) == 0 {
                // Two products that cancel.
                let [one, other] = [0; 2].map(|_| random.below(lanes as u64) as usize);
                (a[one], b[one]) = (a[other] ^ 1 << (formats[0].width() - 1), b[other]);
            }
            let sum = grouped(formats, result, is_interleaved, &a, &b, 0);
            let c = addend(&mut random, result, sum);
            let want = grouped(formats, result, is_interleaved, &a, &b, c);
            let inputs = [word(&a, formats[0].width()), word(&b, formats[1].width()), c.into()];
            let of = formats.map(|of| of.name);
            assert_eq!(model.evaluate(&inputs), [Word::from(want)], "{of:?} {a:x?} {b:x?} {c:x}: {want:x}");
            specials += u32::from(want & result.infinity() == result.infinity());
        }
    }
    assert!(specials > 10_000, "{specials} infinities and NaNs");
}

#[test]
fn cdna2_follows_its_rules() {
    let mut random = Random(2);
    let mut subnormal = 0;
    for (of, block, lanes) in [(BINARY16, 4, 4), (BFLOAT16, 4, 8), (BFLOAT16, 2, 8), (BFLOAT16, 3, 7), (E3M2, 4, 4)] {
        let selection = Selection {
            lanes: Some(lanes),
            block: Some(block),
            accumulator: Some(Format::binary32()),
            summation: Some(Summation::Flushed),
            ..Selection::new(Unit::Dot, of.format())
        };
        let model = Model::new(&selection.operation().unwrap());
        for _ in 0..20_000 {
            // Products are about as large as the smallest normal number in a third of the rows.
            let kind = random.below(6);
            let mut draw = |other: u64| -> Vec<u64> {
                let kind = if kind < 4 { kind } else { other };
                (0..lanes).map(|_| code(&mut random, of, kind)).collect()
            };
            let (a, b) = (draw(1), draw(3));
            let c = addend(&mut random, BINARY32, flushed(of, block as usize, &a, &b, 0).into());
            let want = flushed(of, block as usize, &a, &b, c as u32);
            let inputs = [word(&a, of.width()), word(&b, of.width()), c.into()];
            assert_eq!(model.evaluate(&inputs), [Word::from(want)], "{} {a:x?} {b:x?} {c:x}: {want:x}", of.name);
            subnormal += u32::from(want << 1 == 0);
        }
    }
    assert!(subnormal > 1000, "{subnormal} zeros");
}

/// The units of the two models, with the sums that they choose.
#[test]
fn models_choose_sums() {
    let choice = |like: &str, format: &str| {
        let selection = Selection {
            like: Some(like.parse::<Like>().unwrap()),
            ..Selection::new(Unit::Dot, format.parse().unwrap())
        };
        let operation = selection.operation().unwrap();
        (operation.summation(), operation.lanes(), operation.block(), operation.result.to_string())
    };
    let of = |summation, lanes, block, result: &str| (Some(summation), lanes, block, result.to_string());
    for format in ["binary16", "bfloat16"] {
        assert_eq!(choice("mi250x", format), of(Summation::Flushed, 4, 4, "binary32"));
        assert_eq!(choice("mi300x", format), of(Summation::Grouped, 8, 8, "binary32"));
    }
    assert_eq!(choice("mi300x", "tf32"), of(Summation::Grouped, 4, 4, "binary32"));
    for format in ["e4m3fnuz", "e5m2fnuz"] {
        assert_eq!(choice("mi300x", format), of(Summation::Interleaved, 16, 16, "binary32"));
    }
    for like in ["mi250x", "mi300x"] {
        assert_eq!(choice(like, "binary32"), of(Summation::Chain, 4, 4, "binary32"));
        assert_eq!(choice(like, "binary64"), of(Summation::Chain, 4, 4, "binary64"));
    }
}
