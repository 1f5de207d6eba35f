//! `dot-exact`: dot products of any length in an accumulator that never rounds (Kulisch, "Computer Arithmetic and
//! Validity"; the quire of the posit standard, 2022): products are added clock by clock, and only the output is
//! rounded.

use super::{Definition, Facts, MachineFunction, Meaning, OnPorts, accumulator_format};
use crate::kind::DEFAULT_GUARD;
use crate::{Accumulation, Kind, Operation, OperationError, Port, Selection, Setting, StateWord, Unit, WordKind};

/// Bits of the golden model's words.
const WORD_BITS: u32 = 128;

/// The names of these words, the lowest digits first.
const WORDS: [&str; 8] = ["acc_0", "acc_1", "acc_2", "acc_3", "acc_4", "acc_5", "acc_6", "acc_7"];

pub(super) const DOT_EXACT: Definition = Definition {
    name: "dot-exact",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[
        Setting::FormatB,
        Setting::Acc,
        Setting::Lanes,
        Setting::Guard,
        Setting::Quire,
        Setting::Round,
        Setting::Overflow,
        Setting::PositRange,
    ],
    formats: accumulator_format,
    kind: || Kind::Accumulation(Accumulation::default()),
    resolve: Selection::dot_exact,
    inputs: |operation| {
        let lanes = |name, format| Port { lanes: operation.lanes(), ..Port::code(name, format) };
        let [a, b] = operation.factors();
        let bit = |name, says| Port::word(name, 1, WordKind::Bit(says));
        vec![
            lanes("a", a),
            lanes("b", b),
            bit("clear", "the old sum is ignored"),
            bit("negate", "the products are subtracted"),
        ]
    },
    outputs: |operation| {
        let quire = Port::word("quire", operation.accumulator().width, WordKind::Quire);
        [Port::code("y", operation.result)].into_iter().chain(operation.has_quire().then_some(quire)).collect()
    },
    meaning: |operation| Meaning::Machine(MachineFunction::DotExact, state(operation)),
    module: |operation| {
        let Operation { operand, result, .. } = operation;
        let lanes = operation.lanes();
        let second = operation.second().map_or(String::new(), |second| format!("_{}", second.identifier()));
        format!("dot_exact{lanes}_{}{second}_acc_{}", operand.identifier(), result.identifier())
    },
    about: Some(about),
};

/// An accumulator: a number in two's complement, in units of `2^lowest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulator {
    /// Exponent of the lowest place.
    pub lowest: i64,
    /// Bits, with the sign.
    pub width: u32,
}

impl Operation {
    /// The accumulator of `dot-exact`: it has room for all products of two codes, and for the sum of `2^guard_bits` of
    /// them ([`Accumulation::guard_bits`]).
    ///
    /// # Panics
    /// In other units.
    pub fn accumulator(&self) -> Accumulator {
        let [[a_low, a_high], [b_low, b_high]] = self.factors().map(|format| format.reach());
        let are_posits = self.factors().iter().all(|format| format.posit().is_some());
        let (lowest, above) = (a_low + b_low, a_high + b_high - i64::from(are_posits));
        Accumulator { lowest, width: (above - lowest) as u32 + self.settings::<Accumulation>().guard_bits + 1 }
    }
}

impl Selection {
    /// Resolves the settings of an exact accumulator.
    fn dot_exact(&self, operation: Operation) -> Result<Operation, OperationError> {
        let accumulation = Accumulation {
            second: self.second.filter(|&second| second != operation.operand),
            lanes: self.lanes.unwrap_or(1),
            guard_bits: self.guard_bits.unwrap_or(DEFAULT_GUARD),
            has_quire: self.has_quire,
        };
        let operation = Operation { kind: Kind::Accumulation(accumulation), ..operation };
        let no_posit = operation.factors().into_iter().find(|format| format.posit().is_none());
        if let Some(format) = no_posit.filter(|_| self.has_quire) {
            return Err(OperationError::QuireOfPosits { format });
        }
        let Accumulator { width, .. } = operation.accumulator();
        let most = WORDS.len() as u32 * WORD_BITS;
        if width > most {
            return Err(OperationError::WideAccumulator { width, most });
        }
        match operation.rounding.random_bits() {
            0 => Ok(operation),
            _ => Err(OperationError::NotStochastic { unit: Unit::DotExact }),
        }
    }
}

/// The accumulator in words, and the specials: whether a term was NaN, +infinity or -infinity.
fn state(operation: &Operation) -> Vec<StateWord> {
    let Accumulator { width, .. } = operation.accumulator();
    let word = |name, width, kind| StateWord { name, width, lanes: 1, kind, reset: 0 };
    let digits = (0..width.div_ceil(WORD_BITS))
        .map(|at| word(WORDS[at as usize], WORD_BITS.min(width - at * WORD_BITS), WordKind::Digits));
    let seen = ["has_nan", "has_plus_infinity", "has_minus_infinity"];
    let seen = seen.map(|name| word(name, 1, WordKind::Bit("a term since the last clear was one")));
    digits.chain(seen).collect()
}

fn about(operation: &Operation) -> Vec<String> {
    let Accumulator { lowest, width } = operation.accumulator();
    let guard = operation.settings::<Accumulation>().guard_bits;
    let products = match operation.lanes() {
        1 => "a * b".into(),
        lanes => format!("a[0] * b[0] + .. + a[{last}] * b[{last}]", last = lanes - 1),
    };
    let mut lines = vec![
        format!("acc = (clear ? 0 : acc) + (negate ? -s : s), where s = {products} is exact;"),
        format!(
            "acc has {width} bits in two's complement, the lowest of weight 2^{lowest}; 2^{guard} products of the largest values do not overflow it."
        ),
        "y = acc after this clock's products; zero is +0, NaN and infinities stay until clear.".into(),
    ];
    lines.extend(operation.has_quire().then(|| format!("quire = acc in units of 2^{lowest}, or 100..0 for NaR.")));
    lines
}
