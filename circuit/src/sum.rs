//! Sums of many rows.

use crate::{Bits, Optimize, concat};

impl<'c> Bits<'c> {
    /// The sum of numbers in two's complement and of single bits `ones`, as wide as the sum can become: in pairs, or for
    /// depth in a carry-save tree. Each adder takes one of the `ones` as its carry in. Intermediate sums are named after
    /// `name`.
    ///
    /// # Panics
    /// If there are no numbers.
    pub fn sum_of_signed(numbers: &[Bits<'c>], ones: &[Bits<'c>], name: &str) -> Bits<'c> {
        let adders = numbers.len().saturating_sub(1).min(ones.len());
        let (carries, others) = ones.split_at(adders);
        if let Some((one, others)) = others.split_first() {
            let more = [numbers, &[one.zext(2)]].concat();
            return Bits::sum_of_signed(&more, &[carries, others].concat(), name);
        }
        let width = numbers.iter().map(|number| number.width()).max().expect("numbers to add");
        let width = width + (numbers.len() as u32).next_power_of_two().ilog2();
        match numbers[0].circuit().optimize() {
            Optimize::Area => {
                let numbered = numbers.iter().enumerate().map(|(at, number)| ((at, at), *number)).collect();
                sum_in_pairs(numbered, carries, name).sext(width)
            }
            Optimize::Depth => {
                sum_in_tree(numbers.iter().map(|number| number.sext(width)).collect(), carries, &format!("{name}_"))
            }
        }
    }

    /// The sum of two numbers and a single bit, modulo 2^width. The bit is the carry out of an extra low place; the sum with
    /// this place is named `name_with_carry`.
    fn add_with_carry(self, other: Bits<'c>, carry: Bits<'c>, name: &str) -> Bits<'c> {
        match carry.known() {
            Some(0) => self.add(other),
            _ => {
                let sum = concat(&[self, carry]).add(concat(&[other, carry]));
                sum.called(format!("{name}_with_carry")).high(self.width())
            }
        }
    }
}

/// Adds neighbours, then their sums, and so on, each in one more bit.
///
/// The extra low place for the carry keeps adders intact in synthesis. Without it, synthesis would join a chain of adders into
/// full adders of two LUTs per bit.
fn sum_in_pairs<'c>(mut numbers: Vec<((usize, usize), Bits<'c>)>, carries: &[Bits<'c>], name: &str) -> Bits<'c> {
    let zero = numbers[0].1.circuit().zero();
    let mut carries = carries.iter().copied();
    while numbers.len() > 1 {
        let mut sums = vec![];
        for pair in numbers.chunks(2) {
            sums.push(match *pair {
                [((first, _), x), ((_, last), y)] => {
                    let width = x.width().max(y.width()) + 1;
                    let name = format!("{name}_{first}_to_{last}");
                    let sum = x.sext(width).add_with_carry(y.sext(width), carries.next().unwrap_or(zero), &name);
                    ((first, last), sum.named(name))
                }
                _ => pair[0],
            });
        }
        numbers = sums;
    }
    numbers[0].1
}

/// The comment at the first rows that become a sum and carries.
const TREE: &str =
    "in a carry-save tree (Wallace), each level makes a sum and carries of three rows, until there are two";

/// Three rows become two, a sum and its carries, level by level (Wallace, "A suggestion for a fast multiplier", IEEE
/// Transactions on Electronic Computers, 1964); one adder joins the last two. The lowest place of a row of carries is free
/// for one of the `ones`.
pub(crate) fn sum_in_tree<'c>(mut rows: Vec<Bits<'c>>, ones: &[Bits<'c>], name: &str) -> Bits<'c> {
    let zero = rows[0].circuit().zero();
    let mut ones = ones.iter().copied();
    let mut level = 0;
    while rows.len() > 2 {
        level += 1;
        let mut joined = vec![];
        for (group, three) in rows.chunks(3).enumerate() {
            match *three {
                [x, y, z] => {
                    let called = |what: &str| format!("{name}level_{level}_{what}_{group}");
                    let half = (x ^ y).called(called("half_sum"));
                    let both = (x & y).called(called("both"));
                    let majority = (both | (z & half).called(called("third"))).called(called("majority"));
                    let carries = concat(&[majority.low(x.width() - 1), ones.next().unwrap_or(zero)]);
                    let sum = half ^ z;
                    let is_first = level == 1 && group == 0;
                    joined.push(if is_first { sum.explained(called("sum"), TREE) } else { sum.named(called("sum")) });
                    joined.push(carries.named(called("carries")));
                }
                _ => joined.extend(three),
            }
        }
        rows = joined;
    }
    match rows[..] {
        [single] => single,
        _ => rows[0].add_with_carry(rows[1], ones.next().unwrap_or(zero), &format!("{name}last_two")),
    }
}
