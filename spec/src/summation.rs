//! The order in which the terms of a dot product are added, and where the sum is rounded.

use crate::alias::find_name;
use crate::rounding::{by_name, named};
use crate::{Float, Format, Rounding};
use serde::Serialize;
use std::{fmt, str::FromStr};

/// How `y` is computed from the products of a dot product and `c`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Summation {
    /// One rounding of the exact sum: the order does not matter.
    #[default]
    Exact,
    /// Product after product, rounded each time: `y = c; y = round(a[i] * b[i] + y)`.
    Chain,
    /// Neighbours in pairs, the pairs in pairs, and so on, rounded each time; `c` last.
    Tree,
    /// Chains of [`Operation::block`](crate::Operation::block) products, each from zero, added to a binary32
    /// accumulator that starts at `c` and is rounded at the end: FMAC-8 for chains of eight products.
    Blocks,
    /// Like matrix units of GPUs: every term is truncated at a place below the largest exponent, and the sum is rounded
    /// once.
    Aligned(Alignment),
    /// RISC-V's bulk normalization (RVBNA, RISC-V unprivileged specification): every product is rounded to odd at a place
    /// below the largest exponent of the products, their sum is rounded to odd, and so is its sum with `c`. Overflow gives
    /// infinity, and a sum of zero is +0.
    Bulk,
    /// Like the matrix units of AMD's CDNA 2: each block is a [`Summation::Tree`] without `c`, and is added to `c` or to the sum of the
    /// blocks before. Subnormal operands and subnormal results of all roundings are zero.
    Flushed,
    /// Like the matrix units of AMD's CDNA 3: the products of a block are truncated below the largest exponent among them and added. Their
    /// sum and `c` are rounded down at places below the largest exponent of all, and added; this sum is rounded once.
    Grouped,
    /// The same with two sums of products, of the even and of the odd lanes, as in matrix units of CDNA 3 for formats of 8 bits.
    Interleaved,
}

/// Places for sums of groups of products, as in matrix units of AMD's CDNA 3. They follow from the format of the result: 24, 31, -126 and
/// 128 for binary32.
///
/// Exponents are those of [`Alignment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grouping {
    /// A product is truncated at this many fraction bits below the largest exponent of its group. The sums of several groups are
    /// rounded down at as many below the larger exponent, and the addend below the largest exponent of all.
    pub fraction_bits: u32,
    /// The sum of all groups is rounded down at this many fraction bits below the largest exponent of all.
    pub sum_bits: u32,
    /// The minimum for the largest exponent of all.
    pub floor: i32,
    /// A product is infinite from two to this power on.
    pub limit: i32,
    /// Whether the products of even and of odd lanes are two groups. Then the addend counts as zero if its exponent is more than
    /// `fraction_bits + 1` below the largest; otherwise a negative one is rounded down to minus one unit.
    pub is_interleaved: bool,
}

impl Grouping {
    /// The places for results in a floating-point format.
    pub fn of(result: &Float, is_interleaved: bool) -> Grouping {
        let fraction_bits = result.trailing_bits + 1;
        Grouping {
            fraction_bits,
            sum_bits: fraction_bits + 7,
            floor: 1 - result.bias,
            limit: result.max_exponent() as i32 + 1,
            is_interleaved,
        }
    }

    /// The groups of these products.
    pub fn groups<T: Copy>(&self, products: &[T]) -> Vec<Vec<T>> {
        let step = if self.is_interleaved { 2 } else { 1 };
        let every = |first| products.iter().skip(first).step_by(step).copied().collect::<Vec<T>>();
        (0..step).map(every).filter(|group| !group.is_empty()).collect()
    }
}

/// How the terms of a sum are truncated.
///
/// The exponent of a number is `floor(log2 |x|)`, but not below the smallest normal exponent of its format; that of a
/// product is the sum of its factors' exponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alignment {
    /// Each term's magnitude is truncated at this many fraction bits below the largest exponent of all terms.
    pub fraction_bits: u32,
    /// The minimum for the largest exponent.
    pub floor: Option<i32>,
    /// Fraction bits of the result, if fewer than those of its format.
    pub result_bits: Option<u32>,
}

/// The most fraction bits below the largest exponent.
const MAX_FRACTION_BITS: u32 = 256;

impl Summation {
    /// The orders with a fixed name.
    const NAMED: [(&'static str, Summation); 8] = [
        ("exact", Summation::Exact),
        ("chain", Summation::Chain),
        ("tree", Summation::Tree),
        ("fmac8", Summation::Blocks),
        ("bulk", Summation::Bulk),
        ("flushed", Summation::Flushed),
        ("grouped", Summation::Grouped),
        ("interleaved", Summation::Interleaved),
    ];

    /// Where the terms are truncated.
    pub fn alignment(self) -> Option<Alignment> {
        match self {
            Summation::Aligned(alignment) => Some(alignment),
            Summation::Exact
            | Summation::Chain
            | Summation::Tree
            | Summation::Blocks
            | Summation::Bulk
            | Summation::Flushed
            | Summation::Grouped
            | Summation::Interleaved => None,
        }
    }

    /// Whether there are blocks of products.
    pub fn has_blocks(self) -> bool {
        match self {
            Summation::Blocks
            | Summation::Aligned(_)
            | Summation::Bulk
            | Summation::Flushed
            | Summation::Grouped
            | Summation::Interleaved => true,
            Summation::Exact | Summation::Chain | Summation::Tree => false,
        }
    }

    /// Whether it is that of AMD's matrix units: the result is rounded to nearest even in an IEEE 754 format, without flags.
    pub fn is_of_amd(self) -> bool {
        matches!(self, Summation::Flushed | Summation::Grouped | Summation::Interleaved)
    }

    /// Whether terms are aligned to the largest exponent, and rounded there.
    pub fn aligns(self) -> bool {
        matches!(self, Summation::Aligned(_) | Summation::Bulk | Summation::Grouped | Summation::Interleaved)
    }

    /// Whether the only exceptions are invalid operations and overflow.
    pub fn is_inexact_silent(self) -> bool {
        self == Summation::Bulk
    }
}

impl fmt::Display for Summation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some((name, _)) = Summation::NAMED.into_iter().find(|(_, summation)| summation == self) {
            return f.pad(name);
        }
        let Some(Alignment { fraction_bits, floor, result_bits }) = self.alignment() else { unreachable!("named") };
        write!(f, "align:{fraction_bits}")?;
        floor.map_or(Ok(()), |floor| write!(f, ",floor={floor}"))?;
        result_bits.map_or(Ok(()), |bits| write!(f, ",result={bits}"))
    }
}

impl FromStr for Summation {
    type Err = String;

    /// A name, or `align:F` with the number of fraction bits, then `floor=E` and `result=BITS` in any order.
    fn from_str(word: &str) -> Result<Summation, String> {
        let names = Summation::NAMED.map(|(name, _)| name);
        let expected = || {
            format!(
                "one of {}, align:<fraction bits>[,floor=<exponent>][,result=<fraction bits>] is expected",
                names.join(", ")
            )
        };
        if let Some(name) = find_name(word, &names) {
            let named = Summation::NAMED.into_iter().find(|(known, _)| *known == name);
            return Ok(named.expect("it was found").1);
        }
        let rest = word.strip_prefix("align:").ok_or_else(expected)?;
        let mut parts = rest.split(',');
        let fraction_bits = parts.next().and_then(|bits| bits.parse().ok()).ok_or_else(expected)?;
        if !(1..=MAX_FRACTION_BITS).contains(&fraction_bits) {
            return Err(format!("sums are cut off after 1 to {MAX_FRACTION_BITS} fraction bits, not {fraction_bits}"));
        }
        let mut alignment = Alignment { fraction_bits, floor: None, result_bits: None };
        for part in parts {
            match part.split_once('=') {
                Some(("floor", floor)) => alignment.floor = Some(floor.parse().map_err(|_| expected())?),
                Some(("result", bits)) => alignment.result_bits = Some(bits.parse().map_err(|_| expected())?),
                _ => return Err(expected()),
            }
        }
        Ok(Summation::Aligned(alignment))
    }
}

impl Serialize for Summation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What matrix units are modeled: those of GPUs (Fasi et al., "Numerical behavior of NVIDIA tensor cores", 2021; Khattak and Mikaitis,
/// "Accurate models of NVIDIA tensor cores", arXiv 2512.07004; Xie et al., "MMA-Sim", arXiv 2511.10909), and RISC-V's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Like {
    /// Volta.
    V100,
    /// Turing.
    T4,
    /// Ampere, the large one.
    A100,
    /// Ampere, a small one.
    A2,
    /// Ada, RTX 1000.
    Ada,
    /// Ada, the server's.
    L40s,
    /// Hopper.
    H100,
    /// Hopper, with more memory.
    H200,
    /// Blackwell, the server's.
    B200,
    /// Blackwell, the workstation's.
    Rtxpro6000,
    /// AMD's CDNA 2.
    Mi250x,
    /// AMD's CDNA 3.
    Mi300x,
    /// The dot products of RISC-V's vector extensions (RVBNA).
    Rvbna,
}

/// A matrix unit for operands of one format, with results in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixUnit {
    /// Products in one sum; none if implementations or instructions choose their number.
    pub terms: Option<u32>,
    /// How products are summed.
    pub summation: Summation,
    /// How the sum is rounded.
    pub rounding: Rounding,
}

/// The formats that Blackwell multiplies with each other, with or without scales (`f8f6f4`). No model has its formats of 6 and 4 bits there.
const ELEMENTS: [&str; 2] = ["e4m3fn", "e5m2"];

/// A matrix unit for blocks with scales, with results in binary32 that are rounded toward zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaledUnit {
    /// Elements in one sum.
    pub lanes: u32,
    /// Elements that may share a scale, the usual number first.
    pub blocks: &'static [u32],
    /// Elements whose products are added exactly before they are aligned, if they are: the exponent of such a sum is that of its
    /// scales.
    pub group: Option<u32>,
    /// Where terms are truncated.
    pub alignment: Alignment,
}

impl Like {
    /// The matrix unit for blocks of these elements and scales, if it is known.
    pub fn scaled_unit(self, elements: [Format; 2], scale: Format, result: Format) -> Option<ScaledUnit> {
        let is_known = matches!(self, Like::B200 | Like::Rtxpro6000) && result == Format::binary32();
        let elements = elements.map(|format| format.to_string());
        let are_fp4 = elements.iter().all(|name| name == "e2m1f");
        // The exponent of a zero `c` counts as that of the smallest normal number.
        let floor = Some(-126);
        let alignment = |fraction_bits| Alignment { fraction_bits, floor, result_bits: None };
        let of_fp4 = |blocks| ScaledUnit { lanes: 64, blocks, group: Some(16), alignment: alignment(35) };
        match scale.to_string().as_str() {
            _ if !is_known => None,
            "e8m0" if are_fp4 => Some(of_fp4(&[32, 16])),
            "e4m3fn" if are_fp4 && self == Like::Rtxpro6000 => Some(of_fp4(&[16, 32])),
            "e4m3fn" if are_fp4 => Some(of_fp4(&[16])),
            "e8m0" if elements.iter().all(|name| ELEMENTS.contains(&name.as_str())) => {
                Some(ScaledUnit { lanes: 32, blocks: &[32], group: None, alignment: alignment(25) })
            }
            _ => None,
        }
    }

    /// The matrix unit for these operand and result formats, if a model explains the recorded results.
    pub fn matrix_unit(self, operand: Format, result: Format) -> Option<MatrixUnit> {
        if matches!(self, Like::Mi250x | Like::Mi300x) {
            return self.matrix_unit_of_amd(operand, result);
        }
        let is_wide = match result.to_string().as_str() {
            "binary32" => true,
            "binary16" => false,
            _ => return None,
        };
        let operand = operand.to_string();
        if self == Like::Rvbna {
            let is_known = is_wide && matches!(operand.as_str(), "bfloat16" | "e4m3fn" | "e5m2");
            let unit = MatrixUnit { terms: None, summation: Summation::Bulk, rounding: Rounding::Rto };
            return is_known.then_some(unit);
        }
        let (terms, fraction_bits, floors, result_bits) = match (self, operand.as_str()) {
            (Like::V100, "binary16") => (4, 23, [None, Some(-19)], None),
            (Like::T4, "binary16") => (8, 24, [None, None], None),
            (Like::A100 | Like::A2 | Like::Ada | Like::L40s, "binary16") => (8, 24, [Some(-132), Some(-20)], None),
            (Like::A100 | Like::A2 | Like::Ada | Like::L40s, "bfloat16") if is_wide => {
                (8, 24, [Some(-132), None], None)
            }
            (Like::A100 | Like::A2 | Like::Ada | Like::L40s, "tf32") if is_wide => (4, 24, [Some(-132), None], None),
            (Like::Ada, "e4m3fn" | "e5m2") => (16, 13, [Some(-132), None], is_wide.then_some(13)),
            (Like::L40s, "e4m3fn" | "e5m2") if is_wide => (16, 13, [Some(-132), None], Some(13)),
            (Like::H100 | Like::H200 | Like::B200 | Like::Rtxpro6000, "binary16") => {
                (16, 25, [Some(-133), Some(-21)], None)
            }
            (Like::H100 | Like::H200 | Like::B200 | Like::Rtxpro6000, "bfloat16") if is_wide => {
                (16, 25, [Some(-133), None], None)
            }
            (Like::H100 | Like::H200 | Like::B200 | Like::Rtxpro6000, "tf32") if is_wide => {
                (8, 25, [Some(-133), None], None)
            }
            (Like::H100 | Like::H200, "e4m3fn" | "e5m2") if is_wide => (32, 13, [Some(-133), None], Some(13)),
            (Like::B200 | Like::Rtxpro6000, name) if ELEMENTS.contains(&name) => (32, 25, [None, None], None),
            _ => return None,
        };
        let floor = if is_wide { floors[0] } else { floors[1] };
        let rounding = if is_wide { Rounding::Rtz } else { Rounding::Rne };
        let summation = Summation::Aligned(Alignment { fraction_bits, floor, result_bits });
        Some(MatrixUnit { terms: Some(terms), summation, rounding })
    }

    /// The same for AMD's GPUs. Products of binary32 and binary64 are added one by one, as many as an instruction has.
    fn matrix_unit_of_amd(self, operand: Format, result: Format) -> Option<MatrixUnit> {
        let (terms, summation) = match (self, operand.to_string().as_str(), result.to_string().as_str()) {
            (_, "binary32", "binary32") | (_, "binary64", "binary64") => (None, Summation::Chain),
            (Like::Mi250x, "binary16" | "bfloat16", "binary32") => (Some(4), Summation::Flushed),
            (Like::Mi300x, "binary16" | "bfloat16", "binary32") => (Some(8), Summation::Grouped),
            (Like::Mi300x, "tf32", "binary32") => (Some(4), Summation::Grouped),
            (Like::Mi300x, "k8p4sf" | "k8p3sf", "binary32") => (Some(16), Summation::Interleaved),
            _ => return None,
        };
        Some(MatrixUnit { terms, summation, rounding: Rounding::Rne })
    }
}

named! {
    /// All models.
    Like {
        V100: "v100", T4: "t4", A100: "a100", A2: "a2", Ada: "ada", L40s: "l40s", H100: "h100", H200: "h200",
        B200: "b200", Rtxpro6000: "rtxpro6000", Mi250x: "mi250x", Mi300x: "mi300x", Rvbna: "rvbna",
    }
}
