//! The vectors of a plan, block by block.

use super::corners;
use super::order::Order;
use super::plan::{Plan, Vectors};
use binade_golden::Model;
use binade_spec::{Operation, Port, Shape};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Vectors a block, at most: few enough for the columns to stay in a core's cache.
pub(crate) const BLOCK: usize = 4096;

/// Random vectors of one kind in a row: what kind they are is decided once for all of them, which is cheaper.
const RUN: usize = 64;

/// Gives the vectors of a plan; any block on any thread.
pub(crate) struct Stimulus<'p> {
    operation: &'p Operation,
    shape: Shape,
    /// The product of an accumulation, in the accumulator's format.
    product: Model,
    plan: &'p Plan,
    /// Of all combinations, if the plan has them.
    order: Option<Order>,
    widths: Vec<u32>,
    /// Codes or words at the edges of each input.
    edges: Vec<Vec<u64>>,
}

impl<'p> Stimulus<'p> {
    pub fn new(operation: &'p Operation, plan: &'p Plan) -> Stimulus<'p> {
        Stimulus::in_order(operation, plan, Order::of(operation, plan))
    }

    /// The same with all combinations, if the plan has them, in the order of counting.
    pub fn counting(operation: &'p Operation, plan: &'p Plan) -> Stimulus<'p> {
        let is_all = matches!(plan.vectors, Vectors::All { .. });
        Stimulus::in_order(operation, plan, is_all.then(|| Order::counting(operation)))
    }

    fn in_order(operation: &'p Operation, plan: &'p Plan, order: Option<Order>) -> Stimulus<'p> {
        let ports = operation.inputs();
        Stimulus {
            operation,
            shape: operation.shape(),
            product: corners::product(operation),
            plan,
            order,
            widths: ports.iter().map(Port::width).collect(),
            edges: ports.iter().map(|port| corners::words(corners::port_edges(port))).collect(),
        }
    }

    /// The order of all combinations, if the plan has them.
    pub fn order(&self) -> Option<&Order> {
        self.order.as_ref()
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.plan.total().div_ceil(BLOCK as u64)
    }

    /// Fills one column an input with the vectors of a block.
    pub fn fill(&self, block: u64, columns: &mut [Vec<u64>]) {
        columns.iter_mut().for_each(Vec::clear);
        let first = block * BLOCK as u64;
        let end = self.plan.total().min(first + BLOCK as u64);
        match (&self.plan.vectors, &self.order) {
            (Vectors::All { .. }, order) => {
                order.as_ref().expect("all combinations have an order").fill(first..end, columns);
            }
            (Vectors::Sampled { directed, operands, .. }, _) => {
                let listed = (directed.len() / operands) as u64;
                let here = &directed[(first.min(listed) as usize * operands)..(end.min(listed) as usize * operands)];
                for vector in here.chunks_exact(*operands) {
                    columns.iter_mut().zip(vector).for_each(|(column, &code)| column.push(code));
                }
                self.fill_random(block, (end - first) as usize, columns);
            }
        }
    }

    /// The vectors up to `reach` before and after a vector of the plan, itself included.
    pub fn window(&self, index: u64, reach: u64) -> Vec<Vec<u64>> {
        let mut columns = vec![vec![]; self.widths.len()];
        let mut filled = None;
        let mut vector = |index: u64| -> Vec<u64> {
            let block = index / BLOCK as u64;
            if filled.replace(block) != Some(block) {
                self.fill(block, &mut columns);
            }
            columns.iter().map(|column| column[(index % BLOCK as u64) as usize]).collect()
        };
        let end = self.plan.total().min(index + reach + 1);
        (index.saturating_sub(reach)..end).map(&mut vector).collect()
    }

    /// Random vectors up to `count` in all; a block has its own random numbers, whatever thread it runs on.
    fn fill_random(&self, block: u64, count: usize, columns: &mut [Vec<u64>]) {
        let mut random =
            Xoshiro256PlusPlus::seed_from_u64(self.plan.seed() ^ block.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        while columns[0].len() < count {
            let run = RUN.min(count - columns[0].len());
            self.push_random(run, &mut random, columns);
        }
    }

    /// A run of random vectors of one kind: uniform, or of edge codes, or such that the operands meet.
    fn push_random(&self, count: usize, random: &mut Xoshiro256PlusPlus, columns: &mut [Vec<u64>]) {
        let choice = random.next_u64();
        let chosen = |bit: usize| choice >> bit & 1 == 1;
        for (operand, column) in columns.iter_mut().enumerate() {
            if chosen(0) && chosen(1 + operand) {
                let edges = &self.edges[operand];
                column.extend((0..count).map(|_| pick(edges, random.next_u64())));
            } else {
                let mask = u64::MAX >> (64 - self.widths[operand]);
                column.extend((0..count).map(|_| random.next_u64() & mask));
            }
        }
        // One in eight conversions, one in four sums: these vectors cost more to make.
        let related = match self.shape {
            Shape::Conversion => chosen(8) && chosen(9) && chosen(10),
            Shape::Product | Shape::Sum | Shape::Accumulation | Shape::RoundedAccumulation => chosen(8) && chosen(9),
            Shape::Function => self.edges.len() == 2 && chosen(8) && chosen(9),
            Shape::Parts | Shape::Other => false,
        };
        if related {
            let first = columns[0].len() - count;
            (first..first + count).for_each(|vector| self.relate(vector, random, columns));
        }
    }

    /// Replaces the last operand of a vector by one that meets the others: near the other term's exponent, or near a tie.
    fn relate(&self, vector: usize, random: &mut Xoshiro256PlusPlus, columns: &mut [Vec<u64>]) {
        let code = |operand: usize| u128::from(columns[operand][vector]);
        let Operation { operand, result, .. } = self.operation;
        let (last, replacement) = match self.shape {
            Shape::Conversion => (0, corners::random_near_result(operand, result, random)),
            Shape::Sum | Shape::Function => (1, corners::random_related(operand, code(0), random)),
            Shape::Accumulation | Shape::RoundedAccumulation => {
                let product = self.product.first_result(&[code(0), code(1), 0]);
                (2, corners::random_related(result, product, random))
            }
            Shape::Product | Shape::Parts | Shape::Other => return,
        };
        columns[last][vector] = replacement as u64;
    }
}

/// An element chosen by the high half of `random`.
fn pick(codes: &[u64], random: u64) -> u64 {
    codes[(((random >> 32) * codes.len() as u64) >> 32) as usize]
}
