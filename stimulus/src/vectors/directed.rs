//! Directed vectors: the corners of all operands together.

use super::corners::{
    codes, edges, edges as edges_of, edges_of_word, few_edges, just_beyond, lane_edges, midpoint, one, ones, product,
    random_word, related, special_codes, step, trailing_bits,
};
use super::solve::{Meeting, Solver};
use crate::places::{Place, join, places};
use crate::words::side_by_side;
use binade_golden::{Codes, Exact, Model, Value};
use binade_spec::word::{limbs, word_of_limbs};
use binade_spec::{Content, Format, Operation, Overflow, Port, Rounding, Shape, Unit, Word};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::iter::repeat;
use std::ops::Range;

/// The directed vectors of an operation: the limbs of all inputs side by side. Formulas of well-known shapes have
/// dedicated vectors; for all others, sums are solved along the formula so that their terms meet.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    let mut list = List::new(operation, seed);
    match operation.shape() {
        Shape::Conversion => conversions(&operation.operand, &operation.result, &mut list),
        Shape::Product => pairs(&edges(&operation.operand), &few_edges(&operation.operand), &mut list),
        Shape::Sum => sums(operation, seed, &mut list),
        Shape::Accumulation | Shape::RoundedAccumulation => accumulations(operation, seed, &mut list),
        Shape::Parts => posit_parts(operation, &mut list),
        // Units with state have sequences instead: these would be single steps.
        Shape::RunningSum | Shape::Function | Shape::Machine => meetings(operation, seed, &mut list),
        Shape::Other => {
            meetings(operation, seed, &mut list);
            solved(&Model::new(operation), seed, &mut list);
            quotients(&Model::new(operation), seed, &mut list);
            blocks(operation, seed, &mut list);
        }
    }
    walking_bits(operation, &mut list);
    list.words
}

/// The directed vectors of a unit whose port `fmt` chooses the formats, or whose codes are NaN-boxed: those of each plain unit, what
/// `complete` adds, and operands whose boxes have a single 0.
pub(super) fn directed_of_choices(
    operation: &Operation,
    seed: u64,
    complete: impl Fn(&Operation, &[u64], u64) -> Vec<u64>,
) -> Vec<u64> {
    let ports = operation.inputs();
    let mut all = vec![];
    for (fmt, choice) in operation.choices().iter().enumerate() {
        let own = choice.inputs();
        let mut directed = directed(choice, seed);
        directed.extend(complete(choice, &directed, seed));
        let limbs: Vec<usize> = own.iter().map(|port| limbs(port.width())).collect();
        for vector in directed.chunks_exact(limbs.iter().sum()) {
            let mut rest = vector;
            let mut word = |(at, port): (usize, &Port)| {
                let (word, after) = rest.split_at(limbs[at]);
                rest = after;
                port.moved(&word_of_limbs(word), &ports[at])
            };
            let mut words: Vec<Word> = own.iter().enumerate().map(&mut word).collect();
            words.extend(operation.has_choices().then(|| Word::from(fmt)));
            all.extend(side_by_side(&ports, &words));
        }
        for mut words in open_boxes(&own, &ports) {
            words.extend(operation.has_choices().then(|| Word::from(fmt)));
            all.extend(side_by_side(&ports, &words));
        }
    }
    all
}

/// Each operand in turn with a single 0 in its box, the others boxed; all codes are 1.
fn open_boxes(own: &[Port], ports: &[Port]) -> Vec<Vec<Word>> {
    let closed = |(own, port): (&Port, &Port)| own.moved(&own.format().map_or(Word::ZERO, |f| one(&f).into()), port);
    let all_closed: Vec<Word> = own.iter().zip(ports).map(closed).collect();
    let boxes = (0..own.len()).filter(|&at| ports[at].boxing().is_some());
    let opened = |(at, bit): (usize, u32)| {
        let mut words = all_closed.clone();
        words[at].set_bit(bit.into(), false);
        words
    };
    boxes.flat_map(|at| (own[at].width()..ports[at].width()).map(move |bit| (at, bit))).map(opened).collect()
}

/// Vectors side by side, as limbs.
struct List {
    /// The limbs of each input.
    limbs: Vec<usize>,
    /// Whether each input has one limb.
    is_narrow: bool,
    words: Vec<u64>,
    rounding: RoundingWords,
}

/// What the directed vectors have on the port that the roundings read.
enum RoundingWords {
    /// There is no such port.
    None,
    /// Random bits: each operands come with 0, all ones and a random word. The generator, and all ones.
    Random(Box<Xoshiro256PlusPlus>, u128),
    /// Port `rm`: each operands come with each rounding.
    Modes,
}

impl RoundingWords {
    fn new(operation: &Operation, seed: u64) -> RoundingWords {
        match (operation.rounding, operation.rounding_port_bits()) {
            (_, 0) => RoundingWords::None,
            (Rounding::Any, _) => RoundingWords::Modes,
            (_, bits) => RoundingWords::Random(Box::new(Xoshiro256PlusPlus::seed_from_u64(seed)), ones(bits)),
        }
    }

    /// The words for the next operands; none without a port.
    fn next(&mut self) -> Vec<u128> {
        match self {
            RoundingWords::None => vec![],
            RoundingWords::Random(random, ones) => vec![0, *ones, random_word(random, *ones)],
            RoundingWords::Modes => (0..Rounding::MODES.len() as u128).collect(),
        }
    }
}

impl List {
    fn new(operation: &Operation, seed: u64) -> List {
        let rounding = RoundingWords::new(operation, seed);
        let limbs: Vec<usize> = operation.inputs().iter().map(|port| limbs(port.width())).collect();
        List { is_narrow: limbs.iter().all(|&limbs| limbs == 1), limbs, words: vec![], rounding }
    }

    /// Appends the vector with these operands. If the roundings read a port, appends one for each of [`RoundingWords::next`].
    fn push(&mut self, operands: &[u128]) {
        let words = self.rounding.next();
        if words.is_empty() {
            return self.push_words(operands, 0);
        }
        for word in words {
            self.push_words(operands, 0);
            self.push_words(&[word], operands.len());
        }
    }

    /// Appends the vector with these lanes of the operands, like [`List::push`].
    fn push_operands(&mut self, ports: &[Port], places: &[Place], lanes: &[u128]) {
        if !places.iter().any(|place| place.is_one_of_many) {
            return self.push(lanes);
        }
        let words = self.rounding.next();
        let lanes: Vec<Word> = lanes.iter().copied().map(Word::from).collect();
        let operands = side_by_side(ports, &join(places, &lanes));
        for turn in 0..words.len().max(1) {
            self.words.extend(&operands);
            words.get(turn).inspect(|word| self.push_words(&[**word], ports.len()));
        }
    }

    /// Appends the vector with these lanes, including those of the random word.
    fn push_lanes(&mut self, ports: &[Port], places: &[Place], lanes: &[u128]) {
        let words: Vec<Word> = lanes.iter().copied().map(Word::from).collect();
        self.words.extend(side_by_side(ports, &join(places, &words)));
    }

    /// Appends words of the inputs, starting at input `first`.
    fn push_words(&mut self, words: &[u128], first: usize) {
        if self.is_narrow {
            return self.words.extend(words.iter().map(|&word| word as u64));
        }
        for (word, &limbs) in words.iter().zip(&self.limbs[first..]) {
            self.words.extend([*word as u64, (word >> 64) as u64].into_iter().chain(repeat(0)).take(limbs));
        }
    }
}

/// The number of blocks whose largest magnitude is next to a bound.
const BLOCKS: usize = 1 << 12;

/// The number of base vectors to solve, each for all kinds of meetings.
const SOLVED: usize = 1 << 14;

/// Random edges for all operands, with the last term of a sum solved to meet the others.
fn solved(model: &Model, seed: u64, list: &mut List) {
    let Some(solver) = Solver::of(model.clone()) else { return };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (ports, places) = (model.input_ports(), places(model.input_ports()));
    let edges: Vec<Vec<u128>> = places.iter().map(|place| lane_edges(place.content)).collect();
    for _ in 0..SOLVED {
        let base: Vec<u128> = edges.iter().map(|edges| edges[random.random_range(0..edges.len())]).collect();
        let tiny = model.operation().flags.map(|_| Meeting::Tiny);
        for meeting in Meeting::ALL.into_iter().chain(tiny) {
            let mut lanes = base.clone();
            solver.meet(meeting, &mut lanes, &mut random);
            list.push_lanes(ports, &places, &lanes);
        }
    }
}

/// For a quotient or a root: operands with which it is a code of the result or a tie, or next to one.
fn quotients(model: &Model, seed: u64, list: &mut List) {
    let Some(solver) = Solver::of_quotient(model.clone()) else { return };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (ports, places) = (model.input_ports(), places(model.input_ports()));
    let edges: Vec<Vec<u128>> = places.iter().map(|place| lane_edges(place.content)).collect();
    let results = edges_of(&model.operation().result);
    for turn in 0..SOLVED {
        let mut lanes: Vec<u128> = edges.iter().map(|edges| edges[random.random_range(0..edges.len())]).collect();
        let code = match turn % 2 {
            0 => results[turn / 2 % results.len()],
            _ => random_word(&mut random, ones(model.operation().result.width())),
        };
        solver.aim(code, &mut lanes, &mut random);
        list.push_lanes(ports, &places, &lanes);
        let Content::Code(format) = places[0].content else { continue };
        for ulps in [-1, 1] {
            let mut beside = lanes.clone();
            beside[0] = step(&Codes::new(format), lanes[0], ulps);
            list.push_lanes(ports, &places, &beside);
        }
    }
}

/// For a block that becomes elements and a scale: a largest magnitude next to each bound at which some rule for scales takes the next
/// power of two, in any lane, with others up to it.
fn blocks(operation: &Operation, seed: u64, list: &mut List) {
    let Unit::MxQuantize = operation.unit else { return };
    let [from, element] = [operation.operand, operation.result].map(Codes::new);
    let Value::Finite(largest_element) = element.decode(element.largest_code()) else { return };
    let bounds = [1, ones(element.precision() + 1), largest_element.n];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (ports, places, lanes) = (operation.inputs(), places(&operation.inputs()), operation.lanes() as usize);
    for turn in 0..BLOCKS {
        let n = bounds[turn % bounds.len()];
        let k = random.random_range(from.reach()[0]..=from.max_exponent()) as i32;
        let bound = Value::Finite(Exact { negative: false, n, k });
        let bound = from.encode(bound, Rounding::Rtz, Overflow::Saturate);
        let largest = step(&from, bound, [-1, 0, 1][turn / bounds.len() % 3]);
        let mut below = || from.code(random.random(), random.random_range(0..=largest));
        let mut block: Vec<u128> = (0..lanes).map(|_| below()).collect();
        block[random.random_range(0..lanes)] = from.code(random.random(), largest);
        block.extend(operation.tensor_scale().map(|format| one(&format)));
        list.push_lanes(&ports, &places, &block);
    }
}

/// The number of inputs without the port that the roundings read, which comes last.
fn operands(operation: &Operation) -> usize {
    operation.inputs().len() - usize::from(operation.rounding_port_bits() > 0)
}

/// Each operand in turn with a single trailing bit in the lowest and in the highest exponent field, the others zero,
/// one or the largest value: detecting zero and NaN requires every bit.
fn walking_bits(operation: &Operation, list: &mut List) {
    // The parts of a posit have dedicated vectors.
    if operation.shape() == Shape::Parts {
        return;
    }
    // The random word, which comes last, is added to the vectors later.
    let mut ports = operation.inputs();
    ports.truncate(operands(operation));
    let places = places(&ports);
    for (at, place) in places.iter().enumerate() {
        let Content::Code(Format::Float(float)) = place.content else { continue };
        let top = ((1 << float.exponent_bits) - 1) << float.trailing_bits;
        let single = (0..float.trailing_bits).flat_map(|bit| [1 << bit, top | 1 << bit]);
        for code in codes(&float.into(), single.collect()) {
            for others in [0, 1, 2] {
                let other = |place: &Place| match (place.content, others) {
                    (Content::Chosen { .. } | Content::Word { .. }, _) => 0,
                    (Content::Code(format), 0) => format.zero_code(false),
                    (Content::Code(format), 1) => one(&format),
                    (Content::Code(format), _) => format.largest_code(),
                };
                let mut vector: Vec<u128> = places.iter().map(other).collect();
                vector[at] = code;
                list.push_operands(&ports, &places, &vector);
            }
        }
    }
}

/// All exponents and both signs, with significands at the edges; zero and NaR, which take precedence over everything
/// else.
fn posit_parts(operation: &Operation, list: &mut List) {
    let ports = operation.inputs();
    let (exponent, significand) = (ports[3].width(), ports[4].width());
    let significands: Vec<u128> =
        edges_of_word(significand).into_iter().map(|word| word | 1 << (significand - 1)).collect();
    for exponent in encoder_exponents(operation, exponent) {
        for (count, &significand) in significands.iter().enumerate() {
            let count = count as u128 + exponent;
            let (zero, nar) = (u128::from(count % 16 == 5), u128::from(count % 16 >= 14));
            for sticky in [0, 1] {
                list.push(&[count >> 1 & 1, zero, nar, exponent, significand, sticky]);
            }
        }
    }
}

/// The exponents around a posit's range, and the edges of the port.
fn encoder_exponents(operation: &Operation, width: u32) -> Vec<u128> {
    let (low, high) = (operation.result.min_exponent() - 3, operation.result.max_exponent() + 3);
    let step = ((high - low) / 400).max(1) as usize;
    let word = |exponent: i64| exponent as u128 & ones(width);
    let ends = (low..low + 8).chain(high - 8..=high).chain(-4..4);
    let mut exponents: Vec<u128> = (low..=high).step_by(step).chain(ends).map(word).collect();
    exponents.extend(edges_of_word(width));
    exponents
}

/// Each pair of codes, in both orders.
fn pairs(a: &[u128], b: &[u128], list: &mut List) {
    a.iter().for_each(|&a| b.iter().for_each(|&b| push_both([a, b], list)));
}

fn push_both([a, b]: [u128; 2], list: &mut List) {
    list.push(&[a, b]);
    list.push(&[b, a]);
}

/// For every result (or those at edges, if there are many): the operand that converts to it exactly, the midpoints to
/// its neighbours, the neighbours of these operands, and operands that differ from them in one low bit.
fn conversions(from: &Format, to: &Format, list: &mut List) {
    let (from, to) = (&Codes::new(*from), &Codes::new(*to));
    let targets = if to.width() <= 16 { (0..1 << to.width()).collect() } else { edges(to) };
    edges(from).into_iter().for_each(|code| list.push(&[code]));
    for (count, target) in targets.into_iter().enumerate() {
        // Values beyond the range are tried once.
        let beyond = to.fixed().filter(|_| count == 0).map_or(vec![], just_beyond);
        for value in [Some(to.decode(target)), midpoint(to, target)].into_iter().flatten().chain(beyond) {
            let nearest = from.encode(value, from.default_rounding(), Overflow::Inf);
            // All low bits for narrow results; for wide ones, a different bit for each code.
            let bits = 0..trailing_bits(from);
            let bits = if to.width() <= 8 { bits } else { one_of(bits, count as u32) };
            [-1, 0, 1].into_iter().for_each(|ulps| list.push(&[step(from, nearest, ulps)]));
            bits.for_each(|bit| list.push(&[nearest ^ 1 << bit]));
            if let Format::Codebook(_) = **to {
                around(from, nearest).into_iter().for_each(|code| list.push(&[code]));
            }
        }
    }
}

/// Operands around a bound of a codebook, which has digits of its own in every place: with two bits changed.
fn around(from: &Codes, code: u128) -> Vec<u128> {
    let bits = 0..trailing_bits(from);
    bits.clone()
        .flat_map(|one| bits.clone().take(one as usize).map(move |other| code ^ 1 << one ^ 1 << other))
        .collect()
}

/// The element of a range for this turn.
fn one_of(range: Range<u32>, turn: u32) -> Range<u32> {
    let first = range.start + turn % range.len().max(1) as u32;
    first..range.end.min(first + 1)
}

/// Pairs of edges, and for every edge the codes that cancel it, almost cancel it, or lie some binades away.
fn sums(operation: &Operation, seed: u64, list: &mut List) {
    let format = &operation.operand;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let edges = edges(format);
    pairs(&edges, &few_edges(format), list);
    single_sticky_bits(format, list);
    for &a in &edges {
        related(format, a, &mut random).into_iter().for_each(|b| push_both([a, b], list));
    }
}

/// Edges of the operands: each edge for a single operand; for two operands, pairs that meet.
fn meetings(operation: &Operation, seed: u64, list: &mut List) {
    let mut ports = operation.inputs();
    ports.truncate(operands(operation));
    match ports.as_slice() {
        [port] => lane_edges(port.content).into_iter().for_each(|word| list.push(&[word])),
        [a, b] if a.format() == b.format() => sums(operation, seed, list),
        _ => {
            let places = places(&ports);
            let edges: Vec<Vec<u128>> = places.iter().map(|place| lane_edges(place.content)).collect();
            let longest = edges.iter().map(Vec::len).max().unwrap_or(0);
            // Each edge of a lane, with edges of the others at the same relative position.
            let row = |at: usize| edges.iter().map(|edges| edges[at * edges.len() / longest]).collect::<Vec<_>>();
            (0..longest).for_each(|at| list.push_operands(&ports, &places, &row(at)));
        }
    }
}

/// One plus a term that is exactly halfway between two sums except for a single bit below: this bit, at each place and
/// each exponent difference, decides the rounding.
fn single_sticky_bits(format: &Format, list: &mut List) {
    let Format::Float(float) = format else { return };
    let one = one(format);
    for difference in 2..=float.trailing_bits.min((one >> float.trailing_bits) as u32) {
        let guard = 1 << (difference - 1);
        for sticky in (0..difference - 1).map(|bit| 1 << bit) {
            let power = one - (u128::from(difference) << float.trailing_bits);
            let small = power | guard | sticky;
            for code in [small, format.code(true, small)] {
                push_both([one, code], list);
            }
        }
    }
}

/// For products of edges: an addend at every relevant exponent difference, and addends that cancel the product.
fn accumulations(operation: &Operation, seed: u64, list: &mut List) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let operand_edges = few_edges(&operation.operand);
    let product_of = product(operation);
    let specials = special_codes(&operation.result);
    for &a in &operand_edges {
        for &b in &operand_edges {
            let product = product_of.first_result(&[a, b, 0]);
            let addends = related(&operation.result, product, &mut random);
            for c in addends.into_iter().chain(specials.iter().copied()) {
                list.push(&[a, b, c]);
            }
        }
    }
}
