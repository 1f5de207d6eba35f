//! The vectors of a block as planes of operands.

use binade_gates::{Packing, Plane};
use binade_stimulus::Columns;
use binade_stimulus::Stimulus;

/// The columns of one thread, and their conversion to planes.
pub(crate) struct Feed {
    columns: Columns,
    packing: Packing,
}

impl Feed {
    /// A feed for operands of these widths.
    pub fn new(widths: impl IntoIterator<Item = u32> + Clone) -> Feed {
        Feed { columns: Columns::new(widths.clone()), packing: Packing::new(widths) }
    }

    /// Reads the vectors of a block; returns how many there are.
    pub fn read(&mut self, stimulus: &Stimulus, block: u64) -> usize {
        stimulus.fill(block, &mut self.columns);
        self.columns.len()
    }

    /// Reads the vectors of a block, with vector number `first` in the first lane and the others after it, cyclically; returns how many
    /// there are.
    pub fn read_from(&mut self, stimulus: &Stimulus, block: u64, first: usize) -> usize {
        let count = self.read(stimulus, block);
        self.columns.rotate(first % count);
        count
    }

    /// The vectors read.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Fills the planes of the operands with the vectors.
    pub fn fill(&self, planes: &mut [Plane]) {
        self.packing.fill_planes(&self.columns.views(), self.columns.len(), planes);
    }
}
