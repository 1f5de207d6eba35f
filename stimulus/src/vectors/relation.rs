//! Random operands that meet: near the other term's exponent, or near a tie.

use super::corners;
use super::solve::{self, Solver};
use crate::columns::Columns;
use crate::places::{Place, places};
use binade_golden::{Codes, Model};
use binade_spec::{Operation, Shape};
use rand::{Rng, RngExt};

/// How the last operand of a vector is made to meet the others.
pub(super) struct Relation {
    operation: Operation,
    meeting: Meeting,
}

/// The kind of meeting.
enum Meeting {
    /// An operand in the first format near a tie of a result in the second.
    Tie(Box<[Codes; 2]>),
    /// Two operands.
    Operands,
    /// The product, which this model computes in the accumulator's format, and the addend.
    Product(Box<Model>),
    /// The terms of a sum of operands in these lanes.
    Terms(Box<Solver>, Vec<Place>),
    /// Those of the plain unit, which port `fmt` chooses where there are several.
    Chosen(Vec<Option<Relation>>),
}

impl Relation {
    /// `None` for units whose operands do not meet. Well-known shapes have fast methods, all others are solved; the
    /// sequence decides what meets a register.
    pub fn of(operation: &Operation) -> Option<Relation> {
        let meeting = match operation.shape() {
            _ if operation.is_wrapped() => {
                let is_narrow = operation.inputs().iter().all(|port| port.lanes == 1);
                Meeting::Chosen(is_narrow.then(|| operation.choices().iter().map(Relation::of).collect())?)
            }
            Shape::Conversion => Meeting::Tie(Box::new([operation.operand, operation.result].map(Codes::new))),
            Shape::Sum => Meeting::Operands,
            Shape::Function if operation.inputs().len() == 2 => Meeting::Operands,
            Shape::Accumulation | Shape::RoundedAccumulation => Meeting::Product(Box::new(corners::product(operation))),
            Shape::Other if !operation.has_state() => {
                Meeting::Terms(Box::new(Solver::of(Model::new(operation))?), places(&operation.inputs()))
            }
            Shape::Product | Shape::RunningSum | Shape::Function | Shape::Machine | Shape::Parts | Shape::Other => {
                return None;
            }
        };
        Some(Relation { operation: *operation, meeting })
    }

    /// Whether a run consists of such vectors: one in eight for conversions and one in four otherwise, as they cost
    /// more to generate.
    pub fn is_chosen(&self, choice: u64) -> bool {
        let bits = match self.meeting {
            Meeting::Tie(_) => 0b111,
            Meeting::Operands | Meeting::Product(_) | Meeting::Terms(..) | Meeting::Chosen(_) => 0b11,
        };
        choice >> 8 & bits == bits
    }

    /// Replaces the last operand of a vector by one that meets the others.
    pub fn relate(&self, vector: usize, random: &mut impl Rng, columns: &mut Columns) {
        if let Meeting::Terms(solver, places) = &self.meeting {
            return solved(solver, places, vector, random, columns);
        }
        if let Meeting::Chosen(relations) = &self.meeting {
            return self.relate_chosen(relations, vector, random, columns);
        }
        let code = |operand: usize| columns.code(operand, vector);
        let Operation { operand, result, .. } = &self.operation;
        let (last, replacement) = match &self.meeting {
            Meeting::Tie(codes) => (0, corners::random_near_result(codes, random)),
            Meeting::Operands => (1, corners::random_related(operand, code(0), random)),
            Meeting::Product(product) => {
                let product = product.first_result(&[code(0), code(1), 0]);
                (2, corners::random_related(result, product, random))
            }
            Meeting::Terms(..) | Meeting::Chosen(_) => return,
        };
        columns.set_code(last, vector, replacement);
    }

    /// The same for the plain unit that the vector chooses, without the bits above its codes.
    fn relate_chosen(
        &self,
        relations: &[Option<Relation>],
        vector: usize,
        random: &mut impl Rng,
        columns: &mut Columns,
    ) {
        let last = self.operation.inputs().len() - 1;
        let fmt = if self.operation.has_choices() { columns.code(last, vector) as u64 } else { 0 };
        let Some(relation) = &relations[self.operation.index_of_choice(fmt)] else { return };
        for (at, port) in relation.operation.inputs().iter().enumerate() {
            let code = columns.code(at, vector) & u128::MAX >> (u128::BITS - port.width());
            columns.set_code(at, vector, code);
        }
        relation.relate(vector, random, columns);
    }
}

/// Changes operands of a vector so that the terms of a sum meet.
fn solved(solver: &Solver, places: &[Place], vector: usize, random: &mut impl Rng, columns: &mut Columns) {
    let mut lanes: Vec<u128> =
        places.iter().map(|place| place.low_bits_of(columns.word_mut(place.port, vector))).collect();
    let meeting = solve::Meeting::ALL[random.random_range(0..solve::Meeting::ALL.len())];
    solver.meet(meeting, &mut lanes, random);
    places.iter().for_each(|place| columns.word_mut(place.port, vector).fill(0));
    places.iter().zip(lanes).for_each(|(place, lane)| place.put(lane, columns.word_mut(place.port, vector)));
}
