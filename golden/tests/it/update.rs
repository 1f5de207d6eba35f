//! `update` against other definitions: bfloat16 by the processor's binary32 and `half`, the mean over all random words
//! in integers, and the roundings one by one.

use crate::common::{Random, bfloat16_of, format};
use binade_golden::{Codec, Exact, Model, Value};
use binade_spec::{Algorithm, Format, Operation, Optimizer, Rounding, Selection, Unit, UpdateRule, Word};
use half::bf16;

fn update(name: &str, rule: UpdateRule, has_fused_rate: bool) -> Selection {
    let algorithm = Some(Algorithm::Update(rule));
    Selection { algorithm, has_fused_rate, ..Selection::new(Unit::Update, format(name)) }
}

fn results(model: &Model, operands: &[u64]) -> Vec<u64> {
    let words: Vec<Word> = operands.iter().map(|&code| Word::from(u128::from(code))).collect();
    model.evaluate(&words).iter().map(|word| binade_spec::word::low_bits(word) as u64).collect()
}

/// Codes, many of them with similar magnitudes.
fn bfloat16_codes(random: &mut Random) -> [u16; 3] {
    [0; 3].map(|_| {
        let code = random.bits() as u16;
        if random.below(8) == 0 { code } else { code & 0x83ff | 0x3c00 }
    })
}

/// A sum of two bfloat16 values that is rounded to binary32 and then to bfloat16 is rounded correctly: 24 bits are more
/// than twice 8 plus two.
#[test]
fn kahan_in_bfloat16_is_what_binary32_makes_of_it() {
    let model = Model::new(&update("bfloat16", UpdateRule::Kahan, false).operation().unwrap());
    let rounded = |x: f32| bf16::from_f32(x);
    let mut random = Random(1);
    for _ in 0..300_000 {
        let codes = bfloat16_codes(&mut random);
        let [u, w, c] = codes.map(|code| bf16::from_bits(code).to_f32());
        let y = rounded(u - c);
        let next = rounded(w + y.to_f32());
        let lost = rounded(rounded(next.to_f32() - w).to_f32() - y.to_f32());
        let got = results(&model, &codes.map(u64::from));
        for (got, wanted) in got.into_iter().zip([next, lost]) {
            let got = bf16::from_bits(got as u16);
            assert!(
                got.to_bits() == wanted.to_bits() || (got.is_nan() && wanted.is_nan()),
                "{codes:04x?}: {got} {wanted}"
            );
        }
    }
}

/// Operands whose sums of products are exact in binary64, or far from a tie.
#[test]
fn optimizers_in_bfloat16_are_what_binary64_makes_of_them() {
    let model = |optimizer| {
        let selection = Selection { optimizer: Some(optimizer), ..Selection::new(Unit::Update, format("bfloat16")) };
        Model::new(&selection.operation().unwrap())
    };
    let [momentum, adamw] = [Optimizer::Momentum, Optimizer::Adamw].map(model);
    let value = |code: u16| bf16::from_bits(code).to_f64();
    let rounded = |x: f64| value(bfloat16_of(x));
    let mut random = Random(7);
    for _ in 0..30_000 {
        let codes: [u16; 11] = std::array::from_fn(|_| bfloat16_codes(&mut random)[0] & 0x83ff | 0x3c00);
        let [rate, beta, g, m, w] = [0, 1, 2, 3, 4].map(|at| value(codes[at]));
        let next = rounded(beta * m + g);
        let want = [w - rate * next, next].map(|x| u64::from(bfloat16_of(x)));
        assert_eq!(results(&momentum, &codes.map(u64::from)[..5]), want, "{codes:04x?}");

        let mut codes = codes;
        // Means of squares are not negative, nor are their weights.
        [3, 4, 5, 9].into_iter().for_each(|at| codes[at] &= 0x7fff);
        let [rate, beta1, alpha1, beta2, alpha2, epsilon, decay, g, m, v, w] = codes.map(value);
        let m_next = rounded(beta1 * m + alpha1 * g);
        let v_next = rounded(beta2 * v + rounded(alpha2 * g) * g);
        let step = rounded(m_next / rounded(rounded(v_next.sqrt()) + epsilon));
        let next = w - rate * rounded(decay * w + step);
        let want = [next, m_next, v_next].map(|x| u64::from(bfloat16_of(x)));
        assert_eq!(results(&adamw, &codes.map(u64::from)), want, "{codes:04x?}");
    }
}

/// A small update that does not change the nearest weight is kept in `c` until it does.
#[test]
fn kahan_keeps_what_is_lost() {
    let small = bf16::from_f32(1.0 / 1024.0).to_bits().into();
    let [nearest, kahan] = [UpdateRule::Nearest, UpdateRule::Kahan]
        .map(|rule| Model::new(&update("bfloat16", rule, false).operation().unwrap()));
    let one = u64::from(bf16::from_f32(1.0).to_bits());
    let (mut plain, mut state) = (one, vec![one, 0]);
    for _ in 0..1024 {
        plain = results(&nearest, &[small, plain])[0];
        state = results(&kahan, &[small, state[0], state[1]]);
    }
    assert_eq!(plain, one);
    assert_eq!(state[0], u64::from(bf16::from_f32(2.0).to_bits()));
}

fn exact(format: &Format, code: u64) -> Option<Exact> {
    match format.decode(code.into()) {
        Value::Finite(exact) => Some(exact),
        Value::Zero { .. } => Some(Exact { negative: false, n: 0, k: 0 }),
        Value::Infinite { .. } | Value::Nan => None,
    }
}

/// In units of `2^-k`.
fn units(exact: Exact, k: i32) -> i128 {
    let magnitude = (exact.n as i128) << (exact.k + k);
    if exact.negative { -magnitude } else { magnitude }
}

/// Over all random words, the mean of the results of an update is exactly the sum: for all codes of a format whose sums
/// have no bits below the random ones.
#[test]
fn the_mean_of_stochastic_updates_is_the_sum() {
    let format = format("e3m2");
    let random_bits = 7;
    let selection =
        Selection { rounding: Some(Rounding::Sr(random_bits)), ..update("e3m2", UpdateRule::Stochastic, false) };
    let model = Model::new(&selection.operation().unwrap());
    let largest = exact(&format, format.max_code() as u64).unwrap();
    let mut inexact = 0;
    for codes in 0..1 << 12_u64 {
        let (u, w) = (codes & 63, codes >> 6);
        let (Some(x), Some(y)) = (exact(&format, u), exact(&format, w)) else { continue };
        let k = 8;
        let sum = units(x, k) + units(y, k);
        if sum.abs() > units(largest, k) {
            continue;
        }
        let of_word = |word| units(exact(&format, results(&model, &[u, w, word])[0]).unwrap(), k);
        let all: Vec<i128> = (0..1 << random_bits).map(of_word).collect();
        assert_eq!(all.iter().sum::<i128>(), sum << random_bits, "{u:#x} + {w:#x}");
        inexact += usize::from(all.iter().any(|&one| one != sum));
    }
    assert!(inexact > 500, "{inexact} sums are rounded");
}

/// The product of rate and gradient is not rounded: the weight equals that of a fused multiply-add.
#[test]
fn a_fused_rate_is_not_rounded() {
    let model = Model::new(&update("e4m3", UpdateRule::Nearest, true).operation().unwrap());
    let fused = Model::new(&Operation::new(Unit::Fmac, format("e4m3"), format("e4m3")));
    let mut random = Random(2);
    for _ in 0..100_000 {
        let [rate, g, w] = [0; 3].map(|_| random.below(256));
        let wanted = fused.first_result(&[(rate ^ 0x80).into(), g.into(), w.into()]) as u64;
        assert_eq!(results(&model, &[rate, g, w]), [wanted], "{w:#x} - {rate:#x} * {g:#x}");
    }
}
