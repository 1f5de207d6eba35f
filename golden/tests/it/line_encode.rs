//! Decoding and rounding of every format up to 8 bits, and of some of 16, against a second definition of the formats
//! (`common/line.rs`): every code decoded; every value, every midpoint of two neighbours and numbers just beside them
//! encoded, with both signs, all roundings and all overflow policies, including the ends of the range.

use crate::common::line::{Line, Number};
use crate::common::{codes, format, ways};
use binade_golden::Codec;
use binade_spec::Format;
use num_bigint::BigUint;

const DOMAINS: [&str; 4] = ["se", "sf", "ue", "uf"];
const SUFFIXES: [&str; 5] = ["", "n", "ns", "fn", "f"];

/// Every code has the same value, and every probe rounds to the same code. Returns the number of checks.
fn check(line: &Line) -> u64 {
    let format = format(&line.name);
    assert_eq!(format.width(), line.width, "{}", line.name);
    for code in codes(format) {
        assert_eq!(format.decode(code.into()), line.decode(code).value(), "{} {code:#x}", line.name);
    }
    let probes = line.probes();
    assert!(probes.len() > 6, "{} has hardly a probe", line.name);
    let specials = [Number::Nan, Number::Infinity { negative: false }, Number::Infinity { negative: true }];
    let zeros = [false, true].map(|negative| Number::Real { negative, magnitude: BigUint::ZERO });
    let mut checks = 1 << line.width;
    for number in specials.iter().chain(&zeros) {
        checks += check_number(line, format, number);
    }
    for magnitude in probes {
        for negative in [false, true] {
            checks += check_number(line, format, &Number::Real { negative, magnitude: magnitude.clone() });
        }
    }
    checks
}

fn check_number(line: &Line, format: Format, number: &Number) -> u64 {
    let (value, place) = (number.value(), line.place(number));
    let ways = ways(line.free_sign);
    for &(rounding, overflow) in ways {
        let got = format.encode(value, rounding, overflow);
        let want = line.encode_at(&place, rounding, overflow);
        assert!(
            line.same(got as u64, want),
            "{} {rounding} {overflow} {value}: got {got:#x}, want {want:#x}",
            line.name
        );
    }
    ways.len() as u64
}

#[test]
fn p3109_up_to_8_bits() {
    let mut formats = 0;
    for k in 3..=8 {
        for domain in DOMAINS {
            let max_precision = if domain.starts_with('s') { k - 1 } else { k };
            for p in 1..=max_precision {
                check(&Line::p3109(k, p, domain, false));
                formats += 1;
            }
        }
    }
    assert_eq!(formats, 120, "K 3 to 8, every precision, four domains");
}

#[test]
fn p3109_nosub() {
    for k in 3..=8 {
        for domain in DOMAINS {
            let max_precision = if domain.starts_with('s') { k - 1 } else { k };
            // One bit of precision has no subnormals to lose.
            for p in 2..=max_precision {
                check(&Line::p3109(k, p, domain, true));
            }
        }
    }
}

#[test]
fn floats_up_to_9_bits() {
    for w in 2..=5 {
        for t in 0..=3 {
            for suffix in SUFFIXES {
                check(&Line::float(w, t, suffix, None));
            }
        }
    }
}

#[test]
fn floats_of_other_shapes() {
    for (w, t) in [(2, 5), (2, 8), (3, 4), (6, 1), (6, 0), (7, 0), (7, 1), (8, 1)] {
        for suffix in SUFFIXES {
            check(&Line::float(w, t, suffix, None));
        }
    }
}

#[test]
fn other_biases() {
    for bias in [-40, -3, -1, 0, 1, 2, 9, 11, 100] {
        for suffix in SUFFIXES {
            check(&Line::float(4, 3, suffix, Some(bias)));
            check(&Line::float(3, 2, suffix, Some(bias)));
            check(&Line::float(2, 1, suffix, Some(bias)));
        }
    }
}

#[test]
fn supernormals_of_the_paper() {
    for finite in [false, true] {
        for (below, above) in [(1, 1), (2, 2), (4, 4), (1, 2), (2, 1)] {
            check(&Line::supernormal(5, 2, below, above, finite));
            check(&Line::supernormal(4, 3, below, above, finite));
        }
    }
}

#[test]
#[ignore = "long"]
fn supernormals_of_all_small_shapes() {
    for (w, t) in [(2, 0), (2, 1), (2, 3), (3, 0), (3, 1), (3, 2), (4, 1), (5, 1)] {
        let fields = 1 << w;
        for below in 1..fields {
            for above in 0..fields - below {
                check(&Line::supernormal(w, t, below, above, false));
                check(&Line::supernormal(w, t, below, above, true));
            }
        }
    }
}

#[test]
fn dlfloat16() {
    assert!(check(&Line::dlfloat16()) > 800_000);
}

#[test]
#[ignore = "long"]
fn sixteen_bits() {
    for line in [Line::float(6, 9, "n", None), Line::float(6, 9, "", None), Line::p3109(16, 11, "se", false)] {
        assert!(check(&line) > 1_500_000);
    }
}
