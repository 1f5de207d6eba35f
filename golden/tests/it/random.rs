//! `random` against a crate of xoshiro's algorithm, and its periods.

use binade_golden::{Model, RandomWords};
use binade_spec::word::low_bits;
use binade_spec::{Algorithm, Format, Generator, Operation, Selection, Unit, Word};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::{Xoshiro128PlusPlus, Xoshiro256PlusPlus};

fn unit(generator: Generator, bits: u32) -> Operation {
    let plain = Selection::new(Unit::Random, Format::binary32());
    let chosen = Selection { algorithm: Some(Algorithm::Random(generator)), word_bits: Some(bits), ..plain };
    chosen.operation().unwrap_or_else(|error| panic!("{error}"))
}

/// The words of the unit from a seed.
fn words_of(generator: Generator, bits: u32, seed: u128, count: usize) -> Vec<u128> {
    let model = Model::new(&unit(generator, bits));
    let mut state = model.reset();
    let clocks = (0..=count).map(|clock| {
        let (next, outputs) = model.step(&state, &[Word::from(seed >> 1), Word::from(u8::from(clock == 0))]);
        state = next;
        low_bits(&outputs[0])
    });
    clocks.skip(1).collect()
}

fn crate_of(state: u128) -> Xoshiro128PlusPlus {
    Xoshiro128PlusPlus::from_seed(state.to_le_bytes())
}

#[test]
fn xoshiro_is_that_of_its_crate() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for bits in [1, 8, 31, 32] {
        let seed = u128::from_le_bytes(random.random()) | 1;
        let mut theirs = crate_of(seed);
        for (at, word) in words_of(Generator::Xoshiro128, bits, seed, 1000).into_iter().enumerate() {
            assert_eq!(word, u128::from(theirs.next_u32() >> (32 - bits)), "{bits} bits, word {at}");
        }
    }
}

/// 2^64 and 2^96 steps at once, which the crate does with its own constants.
#[test]
fn jumps_are_those_of_the_crate() {
    let words = RandomWords { generator: Generator::Xoshiro128, bits: 32 };
    let seed = Generator::Xoshiro128.reset();
    for (exponent, jump) in
        [(64, Xoshiro128PlusPlus::jump as fn(&mut Xoshiro128PlusPlus)), (96, Xoshiro128PlusPlus::long_jump)]
    {
        let mut theirs = crate_of(seed);
        jump(&mut theirs);
        let mut state = words.jump(seed, 1 << exponent);
        for _ in 0..10 {
            assert_eq!(words.word(state), u128::from(theirs.next_u32()), "2^{exponent}");
            state = words.next(state);
        }
    }
}

/// A jump equals that many steps.
#[test]
fn jumps_are_steps() {
    for generator in Generator::ALL {
        let words = RandomWords { generator, bits: 7 };
        let mut state = generator.reset();
        for clocks in 0..200 {
            assert_eq!(words.jump(generator.reset(), clocks), state, "{generator}, {clocks}");
            state = words.next(state);
        }
    }
}

/// From any nonzero state, the register returns after exactly one period, and visits all states if the period is that
/// long.
#[test]
fn the_period_of_16_bits_is_walked() {
    for bits in 1..=16 {
        let words = RandomWords { generator: Generator::Lfsr16, bits };
        let mut is_seen = vec![false; 1 << 16];
        let mut cycles = 0;
        for first in 1..1_u128 << 16 {
            if is_seen[first as usize] {
                continue;
            }
            let (mut state, mut clocks) = (first, 0);
            loop {
                is_seen[state as usize] = true;
                (state, clocks) = (words.next(state), clocks + 1);
                if state == first {
                    break;
                }
            }
            assert_eq!(clocks, Generator::Lfsr16.period(bits), "{bits} bits");
            cycles += 1;
        }
        assert_eq!(cycles * Generator::Lfsr16.period(bits), 0xffff, "{bits} bits");
    }
    assert_eq!(
        [1, 2, 3, 5, 8, 15, 16].map(|bits| Generator::Lfsr16.period(bits)),
        [65535, 65535, 21845, 13107, 65535, 4369, 65535]
    );
}

/// The order of a step divides `n` and no `n / p` for a prime `p`, so it is `n`. The primes are the factors of
/// 2^128 - 1 = (2^64 + 1) (2^32 + 1) (2^16 + 1) .. 3.
#[test]
fn the_periods_of_wide_states_are_orders() {
    const PRIMES: [u128; 9] = [3, 5, 17, 257, 641, 65537, 274_177, 6_700_417, 67_280_421_310_721];
    assert_eq!(PRIMES.iter().product::<u128>(), u128::MAX);
    for generator in [Generator::Lfsr32, Generator::Xoshiro128] {
        for bits in [1, 3, 8, 15, 32] {
            let (words, period) = (RandomWords { generator, bits }, generator.period(bits));
            let state = generator.reset();
            assert_eq!(words.jump(state, period), state, "{generator}, {bits} bits");
            for prime in PRIMES.into_iter().filter(|prime| period.is_multiple_of(*prime)) {
                assert_ne!(words.jump(state, period / prime), state, "{generator}, {bits} bits: {prime}");
            }
        }
    }
    assert_eq!(Generator::Lfsr32.period(15), 0xffff_ffff / 15);
}

#[test]
fn what_is_refused() {
    let refused = |selection: Selection| selection.operation().expect_err("refused").to_string();
    let plain = Selection::new(Unit::Random, Format::binary32());
    assert!(refused(Selection { word_bits: Some(17), ..plain }).contains("words of lfsr16 have up to 16 bits"));
    assert!(refused(Selection { format: Format::binary16(), ..plain }).contains("leave `format` out"));
    assert!(refused(Selection { unit: Unit::Add, word_bits: Some(3), ..plain }).contains("leave `bits` out"));
}

/// A unit with internal random words equals the one with a port fed by a generator.
#[test]
fn internal_words_are_those_of_the_generator() {
    let chosen = |unit, name: &str, round: &str| {
        let format: Format = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let rounding = Some(round.parse().unwrap_or_else(|error| panic!("{error}")));
        Selection { rounding, has_internal_random: true, ..Selection::new(unit, format) }
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for (unit, name, round, generator, bits) in [
        (Unit::Encode, "e5m2b1", "sr8", Generator::Lfsr16, 8),
        (Unit::Add, "posit16_1", "sr16", Generator::Lfsr16, 16),
        (Unit::Mac, "e5m2", "sr16", Generator::Lfsr32, 32),
        (Unit::Dot, "e4m3fn", "sr3", Generator::Lfsr16, 3),
    ] {
        let operation = chosen(unit, name, round).operation().unwrap_or_else(|error| panic!("{error}"));
        let (model, with_port) = (Model::new(&operation), Model::new(&operation.with_random_port()));
        let source = Model::new(&self::unit(generator, bits));
        let (mut state, mut source_state) = (model.reset(), source.reset());
        for clock in 0..1000 {
            let operands: Vec<Word> = with_port.input_ports()[..with_port.input_ports().len() - 1]
                .iter()
                .map(|port| Word::from(random.random::<u128>() >> (128 - port.width())))
                .collect();
            let start = [Word::from(random.random::<u16>() / 2), Word::from(u8::from(clock % 100 == 7))];
            let (next, outputs) = model.step(&state, &[&operands[..], &start].concat());
            let (source_next, words) = source.step(&source_state, &start);
            assert_eq!(outputs, with_port.evaluate(&[&operands[..], &words].concat()), "{unit} {name}, clock {clock}");
            (state, source_state) = (next, source_next);
        }
    }
}
