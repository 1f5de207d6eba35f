//! Functions of few bits as decision diagrams (R. Bryant, IEEE Transactions on Computers C-35(8), 1986).

use crate::{Bits, concat};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The most bits of a function.
const MAX_BITS: u32 = 16;

/// Functions of up to this many bits look at the bits in the best order that is found.
const MAX_SORTED_BITS: u32 = 9;

/// A truth table, whose bit `i` is the value for the input `i`: in words of 64, or in the low bits of one.
type Table = Rc<[u64]>;

impl<'c> Bits<'c> {
    /// A one-bit function of these bits: the first bit selects between two functions of the rest, and so on. Equal
    /// functions are built once. The function gets the name, and those it selects from that of a part.
    ///
    /// # Panics
    /// With more than 16 bits.
    pub fn decide(self, name: &str, function: impl Fn(u128) -> bool) -> Bits<'c> {
        let mut decision = Decision::new(self, name, false);
        decision.root(name.into(), &table(self.width(), |input| function(input.into())))
    }

    /// `count` bits of a table, of which `entry` gives those of each input. The bits share what they have in common. With
    /// few inputs, these are looked at in the order that needs fewest selections.
    ///
    /// # Panics
    /// With more than 16 bits.
    pub fn look_up(self, name: &str, count: u32, entry: impl Fn(u32) -> u64) -> Bits<'c> {
        let entries: Vec<u64> = (0..1 << self.width()).map(entry).collect();
        let order = if self.width() <= MAX_SORTED_BITS { sorted(&entries, count) } else { unsorted(self.width()) };
        let places: Vec<Bits> = order.iter().rev().map(|&place| self.bit(place)).collect();
        let mut decision = Decision::new(concat(&places), name, true);
        let tables = tables(&entries, count, &order).into_iter().enumerate().rev();
        let bits = tables.map(|(place, table)| decision.root(format!("{name}_{place}"), &table));
        concat(&bits.collect::<Vec<_>>())
    }
}

/// The number of selections in the diagram of a table of `count` bits, whose bits are looked at from the highest down.
pub fn diagram_size(entries: &[u64], count: u32) -> usize {
    selections(entries, count, &unsorted(entries.len().ilog2()))
}

/// The bits as they are.
fn unsorted(width: u32) -> Vec<u32> {
    (0..width).collect()
}

/// For each place, from the lowest, which bit of the input is looked at there: one is moved at a time, as long as that
/// saves selections (R. Rudell, ICCAD 1993).
fn sorted(entries: &[u64], count: u32) -> Vec<u32> {
    let width = entries.len().ilog2();
    let mut best = unsorted(width);
    let mut least = selections(entries, count, &best);
    loop {
        let before = least;
        for bit in 0..width {
            for place in 0..width as usize {
                let mut order: Vec<u32> = best.iter().copied().filter(|&other| other != bit).collect();
                order.insert(place, bit);
                let cost = selections(entries, count, &order);
                if cost < least {
                    (best, least) = (order, cost);
                }
            }
        }
        if least == before {
            return best;
        }
    }
}

/// The number of different functions on the way to all bits of a table.
fn selections(entries: &[u64], count: u32, order: &[u32]) -> usize {
    let mut met = FxHashSet::default();
    let width = order.len() as u32;
    tables(entries, count, order).into_iter().for_each(|table| meet(&mut met, table, width));
    met.len()
}

fn meet(met: &mut FxHashSet<(Table, u32)>, table: Table, width: u32) {
    let inverse = inverted(&table, width);
    if is_constant(&table, width) || met.contains(&(inverse, width)) || !met.insert((table.clone(), width)) {
        return;
    }
    let [zero, one] = halves(&table, width);
    if zero == one {
        met.remove(&(table, width));
    }
    meet(met, zero, width - 1);
    meet(met, one, width - 1);
}

/// The tables of all bits, lowest first, of inputs in this order.
fn tables(entries: &[u64], count: u32, order: &[u32]) -> Vec<Table> {
    let width = order.len() as u32;
    let input = |sorted: u32| (0..width).fold(0, |input, place| input | (sorted >> place & 1) << order[place as usize]);
    let inputs: Vec<usize> = (0..1 << width).map(|sorted| input(sorted) as usize).collect();
    (0..count).map(|bit| table(width, |sorted| entries[inputs[sorted as usize]] >> bit & 1 == 1)).collect()
}

fn table(width: u32, function: impl Fn(u32) -> bool) -> Table {
    assert!(width <= MAX_BITS, "a table of {width} bits");
    let mut words = vec![0; (1_usize << width).div_ceil(64)];
    for input in 0..1_u32 << width {
        words[input as usize / 64] |= u64::from(function(input)) << (input % 64);
    }
    words.into()
}

/// The bits of a word that a table of so few inputs uses.
fn used(width: u32) -> u64 {
    if width >= 6 { u64::MAX } else { (1 << (1 << width)) - 1 }
}

fn inverted(table: &Table, width: u32) -> Table {
    table.iter().map(|word| !word & used(width)).collect()
}

fn is_constant(table: &Table, width: u32) -> bool {
    table.iter().all(|&word| word == 0) || table.iter().all(|&word| word == used(width))
}

/// The functions of the other bits if the first is 0 and if it is 1.
fn halves(table: &Table, width: u32) -> [Table; 2] {
    if width > 6 {
        let (zero, one) = table.split_at(table.len() / 2);
        return [zero.into(), one.into()];
    }
    let half = 1 << (width - 1);
    [Rc::new([table[0] & used(width - 1)]), Rc::new([table[0] >> half])]
}

/// The functions of the last bits of `bits` that are built already.
struct Decision<'c> {
    bits: Bits<'c>,
    /// The name of a function of some of the bits.
    part: String,
    /// Whether a function is also built from its inverse: that saves most in large tables.
    inverts: bool,
    known: FxHashMap<(Table, u32), Bits<'c>>,
}

impl<'c> Decision<'c> {
    fn new(bits: Bits<'c>, name: &str, inverts: bool) -> Decision<'c> {
        Decision { bits, part: format!("{name}_part"), inverts, known: FxHashMap::default() }
    }

    /// The function with this table of all bits.
    fn root(&mut self, name: String, table: &Table) -> Bits<'c> {
        self.of(table, self.bits.width(), &name)
    }

    /// The function with this table of the last `width` bits.
    fn of(&mut self, table: &Table, width: u32, name: &str) -> Bits<'c> {
        let circuit = self.bits.circuit();
        if is_constant(table, width) {
            return circuit.constant((table[0] & 1).into(), 1);
        }
        if let Some(&known) = self.known.get(&(table.clone(), width)) {
            return known;
        }
        if let Some(&known) = self.known.get(&(inverted(table, width), width)).filter(|_| self.inverts) {
            return !known;
        }
        let bit = self.bits.bit(width - 1);
        let [zero, one] = halves(table, width);
        let part = self.part.clone();
        let function = if zero == one {
            self.of(&zero, width - 1, name)
        } else if inverted(&zero, width - 1) == one {
            bit ^ self.of(&zero, width - 1, &part)
        } else {
            let one = self.of(&one, width - 1, &part);
            bit.select(one, self.of(&zero, width - 1, &part))
        };
        let function = function.called(name);
        self.known.insert((table.clone(), width), function);
        function
    }
}
