//! The rounding decision: which of its two neighbours a number becomes, from the bits below the code of the lower one.

use binade_circuit::{Bits, Circuit, concat};
use binade_spec::{Inward, Rounding};

/// The bits below the last bit of a code.
#[derive(Clone, Copy)]
pub struct Tail<'c> {
    /// The guard bit; for stochastic rounding, as many bits as the random number has.
    pub bits: Bits<'c>,
    /// Whether any lower bit is 1.
    pub sticky: Bits<'c>,
}

/// The number of individual bits below the code that a rounding needs.
pub fn below_code_bits(rounding: Rounding) -> u32 {
    rounding.tail_bits()
}

impl<'c> Tail<'c> {
    /// [`Tail::new`] for numbers that may have no bits below the individual ones.
    pub fn new_or_exact(below: Bits<'c>, looked_at: u32) -> Tail<'c> {
        if below.width() > looked_at {
            return Tail::new(below, looked_at);
        }
        Tail { bits: below, sticky: below.circuit().zero() }
    }

    /// All bits below a code: the top `looked_at` bits, and the rest as sticky.
    pub fn new(below: Bits<'c>, looked_at: u32) -> Tail<'c> {
        Tail { bits: below.high(looked_at), sticky: below.low(below.width() - looked_at).any().called("below_any") }
    }
}

/// The title of the section that rounds.
pub fn banner(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Rne => "Round to nearest, ties to even",
        Rounding::Rna | Rounding::Rnu => "Round to nearest, ties away from zero",
        Rounding::Rtz => "Round toward zero",
        Rounding::Rup => "Round toward +infinity",
        Rounding::Rdn => "Round toward -infinity",
        Rounding::Rto => "Round to odd",
        Rounding::Sr(_) => "Round stochastically: up if the random bits plus the bits below the code carry",
        Rounding::Srb(_) => "Round stochastically: up if the random bits, and a 1, plus the bits below the code carry",
        Rounding::Src(_) => "Round stochastically: up if the random bits plus the rounded bits below the code carry",
        Rounding::Mptorch => "Round to nearest, ties to even; among powers of two, ties away from zero",
        Rounding::Any => "Round in the direction that rm chooses",
    }
}

/// Whether numbers far below half of a step are always rounded down.
pub fn looks_at_guard(rounding: Rounding) -> bool {
    rounding.facets().inward == Inward::Never
}

/// What port `rm` chooses; none of the two is toward zero.
pub struct Mode<'c> {
    /// To nearest; ties go away from zero if `ties_away`.
    pub is_nearest: Bits<'c>,
    pub ties_away: Bits<'c>,
    /// Toward the infinity on the side of the number's sign.
    pub is_outward: Bits<'c>,
}

/// What `rm` chooses for a number with this sign: 0 ties to even, 1 toward zero, 2 toward -infinity, 3 toward +infinity, from 4
/// ties away.
pub fn mode<'c>(rm: Option<Bits<'c>>, sign: Bits<'c>) -> Mode<'c> {
    let rm = rm.expect("a unit with any rounding has the port rm");
    let (ties_away, is_toward_infinity, is_odd) = (rm.bit(2), rm.bit(1), rm.bit(0));
    Mode {
        is_nearest: (ties_away | !(is_toward_infinity | is_odd)).named("is_nearest"),
        ties_away,
        is_outward: (!ties_away & is_toward_infinity & (is_odd ^ sign)).named("is_outward"),
    }
}

/// Whether an exact zero from terms of different signs is negative: if the rounding is toward -infinity (IEEE 754-2019
/// section 6.3).
pub fn makes_minus_zero<'c>(rounding: Rounding, circuit: &'c Circuit, rm: Option<Bits<'c>>) -> Bits<'c> {
    match (rounding, rm) {
        (Rounding::Rdn, _) => circuit.ones(1),
        (Rounding::Any, Some(rm)) => rm.equals_constant(2).named("is_toward_minus_infinity"),
        _ => circuit.zero(),
    }
}

/// Whether a magnitude with this tail above a code, among ordinary values, becomes the next code; `odd` says that the code is odd.
pub fn rounds_up<'c>(
    rounding: Rounding,
    sign: Bits<'c>,
    odd: Bits<'c>,
    tail: &Tail<'c>,
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let is_random = rounding.random_bits() > 0;
    let named = |bits: Bits<'c>, name: &str| if is_random { bits } else { bits.named(name) };
    let (guard, sticky) = (named(tail.bits, "guard"), named(tail.sticky, "sticky"));
    match rounding {
        Rounding::Rne | Rounding::Mptorch => guard & (sticky | odd).called("above_tie_or_odd"),
        Rounding::Rna | Rounding::Rnu => guard,
        Rounding::Rtz => sign.circuit().zero(),
        Rounding::Rup => (guard | sticky) & !sign,
        Rounding::Rdn => (guard | sticky) & sign,
        Rounding::Rto => (guard | sticky) & !odd,
        Rounding::Any => {
            let mode = mode(random, sign);
            let to_nearest = mode.is_nearest & guard & (sticky | odd | mode.ties_away);
            to_nearest.named("rounds_to_nearest") | (mode.is_outward & (guard | sticky))
        }
        Rounding::Sr(_) | Rounding::Srb(_) | Rounding::Src(_) => {
            let random = random.expect("stochastic rounding has random bits");
            carries(tail, addend(rounding, tail, random))
        }
    }
}

/// Whether the bits below a code plus as many other bits carry.
fn carries<'c>(tail: &Tail<'c>, addend: Bits<'c>) -> Bits<'c> {
    let width = tail.bits.width() + 1;
    tail.bits.named("below_code").zext(width).add(addend.zext(width)).named("below_code_plus_random").msb()
}

/// The random bits, and in StochasticB and C the bit that makes a sum with one more bit carry where the rounded fraction would.
fn addend<'c>(rounding: Rounding, tail: &Tail<'c>, random: Bits<'c>) -> Bits<'c> {
    match rounding {
        // A half is rounded up.
        Rounding::Srb(_) => concat(&[random, random.circuit().ones(1)]),
        // A half is rounded up if something is below it, or if the fraction is odd.
        Rounding::Src(_) => {
            let above_tie_or_odd = (tail.sticky | tail.bits.bit(1)).named("fraction_above_tie_or_odd");
            concat(&[random, above_tie_or_odd])
        }
        _ => random,
    }
}
