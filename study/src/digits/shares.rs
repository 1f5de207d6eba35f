//! The share of a tensor's elements that lose precision or become zero.

use crate::arithmetic::Narrow;
use crate::matrix::Matrix;
use binade_report::formats::full_precision;
use binade_spec::Format;
use serde::Serialize;

/// The tensors that are examined.
const TENSORS: [&str; 6] = ["weights 1", "weights 2", "hidden", "outputs", "gradient of outputs", "gradient of hidden"];

/// The shares of elements of a tensor, per epoch, among those that are not zero before rounding.
#[derive(Clone, Debug, Serialize)]
pub struct Tensor {
    /// The name of the tensor.
    pub name: &'static str,
    /// For each epoch, the share that is below full precision but not zero: subnormals, supernormal powers of two, posits with long
    /// regimes.
    pub below_full_precision: Vec<f64>,
    /// For each epoch, the share that becomes zero.
    pub flushed: Vec<f64>,
}

/// The elements of a tensor in an epoch.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    not_zero: usize,
    below: usize,
    flushed: usize,
}

/// The shares of all tensors.
pub struct Shares {
    /// The smallest magnitude with full precision.
    full_from: f32,
    epoch: [Count; TENSORS.len()],
    tensors: Vec<Tensor>,
}

impl Shares {
    pub fn new(format: Format) -> Shares {
        let narrow = Narrow::new(format).expect("units of a format that was trained with");
        let full_from = narrow.numbers(&[format.code(false, full_precision(&format)[0]) as u64])[0];
        let tensor = |name| Tensor { name, below_full_precision: vec![], flushed: vec![] };
        Shares { full_from, epoch: Default::default(), tensors: TENSORS.map(tensor).to_vec() }
    }

    /// Counts the elements of each tensor, before and after rounding.
    pub fn count(&mut self, tensors: [(&Matrix, &Matrix); TENSORS.len()]) {
        for (count, (before, after)) in self.epoch.iter_mut().zip(tensors) {
            let elements = before.numbers.iter().zip(&after.numbers).filter(|(before, _)| **before != 0.0);
            for (_, after) in elements {
                count.not_zero += 1;
                count.flushed += usize::from(*after == 0.0);
                count.below += usize::from(*after != 0.0 && after.abs() < self.full_from);
            }
        }
    }

    pub fn end_epoch(&mut self) {
        for (tensor, count) in self.tensors.iter_mut().zip(std::mem::take(&mut self.epoch)) {
            let share = |part| part as f64 / count.not_zero.max(1) as f64;
            tensor.below_full_precision.push(share(count.below));
            tensor.flushed.push(share(count.flushed));
        }
    }

    pub fn tensors(self) -> Vec<Tensor> {
        self.tensors
    }
}
