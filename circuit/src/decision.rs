//! Functions of few bits as decision diagrams.

use crate::Bits;
use std::collections::HashMap;

/// The most bits of a function.
const MAX_BITS: u32 = 7;

/// A truth table: bit `i` is the value for the input `i`.
type Table = u128;

impl<'c> Bits<'c> {
    /// A one-bit function of these bits: the first bit selects between two functions of the rest, and so on. Equal
    /// functions are built once; all get the name.
    ///
    /// # Panics
    /// With more than 7 bits.
    pub fn decide(self, name: &str, function: impl Fn(u128) -> bool) -> Bits<'c> {
        assert!(self.width() <= MAX_BITS, "a table of {} bits", self.width());
        let table = (0..1 << self.width()).fold(0, |table, input| table | Table::from(function(input)) << input);
        Decision { bits: self, name, known: HashMap::new() }.of(table, self.width())
    }
}

/// The functions of the last bits of `bits` that are built already.
struct Decision<'n, 'c> {
    bits: Bits<'c>,
    name: &'n str,
    known: HashMap<(Table, u32), Bits<'c>>,
}

impl<'c> Decision<'_, 'c> {
    /// The function with this table of the last `width` bits.
    fn of(&mut self, table: Table, width: u32) -> Bits<'c> {
        let circuit = self.bits.circuit();
        let all = Table::MAX >> (Table::BITS - (1 << width));
        if table == 0 || table == all {
            return circuit.constant((table == all).into(), 1);
        }
        if let Some(&known) = self.known.get(&(table, width)) {
            return known;
        }
        let half = 1 << (width - 1);
        let bit = self.bits.bit(width - 1);
        let (zero, one) = (table & (all >> half), table >> half);
        let function = if zero == one {
            self.of(zero, width - 1)
        } else if zero ^ one == all >> half {
            bit ^ self.of(zero, width - 1)
        } else {
            let one = self.of(one, width - 1);
            bit.select(one, self.of(zero, width - 1))
        };
        self.known.insert((table, width), function.called(self.name));
        function
    }
}
