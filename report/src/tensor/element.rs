//! The elements of arrays, and their values. All values fit into binary64.

use binade_golden::{Codec, Exact, Value};
use binade_spec::Format;
use half::{bf16, f16};
use npyz::{DType, Endianness, TypeChar};
use safetensors::Dtype;
use std::fmt;

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A machine number, and whether it is big-endian.
    MachineNumber(MachineNumber, bool),
    /// A code of 8 bits.
    Code(Format),
}

/// The machine number types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineNumber {
    /// binary16.
    F16,
    /// bfloat16.
    Bf16,
    /// binary32.
    F32,
    /// binary64.
    F64,
    /// 8 bits, signed.
    I8,
    /// 8 bits, unsigned.
    U8,
    /// 16 bits, signed.
    I16,
    /// 16 bits, unsigned.
    U16,
    /// 32 bits, signed.
    I32,
    /// 32 bits, unsigned.
    U32,
}

impl Element {
    /// The element type of a NumPy array; none for 64-bit integers, which binary64 cannot hold, and for types that are not real numbers.
    pub fn of_numpy(dtype: &DType) -> Option<Element> {
        let DType::Plain(plain) = dtype else { return None };
        let number = match (plain.type_char(), plain.size_field()) {
            (TypeChar::Float, 2) => MachineNumber::F16,
            (TypeChar::Float, 4) => MachineNumber::F32,
            (TypeChar::Float, 8) => MachineNumber::F64,
            (TypeChar::Int, 1) => MachineNumber::I8,
            (TypeChar::Int, 2) => MachineNumber::I16,
            (TypeChar::Int, 4) => MachineNumber::I32,
            (TypeChar::Uint, 1) => MachineNumber::U8,
            (TypeChar::Uint, 2) => MachineNumber::U16,
            (TypeChar::Uint, 4) => MachineNumber::U32,
            _ => return None,
        };
        Some(Element::MachineNumber(number, plain.endianness() == Endianness::Big))
    }

    /// The element type of a `.safetensors` tensor.
    pub fn of_safetensors(dtype: Dtype) -> Option<Element> {
        let code = |name: &str| name.parse().ok().map(Element::Code);
        let number = match dtype {
            Dtype::F16 => MachineNumber::F16,
            Dtype::BF16 => MachineNumber::Bf16,
            Dtype::F32 => MachineNumber::F32,
            Dtype::F64 => MachineNumber::F64,
            Dtype::I8 => MachineNumber::I8,
            Dtype::U8 => MachineNumber::U8,
            Dtype::I16 => MachineNumber::I16,
            Dtype::U16 => MachineNumber::U16,
            Dtype::I32 => MachineNumber::I32,
            Dtype::U32 => MachineNumber::U32,
            Dtype::F8_E4M3 => return code("e4m3fn"),
            Dtype::F8_E5M2 => return code("e5m2"),
            Dtype::F8_E4M3FNUZ => return code("float8_e4m3fnuz"),
            Dtype::F8_E5M2FNUZ => return code("float8_e5m2fnuz"),
            Dtype::F8_E8M0 => return code("e8m0"),
            _ => return None,
        };
        Some(Element::MachineNumber(number, false))
    }

    /// The size of an element in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Element::Code(_) | Element::MachineNumber(MachineNumber::I8 | MachineNumber::U8, _) => 1,
            Element::MachineNumber(
                MachineNumber::F16 | MachineNumber::Bf16 | MachineNumber::I16 | MachineNumber::U16,
                _,
            ) => 2,
            Element::MachineNumber(MachineNumber::F32 | MachineNumber::I32 | MachineNumber::U32, _) => 4,
            Element::MachineNumber(MachineNumber::F64, _) => 8,
        }
    }

    /// The values of a whole number of elements.
    pub fn numbers(&self, bytes: &[u8]) -> Vec<f64> {
        match *self {
            Element::Code(format) => {
                let values: Vec<f64> = (0..256).map(|code| number(format.decode(code))).collect();
                bytes.iter().map(|&code| values[code as usize]).collect()
            }
            Element::MachineNumber(kind, big) => match kind {
                MachineNumber::F16 => each(bytes, big, |bytes| f16::from_le_bytes(bytes).to_f64()),
                MachineNumber::Bf16 => each(bytes, big, |bytes| bf16::from_le_bytes(bytes).to_f64()),
                MachineNumber::F32 => each(bytes, big, |bytes| f32::from_le_bytes(bytes).into()),
                MachineNumber::F64 => each(bytes, big, f64::from_le_bytes),
                MachineNumber::I8 => each(bytes, big, |bytes| i8::from_le_bytes(bytes).into()),
                MachineNumber::U8 => each(bytes, big, |bytes| u8::from_le_bytes(bytes).into()),
                MachineNumber::I16 => each(bytes, big, |bytes| i16::from_le_bytes(bytes).into()),
                MachineNumber::U16 => each(bytes, big, |bytes| u16::from_le_bytes(bytes).into()),
                MachineNumber::I32 => each(bytes, big, |bytes| i32::from_le_bytes(bytes).into()),
                MachineNumber::U32 => each(bytes, big, |bytes| u32::from_le_bytes(bytes).into()),
            },
        }
    }
}

fn each<const N: usize>(bytes: &[u8], is_big: bool, number: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    let (elements, _) = bytes.as_chunks::<N>();
    let ordered = |mut element: [u8; N]| {
        if is_big {
            element.reverse();
        }
        element
    };
    elements.iter().map(|&element| number(ordered(element))).collect()
}

/// The number of a value; binary64 must be able to hold it.
pub(super) fn number(value: Value) -> f64 {
    match value {
        Value::Zero { negative } => {
            if negative {
                -0.0
            } else {
                0.0
            }
        }
        Value::Finite(Exact { negative, n, k }) => {
            let magnitude = n as f64 * 2_f64.powi(k / 2) * 2_f64.powi(k - k / 2);
            if negative { -magnitude } else { magnitude }
        }
        Value::Infinite { negative } => {
            if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }
        }
        Value::Nan => f64::NAN,
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Element::Code(format) => format.fmt(f),
            Element::MachineNumber(number, _) => f.write_str(match number {
                MachineNumber::F16 => "binary16",
                MachineNumber::Bf16 => "bfloat16",
                MachineNumber::F32 => "binary32",
                MachineNumber::F64 => "binary64",
                MachineNumber::I8 => "int8",
                MachineNumber::U8 => "uint8",
                MachineNumber::I16 => "int16",
                MachineNumber::U16 => "uint16",
                MachineNumber::I32 => "int32",
                MachineNumber::U32 => "uint32",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_numbers_in_either_order() {
        assert_eq!(Element::MachineNumber(MachineNumber::F32, false).numbers(&1.5_f32.to_le_bytes()), [1.5]);
        assert_eq!(Element::MachineNumber(MachineNumber::F32, true).numbers(&1.5_f32.to_be_bytes()), [1.5]);
        assert_eq!(Element::MachineNumber(MachineNumber::Bf16, false).numbers(&[0x80, 0x3f, 0x80, 0xbf]), [1.0, -1.0]);
        assert_eq!(Element::MachineNumber(MachineNumber::I16, true).numbers(&[0xff, 0xfe]), [-2.0]);
        assert_eq!(Element::of_safetensors(Dtype::F8_E4M3).expect("a format").numbers(&[0x38, 0xb8]), [1.0, -1.0]);
    }
}
