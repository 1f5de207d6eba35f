//! The right answers to a block of vectors, as planes.

use super::feed::Feed;
use super::packing::Packing;
use super::program::{LANES, Plane};
use crate::columns::Columns;
use crate::reference::{Reference, widths};
use binade_spec::Word;

/// One thread's columns of right answers, and how they become planes.
pub(super) struct Wanted<'a> {
    reference: &'a dyn Reference,
    widths: Vec<u32>,
    columns: Columns,
    packing: Packing,
}

impl<'a> Wanted<'a> {
    pub fn new(reference: &'a dyn Reference) -> Wanted<'a> {
        let widths: Vec<u32> = widths(&reference.outputs()).collect();
        let columns = Columns::zeros(widths.iter().copied(), LANES);
        Wanted { reference, packing: Packing::new(widths.iter().copied()), columns, widths }
    }

    /// Planes of the outputs.
    pub fn bits(&self) -> usize {
        self.widths.iter().sum::<u32>() as usize
    }

    /// Fills the planes of the outputs with the answers to the vectors taken.
    pub fn answer(&mut self, feed: &Feed, planes: &mut [Plane]) {
        let count = feed.columns().len();
        self.reference.evaluate_columns(&feed.columns().views(), &mut self.columns.views_mut(count));
        self.packing.fill_planes(&self.columns.views(), count, planes);
    }

    /// Fills the planes of the outputs with the answers to the codes of the only input from `first` on, in all lanes.
    pub fn answer_row(&mut self, first: u64, planes: &mut [Plane]) {
        self.reference.evaluate_row(first, &mut self.columns.views_mut(LANES));
        self.packing.fill_planes(&self.columns.views(), LANES, planes);
    }

    /// The words of the outputs whose bits are these, port after port and the lowest first.
    pub fn words(&self, bits: impl Iterator<Item = bool>) -> Vec<Word> {
        let mut bits = bits;
        let mut word = |&width: &u32| {
            let mut word = Word::ZERO;
            bits.by_ref().take(width as usize).zip(0..).for_each(|(bit, place)| word.set_bit(place, bit));
            word
        };
        self.widths.iter().map(&mut word).collect()
    }
}
