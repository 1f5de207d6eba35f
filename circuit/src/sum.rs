//! Sums of many rows.

use crate::{Bits, Optimize};

impl<'c> Bits<'c> {
    /// The sum of rows of one width, modulo 2^width: in pairs, for depth in a carry-save tree. What is added on the way is
    /// called after `name`.
    ///
    /// # Panics
    /// Without rows.
    pub fn sum_of(rows: &[Bits<'c>], name: &str) -> Bits<'c> {
        match rows[0].circuit().optimize() {
            Optimize::Area => sum_in_pairs(rows, name),
            Optimize::Depth => sum_in_tree(rows.to_vec(), name),
        }
    }
}

fn sum_in_pairs<'c>(rows: &[Bits<'c>], name: &str) -> Bits<'c> {
    let mut rows: Vec<(String, Bits)> = rows.iter().enumerate().map(|(at, row)| (at.to_string(), *row)).collect();
    while rows.len() > 1 {
        let pairs = rows.chunks(2).map(|pair| match pair {
            [(first, x), (last, y)] => {
                let ends = (first.split('_').next().unwrap_or(first), last.rsplit('_').next().unwrap_or(last));
                let places = format!("{}_{}", ends.0, ends.1);
                let sum = x.add(*y).named(format!("{name}_{places}"));
                (places, sum)
            }
            single => single[0].clone(),
        });
        rows = pairs.collect();
    }
    rows[0].1
}

/// Three rows become two, a sum and its carries, level by level (Wallace, "A suggestion for a fast multiplier", IEEE
/// Transactions on Electronic Computers, 1964); one adder joins the last two.
pub(crate) fn sum_in_tree<'c>(mut rows: Vec<Bits<'c>>, name: &str) -> Bits<'c> {
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
                    let carries = majority.low(x.width() - 1).zeros_below(1);
                    joined.push((half ^ z).named(called("sum")));
                    joined.push(carries.named(called("carries")));
                }
                _ => joined.extend(three),
            }
        }
        rows = joined;
    }
    match rows[..] {
        [single] => single,
        _ => rows[0].add(rows[1]),
    }
}
