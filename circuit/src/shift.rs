//! Shifters built from stages of multiplexers: alignment with a sticky bit, and normalization.

use crate::{Bits, Optimize, concat};

impl<'c> Bits<'c> {
    /// Shifted right by `amount`, and a sticky bit: 1 if a 1 was shifted out. After the stages that together shift by up to
    /// `n`, the two are named `name_by_<n>` and `name_sticky_<n>`.
    pub fn shift_right_sticky(self, amount: Bits<'c>, name: &str) -> (Bits<'c>, Bits<'c>) {
        self.shift_right_filled(amount, self.circuit().zero(), name)
    }

    /// Shifted right by `amount`, and a sticky bit. The result is 0 if the amount is the width or more, or if `gone`; with
    /// `gone`, the sticky bit is 0.
    pub fn shift_right_out(self, amount: Bits<'c>, gone: Bits<'c>, name: &str) -> (Bits<'c>, Bits<'c>) {
        let stages = stages(self.width() + 1);
        if amount.width() < stages {
            return (!gone).gate(self).shift_right_sticky(amount, name);
        }
        let beyond = match amount.width() - stages {
            0 => gone,
            more => gone | amount.high(more).any(),
        };
        let amount = amount.low(stages) | beyond.named(format!("{name}_beyond")).repeat(stages);
        let (shifted, sticky) = self.shift_right_sticky(amount.named(format!("{name}_shift")), name);
        (shifted, sticky & !gone)
    }

    /// Shifted right by `amount`, with `fill` in the vacated places, and a sticky bit. The stages are named as those of
    /// [`shift_right_sticky`](Bits::shift_right_sticky).
    pub fn shift_right_filled(self, amount: Bits<'c>, fill: Bits<'c>, name: &str) -> (Bits<'c>, Bits<'c>) {
        let width = self.width();
        let (mut shifted, mut sticky) = (self, self.circuit().zero());
        for stage in 0..amount.width().min(stages(width)) {
            let (step, here) = (1 << stage, amount.bit(stage));
            let lost = shifted.low(step).any().called(format!("{name}_low_{step}"));
            let lost = (here & lost).called(format!("{name}_lost_{step}"));
            sticky = (sticky | lost).named(format!("{name}_sticky_{}", 2 * step - 1));
            shifted = here.select(concat(&[fill.repeat(step), shifted.high(width - step)]), shifted);
            shifted = shifted.named(format!("{name}_by_{}", 2 * step - 1));
        }
        if amount.width() > stages(width) {
            let beyond = amount.slice(amount.width() - 1, stages(width)).any().named(format!("{name}_beyond"));
            sticky = sticky | (beyond & shifted.any().called(format!("{name}_any"))).called(format!("{name}_lost"));
            shifted = match fill.known() {
                Some(0) => (!beyond).gate(shifted),
                _ => beyond.select(fill.repeat(width), shifted),
            };
            shifted = shifted.called(format!("{name}_shifted"));
        }
        (shifted, sticky)
    }

    /// Shifted left by a constant, modulo 2^width, with copies of `fill` in the vacated places.
    fn shift_left(self, step: u32, fill: Bits<'c>) -> Bits<'c> {
        concat(&[self.low(self.width() - step), fill.repeat(step)])
    }

    /// The first `count` bits, and whether there is a 1 below; all bits if that is no shorter.
    fn kept(self, count: u32, name: String) -> Bits<'c> {
        if self.width() <= count + 1 {
            return self;
        }
        let below = self.low(self.width() - count).any().called(format!("{name}_sticky"));
        concat(&[self.high(count), below]).named(format!("{name}_kept"))
    }

    /// Shifted left until the top bit is 1, but at most by `limit`; with the shift.
    ///
    /// Each stage shifts by a power of two if that many top bits are 0 and the limit still allows it. The limit is out
    /// of reach (`free`) once it allowed a stage to shift, but a 1 among the top bits prevented it. For depth, the
    /// zeros are counted in parallel with the shifter, up to a 1 that marks the limit.
    pub fn normalize_left(self, limit: Option<Bits<'c>>, name: &str) -> (Bits<'c>, Bits<'c>) {
        self.normalize_signed(self.circuit().zero(), limit, self.width(), name)
    }

    /// Shifted left until the top bit differs from `sign`, but at most by `limit`; with the shift. Below the first `kept`
    /// bits, the result only says whether there is a 1, in any of its lower bits.
    pub fn normalize_signed(
        self,
        sign: Bits<'c>,
        limit: Option<Bits<'c>>,
        kept: u32,
        name: &str,
    ) -> (Bits<'c>, Bits<'c>) {
        if self.circuit().optimize() == Optimize::Depth {
            let magnitude = (self ^ sign.repeat(self.width())).called(format!("{name}_magnitude"));
            let mark = |limit| {
                let mark = self.mark(limit).called(format!("{name}_mark"));
                (magnitude | mark).named(format!("{name}_marked"))
            };
            let shift = limit.map_or(magnitude, mark).leading_zeros(name).named(format!("{name}_shift"));
            return (self.shift_left_by(shift, kept, name), shift);
        }
        self.normalize_stages(Stages { sign, limit, inverts: false, kept }, name)
    }

    /// The same stage by stage, with all bits inverted if `sign` is 1, those in the vacated places among them.
    pub fn normalize_inverted(self, sign: Bits<'c>, limit: Bits<'c>, name: &str) -> (Bits<'c>, Bits<'c>) {
        self.normalize_stages(Stages { sign, limit: Some(limit), inverts: true, kept: self.width() }, name)
    }

    /// The number of zeros above the leading one, by joining counts of halves; for zero, some number up to the next
    /// power of two. Intermediate signals are named after `name` and the places of their bits.
    pub fn leading_zeros(self, name: &str) -> Bits<'c> {
        match stages(self.width()) {
            0 => self.circuit().zero(),
            count => {
                let padding = (1 << count) - self.width();
                self.zeros_below(padding).count_in_halves(0, padding, name).1
            }
        }
    }

    /// Whether there is a one, and the number of zeros above it; the width is a power of two above 1, and the lowest bit has
    /// the place `low` in the whole word, whose `padding` lowest bits are no bits of the number.
    fn count_in_halves(self, low: u32, padding: u32, name: &str) -> (Bits<'c>, Bits<'c>) {
        let (width, half) = (self.width(), self.width() / 2);
        let (upper, lower) = (self.high(half), self.low(half));
        let [top, lowest] = [low + width - 1, low].map(|place| place.saturating_sub(padding));
        let places = format!("{top}_{lowest}");
        let any = self.any().called(format!("{name}_any_{places}"));
        if half == 1 {
            return (any, !upper);
        }
        let (upper_any, upper_count) = upper.count_in_halves(low + half, padding, name);
        let (_, lower_count) = lower.count_in_halves(low, padding, name);
        let count = upper_any.select(upper_count, lower_count).called(format!("{name}_lower_zeros_{places}"));
        debug_assert_eq!(count.width() + 1, stages(width));
        (any, concat(&[!upper_any, count]).called(format!("{name}_zeros_{places}")))
    }

    /// A one, `limit` places below the top; none if that is beyond the lowest bit.
    fn mark(self, limit: Bits<'c>) -> Bits<'c> {
        let place = |place: u32| match place.checked_shr(limit.width()) {
            None | Some(0) => limit.equals_constant(place.into()),
            Some(_) => self.circuit().zero(),
        };
        concat(&(0..self.width()).map(place).collect::<Vec<_>>())
    }

    /// Shifted left by `amount`, modulo 2^width, the largest steps first. Bits that can no longer move into the first `kept`
    /// bits are cut off.
    fn shift_left_by(self, amount: Bits<'c>, kept: u32, name: &str) -> Bits<'c> {
        let zero = self.circuit().zero();
        (0..stages(self.width())).rev().fold(self, |shifted, stage| {
            let step = 1 << stage;
            let moved = amount.bit(stage).select(shifted.shift_left(step, zero), shifted);
            let name = format!("{name}_to_{step}");
            moved.named(&name).kept(kept + step - 1, name)
        })
    }

    fn normalize_stages(self, Stages { sign, limit, inverts, kept }: Stages<'c>, name: &str) -> (Bits<'c>, Bits<'c>) {
        let zero = sign.circuit().zero();
        let count = stages(self.width());
        let inverted = |bits: Bits<'c>, is_due: bool| if is_due { bits ^ sign.repeat(bits.width()) } else { bits };
        if count == 0 {
            return (inverted(self, inverts), zero);
        }
        let (limit, mut free) = self.limit_of_stages(limit, count, name);
        let (mut shifted, mut amount) = (self, vec![]);
        for stage in (0..count).rev() {
            let step = 1 << stage;
            // The first stage inverts: a lookup table has room for it beside a multiplexer.
            let is_first = stage + 1 == count;
            let occupied = inverted(shifted.high(step), !inverts || is_first).any().named(format!("{name}_top_{step}"));
            let allowed = limit.bit(stage);
            let here = (!occupied & (free | allowed)).named(format!("{name}_by_{step}"));
            free = (free | (allowed & occupied)).named(format!("{name}_free_{step}"));
            let fill = if inverts && !is_first { sign } else { zero };
            let moved = inverted(here.select(shifted.shift_left(step, fill), shifted), inverts && is_first);
            shifted = moved.named(format!("{name}_to_{step}")).kept(kept + step - 1, format!("{name}_to_{step}"));
            amount.push(here);
        }
        (shifted, concat(&amount).named(format!("{name}_shift")))
    }

    /// The limit of a shift by `count` stages, and whether it is beyond all of them.
    fn limit_of_stages(self, limit: Option<Bits<'c>>, count: u32, name: &str) -> (Bits<'c>, Bits<'c>) {
        let circuit = self.circuit();
        let Some(limit) = limit else {
            return (circuit.ones(count), circuit.constant(1, 1));
        };
        let beyond = if limit.width() > count {
            {
                let beyond = limit.slice(limit.width() - 1, count).any();
                beyond.explained(format!("{name}_free"), "1: nothing limits the shift, as no result can be subnormal")
            }
        } else {
            circuit.zero()
        };
        (limit.zext(limit.width().max(count)).low(count), beyond)
    }
}

/// How a number is normalized stage by stage.
struct Stages<'c> {
    sign: Bits<'c>,
    limit: Option<Bits<'c>>,
    /// Whether the result is inverted if `sign` is 1.
    inverts: bool,
    kept: u32,
}

/// The number of stages of a shifter of `width` bits: shifts by 1, 2, 4, .. below the width.
fn stages(width: u32) -> u32 {
    (width - 1).checked_ilog2().map_or(0, |log| log + 1)
}
