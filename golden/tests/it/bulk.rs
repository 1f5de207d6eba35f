//! RISC-V's bulk normalization (RVBNA): the golden model against the algorithm of the RISC-V unprivileged specification, written here
//! with integers, and against results of Spike.

use binade_golden::Model;
use binade_spec::{Format, Like, Selection, Summation, Tininess, Unit, Word};

const INVALID: u32 = 8;
const OVERFLOW: u32 = 4;

/// The fields of an operand's format, and whether codes with all ones in the exponent are infinities and NaN, or only the last code is
/// NaN.
#[derive(Clone, Copy)]
struct Fields {
    name: &'static str,
    exponent_bits: u32,
    trailing_bits: u32,
    has_infinity: bool,
}

const BFLOAT16: Fields = Fields { name: "bfloat16", exponent_bits: 8, trailing_bits: 7, has_infinity: true };
const E5M2: Fields = Fields { name: "e5m2", exponent_bits: 5, trailing_bits: 2, has_infinity: true };
const E4M3FN: Fields = Fields { name: "e4m3fn", exponent_bits: 4, trailing_bits: 3, has_infinity: false };

impl Fields {
    fn width(self) -> u32 {
        1 + self.exponent_bits + self.trailing_bits
    }

    fn sign(self, code: u64) -> bool {
        code >> (self.width() - 1) & 1 == 1
    }

    fn trailing(self, code: u64) -> u64 {
        code & ((1 << self.trailing_bits) - 1)
    }

    fn exponent(self, code: u64) -> u64 {
        code >> self.trailing_bits & ((1 << self.exponent_bits) - 1)
    }

    fn is_top(self, code: u64) -> bool {
        self.exponent(code) + 1 == 1 << self.exponent_bits
    }

    fn is_infinite(self, code: u64) -> bool {
        self.has_infinity && self.is_top(code) && self.trailing(code) == 0
    }

    fn is_nan(self, code: u64) -> bool {
        let last = (1 << self.trailing_bits) - 1;
        let is_nan = if self.has_infinity { self.trailing(code) != 0 } else { self.trailing(code) == last };
        self.is_top(code) && is_nan
    }

    fn is_signaling(self, code: u64) -> bool {
        self.has_infinity && self.is_nan(code) && self.trailing(code) >> (self.trailing_bits - 1) == 0
    }

    fn is_zero(self, code: u64) -> bool {
        self.exponent(code) == 0 && self.trailing(code) == 0
    }

    /// The significand with its integer bit, and the biased exponent that subnormals share with the smallest normal numbers.
    fn parts(self, code: u64) -> (i128, i32) {
        let integer = if self.exponent(code) == 0 { 0 } else { 1 << self.trailing_bits };
        ((integer | self.trailing(code)).into(), self.exponent(code).max(1) as i32)
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }
}

/// A shift to the right, with the last bit 1 if bits were lost.
fn to_odd(magnitude: i128, shift: i32) -> i128 {
    match shift {
        ..=0 => magnitude << -shift,
        1..=120 => magnitude >> shift | i128::from(magnitude & ((1 << shift) - 1) != 0),
        _ => i128::from(magnitude != 0),
    }
}

/// The dot product without the addend in binary32, and its flags.
fn bulk_normalized([x, y]: [Fields; 2], a: &[u64], b: &[u64]) -> (u32, u32) {
    let pairs = || a.iter().copied().zip(b.iter().copied());
    let infinite = |(a, b): (u64, u64)| {
        let is_number = |x: Fields, code| !x.is_nan(code) && !x.is_zero(code);
        (x.is_infinite(a) && is_number(y, b)) || (y.is_infinite(b) && is_number(x, a))
    };
    let negative = |(a, b): (u64, u64)| x.sign(a) != y.sign(b);
    let of_zero = |(a, b)| (x.is_infinite(a) && y.is_zero(b)) || (x.is_zero(a) && y.is_infinite(b));
    let [above, below] = [false, true].map(|sign| pairs().any(|pair| infinite(pair) && negative(pair) == sign));
    let is_new = (above && below) || pairs().any(of_zero);
    let signals = pairs().any(|(a, b)| x.is_signaling(a) || y.is_signaling(b));
    let invalid = if is_new || signals { INVALID } else { 0 };
    if is_new || pairs().any(|(a, b)| x.is_nan(a) || y.is_nan(b)) {
        return (0x7fc0_0000, invalid);
    }
    if above || below {
        return (0x7f80_0000 | u32::from(below) << 31, invalid);
    }
    let guard_bits = (0..).find(|&bits| 1 << bits >= a.len()).expect("few products");
    let products: Vec<(bool, i128, i32)> = pairs()
        .map(|(a, b)| {
            let ((m, e), (n, f)) = (x.parts(a), y.parts(b));
            (negative((a, b)), m * n, e + f)
        })
        .filter(|&(_, product, _)| product != 0)
        .collect();
    let Some(largest) = products.iter().map(|&(_, _, exponent)| exponent).max() else { return (0, 0) };
    // 23 fraction bits and guard bits below the reference exponent.
    let up = 23 + guard_bits - (x.trailing_bits + y.trailing_bits) as i32;
    let aligned = products.iter().map(|&(negative, product, exponent)| {
        let magnitude = to_odd(product << 64, 64 - up + largest - exponent);
        if negative { -magnitude } else { magnitude }
    });
    let sum: i128 = aligned.sum();
    let exponent = largest - x.bias() - y.bias() - 23 - guard_bits;
    rounded_to_odd(sum, exponent)
}

/// `sum * 2^exponent` in binary32, rounded to odd, with infinity beyond the largest value; and the flags.
fn rounded_to_odd(sum: i128, exponent: i32) -> (u32, u32) {
    if sum == 0 {
        return (0, 0);
    }
    let (sign, magnitude) = (u32::from(sum < 0) << 31, sum.abs());
    let leading = 127 - magnitude.leading_zeros() as i32;
    // The place of the last bit, not below that of subnormals.
    let last = (leading + exponent - 23).max(-149);
    let significand = to_odd(magnitude, last - exponent) as u32;
    let field = if significand >> 23 == 1 { last + 23 + 127 } else { 0 };
    match field {
        255.. => (sign | 0x7f80_0000, OVERFLOW),
        _ => (sign | (field as u32) << 23 | significand & 0x7f_ffff, 0),
    }
}

/// The sum of two codes of binary32, rounded to odd, with infinity beyond the largest value; and the flags.
fn added(x: u32, y: u32) -> (u32, u32) {
    let is_nan = |code: u32| code << 1 > 0xff00_0000;
    let is_infinite = |code: u32| code << 1 == 0xff00_0000;
    let is_signaling = |code: u32| is_nan(code) && code >> 22 & 1 == 0;
    let is_new = is_infinite(x) && is_infinite(y) && x != y;
    let invalid = if is_new || is_signaling(x) || is_signaling(y) { INVALID } else { 0 };
    match (x, y) {
        _ if is_new || is_nan(x) || is_nan(y) => return (0x7fc0_0000, invalid),
        _ if is_infinite(x) => return (x, 0),
        _ if is_infinite(y) => return (y, 0),
        _ if x << 1 == 0 && y << 1 == 0 => return (x & y, 0),
        _ => {}
    }
    let parts = |code: u32| {
        let field = code >> 23 & 255;
        let significand = i128::from(code & 0x7f_ffff | u32::from(field > 0) << 23);
        (if code >> 31 == 1 { -significand } else { significand }, field.max(1) as i32 - 127 - 23)
    };
    let ((m, e), (n, f)) = (parts(x), parts(y));
    let ((large, at), (small, below)) = if e >= f { ((m, e), (n, f)) } else { ((n, f), (m, e)) };
    // A term that is farther below only decides the last bit.
    let distance = at - below;
    let small = if distance > 90 { (small.signum(), at - 60) } else { (small, below) };
    rounded_to_odd((large << (at - small.1)) + small.0, small.1)
}

fn model(formats: [Fields; 2], lanes: usize) -> Model {
    let [operand, second] = formats.map(|fields| -> Format { fields.name.parse().unwrap() });
    let selection = Selection {
        second: Some(second),
        lanes: Some(lanes as u32),
        like: Some(Like::Rvbna),
        flags: Some(Tininess::After),
        ..Selection::new(Unit::Dot, operand)
    };
    Model::new(&selection.operation().unwrap())
}

/// Random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end
    }

    /// A code with an exponent anywhere, near others, or at an end.
    fn code(&mut self, exponent_bits: u32, trailing_bits: u32, kind: u64) -> u64 {
        let top = (1 << exponent_bits) - 1;
        let exponent = match kind {
            0 => self.below(top + 1),
            1 => self.below(3),
            2 => top - self.below(3),
            _ => top / 2 - 2 + self.below(5),
        };
        let trailing = if self.below(4) == 0 { 0 } else { self.below(1 << trailing_bits) };
        self.below(2) << (exponent_bits + trailing_bits) | exponent << trailing_bits | trailing
    }
}

fn word(codes: &[u64], width: u32) -> Word {
    codes.iter().rev().fold(Word::default(), |word, code| (word << width as usize) + *code)
}

#[test]
fn the_model_follows_the_specification() {
    let mut random = Random(1);
    let mut seen = [0; 16];
    let formats = [[BFLOAT16; 2], [E5M2; 2], [E4M3FN; 2], [E4M3FN, E5M2], [E5M2, E4M3FN]];
    for formats in formats {
        for lanes in [1, 2, 3, 4, 8] {
            let model = model(formats, lanes);
            for _ in 0..6_000 {
                let kind = random.below(4);
                let [a, b] = formats.map(|Fields { exponent_bits, trailing_bits, .. }| -> Vec<u64> {
                    (0..lanes).map(|_| random.code(exponent_bits, trailing_bits, kind)).collect()
                });
                let (sum, flags) = bulk_normalized(formats, &a, &b);
                // An addend anywhere, or one that cancels the sum.
                let c = match random.below(4) {
                    0 => sum ^ 0x8000_0000,
                    1 => 0x8000_0000,
                    _ => random.code(8, 23, kind) as u32,
                };
                let (y, more) = added(sum, c);
                let flags = flags | more;
                let inputs = [word(&a, formats[0].width()), word(&b, formats[1].width()), c.into()];
                assert_eq!(
                    model.evaluate(&inputs),
                    [Word::from(y), Word::from(flags)],
                    "{} {} {a:x?} {b:x?} {c:08x}: {y:08x} {flags:x}",
                    formats[0].name,
                    formats[1].name
                );
                seen[flags as usize] += 1;
            }
        }
    }
    assert!([0, OVERFLOW, INVALID].iter().all(|&flags| seen[flags as usize] > 1000), "{seen:?}");
}

/// The pseudo-code of the specification, as it is printed, differs from its text and from Spike: it keeps the bits that normalization
/// shifts out, instead of those, as a mask of the last bit, and it shifts results that are subnormal the further, the larger they are.
#[test]
fn where_the_printed_pseudo_code_errs() {
    let bfloat16 = [BFLOAT16; 2];
    // 1 + 2^-24 with guard bits: the last bit is 1 because of the guard bit.
    let (one, tiny) = (0x3f80, 0x3980);
    assert_eq!(bulk_normalized(bfloat16, &[one, tiny], &[one, tiny]), (0x3f80_0001, 0));
    let (sum, bits, overflow_bits) = (1_i128 << 24 | 1, 1, 1);
    let leading_zeros = (23 + bits + 2 + overflow_bits) - (128 - sum.leading_zeros() as i32);
    let printed_mask = ((1 << (bits + overflow_bits + 1)) - 1) >> (bits + overflow_bits + 1 - leading_zeros).max(0);
    assert_eq!((sum << leading_zeros) & printed_mask, 0, "the printed mask misses the bit");
    // 2^-127, which is subnormal, of one product: there are no guard bits.
    let (half, least) = (0x3f00, 0x0080);
    assert_eq!(bulk_normalized(bfloat16, &[half], &[least]), (0x0040_0000, 0));
    let (sum, biased) = (1_i128 << 23, 0);
    assert_ne!(sum >> (23 + biased), 0x0040_0000, "the printed shift is by 23 places for the largest subnormals");
}

/// Results that Spike gave.
#[test]
fn the_model_agrees_with_spike() {
    let rows = include_str!("../data/bulk.csv").lines().filter(|line| !line.starts_with('#'));
    let mut compared = 0;
    for row in rows {
        let [format, a, b, c, y, flags] = row.split(',').collect::<Vec<_>>().try_into().unwrap();
        let fields = [BFLOAT16, E5M2, E4M3FN].into_iter().find(|fields| fields.name == format).unwrap();
        let code = |digits: &str| u64::from_str_radix(digits, 16).unwrap();
        let [a, b] = [a, b].map(|codes| codes.split(' ').map(code).collect::<Vec<_>>());
        let wanted = [Word::from(code(y)), Word::from(code(flags))];
        let inputs = [word(&a, fields.width()), word(&b, fields.width()), Word::from(code(c))];
        assert_eq!(model([fields; 2], a.len()).evaluate(&inputs), wanted, "{row}");
        compared += 1;
    }
    assert!(compared >= 300, "{compared} rows");
}

/// Blocks follow each other: the result of one is the addend of the next.
#[test]
fn blocks_follow_each_other() {
    let selection = Selection {
        accumulator: Some(Format::binary32()),
        summation: Some(Summation::Bulk),
        lanes: Some(4),
        ..Selection::new(Unit::Dot, "bfloat16".parse().unwrap())
    };
    let [whole, halves] =
        [None, Some(2)].map(|block| Model::new(&Selection { block, ..selection }.operation().unwrap()));
    let two = Model::new(&Selection { lanes: Some(2), ..selection }.operation().unwrap());
    let mut random = Random(2);
    let mut differ = 0;
    for _ in 0..2_000 {
        let [a, b] = [0; 2].map(|_| -> Vec<u64> { (0..4).map(|_| random.code(8, 7, 3)).collect() });
        let c = Word::from(random.code(8, 23, 3));
        let inputs = |lanes: std::ops::Range<usize>, c| [word(&a[lanes.clone()], 16), word(&b[lanes], 16), c];
        let first = two.evaluate(&inputs(0..2, c.clone())).remove(0);
        let second = two.evaluate(&inputs(2..4, first)).remove(0);
        let in_halves = halves.evaluate(&inputs(0..4, c.clone())).remove(0);
        assert_eq!(in_halves, second, "{a:x?} {b:x?}");
        differ += u32::from(whole.evaluate(&inputs(0..4, c)).remove(0) != second);
    }
    assert!(differ > 100, "{differ}");
}
