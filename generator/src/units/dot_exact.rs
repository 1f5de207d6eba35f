//! Exact accumulator: products are placed in a window that has room for all of them, and added to it clock by clock.
//!
//! The loop of the register contains only the last adder, and for depth only the adder without its carries. The sum is normalized and
//! rounded after the loop.

use super::sums::{Code, fixed, number::Number, total};
use super::{class::Class, target::Target};
use binade_circuit::{Bits, Optimize, concat};
use binade_spec::{Accumulator, Operation};

/// The code of the sum after this clock, and the sum itself if it is an output.
pub fn dot_exact<'c>(operation: &Operation, target: &Target, [a, b, clear, negate]: [Bits<'c>; 4]) -> Vec<Bits<'c>> {
    let circuit = a.circuit();
    let Accumulator { lowest, width } = operation.accumulator();
    let products: Vec<Number> = (0..operation.lanes())
        .map(|lane| {
            let factors = [("a", a), ("b", b)].into_iter().zip(operation.factors());
            let code =
                |((port, bits), format)| Code::of_lane(format, bits, port, (operation.lanes() > 1).then_some(lane));
            let factors: Vec<Code> = factors.map(code).collect();
            Number::of_signed_product(&[factors[0].clone(), factors[1].clone()], negate)
        })
        .collect();
    let sum = fixed::sum_in_window(&products.iter().collect::<Vec<_>>(), lowest).named("products_sum");
    circuit.section("Accumulate");
    let sum = match circuit.optimize() {
        Optimize::Area => accumulated(resized(sum, width), clear),
        Optimize::Depth => accumulated_without_carries(resized(sum, width), clear),
    };
    let classes: Vec<Class> = products.iter().map(|product| product.class).collect();
    let specials = specials(&classes, clear);
    // The magnitude of the lowest sum occupies the place of the sign.
    let y = total::rounded(
        target,
        total::Total::from_lowest(sum.sext(sum.width() + 1), lowest),
        |negative, is_zero| specials.class(negative, is_zero),
        None,
    );
    let quire = operation.has_quire().then(|| quire(sum, specials.nan));
    [Some(y.code), quire].into_iter().flatten().collect()
}

/// The sum as the posit standard's quire: NaR is a 1 with zeros below.
fn quire<'c>(sum: Bits<'c>, is_nar: Bits<'c>) -> Bits<'c> {
    sum.circuit().section("The quire");
    let digits = sum.width() - 1;
    concat(&[sum.bit(digits) | is_nar, (!is_nar).gate(sum.low(digits))])
}

/// The sum since the last clear, in a register.
fn accumulated<'c>(term: Bits<'c>, clear: Bits<'c>) -> Bits<'c> {
    let acc = term.circuit().register("acc", term.width(), 0, "sum since the last clear, in two's complement");
    let next = (!clear).gate(acc).named("acc_or_zero").add(term).named("acc_next");
    term.circuit().drive(acc, next);
    next
}

/// The sum since the last clear as two words in registers that add up to it: in the loop each bit depends on three bits, and
/// the carries propagate after it.
fn accumulated_without_carries<'c>(term: Bits<'c>, clear: Bits<'c>) -> Bits<'c> {
    let (circuit, width) = (term.circuit(), term.width());
    let bits = circuit.register("acc_bits", width, 0, "sum since the last clear, without the carries");
    let carries = circuit.register("acc_carries", width, 0, "carries of that sum");
    let kept = |word: Bits<'c>, name: &str| (!clear).gate(word).named(name);
    let [bits_kept, carries_kept] = [kept(bits, "bits_or_zero"), kept(carries, "carries_or_zero")];
    let next_bits = (bits_kept ^ carries_kept ^ term).named("next_bits");
    let majority = ((bits_kept & carries_kept) | (term & (bits_kept | carries_kept))).named("carried");
    let next_carries = majority.low(width - 1).zeros_below(1).named("next_carries");
    circuit.drive(bits, next_bits);
    circuit.drive(carries, next_carries);
    next_bits.add(next_carries).named("acc_next")
}

/// The term with the width of the accumulator; it has no digits beyond.
fn resized(sum: Bits, width: u32) -> Bits {
    if sum.width() > width { sum.low(width) } else { sum.sext(width) }
}

/// The special values since the last clear.
struct Specials<'c> {
    nan: Bits<'c>,
    /// +infinity and -infinity.
    infinite: [Bits<'c>; 2],
}

/// A register for each of NaN and the infinities, if the formats have them.
fn specials<'c>(products: &[Class<'c>], clear: Bits<'c>) -> Specials<'c> {
    let circuit = clear.circuit();
    circuit.section("NaN and infinities stay until clear");
    let any = |bit: fn(&Class<'c>) -> Bits<'c>| concat(&products.iter().map(bit).collect::<Vec<_>>()).any();
    let seen = |name: &str, what: &str, now: Bits<'c>| {
        if now.known() == Some(0) {
            return now;
        }
        let before = circuit.register(
            &format!("has_{name}"),
            1,
            0,
            &format!("whether a product was {what} since the last clear"),
        );
        let seen = (now | (before & !clear)).named(format!("any_{name}"));
        circuit.drive(before, seen);
        seen
    };
    Specials {
        nan: seen("nan", "NaN", any(|class| class.is_nan)),
        infinite: [
            seen("plus_infinity", "+infinity", any(|class| class.is_infinite & !class.sign & !class.is_nan)),
            seen("minus_infinity", "-infinity", any(|class| class.is_infinite & class.sign & !class.is_nan)),
        ],
    }
}

impl<'c> Specials<'c> {
    /// The class of a sum with this sign, if it is finite.
    fn class(&self, negative: Bits<'c>, is_zero: Bits<'c>) -> Class<'c> {
        let [above, below] = self.infinite;
        let is_infinite = (above | below).named("sum_is_infinite");
        Class {
            sign: is_infinite.select(below, negative & !is_zero).named("sum_sign"),
            is_zero,
            is_infinite,
            is_nan: (self.nan | (above & below)).named("sum_is_nan"),
            is_invalid: is_zero.circuit().zero(),
        }
    }
}
