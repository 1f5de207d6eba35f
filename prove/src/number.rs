//! Exact numbers in a circuit: the values of codes, products, and properties of a sum that are known before it is
//! computed.

use crate::codebook;
use crate::digits::{self, Digits};
use crate::pieces::{Subnormals, pieces};
use crate::words::{
    Multiplier, Word, choose, constant, difference, highest_one, inverted, is_equal, is_less, literal, negated_if,
    plus, product, raised, resized, shifted_down, shifted_left, sign_extended, signed_product, sum,
};
use binade_gates::{Graph, Literal};
use binade_spec::{Float, Format, Infinity, Nan, Sign};

/// A number. At most one of `nan`, `infinite` and `zero` is 1; if none is, the number is `significand * 2^exponent`.
#[derive(Clone, Debug)]
pub struct Number {
    /// NaN or NaR.
    pub nan: Literal,
    /// Either infinity.
    pub infinite: Literal,
    /// Either zero.
    pub zero: Literal,
    /// The sign, also for zeros and infinities.
    pub negative: Literal,
    /// An integer, nonzero if none of the three is 1.
    pub significand: Word,
    /// The exponent of the significand's last place, in two's complement.
    pub exponent: Word,
    /// The signed significand, for posits and fixed point, on which units compute with signs.
    pub signed: Option<SignedDigits>,
    /// Whether invalid was signalled on the way.
    pub invalid: Literal,
}

/// A signed significand in two's complement.
#[derive(Clone, Debug)]
pub enum SignedDigits {
    /// A posit's significand: its two highest digits are 1, or -2 if negative.
    Normalized(Word),
    /// A significand in fixed point, or a product.
    Integer(Word),
}

impl SignedDigits {
    /// The digits, the sign last.
    pub fn word(&self) -> &Word {
        match self {
            SignedDigits::Normalized(word) | SignedDigits::Integer(word) => word,
        }
    }
}

/// The class of a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeClass {
    /// NaN or NaR.
    pub nan: Literal,
    /// A signaling NaN.
    pub signaling: Literal,
    /// Either infinity.
    pub infinite: Literal,
    /// Zero, or a code that is read as zero.
    pub zero: Literal,
    /// The sign bit.
    pub negative: Literal,
}

/// Classifies a code.
pub fn kind(graph: &mut Graph, format: &Format, code: &[Literal]) -> CodeClass {
    match format {
        Format::Float(float) => kind_of_float(graph, float, code),
        Format::Posit(posit) => {
            let negative = code[posit.bits as usize - 1];
            let [zero, nan] = [0, posit.nar()].map(|special| is_equal(graph, code, special as i128));
            CodeClass { nan, signaling: Literal::FALSE, infinite: Literal::FALSE, zero, negative }
        }
        Format::Fixed(fixed) => {
            let negative = match fixed.sign {
                Sign::Signed => code[fixed.bits as usize - 1],
                Sign::Unsigned => Literal::FALSE,
            };
            let [nan, signaling, infinite] = [Literal::FALSE; 3];
            CodeClass { nan, signaling, infinite, zero: is_equal(graph, code, 0), negative }
        }
        Format::Codebook(codebook) => {
            let [nan, infinite, zero, negative] = codebook::class(graph, codebook, code);
            CodeClass { nan, signaling: Literal::FALSE, infinite, zero, negative }
        }
    }
}

fn kind_of_float(graph: &mut Graph, float: &Float, code: &[Literal]) -> CodeClass {
    let (magnitude, sign) = code.split_at(float.magnitude_bits() as usize);
    let negative = sign.first().copied().unwrap_or(Literal::FALSE);
    let mut is_code = |magnitude_code: u128| is_equal(graph, magnitude, magnitude_code as i128);
    let infinite = if float.infinity == Infinity::None { Literal::FALSE } else { is_code(float.infinity_magnitude()) };
    let all_ones = is_code(float.magnitude_mask());
    let no_magnitude = is_code(0);
    let smallest = constant(float.min_code() as i128, magnitude.len());
    let below_smallest = if float.has_zero() { is_less(graph, magnitude, &smallest) } else { Literal::FALSE };
    let nan = match float.nan {
        Nan::None => Literal::FALSE,
        Nan::TopField => {
            let infinity = constant(float.infinity_magnitude() as i128, magnitude.len());
            is_less(graph, &infinity, magnitude)
        }
        Nan::AllOnes | Nan::NanInfinity | Nan::LastCode => all_ones,
        Nan::SignAlone => graph.and(no_magnitude, negative),
    };
    let quiet = match float.nan {
        Nan::TopField => magnitude[float.trailing_bits as usize - 1],
        Nan::None | Nan::AllOnes | Nan::NanInfinity | Nan::SignAlone | Nan::LastCode => Literal::TRUE,
    };
    let zero = graph.and(below_smallest, !nan);
    CodeClass { nan, signaling: graph.and(nan, !quiet), infinite, zero, negative }
}

/// The value of a code, whichever piece of the format contains it.
pub fn decoded(graph: &mut Graph, format: &Format, code: &[Literal], width: usize) -> Number {
    let CodeClass { nan, signaling, infinite, zero, negative } = kind(graph, format, code);
    if let Format::Codebook(codebook) = format {
        let [significand, exponent] = codebook::parts(graph, codebook, code, width);
        return Number { nan, infinite, zero, ..nonzero(negative, significand, exponent) };
    }
    if let Format::Fixed(fixed) = format {
        let magnitude = negated_if(graph, negative, code);
        let integer = match fixed.sign {
            Sign::Signed => code.to_vec(),
            Sign::Unsigned => resized(code, code.len() + 1),
        };
        let number = nonzero(negative, magnitude, constant(fixed.min_exponent().into(), width));
        return Number { zero, signed: Some(SignedDigits::Integer(integer)), ..number };
    }
    let body = &code[..format.magnitude_bits() as usize];
    let (mut significand, mut exponent) = (vec![], vec![]);
    for piece in pieces(format, Subnormals::Together) {
        let parts = piece.parts(graph, body, negative, width);
        significand = choose(graph, parts.belongs, &parts.significand, &significand);
        exponent = choose(graph, parts.belongs, &parts.exponent, &exponent);
    }
    Number { nan, infinite, zero, negative, significand, exponent, signed: None, invalid: signaling }
}

/// A number known to be neither zero nor special.
pub fn nonzero(negative: Literal, significand: Word, exponent: Word) -> Number {
    let [nan, infinite, zero, invalid] = [literal(false); 4];
    Number { nan, infinite, zero, negative, significand, exponent, signed: None, invalid }
}

/// The exact product; infinity times zero is NaN.
pub fn times(graph: &mut Graph, multiplier: Multiplier, a: &Number, b: &Number) -> Number {
    let of_zero = [(a.infinite, b.zero), (a.zero, b.infinite)].map(|(one, other)| graph.and(one, other));
    let is_new = graph.any(&of_zero);
    let nan = graph.any(&[a.nan, b.nan, is_new]);
    let signals = graph.any(&[a.nan, b.nan]);
    let is_new = graph.and(is_new, !signals);
    let infinite = graph.or(a.infinite, b.infinite);
    let infinite = graph.and(infinite, !nan);
    let zero = graph.or(a.zero, b.zero);
    let zero = graph.and(zero, !nan);
    let negative = graph.xor(a.negative, b.negative);
    let (zero, negative, significand, signed) = match (&a.signed, &b.signed) {
        (Some(SignedDigits::Normalized(of_a)), Some(SignedDigits::Normalized(of_b))) => {
            let signed = product_with_signs(graph, multiplier, (a.negative, of_a), (b.negative, of_b));
            (zero, negative, negated_if(graph, negative, &signed), Some(SignedDigits::Integer(signed)))
        }
        (Some(SignedDigits::Integer(of_a)), Some(SignedDigits::Integer(of_b))) => {
            let signed = signed_product(graph, multiplier, of_a, of_b);
            // Taking zero and sign from the product spares the solver from reasoning about multiplication.
            let (zero, sign) = (!graph.any(&signed), signed[signed.len() - 1]);
            let negative = graph.mux(zero, negative, sign);
            (zero, negative, negated_if(graph, sign, &signed), Some(SignedDigits::Integer(signed)))
        }
        // Without the significand of a factor, there is none of the product: the case has zeros and specials alone.
        _ if a.significand.is_empty() || b.significand.is_empty() => (zero, negative, vec![], None),
        _ => (zero, negative, product(graph, multiplier, &a.significand, &b.significand), None),
    };
    let width = a.exponent.len().max(b.exponent.len());
    let [of_a, of_b] = [a, b].map(|factor| sign_extended(&factor.exponent, width));
    Number {
        nan,
        infinite,
        zero,
        negative,
        significand,
        exponent: sum(graph, &of_a, &of_b),
        signed,
        invalid: graph.any(&[a.invalid, b.invalid, is_new]),
    }
}

/// The product of a scale and the sum of a block's elements, which has its signed significand.
pub fn scaled(graph: &mut Graph, multiplier: Multiplier, scale: &Number, elements: &Number) -> Number {
    let classes = times(graph, multiplier, scale, &Number { significand: vec![], signed: None, ..elements.clone() });
    let total = signed(graph, elements);
    let total = match scale.significand.as_slice() {
        [] => return classes,
        [Literal::TRUE] => total,
        digits => signed_product(graph, multiplier, &total, &resized(digits, digits.len() + 1)),
    };
    let total = negated_if(graph, scale.negative, &sign_extended(&total, total.len() + 1));
    let sign = total[total.len() - 1];
    Number { significand: negated_if(graph, sign, &total), signed: Some(SignedDigits::Integer(total)), ..classes }
}

/// The number with its sign inverted.
pub fn negated(graph: &mut Graph, number: &Number) -> Number {
    let signed = number.signed.as_ref().map(|signed| {
        let word = signed.word();
        SignedDigits::Integer(negated_if(graph, Literal::TRUE, &sign_extended(word, word.len() + 1)))
    });
    Number { negative: !number.negative, signed, ..number.clone() }
}

/// The reciprocal of a power of two, whose significand is 1.
pub fn reciprocal(graph: &mut Graph, power: &Number) -> Number {
    let zero = vec![Literal::FALSE; power.exponent.len()];
    Number { exponent: difference(graph, &zero, &power.exponent), ..power.clone() }
}

/// How quotients and roots are computed.
#[derive(Clone, Copy, Debug)]
pub struct Division {
    /// Digits behind the first one: as many as a rounding tells apart.
    pub digits: usize,
    /// Whether zero has a sign, so that dividing by it gives infinity and not NaN.
    pub zero_has_sign: bool,
}

/// A number, and whether it is one divided by zero.
pub struct Quotient {
    /// The quotient.
    pub number: Number,
    /// A nonzero number was divided by zero.
    pub is_by_zero: Literal,
}

/// The class of a quotient of numbers of these classes. The significand is missing.
fn class_of_quotient(graph: &mut Graph, x: &Number, y: &Number, zero_has_sign: bool) -> Quotient {
    let zeros = graph.and(x.zero, y.zero);
    let infinities = graph.and(x.infinite, y.infinite);
    let is_without_sign = graph.and(y.zero, literal(!zero_has_sign));
    let is_new = graph.or(zeros, infinities);
    let operand_is_nan = graph.or(x.nan, y.nan);
    let nan = graph.any(&[operand_is_nan, is_new, is_without_sign]);
    let has_infinity = graph.or(x.infinite, y.zero);
    let infinite = graph.and(has_infinity, !nan);
    let has_zero = graph.or(x.zero, y.infinite);
    let zero = graph.and(has_zero, !nan);
    let is_finite = !graph.any(&[x.zero, x.infinite, x.nan]);
    let is_new = graph.and(is_new, !operand_is_nan);
    let number = Number {
        nan,
        infinite,
        zero,
        invalid: graph.any(&[x.invalid, y.invalid, is_new]),
        ..nonzero(graph.xor(x.negative, y.negative), vec![], x.exponent.clone())
    };
    Quotient { number, is_by_zero: graph.and(is_finite, y.zero) }
}

/// The quotient, truncated and with a sticky bit in the last place.
pub fn quotient(graph: &mut Graph, x: &Number, y: &Number, division: Division) -> Quotient {
    let Quotient { number, is_by_zero } = class_of_quotient(graph, x, y, division.zero_has_sign);
    if x.significand.is_empty() || y.significand.is_empty() {
        return Quotient { number, is_by_zero };
    }
    let [(dividend, of_x), (divisor, of_y)] = [x, y].map(|number| normalized(graph, number));
    let width = dividend.len().max(divisor.len());
    let [dividend, divisor] = [dividend, divisor].map(|word| raised(&word, width - word.len()));
    let Digits { word, sticky } = digits::quotient(graph, &dividend, &divisor, division.digits);
    let exponent = difference(graph, &of_x, &of_y);
    let exponent = plus(graph, &exponent, -(division.digits as i128) - 1);
    Quotient { number: Number { significand: [vec![sticky], word].concat(), exponent, ..number }, is_by_zero }
}

/// The positive root, or its reciprocal, truncated and with a sticky bit in the last place.
pub fn root(graph: &mut Graph, x: &Number, is_reciprocal: bool, division: Division) -> Quotient {
    let is_below_zero = graph.and(x.negative, !x.zero);
    let is_new = graph.and(is_below_zero, !x.nan);
    let invalid = graph.or(x.invalid, is_new);
    let is_nan = graph.or(x.nan, is_below_zero);
    let by_zero = graph.and(x.zero, literal(is_reciprocal));
    let is_without_sign = graph.and(by_zero, literal(!division.zero_has_sign));
    let nan = graph.or(is_nan, is_without_sign);
    let (infinite, zero) = if is_reciprocal { (x.zero, x.infinite) } else { (x.infinite, x.zero) };
    let class = Number {
        nan,
        infinite: graph.and(infinite, !nan),
        zero: graph.and(zero, !nan),
        invalid,
        ..nonzero(graph.and(x.negative, x.zero), vec![], x.exponent.clone())
    };
    if x.significand.is_empty() {
        return Quotient { number: class, is_by_zero: by_zero };
    }
    let (significand, top) = normalized(graph, x);
    // Two digits in front of the point, with an even exponent.
    let radicand = choose(graph, top[0], &raised(&significand, 1), &resized(&significand, significand.len() + 1));
    let half = sign_extended(&top[1..], top.len());
    let number = match is_reciprocal {
        false => {
            let Digits { word, sticky } = digits::root(graph, &radicand, division.digits);
            let exponent = plus(graph, &half, -(division.digits as i128));
            Number { significand: [vec![sticky], word].concat(), exponent, ..class }
        }
        true => {
            let Digits { word, sticky } = digits::reciprocal_root(graph, &radicand, division.digits);
            // 1 / sqrt(1) has its digit in front of the point.
            let is_one = is_equal(graph, &radicand, 1 << (significand.len() - 1));
            let below = [vec![sticky], word, vec![Literal::FALSE]].concat();
            let one = raised(&[Literal::TRUE], below.len() - 1);
            let zero = vec![Literal::FALSE; half.len()];
            let exponent = difference(graph, &zero, &half);
            let exponent = plus(graph, &exponent, -(division.digits as i128) - 1);
            Number { significand: choose(graph, is_one, &one, &below), exponent, ..class }
        }
    };
    Quotient { number, is_by_zero: by_zero }
}

/// The significand of a nonzero number with its leading 1 on top, and the exponent of that.
fn normalized(graph: &mut Graph, x: &Number) -> (Word, Word) {
    let bits = x.significand.len();
    if x.significand[bits - 1] == Literal::TRUE {
        let top = plus(graph, &x.exponent, bits as i128 - 1);
        return (x.significand.clone(), top);
    }
    let leading = highest_one(graph, &x.significand);
    let last = constant(bits as i128 - 1, leading.len());
    let places = graph.add(&last, &inverted(&leading), Literal::TRUE).0;
    let mut significand = shifted_left(graph, &x.significand, &places);
    significand[bits - 1] = Literal::TRUE;
    let top = sum(graph, &x.exponent, &resized(&leading, x.exponent.len()));
    (significand, top)
}

/// The sum of two numbers that are neither zero nor special, at any distance. Nonzero digits `reach` or more places
/// below the last place of the number with the larger exponent are replaced by a 1 at that place. A sum with such lost
/// digits must exceed half of that number: then it rounds like the exact sum, if a rounding resolves at most `reach`
/// places below.
pub fn aligned_sum(graph: &mut Graph, a: &Number, b: &Number, reach: usize) -> Number {
    let distance = difference(graph, &a.exponent, &b.exponent);
    let is_reversed = distance[distance.len() - 1];
    let places = negated_if(graph, is_reversed, &distance);
    let mut either = |of_a: &[Literal], of_b: &[Literal]| {
        [choose(graph, is_reversed, of_b, of_a), choose(graph, is_reversed, of_a, of_b)]
    };
    let [upper, lower] = either(&a.significand, &b.significand).map(|significand| raised(&significand, reach));
    let [exponent, _] = either(&a.exponent, &b.exponent);
    let [of_upper, of_lower] = either(&[a.negative], &[b.negative]);
    let (mut lower, sticky) = shifted_down(graph, &lower, &places, Literal::FALSE);
    lower[0] = graph.or(lower[0], sticky);
    let (negative, magnitude, zero) = signed_sum(graph, (of_upper[0], &upper), (of_lower[0], &lower));
    let exponent = plus(graph, &exponent, -(reach as i128));
    Number { zero, ..nonzero(negative, magnitude, exponent) }
}

/// The product of two significands of posits, `i + f` and `j + g` in two's complement, where i and j are 1, or -2 if
/// the sign is 1: `f * g + i * j + i * g + j * f`, so that only fractions are multiplied.
fn product_with_signs(
    graph: &mut Graph,
    multiplier: Multiplier,
    (a_sign, a): (Literal, &[Literal]),
    (b_sign, b): (Literal, &[Literal]),
) -> Word {
    let (f, g) = (&a[..a.len() - 2], &b[..b.len() - 2]);
    let places = f.len() + g.len();
    let width = places + 4;
    let fractions = resized(&product(graph, multiplier, f, g), width);
    let [one, minus_two, four] = [1, -2, 4].map(|value: i128| raised(&constant(value, 4), places));
    let of_positive_b = choose(graph, a_sign, &minus_two, &one);
    let of_negative_b = choose(graph, a_sign, &four, &minus_two);
    let integers = choose(graph, b_sign, &of_negative_b, &of_positive_b);
    let total = sum(graph, &integers, &fractions);
    let total = plus_integer_times(graph, &total, a_sign, &raised(g, f.len()));
    plus_integer_times(graph, &total, b_sign, &raised(f, g.len()))
}

/// `total + word`, or `total - 2 * word` if the sign is 1.
fn plus_integer_times(graph: &mut Graph, total: &[Literal], sign: Literal, word: &[Literal]) -> Word {
    let single = resized(word, total.len());
    let double = inverted(&resized(&raised(word, 1), total.len()));
    let row = choose(graph, sign, &double, &single);
    graph.add(total, &row, sign).0
}

/// The signed significand, in two's complement.
pub fn signed(graph: &mut Graph, number: &Number) -> Word {
    match &number.signed {
        Some(signed) => signed.word().clone(),
        None => negated_if(graph, number.negative, &resized(&number.significand, number.significand.len() + 1)),
    }
}

/// The sum of two numbers whose significands are raised by `up` and `down` places, in units of `2^exponent`.
pub fn sum_of_significands(
    graph: &mut Graph,
    (a, up): (&Number, usize),
    (b, down): (&Number, usize),
    exponent: Word,
) -> Number {
    if a.signed.is_none() && b.signed.is_none() {
        let (x, y) = (raised(&a.significand, up), raised(&b.significand, down));
        let (negative, magnitude, zero) = signed_sum(graph, (a.negative, &x), (b.negative, &y));
        return Number { zero, ..nonzero(negative, magnitude, exponent) };
    }
    let (x, y) = (raised(&signed(graph, a), up), raised(&signed(graph, b), down));
    let width = x.len().max(y.len()) + 1;
    let total = sum(graph, &sign_extended(&x, width), &sign_extended(&y, width));
    let negative = total[width - 1];
    let magnitude = negated_if(graph, negative, &total);
    let is_nonzero = graph.any(&magnitude);
    Number { zero: !is_nonzero, signed: Some(SignedDigits::Integer(total)), ..nonzero(negative, magnitude, exponent) }
}

/// A sum of signed magnitudes: sign and magnitude, and whether it is exactly zero.
pub fn signed_sum(graph: &mut Graph, a: (Literal, &[Literal]), b: (Literal, &[Literal])) -> (Literal, Word, Literal) {
    let width = a.1.len().max(b.1.len()) + 1;
    let [x, y] = [a.1, b.1].map(|magnitude| resized(magnitude, width));
    let is_subtraction = graph.xor(a.0, b.0);
    let together = sum(graph, &x, &y);
    let apart = difference(graph, &x, &y);
    let reversed = difference(graph, &y, &x);
    let is_reversed = apart[width - 1];
    let apart = choose(graph, is_reversed, &reversed, &apart);
    let magnitude = choose(graph, is_subtraction, &apart, &together);
    let larger = graph.mux(is_reversed, b.0, a.0);
    let negative = graph.mux(is_subtraction, larger, a.0);
    let is_nonzero = graph.any(&magnitude);
    (negative, magnitude, !is_nonzero)
}
