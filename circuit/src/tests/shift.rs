//! Compares shifters with plain shifts.

use super::values;
use crate::Circuit;

#[test]
fn right_with_sticky() {
    for (width, amount_width) in (1..=9).flat_map(|width| (1..=5).map(move |amount_width| (width, amount_width))) {
        let circuit = Circuit::new();
        let (x, amount) = (circuit.input("x", width, ""), circuit.input("amount", amount_width, ""));
        let (shifted, sticky) = x.shift_right_sticky(amount, "shifted");
        let pairs = || (0..1_u64 << (width + amount_width)).map(|index| (index & ((1 << width) - 1), index >> width));
        assert_eq!(values(shifted), pairs().map(|(x, by)| x >> by).collect::<Vec<_>>(), "{width} by {amount_width}");
        let lost = pairs().map(|(x, by)| u64::from(x >> by << by != x));
        assert_eq!(values(sticky), lost.collect::<Vec<_>>(), "{width} by {amount_width}");
    }
}

#[test]
fn right_and_out() {
    for (width, amount_width) in (1..=9).flat_map(|width| (1..=5).map(move |amount_width| (width, amount_width))) {
        let circuit = Circuit::new();
        let (x, amount) = (circuit.input("x", width, ""), circuit.input("amount", amount_width, ""));
        let gone = circuit.input("gone", 1, "");
        let (shifted, sticky) = x.shift_right_out(amount, gone, "shifted");
        let (shifted, sticky) = (values(shifted), values(sticky));
        for at in 0..1_usize << (width + amount_width + 1) {
            let (x, by) = (at as u64 & ((1 << width) - 1), at as u64 >> width & ((1 << amount_width) - 1));
            let is_gone = at >> (width + amount_width) == 1;
            let want = if is_gone { (0, 0) } else { (x >> by, u64::from(x >> by << by != x)) };
            assert_eq!((shifted[at], sticky[at]), want, "{x} of {width} bits by {by}, {is_gone}");
        }
    }
}

#[test]
fn left_until_the_top_bit_is_one() {
    for width in 2..=10 {
        let circuit = Circuit::new();
        let x = circuit.input("x", width, "");
        let (normalized, shift) = x.normalize_left(None, "normalized");
        let shift_of = |x: u64| x.leading_zeros() - (64 - width);
        let (normalized, shift) = (values(normalized), values(shift));
        assert_eq!(normalized[0], 0);
        for x in 1..1_u64 << width {
            let at = x as usize;
            assert_eq!((normalized[at], shift[at]), (x << shift_of(x), u64::from(shift_of(x))), "{x} of {width} bits");
        }
    }
}

#[test]
fn left_but_no_further_than_a_limit() {
    for (width, limit_width) in (2..=8).flat_map(|width| (1..=5).map(move |limit_width| (width, limit_width))) {
        let circuit = Circuit::new();
        let (x, limit) = (circuit.input("x", width, ""), circuit.input("limit", limit_width, ""));
        let (normalized, shift) = x.normalize_left(Some(limit), "normalized");
        let (normalized, shift) = (values(normalized), values(shift));
        for at in 0..1_usize << (width + limit_width) {
            let (x, limit) = (at as u64 & ((1 << width) - 1), at as u64 >> width);
            if x == 0 {
                // There is no leading one: the shift may be anything up to the limit.
                assert!(normalized[at] == 0 && shift[at] <= limit);
                continue;
            }
            let by = u64::from(x.leading_zeros() - (64 - width)).min(limit);
            assert_eq!((normalized[at], shift[at]), (x << by, by), "{x} of {width} bits by at most {limit}");
        }
    }
}

#[test]
fn left_and_inverted_if_negative() {
    for (width, limit_width) in (2..=7).flat_map(|width| (1..=4).map(move |limit_width| (width, limit_width))) {
        let circuit = Circuit::new();
        let (x, limit) = (circuit.input("x", width, ""), circuit.input("limit", limit_width, ""));
        let sign = circuit.input("sign", 1, "");
        let (normalized, shift) = x.normalize_inverted(sign, limit, "normalized");
        let (normalized, shift) = (values(normalized), values(shift));
        let mask = (1_u64 << width) - 1;
        for at in 0..1_usize << (width + limit_width + 1) {
            let (x, limit) = (at as u64 & mask, at as u64 >> width & ((1 << limit_width) - 1));
            let inverted = if at >> (width + limit_width) == 1 { mask } else { 0 };
            if x == inverted {
                continue;
            }
            let by = u64::from((x ^ inverted).leading_zeros() - (64 - width)).min(limit);
            assert_eq!((normalized[at], shift[at]), ((x << by & mask) ^ inverted, by), "{x} of {width} bits, {limit}");
        }
    }
}
