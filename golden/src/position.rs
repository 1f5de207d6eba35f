//! Places of exact magnitudes on the line of magnitude codes.

use crate::code_line::{Line, Natural};
use crate::{Policy, Rest};
use binade_spec::Rounding;
use ethnum::I256;

/// Where a magnitude lies on the line of magnitude codes: at `code`, or `rest` of the way to the next one. The line
/// continues beyond the ends of the format, so `code` may not be a code of the format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<L> {
    pub code: L,
    pub rest: Rest,
    /// The rest in units of `2^-k` of the step, if `k` random bits are added to it; else 0. It is rounded down, or as the stochastic
    /// rounding says.
    pub fraction: u64,
}

impl<L: Line> Position<L> {
    pub fn widest(self) -> Position<I256> {
        Position { code: self.code.widest(), rest: self.rest, fraction: self.fraction }
    }

    /// Whether it is not exactly at `code`.
    pub fn is_inexact(self) -> bool {
        self.rest != Rest::Zero
    }

    /// Whether a magnitude here, among ordinary values, is rounded up to the next code.
    pub fn goes_up(self, negative: bool, policy: &Policy) -> bool {
        let odd = self.code.is_odd();
        let inexact = self.is_inexact();
        match policy.rounding {
            Rounding::Rne | Rounding::Mptorch => self.rest > Rest::Half || (self.rest == Rest::Half && odd),
            Rounding::Rna | Rounding::Rnu => self.rest >= Rest::Half,
            Rounding::Rtz => false,
            Rounding::Rup => inexact && !negative,
            Rounding::Rdn => inexact && negative,
            Rounding::Rto => inexact && !odd,
            Rounding::Sr(bits) | Rounding::Srb(bits) | Rounding::Src(bits) => {
                self.fraction + policy.random >= 1 << bits
            }
            Rounding::Any => unreachable!("a policy has the rounding that `rm` chooses"),
        }
    }
}

/// A stretch of the line with equal steps: code `origin + i` has the value `i * 2^unit`.
pub(crate) struct Steps<L> {
    pub unit: i32,
    /// The code that 0 would have if the stretch extended down to it.
    pub origin: L,
}

impl<L: Line> Steps<L> {
    /// Where `n * 2^k` lies on this stretch.
    #[inline(always)]
    pub fn place<N: Natural>(&self, n: &N, k: i32, rounding: Rounding) -> Position<L> {
        let (count, rest) = n.split::<L>(self.unit - k);
        Position { code: self.origin + count, rest, fraction: fraction(n, self.unit - k, rounding) }
    }
}

/// The remainder of dividing by `2^drop`, in the units of a stochastic rounding.
#[inline(always)]
fn fraction<N: Natural>(n: &N, drop: i32, rounding: Rounding) -> u64 {
    match rounding {
        Rounding::Sr(bits) => n.below(drop, bits),
        Rounding::Srb(bits) => n.below(drop, bits + 1).div_ceil(2),
        Rounding::Src(bits) => {
            let halves = n.below(drop, bits + 1);
            let is_tie = halves % 2 == 1 && n.is_multiple(drop - bits as i32 - 1);
            if is_tie { (halves / 2).next_multiple_of(2) } else { halves.div_ceil(2) }
        }
        _ => 0,
    }
}
