//! Rounding `mptorch` against SEMANTICS.md section 3, implemented on the number line of the supernormals
//! (`common/line.rs`): ordinary values to nearest, ties to even; powers of two with ties away from zero; zero never
//! rounds up, and nothing above the largest value rounds back to it.

use crate::common::line::{Line, Neighbours, Number, Place};
use crate::common::y;
use crate::common::{Random, codes, format};
use binade_golden::Codec;
use binade_spec::{Operation, OperationError, Overflow, Rounding, Selection, Unit};
use num_bigint::BigUint;
use std::ops::Range;

/// A supernormal, and which of its codes are ordinary.
struct Supernormal {
    line: Line,
    ordinary: Range<usize>,
}

impl Supernormal {
    fn new(w: u32, t: u32, below: u32, above: u32, finite: bool) -> Supernormal {
        let ordinary = (below as usize) << t..((1 << w) - above as usize) << t;
        Supernormal { line: Line::supernormal(w, t, below, above, finite), ordinary }
    }

    fn encode(&self, number: &Number, overflow: Overflow) -> u64 {
        let line = &self.line;
        let place = match line.place(number) {
            Place::Real { negative, among: Neighbours::Between { low_code, high_code, to_middle } } => {
                let outward = match low_code {
                    0 => false,
                    code if code == line.largest() => true,
                    code if self.ordinary.contains(&code) => to_middle.is_gt() || to_middle.is_eq() && code % 2 == 1,
                    _ => to_middle.is_ge(),
                };
                Place::Real { negative, among: Neighbours::At(if outward { high_code } else { low_code }) }
            }
            place => place,
        };
        // What is exactly there is rounded alike in any direction.
        line.encode_at(&place, Rounding::Rne, overflow)
    }

    fn operation(&self, unit: Unit, overflow: Overflow) -> Operation {
        let format = format(&self.line.name);
        Operation { rounding: Rounding::Mptorch, overflow, ..Operation::new(unit, format, format) }
    }

    /// Every value, midpoint and what lies beside them, of either sign; the special values.
    fn check(&self) {
        let format = format(&self.line.name);
        let zero_first = [BigUint::ZERO].into_iter().chain(self.line.probes());
        let reals = zero_first.flat_map(|magnitude| {
            [false, true].map(|negative| Number::Real { negative, magnitude: magnitude.clone() })
        });
        let infinities = [false, true].map(|negative| Number::Infinity { negative });
        for number in reals.chain(infinities).chain([Number::Nan]) {
            for overflow in Overflow::ALL {
                let got = format.encode(number.value(), Rounding::Mptorch, overflow);
                assert_eq!(got, u128::from(self.encode(&number, overflow)), "{format} {overflow} {}", number.value());
            }
        }
    }

    fn check_operation(&self, operation: &Operation, operands: &[u64], exact: &Number) {
        let want = self.encode(exact, operation.overflow);
        assert_eq!(y(operation, operands), want, "{} {} {operands:x?}", operation.unit, self.line.name);
    }

    fn check_pairs(&self, overflow: Overflow) {
        let [mul, add] = [Unit::Mul, Unit::Add].map(|unit| self.operation(unit, overflow));
        for (a, b) in codes(mul.operand).flat_map(|a| codes(mul.operand).map(move |b| (a, b))) {
            let (x, y) = (self.line.decode(a), self.line.decode(b));
            self.check_operation(&mul, &[a, b], &x.times(&y));
            self.check_operation(&add, &[a, b], &x.plus(&y, Rounding::Mptorch));
        }
    }
}

/// The paper's formats and similar ones, infinite and finite.
#[test]
fn supernormals_of_the_paper() {
    for finite in [false, true] {
        for (below, above) in [(1, 1), (2, 2), (4, 4), (1, 2), (2, 1), (3, 0)] {
            Supernormal::new(5, 2, below, above, finite).check();
            Supernormal::new(4, 3, below, above, finite).check();
        }
    }
}

/// All ways to split small exponent ranges.
#[test]
fn supernormals_of_small_shapes() {
    for (w, t) in [(2, 0), (2, 1), (2, 3), (3, 0), (3, 2)] {
        for below in 1..1 << w {
            for above in 0..(1 << w) - below {
                Supernormal::new(w, t, below, above, false).check();
                Supernormal::new(w, t, below, above, true).check();
            }
        }
    }
}

/// All pairs of operands.
#[test]
fn products_and_sums() {
    Supernormal::new(5, 2, 1, 1, false).check_pairs(Overflow::Inf);
    Supernormal::new(4, 3, 2, 2, true).check_pairs(Overflow::Inf);
    Supernormal::new(3, 2, 1, 2, false).check_pairs(Overflow::Saturate);
}

/// Fused multiply-adds, sampled.
#[test]
fn fused() {
    let supernormal = Supernormal::new(5, 2, 2, 2, false);
    let fmac = supernormal.operation(Unit::Fmac, Overflow::Inf);
    let mut random = Random(5);
    for _ in 0..100_000 {
        let [a, b, c] = [(); 3].map(|()| random.below(256));
        let [x, y, z] = [a, b, c].map(|code| supernormal.line.decode(code));
        supernormal.check_operation(&fmac, &[a, b, c], &x.times(&y).plus(&z, Rounding::Mptorch));
    }
}

/// The numbers of SEMANTICS.md section 8: the tie between two powers of two goes away from zero, for any code.
#[test]
fn ties_of_the_paper() {
    let supernormal = format("e5m2b1");
    let encode =
        |x: f32, rounding| supernormal.encode(format("binary32").decode(x.to_bits().into()), rounding, Overflow::Inf);
    assert_eq!((encode(98304.0, Rounding::Rne), encode(98304.0, Rounding::Mptorch)), (0x7e, 0x7e));
    assert_eq!((encode(49152.0, Rounding::Rne), encode(49152.0, Rounding::Mptorch)), (0x7c, 0x7d));
}

/// Other formats do not have the regions that the rounding is defined on.
#[test]
fn refused_for_other_formats() {
    for name in ["e5m2", "e4m3fn", "e4m3ns", "k8p3se", "e8m0", "posit8_2", "binary16"] {
        let format = format(name);
        let selection = Selection { rounding: Some(Rounding::Mptorch), ..Selection::new(Unit::Mul, format) };
        assert_eq!(selection.operation(), Err(OperationError::NotSupernormal { format }), "{name}");
    }
    let selection = Selection { rounding: Some(Rounding::Mptorch), ..Selection::new(Unit::Mul, format("e4m3b2,sat")) };
    assert!(selection.operation().is_ok());
}
