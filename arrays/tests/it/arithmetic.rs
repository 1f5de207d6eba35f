//! Units and stochastic rounding, element by element against the golden model.

use crate::{encode, format};
use binade_arrays::{Arithmetic, ArrayError, Conversion, Random, Words};
use binade_golden::Model;
use binade_spec::{Format, Selection, Unit, Word};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::ThreadPoolBuilder;

/// More than one chunk, and no multiple of it.
const COUNT: usize = 70_000;

fn random_words(seed: u64, mask: u64, count: usize) -> Vec<u64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count).map(|_| random.next_u64() & mask).collect()
}

#[test]
fn units_are_those_of_the_golden_model() {
    let binary16 = Format::binary16();
    let fmac = Selection::new(Unit::Fmac, format("e5m2b1")).operation().unwrap();
    let [a, b] = [1, 2].map(|seed| random_words(seed, 0xff, COUNT));
    let c = random_words(3, binary16.magnitude_mask() as u64, COUNT);
    let narrow: Vec<u8> = a.iter().map(|&code| code as u8).collect();
    let mut results = vec![0_u16; COUNT];
    Arithmetic::new(&fmac).unwrap().evaluate(
        &[Words::U8(&narrow), Words::U64(&b), Words::U64(&c)],
        Random::Unused,
        &mut results,
    );
    let model = Model::new(&fmac);
    for at in 0..COUNT {
        let right = model.first_result(&[a[at], b[at], c[at]].map(u128::from));
        assert_eq!(u128::from(results[at]), right, "{:#x} * {:#x} + {:#x}", a[at], b[at], c[at]);
    }
}

/// Codes of 5 bits lie across the limits of 64-bit limbs.
#[test]
fn lanes_are_side_by_side() {
    for (name, lanes) in [("e4m3fn", 4), ("e2m2", 16), ("e8m7", 3)] {
        let dot = Selection { lanes: Some(lanes), ..Selection::new(Unit::Dot, format(name)) }.operation().unwrap();
        let count = 300;
        let width = format(name).width();
        let [a, b] = [1, 2].map(|seed| random_words(seed, (1 << width) - 1, count * lanes as usize));
        let c = random_words(3, dot.result.magnitude_mask() as u64, count);
        let mut results = vec![0_u32; count];
        Arithmetic::new(&dot).unwrap().evaluate(
            &[Words::U64(&a), Words::U64(&b), Words::U64(&c)],
            Random::Unused,
            &mut results,
        );
        let model = Model::new(&dot);
        for (at, &result) in results.iter().enumerate() {
            let side_by_side = |codes: &[u64]| {
                let codes = &codes[at * lanes as usize..][..lanes as usize];
                codes.iter().rev().fold(Word::ZERO, |word, &code| (word << width) + code)
            };
            let right = model.evaluate(&[side_by_side(&a), side_by_side(&b), c[at].into()]);
            assert_eq!(Word::from(result), right[0], "{name}, element {at}");
        }
    }
}

#[test]
fn given_random_words_are_those_of_the_golden_model() {
    let operation = encode("e4m3fn sr7");
    let numbers = random_words(1, u32::MAX.into(), COUNT);
    let random = random_words(2, u64::MAX, COUNT);
    let operands: Vec<u32> = numbers.iter().map(|&number| number as u32).collect();
    let mut results = vec![0_u8; COUNT];
    Conversion::new(&operation).unwrap().convert(&operands, Random::Words(&random), &mut results);
    let model = Model::new(&operation);
    for at in 0..COUNT {
        let right = model.first_result(&[numbers[at], random[at] & 0x7f].map(u128::from));
        assert_eq!(u128::from(results[at]), right, "{:#x} with {:#x}", numbers[at], random[at]);
    }
}

/// A quarter of the way up is gone by a quarter of the numbers, on any number of cores.
#[test]
fn a_seed_rounds_alike_on_any_number_of_cores() {
    let convert = Conversion::new(&encode("e4m3fn sr16")).unwrap();
    let numbers = vec![1.0_f32 + 0.125 / 4.0; 1_000_000];
    let with = |threads: usize, seed: u64| {
        let mut codes = vec![0_u8; numbers.len()];
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| convert.convert(&numbers, Random::Seed(seed), &mut codes));
        codes
    };
    let codes = with(1, 5);
    assert!(codes == with(3, 5));
    assert!(codes != with(3, 6));
    let up = codes.iter().filter(|&&code| code == 0x39).count();
    assert_eq!(codes.iter().filter(|&&code| code == 0x38).count(), numbers.len() - up);
    assert!((248_000..252_000).contains(&up), "{up} of a million go up");
}

#[test]
#[should_panic(expected = "stochastic rounding takes 8 random bits for each element")]
fn missing_random_words_are_noticed() {
    Conversion::new(&encode("e5m2 sr8")).unwrap().convert(&[0_f32], Random::Unused, &mut [0_u8]);
}

#[test]
fn units_with_a_state_are_refused() {
    let accumulate = Selection::new(Unit::Accumulate, format("e5m2")).operation().unwrap();
    assert_eq!(Arithmetic::new(&accumulate).err(), Some(ArrayError::HasState { unit: Unit::Accumulate }));
}
