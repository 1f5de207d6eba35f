//! Checks combinational gates against the golden model.

use super::operand_planes::Feed;
use super::result_planes::Wanted;
use crate::reference::Reference;
use crate::verdict::Counterexample;
use binade_gates::{LANE_BITS, LANES, Machine, Plane, Program, all_if, bit, fill_bit_of_index};
use binade_stimulus::Order;
use binade_stimulus::words::widths;
use binade_stimulus::{BLOCK, Stimulus};
use std::ops::Range;

const _: () = assert!(LANES == BLOCK, "a block is checked in one run of the program");

/// The lanes and columns of one thread.
pub(crate) struct Lanes<'a> {
    /// Widths of the operands.
    widths: Vec<u32>,
    wanted: Wanted<'a>,
    stimulus: &'a Stimulus<'a>,
    machine: Machine<'a>,
    feed: Feed,
    want: Vec<Plane>,
    product: Product,
    /// The pair of factors at the inputs; a chunk may start in the middle of a pair's vectors.
    pair: Option<usize>,
}

/// The right results of a product with all addends.
#[derive(Default)]
struct Product {
    number: Option<u32>,
    /// For each block of addends, the planes of the outputs.
    want: Vec<Vec<Plane>>,
}

impl<'a> Lanes<'a> {
    pub fn new(reference: &'a dyn Reference, stimulus: &'a Stimulus<'a>, program: &'a Program) -> Lanes<'a> {
        let widths: Vec<u32> = widths(&reference.inputs()).collect();
        Lanes {
            wanted: Wanted::new(reference),
            stimulus,
            machine: Machine::new(program),
            feed: Feed::new(widths.iter().copied()),
            widths,
            want: vec![Plane::of(0); program.output_bits()],
            product: Product::default(),
            pair: None,
        }
    }

    /// Checks against a specification instead of the reference.
    pub fn against(self, specification: Option<&'a Program>) -> Lanes<'a> {
        Lanes { wanted: self.wanted.against(specification), ..self }
    }

    /// The first vector of the range on which the gates are wrong. The range starts at a block.
    pub fn check(&mut self, vectors: Range<u64>) -> Option<Counterexample> {
        let mut blocks = vectors.step_by(BLOCK).map(|first| first / BLOCK as u64);
        match self.stimulus.order() {
            Some(Order::Counting { .. } | Order::Products { .. }) | None if self.wanted.is_specified() => {
                blocks.find_map(|block| self.check_specified(block))
            }
            Some(Order::Products { pairs, others }) => {
                let blocks_of_pair = others.iter().sum::<u32>() - LANE_BITS;
                blocks.find_map(|block| self.check_product(block, pairs, blocks_of_pair))
            }
            Some(Order::Counting { widths }) if widths.iter().sum::<u32>() >= LANE_BITS => {
                let bits = widths.iter().sum();
                blocks.find_map(|block| self.check_counting(block, bits))
            }
            Some(Order::Counting { .. }) | None => blocks.find_map(|block| self.check_listed(block)),
        }
    }

    /// Any vectors: the specification answers all of them.
    fn check_specified(&mut self, block: u64) -> Option<Counterexample> {
        let count = match self.stimulus.fill_planes(block, self.machine.inputs()) {
            Some(count) => count,
            None => {
                let count = self.feed.read(self.stimulus, block);
                self.feed.fill(self.machine.inputs());
                count
            }
        };
        self.wanted.answer_planes(self.machine.inputs(), block, count, &mut self.want);
        self.machine.run();
        let lane = self.machine.first_wrong(&self.want, count)?;
        Some(self.counterexample(block, lane, None))
    }

    /// Any vectors: their words are transposed into planes.
    fn check_listed(&mut self, block: u64) -> Option<Counterexample> {
        let count = self.fill_want(block);
        self.feed.fill(self.machine.inputs());
        self.machine.run();
        let lane = self.machine.first_wrong(&self.want, count)?;
        Some(self.counterexample(block, lane, None))
    }

    /// All combinations in counting order: the input planes are fixed patterns.
    fn check_counting(&mut self, block: u64, bits: u32) -> Option<Counterexample> {
        if self.widths.len() == 1 {
            self.wanted.answer_row(block * BLOCK as u64, &mut self.want);
        } else {
            self.fill_want(block);
        }
        self.fill_index(block, 0, bits);
        self.machine.run();
        let lane = self.machine.first_wrong(&self.want, BLOCK)?;
        Some(self.counterexample(block, lane, None))
    }

    /// A block of one pair of factors with all addends: the golden model is evaluated once per product.
    fn check_product(&mut self, block: u64, pairs: &[([u64; 2], u32)], block_bits: u32) -> Option<Counterexample> {
        let (pair, part) = ((block >> block_bits) as usize, (block & ((1 << block_bits) - 1)) as usize);
        let ([a, b], number) = pairs[pair];
        if self.product.number != Some(number) {
            self.fill_product(number, block - part as u64, 1 << block_bits);
        }
        if self.pair.replace(pair) != Some(pair) {
            // The lowest bits of a port come first.
            self.fill_constant(0, self.widths[0], a);
            self.fill_constant(self.widths[0], self.widths[1], b);
        }
        self.fill_index(part as u64, self.widths[0] + self.widths[1], block_bits + LANE_BITS);
        self.machine.run();
        let lane = self.machine.first_wrong(&self.product.want[part], BLOCK)?;
        Some(self.counterexample(block, lane, Some(part)))
    }

    /// Fills in the golden model's answers for a product and all addends.
    fn fill_product(&mut self, number: u32, first_block: u64, blocks: u64) {
        let want = (first_block..first_block + blocks).map(|block| {
            self.fill_want(block);
            self.want.clone()
        });
        let want = want.collect();
        self.product = Product { number: Some(number), want };
    }

    /// Fills in the golden model's answers for a block as planes; returns the number of vectors.
    fn fill_want(&mut self, block: u64) -> usize {
        let count = self.feed.read(self.stimulus, block);
        self.wanted.answer(&self.feed, block, &mut self.want);
        count
    }

    /// Makes the inputs from bit `first` on count the lanes; the last input holds the lowest bits.
    fn fill_index(&mut self, block: u64, first: u32, bits: u32) {
        let mut top = bits;
        let mut place = 0;
        for &width in &self.widths {
            if place >= first {
                top -= width;
                for bit in 0..width {
                    let plane = &mut self.machine.inputs()[(place + bit) as usize];
                    fill_bit_of_index(plane, block, top + bit);
                }
            }
            place += width;
        }
    }

    fn fill_constant(&mut self, first: u32, width: u32, value: u64) {
        for bit in 0..width {
            self.machine.inputs()[(first + bit) as usize].fill(all_if(value >> bit & 1 == 1));
        }
    }

    /// The vector in this lane; for a product, `part` is the number of its block.
    fn counterexample(&mut self, block: u64, lane: usize, part: Option<usize>) -> Counterexample {
        let want = part.map_or(&self.want, |part| &self.product.want[part]);
        let want = self.wanted.words(want.iter().map(|plane| bit(plane, lane)));
        let got = self.wanted.words((0..self.want.len()).map(|output| bit(self.machine.output(output), lane)));
        self.feed.read(self.stimulus, block);
        let operands = self.feed.columns().vector(lane);
        Counterexample {
            index: block * BLOCK as u64 + lane as u64,
            operands,
            before: vec![],
            got,
            want,
            violation: None,
        }
    }
}
