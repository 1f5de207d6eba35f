//! The right results of a block of vectors, as planes.

use super::operand_planes::Feed;
use crate::reference::Reference;
use binade_gates::{LANES, Machine, Packing, Plane, Program, all_if, bit};
use binade_spec::Word;
use binade_stimulus::BLOCK;
use binade_stimulus::Columns;
use binade_stimulus::words::widths;

/// If a specification gives the results, the golden model checks one of this many vectors.
pub(crate) const SAMPLED: u64 = 1_000_000;

/// The right results in one thread's columns, and their conversion to planes.
pub(super) struct Wanted<'a> {
    reference: &'a dyn Reference,
    widths: Vec<u32>,
    columns: Columns,
    packing: Packing,
    /// Answers in place of the reference, except for sampled vectors.
    specification: Option<Machine<'a>>,
}

impl<'a> Wanted<'a> {
    pub fn new(reference: &'a dyn Reference) -> Wanted<'a> {
        let widths: Vec<u32> = widths(&reference.outputs()).collect();
        let columns = Columns::zeros(widths.iter().copied(), LANES);
        Wanted { reference, packing: Packing::new(widths.iter().copied()), columns, widths, specification: None }
    }

    /// Lets a specification answer in place of the reference.
    pub fn against(self, specification: Option<&'a Program>) -> Wanted<'a> {
        Wanted { specification: specification.map(Machine::new), ..self }
    }

    /// Whether a specification answers.
    pub fn is_specified(&self) -> bool {
        self.specification.is_some()
    }

    /// The number of output planes.
    pub fn bits(&self) -> usize {
        self.widths.iter().sum::<u32>() as usize
    }

    /// Fills the output planes with the results of the vectors in `feed`.
    pub fn answer(&mut self, feed: &Feed, block: u64, planes: &mut [Plane]) {
        if let Some(machine) = &mut self.specification {
            feed.fill(machine.inputs());
            return self.specified(block, feed.columns().len(), planes);
        }
        let count = feed.columns().len();
        self.reference.evaluate_columns(&feed.columns().views(), &mut self.columns.views_mut(count));
        self.packing.fill_planes(&self.columns.views(), count, planes);
    }

    /// Fills the output planes with the specification's results for a block of vectors, given as input planes.
    ///
    /// # Panics
    /// When there is no specification.
    pub fn answer_planes(&mut self, inputs: &[Plane], block: u64, count: usize, planes: &mut [Plane]) {
        let machine = self.specification.as_mut().expect("a specification");
        machine.inputs().copy_from_slice(inputs);
        self.specified(block, count, planes);
    }

    /// The results for the inputs that the specification already has; the golden model answers the sampled vectors.
    fn specified(&mut self, block: u64, count: usize, planes: &mut [Plane]) {
        let Some(machine) = &mut self.specification else { return };
        machine.run();
        planes.iter_mut().enumerate().for_each(|(output, plane)| *plane = *machine.output(output));
        let first = block * BLOCK as u64;
        let lane = (first.next_multiple_of(SAMPLED) - first) as usize;
        if lane >= count {
            return;
        }
        let mut inputs = machine.inputs().iter().map(|plane| bit(plane, lane));
        let operands: Vec<Word> = widths(&self.reference.inputs()).map(|width| word(&mut inputs, width)).collect();
        let answers = self.reference.evaluate(&operands);
        let bits =
            answers.iter().zip(&self.widths).flat_map(|(word, &width)| (0..width).map(|place| word.bit(place.into())));
        for (plane, is_one) in planes.iter_mut().zip(bits) {
            let place = 1 << (lane % 64);
            plane[lane / 64] = plane[lane / 64] & !place | all_if(is_one) & place;
        }
    }

    /// Fills the output planes with the results of the codes of the only input from `first` on, one per lane.
    pub fn answer_row(&mut self, first: u64, planes: &mut [Plane]) {
        self.reference.evaluate_row(first, &mut self.columns.views_mut(LANES));
        self.packing.fill_planes(&self.columns.views(), LANES, planes);
    }

    /// The words of the outputs with these bits, port by port, lowest bit first.
    pub fn words(&self, bits: impl Iterator<Item = bool>) -> Vec<Word> {
        let mut bits = bits;
        self.widths.iter().map(|&width| word(&mut bits, width)).collect()
    }
}

/// The word of the next bits, lowest first.
fn word(bits: &mut impl Iterator<Item = bool>, width: u32) -> Word {
    let mut word = Word::ZERO;
    bits.take(width as usize).zip(0..).for_each(|(bit, place)| word.set_bit(place, bit));
    word
}
