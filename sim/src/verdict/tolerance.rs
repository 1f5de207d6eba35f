//! Results that are right besides the golden model's: choices that standards leave open, set by the user.

use super::policy::{Policies, Policy};
use crate::reference::{Reference, row_by_columns};
use binade_golden::{Codec, Model, Value};
use binade_spec::word::low_bits;
use binade_spec::{Column, ColumnMut, Content, Format, Operation, Port, Rounding, Word, WordKind};
use binade_stimulus::words::widths;
use binade_stimulus::{Columns, Place, join, places, split};
use serde::{Serialize, Serializer};
use std::fmt;

/// Which NaN is right if the wanted result is NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NanRule {
    /// The canonical one, which the golden model gives.
    #[default]
    Canonical,
    /// Any NaN.
    Any,
    /// The NaN of an operand in the format of the result, made quiet; if no operand is NaN, the canonical one with either sign.
    Payload,
}

/// Which results are right besides the golden model's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tolerance {
    /// Which NaN is right.
    pub nan: NanRule,
    /// Whether a zero may have the other sign.
    pub any_zero_sign: bool,
    /// What a module makes of operands and results otherwise than the golden model.
    pub policies: Policies,
}

impl Tolerance {
    /// Whether only the golden model's answer is right.
    pub fn is_none(&self) -> bool {
        *self == Tolerance::default()
    }

    /// The same with one allowance less, each with its option.
    pub fn narrower(&self) -> Vec<(String, Tolerance)> {
        let nan = (self.nan != NanRule::Canonical)
            .then(|| ("--nan".to_string(), Tolerance { nan: NanRule::Canonical, ..*self }));
        let zero = self.any_zero_sign.then(|| ("--zero-sign".to_string(), Tolerance { any_zero_sign: false, ..*self }));
        let without = |policy: Policy| Tolerance { policies: self.policies.without(policy), ..*self };
        let policies = self.policies.iter().map(|policy| (format!("--policy {policy}"), without(policy)));
        nan.into_iter().chain(zero).chain(policies).collect()
    }

    /// Whether `got` is right for one lane of an output; `operands` belong to the same vector.
    fn allows(&self, content: Content, [got, want]: [&Word; 2], operands: &[(Place, Word)]) -> bool {
        let (got, want) = (low_bits(got), low_bits(want));
        if let Content::Word { kind: WordKind::Flags, width } = content {
            return (got ^ want) & self.policies.judged_flags(width) == 0;
        }
        let Content::Code(format) = content else { return false };
        match (format.decode(want), format.decode(got)) {
            (Value::Nan, Value::Nan) => match self.nan {
                NanRule::Canonical => false,
                NanRule::Any => true,
                NanRule::Payload => is_propagated(&format, [got, want], operands),
            },
            (Value::Zero { .. }, Value::Zero { .. }) => self.any_zero_sign,
            _ => false,
        }
    }
}

/// Whether a NaN is an operand's NaN made quiet, or, if no operand is NaN, the canonical one with either sign.
fn is_propagated(format: &Format, [got, want]: [u128; 2], operands: &[(Place, Word)]) -> bool {
    let nans = nans(format, operands);
    match nans.is_empty() {
        true => got & !format.sign_mask() == want & !format.sign_mask(),
        false => nans.contains(&got),
    }
}

/// The NaNs among the operands with this format, made quiet.
fn nans(format: &Format, operands: &[(Place, Word)]) -> Vec<u128> {
    let is_own = |content: Content| matches!(content, Content::Code(other) if other == *format);
    let codes = operands.iter().filter(|(place, _)| is_own(place.content)).map(|(_, word)| low_bits(word));
    codes.filter(|&code| format.is_nan(code)).map(|nan| nan | quiet_bit(format)).collect()
}

/// The bit that distinguishes quiet from signaling NaNs; 0 if the format has no such bit.
pub(super) fn quiet_bit(format: &Format) -> u128 {
    match format {
        Format::Float(float) => (1_u128 << (float.precision() - 1)) >> 1,
        Format::Posit(_) | Format::Fixed(_) | Format::Codebook(_) => 0,
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let nan = match self.nan {
            NanRule::Canonical => None,
            NanRule::Any => Some("any NaN is right where a NaN is wanted"),
            NanRule::Payload => Some("a NaN has the payload of an operand"),
        };
        let zero = self.any_zero_sign.then_some("a zero may have either sign");
        let policies = self.policies.iter().map(Policy::sentence);
        f.write_str(&nan.into_iter().chain(zero).chain(policies).collect::<Vec<_>>().join("; "))
    }
}

impl Serialize for Tolerance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The golden model, with tolerance for other right results.
pub(crate) struct Lenient {
    model: Model,
    /// The golden model that rounds toward zero, if a policy needs it.
    truncated: Option<Model>,
    tolerance: Tolerance,
    operands: Vec<Place>,
    results: Vec<Place>,
}

impl Lenient {
    pub fn new(operation: &Operation, tolerance: Tolerance) -> Lenient {
        let model = Model::new(operation);
        let (operands, results) = (places(&operation.inputs()), places(&operation.outputs()));
        let rounds_toward_zero = tolerance.policies.has(Policy::FtzExact);
        let truncated = rounds_toward_zero.then(|| Model::new(&Operation { rounding: Rounding::Rtz, ..*operation }));
        Lenient { model, truncated, tolerance, operands, results }
    }

    /// The golden model's results for operands that the policies replace, and with results that they replace.
    fn evaluate_with_policies(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        let policies = self.tolerance.policies;
        let count = outputs[0].words.len() / outputs[0].limbs;
        let replaced = (0..count).map(|vector| {
            let words: Vec<Word> = inputs.iter().map(|column| column.word(vector)).collect();
            let mut lanes = split(&self.operands, &words);
            policies.replace_operands(&self.operands, &mut lanes);
            join(&self.operands, &lanes)
        });
        let replaced = Columns::of_vectors(widths(&self.inputs()), &replaced.collect::<Vec<_>>());
        self.model.evaluate_columns(&replaced.views(), outputs);
        let truncated = self.truncated.as_ref().map(|model| {
            let mut truncated = Columns::zeros(widths(&self.outputs()), count);
            model.evaluate_columns(&replaced.views(), &mut truncated.views_mut(count));
            truncated
        });
        for vector in 0..count {
            let words: Vec<Word> = outputs.iter().map(|column| column.word(vector)).collect();
            let mut lanes = split(&self.results, &words);
            let truncated = truncated.as_ref().map(|columns| split(&self.results, &columns.vector(vector)));
            policies.replace_results(&self.results, &mut lanes, truncated.as_deref());
            let words = join(&self.results, &lanes);
            outputs.iter_mut().zip(&words).for_each(|(column, word)| column.set(vector, word));
        }
    }

    /// Replaces each canonical NaN that stems from a NaN operand by the first such operand, made quiet.
    fn propagate(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        let vectors = outputs[0].words.len() / outputs[0].limbs;
        for vector in 0..vectors {
            let words: Vec<Word> = inputs.iter().map(|column| column.word(vector)).collect();
            let operands: Vec<(Place, Word)> =
                self.operands.iter().copied().zip(split(&self.operands, &words)).collect();
            let words: Vec<Word> = outputs.iter().map(|column| column.word(vector)).collect();
            let mut lanes = split(&self.results, &words);
            for (place, lane) in self.results.iter().zip(&mut lanes) {
                let Content::Code(format) = place.content else { continue };
                if let Some(&nan) = nans(&format, &operands).first().filter(|_| format.is_nan(low_bits(lane))) {
                    *lane = Word::from(nan);
                }
            }
            let words = join(&self.results, &lanes);
            outputs.iter_mut().zip(&words).for_each(|(column, word)| column.set(vector, word));
        }
    }
}

impl Reference for Lenient {
    fn inputs(&self) -> Vec<Port> {
        Reference::inputs(&self.model)
    }

    fn outputs(&self) -> Vec<Port> {
        Reference::outputs(&self.model)
    }

    fn has_state(&self) -> bool {
        self.model.has_state()
    }

    fn evaluate_columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        if self.tolerance.policies.is_empty() {
            self.model.evaluate_columns(inputs, outputs);
        } else {
            self.evaluate_with_policies(inputs, outputs);
        }
        if self.tolerance.nan == NanRule::Payload {
            self.propagate(inputs, outputs);
        }
    }

    fn evaluate_row(&self, first: u64, outputs: &mut [ColumnMut]) {
        match self.tolerance.nan {
            _ if !self.tolerance.policies.is_empty() => row_by_columns(self, first, outputs),
            NanRule::Payload => row_by_columns(self, first, outputs),
            NanRule::Canonical | NanRule::Any => self.model.evaluate_row(first, outputs),
        }
    }

    fn unrounded(&self, before: &[Vec<Word>], operands: &[Word], output: &str, lane: u32) -> Option<String> {
        Reference::unrounded(&self.model, before, operands, output, lane)
    }

    fn state(&self, before: &[Vec<Word>]) -> Vec<(Port, Word)> {
        Reference::state(&self.model, before)
    }

    fn allows(&self, operands: &[Word], got: &[Word], want: &[Word]) -> bool {
        if self.tolerance.is_none() {
            return false;
        }
        let words = split(&self.operands, operands);
        let operands: Vec<(Place, Word)> = self.operands.iter().copied().zip(words).collect();
        let lanes = split(&self.results, got).into_iter().zip(split(&self.results, want));
        self.results
            .iter()
            .zip(lanes)
            .all(|(place, (got, want))| got == want || self.tolerance.allows(place.content, [&got, &want], &operands))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::Unit;

    /// Whether a binary16 product is accepted, given its operands and the result.
    fn takes(tolerance: Tolerance, operands: [u32; 2], got: u32) -> bool {
        let binary16 = Format::binary16();
        let lenient = Lenient::new(&Operation::new(Unit::Mul, binary16, binary16), tolerance);
        let operands = operands.map(Word::from);
        let want = lenient.evaluate(&operands);
        let got = [Word::from(got)];
        got[..] == want[..] || lenient.allows(&operands, &got, &want)
    }

    /// The binary16 product that is wanted with policies.
    fn wanted(policies: &[Policy], a: u32, b: u32) -> u128 {
        let binary16 = Format::binary16();
        let tolerance = Tolerance { policies: policies.iter().copied().collect(), ..Tolerance::default() };
        let lenient = Lenient::new(&Operation::new(Unit::Mul, binary16, binary16), tolerance);
        low_bits(&lenient.evaluate(&[a, b].map(Word::from))[0])
    }

    #[test]
    fn policies_replace_operands_and_results() {
        use Policy::{Daz, DazPositive, Ftz, FtzExact, FtzPositive, InfToMax, NoNegativeZero, ZeroTimesInf};
        let (one, two, half, minus) = (0x3c00, 0x4000, 0x3800, 0x8000);
        let (subnormal, least_normal, infinity) = (0x0201, 0x0400, 0x7c00);
        for (policies, a, b, want) in [
            (&[][..], subnormal | minus, two, 0x8402),
            (&[Daz], subnormal | minus, two, 0x8000),
            (&[DazPositive], subnormal | minus, two, 0),
            (&[Ftz], subnormal | minus, two, 0x8402),
            (&[Ftz], least_normal | minus, half, 0x8000),
            (&[FtzPositive], least_normal | minus, half, 0),
            (&[Daz], least_normal | minus, half, 0x8200),
            // 2^-14 (1 - 2^-11) rounds up to the smallest normal number.
            (&[Ftz], least_normal, 0x3bff, 0x0400),
            (&[FtzExact], least_normal, 0x3bff, 0),
            (&[FtzExact], least_normal | minus, 0x3bff, 0x8000),
            (&[FtzExact], least_normal, one, 0x0400),
            (&[FtzExact], least_normal, half, 0),
            (&[], 0, infinity, 0x7e00),
            (&[ZeroTimesInf], minus, infinity, 0x8000),
            (&[ZeroTimesInf], infinity | minus, 0, 0x8000),
            (&[ZeroTimesInf], infinity, two, 0x7c00),
            (&[ZeroTimesInf], 0, 0x7e01, 0x7e00),
            (&[ZeroTimesInf, Daz], subnormal, infinity, 0),
            (&[InfToMax], 0x7bff, two | minus, 0xfbff),
            (&[InfToMax], infinity, one, 0x7bff),
            (&[InfToMax], infinity, 0, 0x7e00),
            (&[NoNegativeZero], minus, one, 0),
            (&[NoNegativeZero, Ftz], least_normal | minus, half, 0),
        ] {
            assert_eq!(wanted(policies, a, b), want, "{policies:?} {a:#x} {b:#x}");
        }
    }

    #[test]
    fn a_nan_is_only_right_where_a_nan_is_wanted() {
        let any = Tolerance { nan: NanRule::Any, ..Tolerance::default() };
        let (infinity, zero, one) = (0x7c00, 0, 0x3c00);
        assert!(takes(any, [infinity, zero], 0x7e00) && takes(any, [infinity, zero], 0xfe01));
        assert!(!takes(any, [infinity, zero], infinity));
        assert!(!takes(any, [infinity, one], 0x7e00));
        assert!(!takes(Tolerance::default(), [infinity, zero], 0xfe00));
    }

    #[test]
    fn a_payload_is_that_of_an_operand_made_quiet() {
        let payload = Tolerance { nan: NanRule::Payload, ..Tolerance::default() };
        assert!(takes(payload, [0xfc05, 0x3c00], 0xfe05), "a signaling NaN made quiet");
        assert!(takes(payload, [0x7e05, 0x7e06], 0x7e06) && takes(payload, [0x7e05, 0x7e06], 0x7e05));
        assert!(!takes(payload, [0x7e05, 0x3c00], 0x7e00), "the canonical one has lost the payload");
        assert!(takes(payload, [0x7c00, 0], 0xfe00) && !takes(payload, [0x7c00, 0], 0x7e01), "no operand is NaN");
    }

    #[test]
    fn a_zero_may_have_the_other_sign_if_the_user_says_so() {
        let any = Tolerance { any_zero_sign: true, ..Tolerance::default() };
        assert!(takes(any, [0x8000, 0x3c00], 0) && !takes(any, [0x8000, 0x3c00], 1));
        assert!(!takes(Tolerance::default(), [0x8000, 0x3c00], 0));
    }
}
