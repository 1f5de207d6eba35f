//! The vectors of a plan, block by block.

use super::block::{BLOCK, RUN};
use super::boxes::Boxes;
use super::order::Order;
use super::plan::{Plan, Vectors};
use super::planes::RandomPlanes;
use super::random_port::RandomPort;
use super::relation::Relation;
use super::sequences::Walks;
use crate::columns::Columns;
use crate::words::widths;
use binade_gates::Plane;
use binade_spec::Word;
use binade_spec::{Operation, Port};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The number of operands for which a run's first random word (bits 1 to 7) says whether they are at edges.
const FIRST_OPERANDS: usize = 7;

/// Generates the vectors of a plan; any block on any thread.
pub struct Stimulus<'p> {
    plan: &'p Plan,
    inputs: Vec<Port>,
    /// The order of all combinations, if the plan has them.
    order: Option<Order>,
    random: Vec<RandomPort>,
    /// How the operands of some random vectors meet.
    relation: Option<Relation>,
    /// The boxes around codes.
    boxes: Option<Boxes>,
    /// Random vectors as planes, if the plan uses them.
    planes: RandomPlanes,
    /// Turns random vectors into a sequence, for a unit with state.
    walks: Option<Walks>,
}

impl<'p> Stimulus<'p> {
    /// The vectors of a plan for this operation.
    pub fn new(operation: &Operation, plan: &'p Plan) -> Stimulus<'p> {
        let stimulus = Stimulus::counting(operation, plan);
        let order = stimulus.order.is_some().then(|| Order::of(operation));
        Stimulus { order, ..stimulus }
    }

    /// The vectors of a plan; all combinations, if it has them, in counting order.
    pub fn counting(operation: &Operation, plan: &'p Plan) -> Stimulus<'p> {
        let walks = operation.has_state().then(|| Walks::new(operation));
        let (relation, boxes) = (Relation::of(operation), Boxes::of(operation));
        Stimulus { relation, boxes, walks, ..Stimulus::of_ports(operation.inputs(), plan) }
    }

    /// For ports of an unknown unit.
    pub fn of_ports(inputs: Vec<Port>, plan: &'p Plan) -> Stimulus<'p> {
        let is_all = matches!(plan.vectors, Vectors::All { .. });
        Stimulus {
            plan,
            order: is_all.then(|| Order::counting(&inputs)),
            random: inputs.iter().map(RandomPort::new).collect(),
            relation: None,
            boxes: None,
            planes: RandomPlanes::new(&inputs),
            walks: None,
            inputs,
        }
    }

    /// Empty columns, one per input.
    pub fn columns(&self) -> Columns {
        Columns::new(widths(&self.inputs))
    }

    /// The order of all combinations, if the plan has them.
    pub fn order(&self) -> Option<&Order> {
        self.order.as_ref()
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.plan.total().div_ceil(BLOCK as u64)
    }

    /// Fills the columns of the inputs with the vectors of a block.
    ///
    /// # Panics
    /// When the plan was made for another operation.
    pub fn fill(&self, block: u64, columns: &mut Columns) {
        columns.clear();
        let first = block * BLOCK as u64;
        let end = self.plan.total().min(first + BLOCK as u64);
        if self.is_in_planes(first) {
            let mut planes = self.planes.planes();
            let count = self.fill_planes(block, &mut planes).unwrap_or_default();
            *columns = self.planes.columns(&planes, count);
            return;
        }
        match (&self.plan.vectors, &self.order) {
            (Vectors::All { .. }, order) => {
                order.as_ref().expect("all combinations have an order").fill(first..end, columns);
            }
            (Vectors::Tour(tour), _) => tour.fill(first..end, columns),
            (Vectors::Sampled { directed, limbs, .. }, _) => {
                let listed = (directed.len() / limbs) as u64;
                let here = &directed[(first.min(listed) as usize * limbs)..(end.min(listed) as usize * limbs)];
                here.chunks_exact(*limbs).for_each(|vector| columns.push(vector));
                self.fill_random(block, (end - first) as usize, columns);
            }
        }
    }

    /// Fills the planes of the operands with the vectors of a block, if these are generated as planes; returns their
    /// number.
    pub fn fill_planes(&self, block: u64, planes: &mut [Plane]) -> Option<usize> {
        let first = block * BLOCK as u64;
        self.is_in_planes(first).then(|| {
            let push = |random: &mut Xoshiro256PlusPlus, columns: &mut Columns| self.push_random(RUN, random, columns);
            self.planes.fill(&mut self.random_of(block), planes, push);
            (self.plan.total() - first).min(BLOCK as u64) as usize
        })
    }

    /// Whether the vectors from `first` on are generated as planes: in random bits, codes are hardly ever boxed.
    fn is_in_planes(&self, first: u64) -> bool {
        self.plan.is_in_planes(first) && self.boxes.is_none()
    }

    /// The vectors up to `reach` before and after a vector of the plan, including itself.
    pub fn window(&self, index: u64, reach: u64) -> Vec<Vec<Word>> {
        let mut columns = self.columns();
        let mut filled = None;
        let mut vector = |index: u64| -> Vec<Word> {
            let block = index / BLOCK as u64;
            if filled.replace(block) != Some(block) {
                self.fill(block, &mut columns);
            }
            columns.vector((index % BLOCK as u64) as usize)
        };
        let end = self.plan.total().min(index + reach + 1);
        (index.saturating_sub(reach)..end).map(&mut vector).collect()
    }

    /// The random numbers of a block, independent of the thread.
    fn random_of(&self, block: u64) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.plan.seed() ^ block.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Appends random vectors up to `count` in total.
    fn fill_random(&self, block: u64, count: usize, columns: &mut Columns) {
        let mut random = self.random_of(block);
        let first = columns.len();
        while columns.len() < count {
            let run = RUN.min(count - columns.len());
            self.push_random(run, &mut random, columns);
        }
        if let Some(walks) = self.walks.as_ref().filter(|_| first < count) {
            walks.shape(first, &mut random, columns);
        }
    }

    /// Appends a run of random vectors of one kind: uniform, at edges, or with operands that meet.
    fn push_random(&self, count: usize, random: &mut Xoshiro256PlusPlus, columns: &mut Columns) {
        let choice = random.next_u64();
        let first = columns.len();
        let at_edges = self.operands_at_edges(choice, random);
        for (operand, (port, at_edges)) in self.random.iter().zip(at_edges).enumerate() {
            let column = columns.limbs_mut(operand);
            if at_edges { port.push_edges(count, random, column) } else { port.push_uniform(count, random, column) }
        }
        if let Some(relation) = self.relation.as_ref().filter(|relation| relation.is_chosen(choice)) {
            (first..first + count).for_each(|vector| relation.relate(vector, random, columns));
        }
        if let Some(boxes) = &self.boxes {
            boxes.close(first..first + count, random, columns);
        }
    }

    /// Which operands of a run are at edges: in every other run, each with an even chance. The higher bits of `choice`
    /// have other uses, so the bits for further operands come from separate words.
    fn operands_at_edges(&self, choice: u64, random: &mut Xoshiro256PlusPlus) -> Vec<bool> {
        let is_edgy = choice & 1 == 1;
        let mut bits = choice >> 1;
        let mut left = FIRST_OPERANDS;
        let mut next = |_: &RandomPort| {
            if left == 0 {
                (bits, left) = (random.next_u64(), 64);
            }
            let chosen = is_edgy && bits & 1 == 1;
            (bits, left) = (bits >> 1, left - 1);
            chosen
        };
        self.random.iter().map(&mut next).collect()
    }
}
