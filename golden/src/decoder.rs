//! Decoding of many codes.

use crate::{Codes, Exact, Value};
use binade_spec::Float;
use std::ops::RangeInclusive;

/// Decodes many codes of one format. Codes of up to 8 bits are looked up; for wider formats, ordinary codes, which are
/// nearly all, are decoded without checks for other classes.
pub(crate) struct FastDecoder {
    codes: Codes,
    values: Vec<Value>,
    ordinary: Option<Ordinary>,
}

/// The ordinary codes of a floating-point format.
struct Ordinary {
    float: Float,
    /// The magnitude codes of the ordinary values.
    codes: RangeInclusive<u64>,
    magnitude_mask: u64,
}

impl FastDecoder {
    /// A decoder sized for roughly `count` codes.
    pub fn new(codes: Codes, count: usize) -> FastDecoder {
        let all = 1 << codes.width().min(9);
        let listed = if all <= 256 && all <= count as u64 { all } else { 0 };
        let values = (0..listed).map(|code| codes.decode(code.into())).collect();
        FastDecoder { values, ordinary: codes.float().map(Ordinary::new), codes }
    }

    pub fn decode(&self, code: u64) -> Value {
        if let Some(value) = self.values.get(code as usize) {
            return *value;
        }
        match &self.ordinary {
            Some(ordinary) if ordinary.has(code) => ordinary.decode(code),
            _ => self.codes.decode(code.into()),
        }
    }
}

impl Ordinary {
    fn new(float: &Float) -> Ordinary {
        // Above field 0, outside the supernormal regions, every code has a leading one.
        let first = float.first_ordinary_code().max(1 << float.trailing_bits);
        let last = float.max_code().min(float.first_upper_code() - 1);
        Ordinary { float: *float, codes: first as u64..=last as u64, magnitude_mask: float.magnitude_mask() as u64 }
    }

    fn has(&self, code: u64) -> bool {
        self.codes.contains(&(code & self.magnitude_mask))
    }

    /// The value of one of these codes.
    fn decode(&self, code: u64) -> Value {
        let t = self.float.trailing_bits;
        let magnitude = code & self.magnitude_mask;
        Value::Finite(Exact {
            negative: code & !self.magnitude_mask != 0,
            n: (1 << t | magnitude & ((1 << t) - 1)).into(),
            k: (magnitude >> t) as i32 - self.float.bias - t as i32,
        })
    }
}
