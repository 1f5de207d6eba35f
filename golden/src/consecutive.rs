//! Conversions of consecutive codes: if many of them round alike, only the first and the last are evaluated.

use crate::position::Position;
use crate::{Exact, Model, Rest, Value};
use binade_spec::{Column, ColumnMut, Format, Shape};
use ethnum::I256;

impl Model {
    /// The results of [`Model::evaluate`] for the codes `first`, `first + 1`, .. of a unit with one input.
    ///
    /// Consecutive finite values of one sign round alike if the first and the last lie strictly within the same half of
    /// a step between two codes of the result, and round alike: so does everything between them. Otherwise the row is
    /// halved. With flags, and for codebooks, whose codes are in any order, every code is evaluated.
    ///
    /// # Panics
    /// When the unit has more than one input.
    pub fn evaluate_row(&self, first: u64, outputs: &mut [ColumnMut]) {
        assert_eq!(self.inputs.len(), 1, "{} has more than one input", self.unit);
        let ascends = !matches!(*self.operand, Format::Codebook(_));
        if ascends && self.is_fast() && self.shape == Shape::Conversion && self.flags.is_none() {
            return self.convert_row(first, outputs[0].words);
        }
        let count = outputs[0].words.len() as u64;
        let codes: Vec<u64> = (first..first + count).collect();
        self.evaluate_columns(&[Column::narrow(&codes)], outputs);
    }

    fn convert_row(&self, first: u64, results: &mut [u64]) {
        let Some(last) = results.len().checked_sub(1) else { return };
        let ends = [first, first + last as u64];
        let rounded = ends.map(|code| self.first_result(&[code.into()]) as u64);
        if last <= 1 {
            return results.copy_from_slice(&rounded[..=last]);
        }
        let [one, other] = ends.map(|code| self.half_step(code));
        if one.is_some() && one == other && rounded[0] == rounded[1] {
            return results.fill(rounded[0]);
        }
        let middle = results.len() / 2;
        let (low, high) = results.split_at_mut(middle);
        self.convert_row(first, low);
        self.convert_row(first + middle as u64, high);
    }

    /// For an operand strictly within a half of a step between two codes of the result: its sign, the code, and the
    /// half.
    fn half_step(&self, operand: u64) -> Option<(bool, I256, Rest)> {
        let Value::Finite(Exact { negative, n, k }) = self.operand.decode(operand.into()) else { return None };
        let Position { code, rest, .. } = self.result.locate(negative, &n, k, self.rounding);
        matches!(rest, Rest::LessThanHalf | Rest::MoreThanHalf).then_some((negative, code, rest))
    }
}
