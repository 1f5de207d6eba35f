//! A format cut into pieces: sets of magnitude codes whose exponent and significand are read off at fixed places.
//!
//! The ordinary binades of a float are one piece, its outer powers of two one below and one above, and each regime of a posit
//! one. Subnormals are part of the ordinary piece, or, where they are multiplied, one piece for each number of leading zeros.

use crate::words::{Word, constant, is_equal, is_less, is_within, literal, plus, raised, resized};
use binade_sim::lanes::{Graph, Literal};
use binade_spec::{FieldZero, Float, Format, Posit};
use std::ops::RangeInclusive;

/// Magnitude codes with one way to read them.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it is called in reports: `normal`, `subnormal 3`, `regime -2`.
    pub name: String,
    /// The bits above the field, the lowest first.
    prefix: Vec<bool>,
    /// Bits of the field, which are above the trailing ones.
    field_bits: usize,
    /// The values of the field that belong to the piece.
    pub fields: RangeInclusive<i128>,
    /// The magnitude codes that belong to it, if the fields do.
    codes: RangeInclusive<u128>,
    /// Trailing bits that are free.
    free_bits: usize,
    /// Zeros below the free bits in the significand.
    padding: usize,
    /// Zeros above the leading bit.
    zeros_above: usize,
    /// What is above the free bits in the significand.
    leading: Leading,
    /// The exponent of the significand's last place, if the field is 0.
    exponent: i128,
    /// The field counts powers of `2^(2^step)`.
    step: usize,
}

/// The leading bit of a significand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leading {
    One,
    /// 1 unless the field is 0, whose exponent is that of field 1: subnormals.
    UnlessFieldZero,
}

/// Whether subnormals are cut by their leading zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subnormals {
    /// They are part of the ordinary piece.
    Together,
    /// One piece for each number of leading zeros.
    Apart,
    /// The same, and the zeros are at the other end of the significand, which begins with a 1.
    Normalized,
}

/// A code of a piece taken apart.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The bits of the magnitude code.
    pub magnitude: Word,
    /// The significand, an integer.
    pub significand: Word,
    /// The exponent of the significand's last place, in two's complement.
    pub exponent: Word,
    /// Whether the code belongs to the piece.
    pub belongs: Literal,
}

/// Cuts a format. The pieces are disjoint, and together they have every nonzero finite value.
pub fn pieces(format: &Format, subnormals: Subnormals) -> Vec<Piece> {
    match format {
        Format::Float(float) => pieces_of_float(float, subnormals),
        Format::Posit(posit) => pieces_of_posit(posit),
    }
}

fn pieces_of_float(float: &Float, subnormals: Subnormals) -> Vec<Piece> {
    let ordinary = ordinary(float);
    let first_upper = (1_i128 << float.exponent_bits) - i128::from(float.binades_above);
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
        let exponent = first_upper - float.first_upper_code() as i128;
        all.push(outer("above", float.first_upper_code()..=float.max_code(), exponent));
    }
    match subnormals {
        _ if !float.underflows_gradually() => all.push(ordinary),
        Subnormals::Together => {
            let fields = 0..=*ordinary.fields.end();
            all.push(Piece { name: "number".into(), fields, leading: Leading::UnlessFieldZero, ..ordinary });
        }
        Subnormals::Apart | Subnormals::Normalized => {
            let is_normalized = subnormals == Subnormals::Normalized;
            let zeros = 1..=float.trailing_bits as usize;
            all.extend(zeros.map(|zeros| subnormal(&ordinary, float, zeros, is_normalized)));
            all.push(ordinary);
        }
    }
    // Where a format ends early, there may be nothing in a piece.
    all.retain(|piece| piece.codes.start() <= piece.codes.end() && piece.fields.start() <= piece.fields.end());
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
fn subnormal(ordinary: &Piece, float: &Float, zeros: usize, is_normalized: bool) -> Piece {
    let t = float.trailing_bits as usize;
    let mut prefix = vec![false; float.exponent_bits as usize + zeros - 1];
    prefix.insert(0, true);
    let (padding, zeros_above) = if is_normalized { (zeros, 0) } else { (0, zeros) };
    Piece {
        name: format!("subnormal {zeros}"),
        prefix,
        field_bits: 0,
        fields: 0..=0,
        free_bits: t - zeros,
        padding,
        zeros_above,
        exponent: ordinary.exponent + 1 - padding as i128,
        ..ordinary.clone()
    }
}

fn pieces_of_posit(posit: &Posit) -> Vec<Piece> {
    let bits = posit.bits as i32 - 1;
    let piece = |regime: i32| {
        let run = if regime >= 0 { regime + 1 } else { -regime };
        let is_ones = regime >= 0;
        // The run, and the bit that ends it if there is room.
        let mut prefix = vec![is_ones; run as usize];
        if run < bits {
            prefix.insert(0, !is_ones);
        }
        let below = bits as usize - prefix.len();
        let field_bits = below.min(posit.exponent_bits as usize);
        let free_bits = below - field_bits;
        let exponent = (i128::from(regime) << posit.exponent_bits) + i128::from(posit.scale) - free_bits as i128;
        Piece {
            name: format!("regime {regime}"),
            prefix,
            field_bits,
            fields: 0..=(1 << field_bits) - 1,
            codes: 1..=posit.max_code(),
            free_bits,
            padding: 0,
            zeros_above: 0,
            leading: Leading::One,
            exponent,
            step: posit.exponent_bits as usize - field_bits,
        }
    };
    (1 - bits..bits).map(piece).collect()
}

impl Piece {
    /// Bits that are free in a code of the piece, without those of the field.
    pub fn free_bits(&self) -> usize {
        self.free_bits
    }

    /// Bits of the field.
    pub fn field_bits(&self) -> usize {
        self.field_bits
    }

    /// Bits of the significand.
    pub fn significand_bits(&self) -> usize {
        self.padding + self.free_bits + 1 + self.zeros_above
    }

    /// The exponents of the significand's last place.
    pub fn exponents(&self) -> RangeInclusive<i128> {
        let exponent = |field: i128| self.exponent + (field.max(self.least_power()) << self.step);
        exponent(*self.fields.start())..=exponent(*self.fields.end())
    }

    /// No field, exponent or number of bits is larger.
    pub fn largest(&self) -> i128 {
        let bits = self.significand_bits() as i128;
        let exponents = [self.exponent, *self.exponents().start(), *self.exponents().end()].map(i128::abs);
        exponents.into_iter().chain([*self.fields.end()]).fold(0, i128::max) + bits
    }

    /// Whether a field can be found for any exponent.
    pub fn is_continuous(&self) -> bool {
        self.step == 0 && self.fields.start() < self.fields.end()
    }

    /// The least field whose exponent is its own.
    fn least_power(&self) -> i128 {
        match self.leading {
            Leading::One => 0,
            Leading::UnlessFieldZero => 1,
        }
    }

    /// The code with this field and these free bits.
    pub fn code(&self, graph: &mut Graph, field: &[Literal], free: &[Literal], width: usize) -> Parts {
        let constants = |bits: &[bool]| bits.iter().map(|&bit| literal(bit)).collect::<Word>();
        let magnitude = [free.to_vec(), field.to_vec(), constants(&self.prefix)].concat();
        let field = resized(field, width.max(field.len() + 1));
        let is_zero = is_equal(graph, &field, 0);
        let (leading, mut power) = (!is_zero, field.clone());
        if self.leading == Leading::UnlessFieldZero {
            power[0] = graph.or(power[0], is_zero);
        }
        let leading = if self.leading == Leading::One { Literal::TRUE } else { leading };
        let exponent = plus(graph, &raised(&power, self.step), self.exponent);
        let in_fields = is_within(graph, &field, *self.fields.start(), *self.fields.end());
        let below = is_less(graph, &magnitude, &constant(*self.codes.start() as i128, magnitude.len()));
        let above = is_less(graph, &constant(*self.codes.end() as i128, magnitude.len()), &magnitude);
        let belongs = graph.all(&[in_fields, !below, !above]);
        let significand = raised(&[free.to_vec(), vec![leading]].concat(), self.padding);
        let significand = resized(&significand, self.significand_bits());
        Parts { magnitude, significand, exponent: exponent[..width].to_vec(), belongs }
    }

    /// A code of the piece whose last place has this exponent; of the two with the least exponent, `spare` chooses the
    /// ordinary one.
    ///
    /// # Panics
    /// When the piece has no field for it.
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

    /// A magnitude code taken apart as if it belonged to the piece, and whether it does.
    pub fn parts(&self, graph: &mut Graph, magnitude: &[Literal], width: usize) -> Parts {
        let (free, rest) = magnitude.split_at(self.free_bits);
        let (field, prefix) = rest.split_at(self.field_bits);
        let mut parts = self.code(graph, field, free, width);
        let matching: Word =
            prefix.iter().zip(&self.prefix).map(|(&bit, &wanted)| if wanted { bit } else { !bit }).collect();
        let matches = graph.all(&matching);
        parts.belongs = graph.and(parts.belongs, matches);
        parts
    }
}
