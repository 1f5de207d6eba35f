//! The product of two operands, aligned for rounding.
//!
//! The product of two subnormals is so small that only its sticky bit matters. So the leading zeros of only one operand
//! count, and one shifter serves both ends of the range. It shifts left by those zeros if the result is normal, else in
//! either direction to the place of the subnormals' last bit.
//!
//! ```text
//!    exponent fields          significands
//!           |                      |
//!          add                 multiply
//!           |                      |
//!           |---- leading zeros ---|
//!           |                      |
//!    tiny: below field 1?          |
//!           |                      |
//!           |------ shift ------ shift
//!           |                      |
//!         field           significand, sticky
//! ```
//!
//! | | leading zeros of | for |
//! |---|---|---|
//! | [`Operands::align_by_product`] | the product: no further normalization | area |
//! | [`Operands::align_by_operand`] | the subnormal operand, in parallel with the multiplier | depth |
//! | [`Operands::shift_up_first`] | both operands: a few gates | up to three trailing bits |

use crate::units::{round::decide::below_code_bits, target::FloatTarget, unpack::Unpacked};
use binade_circuit::{Bits, Optimize, concat, signed_width, unsigned_width};
use binade_spec::Float;

/// A product that is aligned for rounding.
pub struct Aligned<'c> {
    /// The exponent field without the leading one, one bit wider than a field.
    pub field: Bits<'c>,
    /// The amount that the leading one adds to `field`, and that in words.
    pub carry: Bits<'c>,
    pub about_carry: &'static str,
    /// The leading one of a normal number or else 0, the trailing significand, the individual bits for rounding, and
    /// sticky.
    pub significand: Bits<'c>,
}

/// The product of two operands of the target's format, aligned for rounding. A product of zero may be anything.
pub fn align<'c>(target: &FloatTarget, operands: &[Unpacked<'c>; 2], is_zero: Bits<'c>) -> Aligned<'c> {
    let (format, rounding) = (&target.format, target.rounding);
    // The flags need the bit below the guard.
    let kept = format.precision() + below_code_bits(rounding) + u32::from(target.flags.is_some());
    let operands = Operands { format, operands, is_zero, kept, random_bits: rounding.random_bits() };
    match is_zero.circuit().optimize() {
        _ if format.trailing_bits <= 3 => operands.shift_up_first(),
        Optimize::Area => operands.align_by_product(),
        Optimize::Depth => operands.align_by_operand(),
    }
}

struct Operands<'a, 'c> {
    format: &'a Float,
    operands: &'a [Unpacked<'c>; 2],
    is_zero: Bits<'c>,
    /// Bits of the significand from the leading one down to the last individual bit for rounding.
    kept: u32,
    random_bits: u32,
}

impl<'c> Operands<'_, 'c> {
    fn bias(&self) -> i64 {
        self.format.bias.into()
    }

    /// The parts of the product's exponent field, before the check of its range.
    fn field_parts(&self, width: u32) -> [(u32, &'static str); 3] {
        let field = self.format.exponent_bits;
        [(1, "sign"), (width - 1 - field, "for overflow"), (field, "of field")]
    }

    fn section(&self, title: &str) {
        self.is_zero.circuit().section(title);
    }

    /// With `k` zeros above the leading one of the product and `Z` the sum of the exponent fields (1 for subnormals), the
    /// exponent field is `Z - k - bias + 1`. The circuit computes `index = c - k`, the place of the leading one.
    fn align_by_product(&self) -> Aligned<'c> {
        let (w, t, p) = (self.format.exponent_bits, self.format.trailing_bits, self.format.precision());
        let [a, b] = self.operands;
        self.section("Multiply the significands");
        let product = a.significand.multiply(b.significand).made_of("product", &product_parts(p));
        // With one subnormal operand, the leading one is among the top p + 1 bits.
        let note = "where the leading one is, unless the product is tiny; its zeros are counted in halves: any_h_l and lower_zeros_h_l are \
                    about the bits h to l";
        let top = product.high(t + 2).explained("top", note);
        let c = (1 << unsigned_width(t + 1)) - 1;
        let place = format!("place of the leading one, counted so that the top bit has {c}");
        let index = (!top.leading_zeros("top").called("top_zeros")).explained("leading_one", place);

        self.section("Exponent");
        let [a_field, b_field] = [a, b].map(|operand| self.field_of(operand));
        let sum = add_and_1(a_field, b_field, "field_sum_plus_1").named("field_sum_plus_1");
        let width = (w + 1).max(index.width()) + 1;
        let normalized = add_and_1(sum.zext(width), index.zext(width), "field_with_offset");
        let offset = self.bias() + c + 1;
        let normalized =
            normalized.explained("field_with_offset", format!("the exponent field of the product + {offset}"));
        let field_less_1 = normalized.plus_constant(-(offset + 1)).made_of("field_less_1", &self.field_parts(width));
        let is_tiny = (field_less_1.msb() | self.is_zero).explained("is_tiny", TINY);

        self.section("Shift: move the leading one to the top, unless tiny");
        // ~sum is -sum - 1.
        let tiny_amount = |width| (!sum.zext(width).low(width)).plus_constant(offset + 1);
        let amount = self.amount(c, is_tiny, (offset, "field_sum_plus_1"), tiny_amount, index);
        let padding = self.kept.saturating_sub(2 * p);
        let word = product.zeros_below(padding + c as u32);
        let (significand, lost) = shift_right(word, 2 * p + padding - self.kept, amount, self.kept);
        let is_normal = !is_tiny;
        Aligned {
            field: is_normal.gate(field_less_1.low(w + 1)).named("field"),
            carry: is_normal,
            about_carry: "the field is 1 less than that of a normal product, whose leading one adds the 1",
            significand: concat(&[is_normal, significand.low(self.kept - 1), lost]),
        }
    }

    /// The product, aligned by the leading zeros of the subnormal operand. Its leading one is then in the top bit or
    /// one bit below.
    fn align_by_operand(&self) -> Aligned<'c> {
        let (w, t, p) = (self.format.exponent_bits, self.format.trailing_bits, self.format.precision());
        let [a, b] = self.operands;
        self.section("Multiply the significands");
        let product = a.significand.multiply(b.significand).made_of("product", &product_parts(p));

        self.section("Leading one of the subnormal operand");
        let [a_is_subnormal, b_is_subnormal] = [a, b].map(|operand| !operand.significand.msb());
        let one_is_subnormal = (a_is_subnormal | b_is_subnormal).named("one_is_subnormal");
        let trailing = a_is_subnormal.gate(a.significand.low(t)) | b_is_subnormal.gate(b.significand.low(t));
        // 2^n less the leading zeros, including the integer bit.
        let index =
            (!trailing.named("subnormal").leading_zeros("subnormal").called("subnormal_zeros")).named("leading_one");
        let c = 1 << index.width();

        self.section("Exponent");
        let [a_field, b_field] = [a, b].map(|operand| self.field_of(operand));
        let sum = a_field.add(b_field).named("field_sum");
        let width = (w + 1).max(index.width()) + 1;
        let zeros = concat(&[one_is_subnormal.repeat(width - index.width()), index]).named("leading_zeros_negated");
        let field_less_1 = sum.zext(width).add(zeros).plus_constant(-(self.bias() + 1));
        let field_less_1 = field_less_1.made_of("field_less_1", &self.field_parts(width));
        let is_tiny = (field_less_1.msb() | self.is_zero).explained("is_tiny", TINY);

        self.section("Shift: move the leading one to one of the two top bits, unless tiny");
        let tiny_amount = |width| (!sum.zext(width).low(width)).plus_constant(c + self.bias() + 1);
        let from = (c + self.bias(), "field_sum");
        let amount = self.amount(c, is_tiny, from, tiny_amount, concat(&[!one_is_subnormal, index]));
        let width = self.kept + 1;
        let padding = width.saturating_sub(2 * p);
        let word = product.zeros_below(padding + c as u32);
        let (shifted, lost) = shift_right(word, 2 * p + padding - width, amount, width);
        let is_2_or_more = shifted.msb().named("product_is_2_or_more");
        let at_top = (is_tiny | is_2_or_more).named("at_top");
        let significand = at_top.select(shifted.high(self.kept), shifted.low(self.kept)).named("significand");
        let lost = lost | (at_top & shifted.bit(0));
        let is_normal = !is_tiny;
        Aligned {
            field: is_normal.gate(field_less_1.low(w + 1)).named("field"),
            carry: added_to_field(is_normal & is_2_or_more, is_normal ^ is_2_or_more),
            about_carry: LESS_1,
            significand: concat(&[is_normal | is_2_or_more, significand.low(self.kept - 1), lost]),
        }
    }

    /// The exponent field; 1 for subnormals.
    fn field_of(&self, operand: &Unpacked<'c>) -> Bits<'c> {
        operand.exponent.plus(self.bias()).to_unsigned().zext(self.format.exponent_bits + 1)
    }

    /// The amount by which the product is shifted right, where `c` means no shift; at most so much that nothing is
    /// left. Amounts of tiny products come from `tiny_amount`: they are a constant less the sum of the fields.
    fn amount(
        &self,
        c: i64,
        is_tiny: Bits<'c>,
        (from, sum): (i64, &str),
        tiny_amount: impl Fn(u32) -> Bits<'c>,
        normal_amount: Bits<'c>,
    ) -> Bits<'c> {
        let bits = (c as u32 + self.kept + 2).next_power_of_two().ilog2();
        let width = self.format.exponent_bits.max(bits).max(normal_amount.width() + 1);
        let tiny_amount = tiny_amount(width.max(self.format.exponent_bits + 1)).low(width);
        let tiny_amount = if width > bits {
            let note = format!("{from} - {sum} is {} or more", 1 << bits);
            let beyond = tiny_amount.high(width - bits).any().explained("beyond", note);
            let note = format!("{from} - {sum}, or all ones if beyond");
            (tiny_amount.low(bits) | beyond.repeat(bits)).explained("amount_if_tiny", note)
        } else {
            tiny_amount.explained("amount_if_tiny", format!("{from} - {sum}"))
        };
        is_tiny.select(tiny_amount, normal_amount.zext(bits)).named("amount")
    }

    /// Subnormals are shifted up before they are multiplied, and the product is shifted right, from one bit to the left of
    /// its place.
    fn shift_up_first(&self) -> Aligned<'c> {
        let (w, t, p) = (self.format.exponent_bits, self.format.trailing_bits, self.format.precision());
        let circuit = self.is_zero.circuit();
        self.section("Shift subnormals up and multiply the significands");
        let one = circuit.constant(1, 1);
        let [a, b] = [("a_up", &self.operands[0]), ("b_up", &self.operands[1])]
            .map(|(name, operand)| concat(&[one, operand.significand.normalize_left(None, name).0.low(t)]));
        let product = a.multiply(b).made_of("product", &product_parts(p));
        let is_2_or_more = product.msb().named("product_is_2_or_more");

        self.section("Exponent");
        let (base, is_tiny) = self.base_and_tiny();
        let less_1 = !self.has_carry();

        self.section("Shift");
        let bits = unsigned_width(self.kept + 1).min(w + 1);
        let low = base.low(bits);
        let beyond = self.is_beyond(base, bits);
        let tiny_amount = (!low).plus_constant(if less_1 { 1 } else { 2 }) | beyond.repeat(bits);
        let tiny_amount = tiny_amount.called("amount_if_tiny");
        let amount = is_tiny.select(tiny_amount, is_2_or_more.zext(bits)).named("amount");
        let padding = self.kept.saturating_sub(2 * p);
        let word = product.zeros_below(padding + 1);
        let (significand, lost) = shift_right(word, 2 * p + padding - self.kept, amount, self.kept);

        let is_normal = !is_tiny;
        let carry = (is_2_or_more & amount.high(bits - 1).none()).named("carry");
        Aligned {
            field: is_normal.gate(base.low(w + 1)).named("field"),
            carry: if less_1 { added_to_field(is_normal & is_2_or_more, is_normal ^ carry) } else { carry },
            about_carry: if less_1 { LESS_1 } else { "carry adds 1 to the field of a product of 2 or more" },
            significand: concat(&[is_normal | carry, significand.low(self.kept - 1), lost]),
        }
    }

    /// For [`Operands::shift_up_first`]: whether a subnormal's field is 0 or -1, where one field of -1 suppresses a
    /// carry in. The product of two subnormals of field -1 is taken as twice its value; only stochastic rounding would
    /// notice.
    fn has_carry(&self) -> bool {
        self.format.trailing_bits == 2 && self.random_bits == 0
    }

    /// For [`Operands::shift_up_first`]: the exponent field of a product below 2 (with a carry in), or that field less 1, in
    /// two's complement; and whether the field is below 1.
    ///
    /// A subnormal that is shifted up by `k` has the exponent field `1 - k`.
    fn base_and_tiny(&self) -> (Bits<'c>, Bits<'c>) {
        let (w, t) = (self.format.exponent_bits, self.format.trailing_bits);
        let width = w + 2;
        let one = self.is_zero.circuit().constant(1, 1);
        let [a, b] = self.operands;
        let fields = [a, b].map(|operand| operand.magnitude.high(w));
        let [a_is_small, b_is_small] = [(a, "a"), (b, "b")].map(|(operand, name)| {
            let is_small = !operand.significand.msb() & !operand.magnitude.bit(t - 1);
            is_small.named(format!("{name}_is_below_half"))
        });
        let sum = match t {
            1 => fields[0].zext(width).add(fields[1].zext(width)),
            2 if self.has_carry() => {
                let carry = (!(a_is_small | b_is_small)).named("none_is_below_half");
                let [a, b] = fields.map(|field| field.zext(width));
                concat(&[a, one]).add(concat(&[b, carry])).called("field_sum_with_carry").high(width)
            }
            _ => {
                let field = |field: Bits<'c>, is_small: Bits<'c>, second: Bits<'c>| {
                    let upper = field.high(w - 1) | is_small.repeat(w - 1);
                    concat(&[is_small, upper, field.bit(0) | (is_small & second)]).sext(width)
                };
                let a = field(fields[0], a_is_small, a.magnitude.bit(t - 2)).named("a_field_shifted");
                a.add(field(fields[1], b_is_small, b.magnitude.bit(t - 2)).named("b_field_shifted"))
            }
        };
        let base = sum.named("field_sum").plus_constant(-(self.bias() + 1)).made_of("base", &self.field_parts(width));
        let is_tiny = if self.has_carry() { base.msb() | base.none() } else { base.msb() };
        (base, is_tiny.named("is_tiny"))
    }

    /// For [`Operands::shift_up_first`]: whether a tiny product must be shifted by 2^`bits` or more.
    fn is_beyond(&self, base: Bits<'c>, bits: u32) -> Bits<'c> {
        let t = self.format.trailing_bits;
        let low = base.low(bits);
        // Up to the bits that are only copies of the sign.
        let lowest = -(self.bias() + 1) - 2 * (i64::from(t) - 1);
        let sign = (signed_width(lowest) - 1).min(base.width() - 1);
        let is_beyond = |at_end: Bits<'c>| {
            if sign > bits { at_end | !base.slice(sign - 1, bits).all() } else { at_end }
        };
        let is_beyond =
            if self.has_carry() { base.msb() & is_beyond(low.high(bits - 1).none()) } else { is_beyond(low.none()) };
        is_beyond.named("beyond")
    }
}

/// The parts of a product.
fn product_parts(precision: u32) -> [(u32, &'static str); 2] {
    [(precision, "of a's significand"), (precision, "of b's")]
}

/// What the leading one adds to the field: 2, 1 or 0.
fn added_to_field<'c>(two: Bits<'c>, one: Bits<'c>) -> Bits<'c> {
    concat(&[two.called("adds_2_to_field"), one.called("adds_1_to_field")])
}

/// The note of a field to which a normal product adds 1 or 2.
const LESS_1: &str =
    "the field is 1 less than that of a normal product below 2, which adds the 1; one of 2 or more adds 2";

/// The note of a product that is below the normal numbers.
const TINY: &str = "below the smallest normal number: its exponent says how far it is shifted, not its leading one";

/// `x + y + 1`: a 1 below the lowest places of both is carried into them.
fn add_and_1<'c>(x: Bits<'c>, y: Bits<'c>, name: &str) -> Bits<'c> {
    let one = x.circuit().constant(1, 1);
    let sum = concat(&[x, one]).add(concat(&[y, one]));
    sum.explained(format!("{name}_with_carry"), "a 1 below the lowest places of both is carried into them")
        .high(x.width())
}

/// `width` bits of `word` from bit `base + amount` up, and whether any bit below them is 1. The longest shifts come first,
/// because they leave the fewest bits.
fn shift_right<'c>(word: Bits<'c>, base: u32, amount: Bits<'c>, width: u32) -> (Bits<'c>, Bits<'c>) {
    let circuit = word.circuit();
    let mut lost = if base > 0 { word.low(base).any() } else { circuit.zero() };
    let mut kept = word.high(word.width() - base);
    for stage in (0..amount.width()).rev() {
        let (step, here) = (1 << stage, amount.bit(stage));
        let needed = (width + step - 1).min(kept.width());
        lost = (lost | (here & kept.low(step.min(kept.width())).any())).named(format!("lost_by_{step}"));
        let moved = match kept.width().saturating_sub(step) {
            0 => circuit.constant(0, needed),
            left => kept.high(left).low(left.min(needed)).zext(needed),
        };
        kept = here.select(moved, kept.low(needed)).named(format!("shifted_by_{step}"));
    }
    (kept.zext(width), lost)
}
