//! All 2^32 numbers of binary32, against the golden model.

use crate::encode;
use binade_arrays::{Conversion, Random};
use binade_golden::Model;
use binade_spec::{ColumnMut, Operation};
use rayon::prelude::*;
use std::time::Instant;

/// Every family, and every rounding and policy with some of them.
const CONVERSIONS: [&str; 24] = [
    "e5m2 rne",
    "e4m3fn rne",
    "e4m3fn saturate rtz",
    "e5m2n rup",
    "e4m3ns rdn",
    "e2m1f rne",
    "e3m2f rto",
    "e5m2b1 rne",
    "e4m3b2 mptorch",
    "e5m2b1,sat propagate rna",
    "k8p3se rne",
    "k8p4uf saturate rdn",
    "k8p1ue rup",
    "e8m0 rne",
    "posit8_2 rne",
    "posit8_0 float rtz",
    "binary16 rne",
    "binary16 rto",
    "bfloat16 rne",
    "e6m9n rup",
    "dlfloat16 rnu",
    "k16p8se propagate rne",
    "posit16_1 rne",
    "posit16_5 float rdn",
];

/// Numbers that one thread takes at a time.
const SHARD: u64 = 1 << 20;

/// Numbers of one row of the golden model.
const ROW: u64 = 1 << 12;

/// The first number of a shard whose result is wrong.
fn first_wrong(model: &Model, convert: &Conversion, shard: u64) -> Option<u32> {
    let (mut golden, mut results) = (vec![0; ROW as usize], vec![0_u16; ROW as usize]);
    (shard * SHARD..(shard + 1) * SHARD).step_by(ROW as usize).find_map(|first| {
        let numbers: Vec<u32> = (first..first + ROW).map(|number| number as u32).collect();
        convert.convert(&numbers, Random::Unused, &mut results);
        model.evaluate_row(first, &mut [ColumnMut::narrow(&mut golden)]);
        let wrong = golden.iter().zip(&results).position(|(&right, &result)| right != u64::from(result));
        wrong.map(|at| numbers[at])
    })
}

fn check(operation: &Operation) {
    let model = Model::new(operation);
    let convert = Conversion::new(operation).unwrap();
    let shards = (1_u64 << 32) / SHARD;
    let wrong = (0..shards).into_par_iter().find_map_first(|shard| first_wrong(&model, &convert, shard));
    assert_eq!(wrong.map(|number| format!("{number:#010x}")), None, "{operation:?}");
}

/// The golden model halves rows by where numbers lie between two codes, not by what they are rounded to: it takes no
/// rounding to be monotone.
#[test]
#[ignore = "takes minutes"]
fn nightly_every_number_is_that_of_the_golden_model() {
    let start = Instant::now();
    for words in CONVERSIONS {
        check(&encode(words));
        println!("{words}: right for all 2^32 numbers");
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} conversions are the golden model's for all 2^32 numbers of binary32 ({seconds:.0} s)",
        CONVERSIONS.len()
    );
}

/// A few million, spread over all signs and exponents.
#[test]
fn some_shards_of_every_number_are_those_of_the_golden_model() {
    for words in ["e4m3fn rne", "e5m2b1 rup"] {
        let operation = encode(words);
        let (model, convert) = (Model::new(&operation), Conversion::new(&operation).unwrap());
        for shard in (0..(1 << 32) / SHARD).step_by(509) {
            assert_eq!(first_wrong(&model, &convert, shard), None, "{words}");
        }
    }
}
