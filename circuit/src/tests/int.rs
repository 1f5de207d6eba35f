//! Compares numbers in bounds with `i64`.

use super::values;
use crate::{Bits, Circuit, Int};

/// Numbers made in every way, each with its value for the inputs `x` (3 bits), `y` (2 bits) and `s` (1 bit).
type Number = (for<'c> fn(Bits<'c>, Bits<'c>, Bits<'c>) -> Int<'c>, fn(i64, i64, i64) -> i64);

const NUMBERS: [Number; 12] = [
    (|x, _, _| Int::unsigned(x), |x, _, _| x),
    (|x, _, _| Int::constant(x.circuit(), -3), |_, _, _| -3),
    (|x, _, _| Int::unsigned(x).plus(-5), |x, _, _| x - 5),
    (|x, y, _| Int::unsigned(x).plus(7).add(Int::unsigned(y).plus(-20)), |x, y, _| x + y - 13),
    (|x, y, _| Int::unsigned(x).sub(Int::unsigned(y)), |x, y, _| x - y),
    (|x, y, _| Int::unsigned(y).sub(Int::unsigned(x)).plus(4), |x, y, _| y - x + 4),
    (
        |x, y, s| Int::select(s, Int::unsigned(x).plus(-2), Int::unsigned(y).plus(3)),
        |x, y, s| {
            if s == 1 { x - 2 } else { y + 3 }
        },
    ),
    (
        |x, y, s| Int::select(s, Int::unsigned(x).sub(Int::unsigned(y)), Int::unsigned(x)),
        |x, y, s| {
            if s == 1 { x - y } else { x }
        },
    ),
    (|x, _, _| Int::constant(x.circuit(), 9).sub(Int::unsigned(x)), |x, _, _| 9 - x),
    (|x, y, _| Int::unsigned(x).sub(Int::unsigned(y)).sub(Int::unsigned(x).sub(Int::unsigned(y))), |_, _, _| 0),
    (|x, y, s| Int::unsigned(x).sub(Int::unsigned(y)).add(Int::unsigned(s)).plus(-1), |x, y, s| x - y + s - 1),
    (|_, _, s| Int::unsigned(s).sub(Int::constant(s.circuit(), 1)), |_, _, s| s - 1),
];

/// Calls `check` with every number of `NUMBERS` and its values for all inputs.
fn for_all(check: impl Fn(Int, &[i64])) {
    for (build, plain) in NUMBERS {
        let circuit = Circuit::new();
        let (x, y, s) = (circuit.input("x", 3, ""), circuit.input("y", 2, ""), circuit.input("s", 1, ""));
        let wanted: Vec<i64> = (0..64).map(|index| plain(index & 7, index >> 3 & 3, index >> 5)).collect();
        check(build(x, y, s), &wanted);
    }
}

fn as_bits(wanted: &[i64], test: impl Fn(i64) -> bool) -> Vec<u64> {
    wanted.iter().map(|&number| u64::from(test(number))).collect()
}

#[test]
fn bounds_hold() {
    for_all(|number, wanted| {
        assert!(
            wanted.iter().all(|&n| (number.min()..=number.max()).contains(&n)),
            "{}..={}",
            number.min(),
            number.max()
        );
    });
}

#[test]
fn low_bits_in_twos_complement() {
    for_all(|number, wanted| {
        for width in 1..12 {
            let low: Vec<u64> = wanted.iter().map(|&n| n as u64 & ((1 << width) - 1)).collect();
            assert_eq!(values(number.low_bits(width)), low);
        }
    });
}

#[test]
fn comparisons() {
    for_all(|number, wanted| {
        for constant in -30..30 {
            assert_eq!(values(number.less_than(constant)), as_bits(wanted, |n| n < constant), "< {constant}");
            assert_eq!(values(number.at_least(constant)), as_bits(wanted, |n| n >= constant), ">= {constant}");
            assert_eq!(values(number.equals(constant)), as_bits(wanted, |n| n == constant), "== {constant}");
        }
    });
}

#[test]
fn what_the_bounds_decide_is_constant() {
    for_all(|number, _| {
        assert_eq!(number.less_than(number.min()).known(), Some(0));
        assert_eq!(number.at_least(number.min()).known(), Some(1));
        assert_eq!(number.less_than(number.max() + 1).known(), Some(1));
        assert_eq!(number.equals(number.max() + 1).known(), Some(0));
    });
}

/// `plus`, `add`, `sub` and `select` of one number by another.
#[test]
fn numbers_made_of_numbers() {
    for (build, plain) in NUMBERS {
        for (build_other, plain_other) in NUMBERS {
            let circuit = Circuit::new();
            let (x, y, s) = (circuit.input("x", 3, ""), circuit.input("y", 2, ""), circuit.input("s", 1, ""));
            let (one, other) = (build(x, y, s), build_other(x, y, s));
            let check = |number: Int, combined: fn(i64, i64, i64) -> i64| {
                let wanted = (0..64).map(|index| {
                    let (x, y, s) = (index & 7, index >> 3 & 3, index >> 5);
                    combined(plain(x, y, s), plain_other(x, y, s), s)
                });
                assert_eq!(values(number.low_bits(10)), wanted.map(|n| n as u64 & 1023).collect::<Vec<_>>());
            };
            check(one.add(other), |one, other, _| one + other);
            check(one.sub(other).plus(-9), |one, other, _| one - other - 9);
            check(Int::select(s, one, other), |one, other, s| if s == 1 { one } else { other });
        }
    }
}

/// A number with tighter bounds keeps its value within them; outside them, it is meaningless.
#[test]
fn tighter_bounds() {
    for_all(|number, wanted| {
        for min in number.min()..=number.max() {
            for max in min..=number.max() {
                let tight = number.within(min, max);
                assert_eq!((tight.min(), tight.max()), (min, max));
                let agree = |got: &[u64], want: &[u64]| {
                    (0..64).all(|at| !(min..=max).contains(&wanted[at]) || got[at] == want[at])
                };
                let low: Vec<u64> = wanted.iter().map(|&n| n as u64 & 1023).collect();
                assert!(agree(&values(tight.low_bits(10)), &low));
                assert!(agree(&values(tight.less_than(2)), &as_bits(wanted, |n| n < 2)));
                if min >= 0 {
                    let unsigned = tight.to_unsigned();
                    assert!(agree(&values(unsigned), &low));
                    assert_eq!(unsigned.width(), max.max(1).ilog2() + 1);
                }
            }
        }
    });
}
