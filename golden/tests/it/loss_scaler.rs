//! `loss-scaler` against a scale held in the processor's floating point.

use crate::common::format;
use binade_golden::Model;
use binade_spec::word::low_bits;
use binade_spec::{Operation, Selection, Unit, Word};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn scaler(format_name: &str, lanes: u32, interval: u32, start: i32) -> Operation {
    let plain = Selection::new(Unit::LossScaler, format(format_name));
    let chosen = Selection { lanes: Some(lanes), interval: Some(interval), start: Some(start), ..plain };
    chosen.operation().unwrap_or_else(|error| panic!("{error}"))
}

/// The outputs for a sequence of gradients and steps from a reset.
fn outputs(operation: &Operation, clocks: &[(u128, bool)]) -> Vec<[u128; 3]> {
    let model = Model::new(operation);
    let mut state = model.reset();
    let step = |&(g, step): &(u128, bool)| {
        let (next, outputs) = model.step(&state, &[Word::from(g), Word::from(u8::from(step))]);
        state = next;
        [0, 1, 2].map(|port| low_bits(&outputs[port]))
    };
    clocks.iter().map(step).collect()
}

/// The state is a float and two counters; bfloat16 gradients are the upper halves of floats.
#[test]
fn the_scale_follows_the_definition() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for (lanes, interval, start) in [(1, 1, 24), (1, 3, 126), (3, 2, -125), (8, 7, 24), (2, 40, 0)] {
        let operation = scaler("bfloat16", lanes, interval, start);
        let clocks: Vec<(u128, bool)> = (0..20_000)
            .map(|clock| {
                let is_rare = clock / 1000 % 2 == 0;
                let lane = |_| if is_rare && random.random_range(0..20) > 0 { 0x3f80 } else { random.random::<u16>() };
                let g = (0..lanes).map(lane).fold(0, |word, code| word << 16 | u128::from(code));
                (g, random.random_range(0..3) > 0)
            })
            .collect();
        let (mut scale, mut good_steps, mut has_overflowed) = (2_f32.powi(start), 0, false);
        for (clock, ([code, code32, skip], &(g, step))) in
            outputs(&operation, &clocks).into_iter().zip(&clocks).enumerate()
        {
            let lane = |lane: u32| f32::from_bits(((g >> (16 * lane)) as u32 & 0xffff) << 16);
            has_overflowed |= (0..lanes).any(|at| !lane(at).is_finite());
            let place = format!("{operation:?}, clock {clock}");
            assert_eq!(f32::from_bits(code32 as u32), scale, "{place}");
            assert_eq!(code as i32 - 127, scale.log2() as i32, "{place}");
            assert_eq!(skip == 1, step && has_overflowed, "{place}");
            if step {
                good_steps = if has_overflowed { 0 } else { good_steps + 1 };
                scale = if has_overflowed { (scale / 2.0).max(2_f32.powi(-127)) } else { scale };
                if good_steps == interval {
                    (scale, good_steps) = ((scale * 2.0).min(2_f32.powi(127)), 0);
                }
                has_overflowed = false;
            }
        }
    }
}

/// The paper's values: 2^24, halved by an overflow, doubled after 2000 steps without one.
#[test]
fn defaults_are_those_of_the_paper() {
    let operation = Selection::new(Unit::LossScaler, format("binary16")).operation().unwrap();
    let (one, infinity) = (0x3c00, 0x7c00);
    let clocks: Vec<(u128, bool)> = [(infinity, true)].into_iter().chain([(one, true); 4001]).collect();
    let scales: Vec<u128> = outputs(&operation, &clocks).iter().map(|[scale, ..]| scale - 127).collect();
    let wanted = [vec![24], vec![23; 2000], vec![24; 2000], vec![25]].concat();
    assert_eq!(scales, wanted);
}

#[test]
fn what_is_refused() {
    let refused = |selection: Selection| selection.operation().expect_err("refused").to_string();
    let plain = |name| Selection::new(Unit::LossScaler, format(name));
    assert!(refused(plain("e2m1f")).contains("infinities and NaNs, which e2m1f does not have"));
    assert!(refused(Selection { start: Some(128), ..plain("e5m2") }).contains("from 2^-127 to 2^127"));
    assert!(refused(Selection { lanes: Some(2), ..Selection::new(Unit::Add, format("e5m2")) }).contains("`lanes`"));
    for name in ["e4m3fn", "k8p3se", "posit8_2", "e8m0"] {
        assert!(plain(name).operation().is_ok(), "{name}");
    }
}
