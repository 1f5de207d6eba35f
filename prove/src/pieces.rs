//! A format cut into pieces: sets of magnitude codes whose exponent and significand are read at fixed places.
//!
//! The ordinary binades of a float are one piece, and its outer powers of two one below and one above. Subnormals
//! belong to the ordinary piece; where they are multiplied, they form one piece for each number of leading zeros. Each
//! sign and regime of a posit is a piece. Negative posits are read as they are: with the fraction `f` below 1, regime
//! `r` and exponent field `e` of a code whose sign is `s`, the value is `(1 - 3s + f) * 2^((1 - 2s) * (r * 2^es + e +
//! s))` (Standard for Posit Arithmetic, 2022).

use crate::tapered::{Stretch, stretches};
use crate::words::{Word, constant, difference, is_equal, is_less, is_within, literal, plus, raised, resized};
use binade_gates::{Graph, Literal};
use binade_spec::{FieldZero, Float, Format, Posit};
use std::ops::RangeInclusive;

/// Codes that are read in one way.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The name in reports: `normal`, `subnormal 3`, `regime -2`.
    pub name: String,
    /// The sign, if codes with the other sign are read differently.
    sign: Option<bool>,
    /// The bits above the field, lowest first.
    prefix: Vec<bool>,
    /// Bits of the field, which lies above the trailing bits.
    field_bits: usize,
    /// The field values in the piece.
    pub fields: RangeInclusive<i128>,
    /// The magnitude codes in the piece, as far as the fields are; for posits, the codes below the sign.
    codes: RangeInclusive<u128>,
    /// Free trailing bits.
    free_bits: usize,
    /// Zeros below the free bits in the significand.
    padding: usize,
    /// Zeros above the leading bit.
    zeros_above: usize,
    /// The digit above the free bits in the significand.
    leading: Leading,
    /// The exponent of the significand's last place for field 0.
    exponent: i128,
    /// The field counts powers of `2^(2^step)`.
    step: usize,
}

/// The leading bit of a significand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leading {
    One,
    Zero,
    /// 1 unless the field is 0, whose exponent is that of field 1: subnormals.
    UnlessFieldZero,
}

/// Whether subnormals are cut by their leading zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subnormals {
    /// They belong to the ordinary piece.
    Together,
    /// One piece for each number of leading zeros.
    Apart,
    /// The same pieces, with significands shifted up until they begin with 1.
    ShiftedUp,
}

/// A code of a piece and its parts.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The bits of the code below its sign.
    pub body: Word,
    /// The sign, if the piece has only one.
    pub sign: Option<bool>,
    /// The significand's magnitude, an integer.
    pub significand: Word,
    /// For pieces with one sign, the digits below the leading ones, which are 1 or -2.
    pub fraction: Word,
    /// The exponent of the significand's last place, in two's complement.
    pub exponent: Word,
    /// Whether the code belongs to the piece.
    pub belongs: Literal,
}

/// Cuts a format. The pieces are disjoint and together contain every nonzero finite value; fixed-point formats and
/// codebooks are not cut.
pub fn pieces(format: &Format, subnormals: Subnormals) -> Vec<Piece> {
    match format {
        Format::Float(float) => pieces_of_float(float, subnormals),
        Format::Posit(posit) => pieces_of_posit(posit, subnormals),
        Format::Fixed(_) | Format::Codebook(_) => vec![],
    }
}

fn pieces_of_float(float: &Float, subnormals: Subnormals) -> Vec<Piece> {
    let ordinary = ordinary(float);
    let mut all = outer_pieces(float);
    match subnormals {
        _ if !float.underflows_gradually() => all.push(ordinary),
        Subnormals::Together => {
            let fields = 0..=*ordinary.fields.end();
            all.push(Piece { name: "number".into(), fields, leading: Leading::UnlessFieldZero, ..ordinary });
        }
        Subnormals::Apart | Subnormals::ShiftedUp => {
            let piece = |zeros| match subnormals {
                Subnormals::ShiftedUp => subnormal(&ordinary, float, zeros).shifted_up(),
                _ => subnormal(&ordinary, float, zeros),
            };
            all.extend((1..=float.trailing_bits as usize).map(piece));
            all.push(ordinary);
        }
    }
    all.retain(Piece::has_codes);
    all
}

/// The powers of two below and above the ordinary binades.
pub fn outer_pieces(float: &Float) -> Vec<Piece> {
    let ordinary = ordinary(float);
    let outer = |name: &str, codes: RangeInclusive<u128>, exponent: i128| Piece {
        name: name.into(),
        field_bits: float.magnitude_bits() as usize,
        fields: *codes.start() as i128..=*codes.end() as i128,
        free_bits: 0,
        codes,
        exponent: exponent - i128::from(float.bias),
        ..ordinary.clone()
    };
    let mut all = vec![];
    if float.binades_below > 0 {
        let exponent = i128::from(float.binades_below) - float.first_ordinary_code() as i128;
        all.push(outer("below", float.min_code()..=float.first_ordinary_code() - 1, exponent));
    }
    if float.binades_above > 0 {
        let first_upper = (1_i128 << float.exponent_bits) - i128::from(float.binades_above);
        let exponent = first_upper - float.first_upper_code() as i128;
        all.push(outer("above", float.first_upper_code()..=float.max_code(), exponent));
    }
    all.retain(Piece::has_codes);
    all
}

/// The ordinary binades.
fn ordinary(float: &Float) -> Piece {
    let t = float.trailing_bits as usize;
    let first = match float.field_zero {
        _ if float.binades_below > 0 => i128::from(float.binades_below),
        FieldZero::Subnormal | FieldZero::Zero => 1,
        FieldZero::Binade | FieldZero::NoZero => 0,
    };
    let first_upper = (1_i128 << float.exponent_bits) - i128::from(float.binades_above);
    Piece {
        name: "normal".into(),
        sign: None,
        prefix: vec![],
        field_bits: float.exponent_bits as usize,
        fields: first..=(first_upper - 1).min((float.max_code() >> t) as i128),
        codes: float.min_code()..=float.max_code(),
        free_bits: t,
        padding: 0,
        zeros_above: 0,
        leading: Leading::One,
        exponent: -i128::from(float.bias) - t as i128,
        step: 0,
    }
}

/// Subnormals whose trailing significand has its highest 1 in the `zeros`-th place.
fn subnormal(ordinary: &Piece, float: &Float, zeros: usize) -> Piece {
    let t = float.trailing_bits as usize;
    let mut prefix = vec![false; float.exponent_bits as usize + zeros - 1];
    prefix.insert(0, true);
    Piece {
        name: format!("subnormal {zeros}"),
        prefix,
        field_bits: 0,
        fields: 0..=0,
        free_bits: t - zeros,
        zeros_above: zeros,
        exponent: ordinary.exponent + 1,
        ..ordinary.clone()
    }
}

/// All subnormals as one piece, whose significands are not shifted.
pub fn all_subnormals(float: &Float) -> Option<Piece> {
    let ordinary = ordinary(float);
    let piece = Piece {
        name: "subnormal".into(),
        prefix: vec![false; float.exponent_bits as usize],
        field_bits: 0,
        fields: 0..=0,
        leading: Leading::Zero,
        exponent: ordinary.exponent + 1,
        ..ordinary
    };
    (float.underflows_gradually() && float.trailing_bits > 0).then_some(piece)
}

fn pieces_of_posit(posit: &Posit, subnormals: Subnormals) -> Vec<Piece> {
    let of_both_signs =
        |stretch| [false, true].map(|is_negative| piece_of_stretch(posit, subnormals, &stretch, is_negative));
    // All codes of the longest run of zeros may be 0.
    let has_number =
        |stretch: &Stretch| stretch.prefix.len() < posit.bits as usize - 1 || stretch.prefix.contains(&true);
    stretches(posit).into_iter().filter(has_number).flat_map(of_both_signs).collect()
}

/// The codes whose bits below the sign begin with a prefix.
fn piece_of_stretch(posit: &Posit, subnormals: Subnormals, stretch: &Stretch, is_negative: bool) -> Piece {
    let below = posit.bits as usize - 1 - stretch.prefix.len();
    let field_bits = below.min(stretch.exponent_bits);
    let free_bits = below - field_bits;
    let padding = match subnormals {
        Subnormals::Together => 0,
        // All fractions that are multiplied have the same width.
        Subnormals::Apart | Subnormals::ShiftedUp => posit.precision() as usize - 1 - free_bits,
    };
    let step = stretch.exponent_bits - field_bits;
    let exponent = match is_negative {
        false => stretch.first,
        // The field counts up from its last value: it is read inverted.
        true => -1 - stretch.first - (((1 << field_bits) - 1) << step),
    };
    Piece {
        name: format!("{} with regime {}", if is_negative { "negative" } else { "positive" }, stretch.regime),
        sign: Some(is_negative),
        prefix: stretch.prefix.clone(),
        field_bits,
        fields: 0..=(1 << field_bits) - 1,
        codes: 1..=posit.max_code(),
        free_bits,
        padding,
        zeros_above: 0,
        leading: Leading::One,
        exponent: exponent + i128::from(posit.scale) - (free_bits + padding) as i128,
        step,
    }
}

impl Piece {
    /// Subnormals with these leading zeros, as a significand that begins with 1.
    fn shifted_up(self) -> Piece {
        let zeros = self.zeros_above;
        Piece { padding: zeros, zeros_above: 0, exponent: self.exponent - zeros as i128, ..self }
    }

    /// Whether the piece has any codes; not if a format ends early.
    fn has_codes(&self) -> bool {
        self.codes.start() <= self.codes.end() && self.fields.start() <= self.fields.end()
    }

    /// Whether these are subnormals with the same number of leading zeros.
    pub fn is_subnormal(&self) -> bool {
        self.zeros_above > 0
    }

    /// Whether significands have one zero above their leading 1.
    pub fn has_one_zero_above(&self) -> bool {
        self.zeros_above == 1
    }

    /// Free bits in a code of the piece, without those of the field.
    pub fn free_bits(&self) -> usize {
        self.free_bits
    }

    /// Bits of the field.
    pub fn field_bits(&self) -> usize {
        self.field_bits
    }

    /// Whether codes contain the field inverted, as negative posits do.
    pub fn is_inverted(&self) -> bool {
        self.sign == Some(true)
    }

    /// Bits of the significand's magnitude.
    pub fn significand_bits(&self) -> usize {
        // -2 without a fraction has one bit more than 1.
        self.padding + self.free_bits + 1 + usize::from(self.sign == Some(true)) + self.zeros_above
    }

    /// The exponents of the significand's last place.
    pub fn exponents(&self) -> RangeInclusive<i128> {
        let exponent = |field: i128| self.exponent + (field.max(self.least_power()) << self.step);
        exponent(*self.fields.start())..=exponent(*self.fields.end())
    }

    /// An upper bound for fields, exponents and widths.
    pub fn largest(&self) -> i128 {
        let bits = self.significand_bits() as i128;
        let exponents = [self.exponent, *self.exponents().start(), *self.exponents().end()].map(i128::abs);
        exponents.into_iter().chain([*self.fields.end()]).fold(0, i128::max) + bits
    }

    /// Whether each exponent determines a field.
    pub fn is_continuous(&self) -> bool {
        self.step == 0 && self.fields.start() < self.fields.end()
    }

    /// The least field with an exponent of its own.
    fn least_power(&self) -> i128 {
        match self.leading {
            Leading::One | Leading::Zero => 0,
            Leading::UnlessFieldZero => 1,
        }
    }

    /// The code with this field and these free bits.
    pub fn code(&self, graph: &mut Graph, field: &[Literal], free: &[Literal], width: usize) -> Parts {
        let constants = |bits: &[bool]| bits.iter().map(|&bit| literal(bit)).collect::<Word>();
        let read: Word = field.iter().map(|&bit| if self.is_inverted() { !bit } else { bit }).collect();
        let body = [free.to_vec(), read, constants(&self.prefix)].concat();
        let field = resized(field, width.max(field.len() + 1));
        let is_zero = is_equal(graph, &field, 0);
        let (leading, mut power) = (!is_zero, field.clone());
        if self.leading == Leading::UnlessFieldZero {
            power[0] = graph.or(power[0], is_zero);
        }
        let leading = match self.leading {
            Leading::One => Literal::TRUE,
            Leading::Zero => Literal::FALSE,
            Leading::UnlessFieldZero => leading,
        };
        let exponent = plus(graph, &raised(&power, self.step), self.exponent);
        let in_fields = is_within(graph, &field, *self.fields.start(), *self.fields.end());
        let below = is_less(graph, &body, &constant(*self.codes.start() as i128, body.len()));
        let above = is_less(graph, &constant(*self.codes.end() as i128, body.len()), &body);
        let belongs = graph.all(&[in_fields, !below, !above]);
        let fraction = raised(free, self.padding);
        let significand = significand(graph, self.sign, leading, &fraction);
        let significand = resized(&significand, self.significand_bits());
        let sign = self.sign;
        Parts { body, sign, significand, fraction, exponent: exponent[..width].to_vec(), belongs }
    }

    /// The code of the piece whose last place has this exponent. Two fields share the least exponent; `spare` selects
    /// the ordinary one.
    ///
    /// # Panics
    /// When exponents do not determine fields in the piece.
    pub fn code_at(
        &self,
        graph: &mut Graph,
        exponent: &[Literal],
        spare: Literal,
        free: &[Literal],
        width: usize,
    ) -> Parts {
        assert!(self.is_continuous(), "{} has no field for an exponent", self.name);
        let mut power = plus(graph, exponent, -self.exponent);
        let least = (*self.fields.start()).max(self.least_power());
        let in_range = is_within(graph, &power, least, *self.fields.end());
        if self.leading == Leading::UnlessFieldZero {
            let is_least = is_equal(graph, &power, 1);
            power[0] = graph.mux(is_least, spare, power[0]);
        }
        let mut parts = self.code(graph, &resized(&power, self.field_bits), free, width);
        parts.belongs = graph.and(parts.belongs, in_range);
        parts
    }

    /// Splits a code as if it belonged to the piece, and tells whether it does. The code is given as the bits below its
    /// sign, and the sign.
    pub fn parts(&self, graph: &mut Graph, body: &[Literal], sign: Literal, width: usize) -> Parts {
        let (free, rest) = body.split_at(self.free_bits);
        let (field, prefix) = rest.split_at(self.field_bits);
        let as_wanted = |bit: Literal, wanted: bool| if wanted { bit } else { !bit };
        let field: Word = field.iter().map(|&bit| as_wanted(bit, !self.is_inverted())).collect();
        let mut parts = self.code(graph, &field, free, width);
        let mut matching: Word =
            prefix.iter().zip(&self.prefix).map(|(&bit, &wanted)| as_wanted(bit, wanted)).collect();
        matching.extend(self.sign.map(|wanted| as_wanted(sign, wanted)));
        matching.push(parts.belongs);
        parts.belongs = graph.all(&matching);
        parts
    }
}

/// The magnitude of a significand: a leading digit and a fraction, or `2 - fraction` for the sign of a negative posit.
pub fn significand(graph: &mut Graph, sign: Option<bool>, leading: Literal, fraction: &[Literal]) -> Word {
    match sign {
        Some(true) => {
            let width = fraction.len() + 2;
            difference(graph, &constant(2 << fraction.len(), width), &resized(fraction, width))
        }
        Some(false) | None => [fraction.to_vec(), vec![leading]].concat(),
    }
}
