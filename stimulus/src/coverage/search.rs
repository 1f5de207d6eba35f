//! A search for vectors in empty bins: vectors of similar bins are mutated repeatedly until one hits a bin that no
//! vector was in before.

use super::groups::GroupKind;
use super::subject::CoveredUnit;
use super::{Bins, Look, axes};
use crate::places::{Place, join};
use crate::vectors::corners::{lane_edges, random_near_result, random_related, random_word};
use crate::vectors::solve::Solver;
use crate::words::side_by_side;
use binade_golden::{Codes, Model, Region};
use binade_spec::word::limbs;
use binade_spec::{Class, Format, Operation, Overflow, Port, PositRange, Rounding, Shape, Unit, Word};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The number of directed vectors to look at, sampled evenly.
const LOOKED_AT: usize = 1 << 15;

/// Vectors tried without a new bin before the search ends.
const PATIENCE: usize = 1 << 15;

/// Vectors tried in total.
const EFFORT: usize = 1 << 17;

/// Vectors side by side in bins that `directed` leaves empty. The same seed gives the same vectors.
///
/// Units with words of more than 128 bits get no vectors of this kind, since the search cannot change such words.
pub(crate) fn fill_empty_bins(operation: &Operation, directed: &[u64], seed: u64) -> Vec<u64> {
    let inputs = operation.inputs();
    let limbs: usize = inputs.iter().map(|port| limbs(port.width())).sum();
    let mut search = Search::new(operation, seed);
    if search.bins.subject.places.iter().any(|place| place.width > u128::BITS) {
        return vec![];
    }
    let step = (directed.len() / limbs / LOOKED_AT).max(1);
    for vector in directed.chunks_exact(limbs).step_by(step) {
        if search.is_done() {
            break;
        }
        search.look(&lanes_of_limbs(&inputs, &search.bins.subject.places, vector));
    }
    let given = search.vectors.len();
    search.run();
    let words = |lanes: &Vec<u128>| {
        let lanes: Vec<Word> = lanes.iter().copied().map(Word::from).collect();
        side_by_side(&inputs, &join(&search.bins.subject.places, &lanes))
    };
    search.vectors[given..].iter().flat_map(words).collect()
}

/// The lanes of a vector of limbs.
fn lanes_of_limbs(inputs: &[Port], places: &[Place], vector: &[u64]) -> Vec<u128> {
    let mut starts = vec![0];
    starts.extend(inputs.iter().scan(0, |next, port| {
        *next += limbs(port.width());
        Some(*next)
    }));
    places.iter().map(|place| place.low_bits_of(&vector[starts[place.port]..])).collect()
}

struct Search {
    bins: Bins,
    look: Look,
    random: Xoshiro256PlusPlus,
    /// The first vector in each bin.
    witnesses: Vec<Option<usize>>,
    /// Lane by lane.
    vectors: Vec<Vec<u128>>,
    /// Reachable bins without a vector.
    empty: Vec<usize>,
    /// Edge codes or words for each input, and for the result.
    edges: Vec<Vec<u128>>,
    targets: Vec<u128>,
    aim: Aim,
}

impl Search {
    fn new(operation: &Operation, seed: u64) -> Search {
        let bins = Bins::new(CoveredUnit::of(operation));
        let possible = bins.reach().concat();
        Search {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            witnesses: vec![None; bins.len()],
            vectors: vec![],
            empty: (0..bins.len()).filter(|&bin| possible[bin]).collect(),
            edges: bins.subject.places.iter().map(|place| lane_edges(place.content)).collect(),
            targets: region_ends(&operation.result),
            aim: Aim::of(operation),
            bins,
            look: Look::default(),
        }
    }

    fn is_done(&self) -> bool {
        self.empty.is_empty()
    }

    /// Records the bins of a vector; returns whether one of them was empty before.
    fn look(&mut self, vector: &[u128]) -> bool {
        let next = self.vectors.len();
        let mut is_new = false;
        let witnesses = &mut self.witnesses;
        self.look.each(&self.bins, vector, |bin| {
            if witnesses[bin].is_none() {
                witnesses[bin] = Some(next);
                is_new = true;
            }
        });
        if is_new {
            self.vectors.push(vector.to_vec());
            self.empty.retain(|&bin| self.witnesses[bin].is_none());
        }
        is_new
    }

    fn run(&mut self) {
        let mut patience = PATIENCE;
        for _ in 0..EFFORT {
            if self.is_done() || self.vectors.is_empty() || patience == 0 {
                return;
            }
            let vector = self.changed();
            patience = if self.look(&vector) { PATIENCE } else { patience - 1 };
        }
    }

    /// A vector from near an empty bin, with a few mutations.
    fn changed(&mut self) -> Vec<u128> {
        let target = self.empty[self.random.random_range(0..self.empty.len())];
        let parent = self.parent(target);
        let mut vector = self.vectors[parent].clone();
        for _ in 0..self.random.random_range(0..=3) {
            self.change(&mut vector);
        }
        if self.random.random() {
            let wanted = self.result_near(target);
            self.aim(&mut vector, wanted);
        }
        vector
    }

    /// The code of a result near a bin, at the end of a region, or any code.
    fn result_near(&mut self, target: usize) -> u128 {
        let Search { bins, random, targets, .. } = self;
        let group = bins.first.partition_point(|&first| first <= target) - 1;
        let places = bins.groups[group].places(target - bins.first[group]);
        let format = &bins.subject.model.operation().result;
        let end = match bins.groups[group].kind {
            GroupKind::Rounding(id) if bins.subject.target(id).format == *format => {
                match axes::regions(format)[places[0]].0 {
                    Region::BelowSmallest => Some((format.min_code(), places[2])),
                    Region::AboveLargest => Some((format.max_code(), places[2])),
                    _ => None,
                }
            }
            _ => None,
        };
        match (end, random.random_range(0..4)) {
            (Some((magnitude, negative)), _) => format.code(negative == 1, magnitude),
            (None, 0) => random_word(random, format.code_mask()),
            (None, _) => targets[random.random_range(0..targets.len())],
        }
    }

    /// Of some vectors, the one whose bin shares the most places with the target.
    fn parent(&mut self, target: usize) -> usize {
        let group = self.bins.first.partition_point(|&first| first <= target) - 1;
        let (first, group) = (self.bins.first[group], &self.bins.groups[group]);
        let wanted = group.places(target - first);
        let mut best = (0, self.random.random_range(0..self.vectors.len()));
        for _ in 0..8 {
            let bin = self.random.random_range(0..group.len());
            let Some(vector) = self.witnesses[first + bin] else { continue };
            let shared = group.places(bin).iter().zip(&wanted).filter(|(own, wanted)| own == wanted).count();
            best = best.max((shared, vector));
        }
        best.1
    }

    /// Changes one operand.
    fn change(&mut self, vector: &mut [u128]) {
        let Search { bins, random, edges, .. } = self;
        let at = random.random_range(0..vector.len());
        let width = bins.subject.places[at].width;
        let ones = u128::MAX >> (u128::BITS - width);
        vector[at] = match random.random_range(0..7) {
            0 | 1 => vector[at] ^ 1 << random.random_range(0..width),
            2 => vector[at].wrapping_add(random.random_range(1..=3_u64).into()) & ones,
            3 => vector[at].wrapping_sub(random.random_range(1..=3_u64).into()) & ones,
            4 => edges[at][random.random_range(0..edges[at].len())],
            5 => vector[at] & !(ones >> random.random_range(0..width)),
            _ => (vector[at] & !(ones >> random.random_range(0..width))) | random_word(random, ones >> 1),
        } & ones;
        if bins.subject.sources[at].is_random() && random.random() {
            vector[at] = [0, ones][random.random_range(0..2)];
        }
    }

    /// Changes the last operand so that the result is near a wanted one.
    fn aim(&mut self, vector: &mut [u128], wanted: u128) {
        let Search { bins, random, aim, .. } = self;
        let Operation { operand, result, .. } = bins.subject.model.operation();
        match aim {
            Aim::Operand(codes) => vector[0] = random_near_result(codes, random),
            Aim::Factor(multiply) => {
                // Few bits leave room for a product with many trailing ones.
                vector[0] &= !(operand.magnitude_mask() >> random.random_range(0..operand.width()));
                let below = factor(multiply, vector[0], wanted);
                let magnitude = (operand.magnitude(below) + u128::from(random.random_range(0..2_u64)))
                    .min(operand.magnitude_mask());
                vector[1] = operand.code(operand.is_negative(below), magnitude);
            }
            Aim::Summand(add) => vector[1] = add.first_result(&[operand.negated(vector[0]), wanted]),
            Aim::Addend(accumulate) => {
                let rest = accumulate.first_result(&[operand.negated(vector[0]), vector[1], wanted]);
                vector[2] = if random.random() { rest } else { random_related(result, rest, random) };
            }
            Aim::Terms(solver) => solver.aim(wanted, vector, random),
            Aim::Nowhere => {}
        }
    }
}

/// How the last operand is chosen for a result.
enum Aim {
    /// Near a result of a conversion between these codes.
    Operand(Box<[Codes; 2]>),
    /// The largest factor whose product, rounded up, does not exceed the result.
    Factor(Box<Model>),
    /// The sum of the result and the negated first operand.
    Summand(Box<Model>),
    /// The sum of the result and the negated product.
    Addend(Box<Model>),
    /// By solving the formula's sum for its last term.
    Terms(Box<Solver>),
    Nowhere,
}

impl Aim {
    /// Well-known shapes have fast methods; for all others with a sum, the sum is solved.
    fn of(operation: &Operation) -> Aim {
        let Operation { operand, result, .. } = *operation;
        let model = |unit| Box::new(Model::new(&plain(unit, operand, result)));
        match operation.shape() {
            Shape::Conversion => Aim::Operand(Box::new([operand, result].map(Codes::new))),
            Shape::Product => {
                let upward = Operation { rounding: Rounding::Rup, ..plain(Unit::Mul, operand, operand) };
                Aim::Factor(Box::new(Model::new(&upward)))
            }
            Shape::Sum => Aim::Summand(model(Unit::Add)),
            Shape::Accumulation | Shape::RoundedAccumulation => Aim::Addend(model(Unit::Fmac)),
            Shape::Other => match Solver::of(Model::new(operation)) {
                Some(solver) => Aim::Terms(Box::new(solver)),
                None => Aim::Nowhere,
            },
            Shape::RunningSum | Shape::Parts | Shape::Function | Shape::Machine => Aim::Nowhere,
        }
    }
}

/// An operation in which only posits saturate.
fn plain(unit: Unit, operand: Format, result: Format) -> Operation {
    Operation { overflow: Overflow::Inf, posit_range: PositRange::Saturate, ..Operation::new(unit, operand, result) }
}

/// The ends of all regions, both signs.
fn region_ends(format: &Format) -> Vec<u128> {
    let numbers = format.family_classes().iter().filter(|class| class.is_number() || **class == Class::Zero);
    let ends = numbers.filter_map(|&class| format.class_codes(class)).flatten();
    let near = ends.flat_map(|code| [code, code + 1, code.saturating_sub(1)]);
    near.flat_map(|code| [false, true].map(|sign| format.code(sign, code & format.magnitude_mask()))).collect()
}

/// The largest magnitude whose product with that of `a` does not exceed that of `wanted`, with the sign of `wanted`.
fn factor(multiply: &Model, a: u128, wanted: u128) -> u128 {
    let format = &multiply.operation().operand;
    let (a, target) = (format.code(false, format.magnitude(a)), format.magnitude(wanted));
    let (mut low, mut high) = (0, format.max_code());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        let product = multiply.first_result(&[a, format.code(false, middle)]);
        if format.is_nan(product) || format.magnitude(product) > target { high = middle - 1 } else { low = middle }
    }
    format.code(format.is_negative(wanted), low)
}
