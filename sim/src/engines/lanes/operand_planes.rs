//! The vectors of a block as planes of operands.

use binade_gates::{Packing, Plane};
use binade_stimulus::Columns;
use binade_stimulus::Stimulus;

/// One thread's columns, and how they become planes.
pub(crate) struct Feed {
    columns: Columns,
    packing: Packing,
}

impl Feed {
    /// For operands of these widths.
    pub fn new(widths: impl IntoIterator<Item = u32> + Clone) -> Feed {
        Feed { columns: Columns::new(widths.clone()), packing: Packing::new(widths) }
    }

    /// Takes the vectors of a block; how many there are.
    pub fn read(&mut self, stimulus: &Stimulus, block: u64) -> usize {
        stimulus.fill(block, &mut self.columns);
        self.columns.len()
    }

    /// Takes them with the vector of this number in the first lane, and the others after it; how many there are.
    pub fn read_from(&mut self, stimulus: &Stimulus, block: u64, first: usize) -> usize {
        let count = self.read(stimulus, block);
        self.columns.rotate(first % count);
        count
    }

    /// The vectors taken.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Fills the planes of the operands with them.
    pub fn fill(&self, planes: &mut [Plane]) {
        self.packing.fill_planes(&self.columns.views(), self.columns.len(), planes);
    }
}
