//! Units that work on one operation for several clocks.

use crate::Netlist;

/// A unit that takes several clocks for an operation, and then the next operands.
///
/// Its netlist is that of one clock. The first input is `in_valid` and the first output `out_valid`. At each rising edge with `en`
/// high all registers take their next values. A reset clears only the first register, which is 1 during an operation. Operands that
/// come during an operation replace it.
#[derive(Clone)]
pub struct Iteration {
    /// The circuit of one clock.
    pub netlist: Netlist,
    /// Clocks from operands to results, and the fewest from operands to the next ones.
    pub clocks: u32,
}

impl Iteration {
    /// The number of one-bit registers.
    pub fn register_bits(&self) -> u32 {
        self.netlist.registers.iter().map(|register| register.width).sum()
    }
}
