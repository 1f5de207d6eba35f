//! Random operands that meet: near the other term's exponent, or near a tie.

use super::corners;
use crate::columns::Columns;
use binade_golden::{Codes, Model};
use binade_spec::{Operation, Shape};
use rand::Rng;

/// How the last operand of a vector is made to meet the others.
pub(super) struct Relation {
    operation: Operation,
    meeting: Meeting,
}

/// What meets.
enum Meeting {
    /// An operand of these codes and a tie of the result of these.
    Tie(Box<[Codes; 2]>),
    /// Two operands.
    Operands,
    /// The product, which this model gives in the accumulator's format, and the addend.
    Product(Box<Model>),
}

impl Relation {
    /// None for units whose operands do not meet.
    pub fn of(operation: &Operation) -> Option<Relation> {
        let meeting = match operation.shape() {
            Shape::Conversion => Meeting::Tie(Box::new([operation.operand, operation.result].map(Codes::new))),
            Shape::Sum => Meeting::Operands,
            Shape::Function if operation.inputs().len() == 2 => Meeting::Operands,
            Shape::Accumulation | Shape::RoundedAccumulation => Meeting::Product(Box::new(corners::product(operation))),
            Shape::Product | Shape::RunningSum | Shape::Function | Shape::Parts | Shape::Other => return None,
        };
        Some(Relation { operation: *operation, meeting })
    }

    /// Whether a run's vectors are such: of one in eight conversions and one in four others, as these vectors cost more
    /// to make.
    pub fn is_chosen(&self, choice: u64) -> bool {
        let bits = match self.meeting {
            Meeting::Tie(_) => 0b111,
            Meeting::Operands | Meeting::Product(_) => 0b11,
        };
        choice >> 8 & bits == bits
    }

    /// Replaces the last operand of a vector by one that meets the others.
    pub fn relate(&self, vector: usize, random: &mut impl Rng, columns: &mut Columns) {
        let code = |operand: usize| columns.code(operand, vector);
        let Operation { operand, result, .. } = &self.operation;
        let (last, replacement) = match &self.meeting {
            Meeting::Tie(codes) => (0, corners::random_near_result(codes, random)),
            Meeting::Operands => (1, corners::random_related(operand, code(0), random)),
            Meeting::Product(product) => {
                let product = product.first_result(&[code(0), code(1), 0]);
                (2, corners::random_related(result, product, random))
            }
        };
        columns.set_code(last, vector, replacement);
    }
}
