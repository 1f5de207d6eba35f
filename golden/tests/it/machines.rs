//! The models of matrix units against MMA-Sim (Xie et al., arXiv 2511.10909), a simulator of them: recorded rows, and those that
//! `.ci/machines` makes.

use binade_golden::{Codec, Model, Policy, Value};
use binade_spec::{Format, Like, Overflow, Rounding, Scaled, Selection, Unit, Word};
use std::collections::BTreeMap;
use std::env;
use std::fs;

/// How many rows were compared.
#[derive(Default)]
struct Compared {
    rows: u32,
    /// Zeros whose signs differ: MMA-Sim has no -0.
    signs_of_zero: u32,
    /// Results below the smallest normal number: the sources differ in the least exponent to which terms are aligned.
    subnormal: u32,
    /// All other rows that differ.
    wrong: Vec<String>,
}

impl Compared {
    /// Whether all rows agree, apart from what the sources for NVIDIA's units disagree about. For AMD's there is one source.
    fn is_right(&self, name: &str) -> bool {
        self.wrong.is_empty() && (!name.starts_with("mi") || self.signs_of_zero + self.subnormal == 0)
    }
}

fn model(like: &str, [a, b, result]: [&str; 3], scale: &str, block: &str, lanes: usize) -> Model {
    let format = |name: &str| -> Format { name.parse().unwrap() };
    let is_dot = scale.is_empty();
    let selection = Selection {
        like: Some(like.parse::<Like>().unwrap()),
        second: Some(format(b)),
        accumulator: Some(format(result)),
        lanes: Some(lanes as u32),
        scale: (!is_dot).then(|| format(scale)),
        block: block.parse().ok(),
        ..Selection::new(if is_dot { Unit::Dot } else { Unit::MxDot }, format(a))
    };
    Model::new(&selection.operation().unwrap())
}

/// The codes of a port, the first one lowest.
fn word(codes: &str, format: &Format) -> Word {
    // A tf32 code is the upper part of a binary32 word.
    let unused = if *format == "tf32".parse().unwrap() { 13 } else { 0 };
    let code = |code| u64::from_str_radix(code, 16).unwrap() >> unused;
    let codes: Vec<&str> = codes.split(' ').collect();
    codes.iter().rev().fold(Word::default(), |word, next| (word << format.width() as usize) + code(next))
}

/// The rows of each kind of instruction.
fn compared(rows: &str) -> BTreeMap<String, Compared> {
    let mut all: BTreeMap<String, (Model, Compared)> = BTreeMap::new();
    for row in rows.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = row.split(',').collect();
        let [like, a_format, b_format, result, scale, block, a, b, a_scale, b_scale, c, y] = fields.try_into().unwrap();
        let lanes = a.split(' ').count();
        let name = [like, &lanes.to_string(), a_format, b_format, result, scale, block].join(" ").trim().to_string();
        let (model, compared) = all.entry(name).or_insert_with(|| {
            let model = model(like, [a_format, b_format, result], scale, block, lanes);
            (model, Compared::default())
        });
        let [of_a, of_b] = model.factors();
        let mut inputs = vec![word(a, &of_a), word(b, &of_b)];
        if !scale.is_empty() {
            inputs.extend([a_scale, b_scale].map(|scales| word(scales, &model.settings::<Scaled>().scale)));
        }
        inputs.push(word(c, &model.result));
        let got = u128::try_from(&model.evaluate(&inputs)[0]).unwrap();
        let want = u128::from_str_radix(y, 16).unwrap();
        compared.rows += 1;
        match (model.result.decode(got), model.result.decode(want)) {
            _ if got == want => {}
            (Value::Nan, Value::Nan) => {}
            (Value::Zero { .. }, Value::Zero { .. }) => compared.signs_of_zero += 1,
            (Value::Finite(x), Value::Finite(y)) if x.exponent().max(y.exponent()) < smallest_normal(&model.result) => {
                compared.subnormal += 1;
            }
            (got, want) => compared.wrong.push(format!("{row}: got {got}, MMA-Sim {want}")),
        }
    }
    all.into_iter().map(|(name, (_, compared))| (name, compared)).collect()
}

/// The exponent of the smallest normal number.
fn smallest_normal(format: &Format) -> i32 {
    1 - format.float().expect("a floating-point result").bias
}

#[test]
fn the_models_agree_with_mma_sim() {
    let all = compared(include_str!("../data/machines.csv"));
    assert_eq!(all.len(), 43);
    for (name, compared) in all {
        assert!(compared.rows >= 10 && compared.is_right(&name), "{name}: {:?}", compared.wrong);
    }
}

/// Products in lanes from the first one on, as pairs of factors, and the result of each model, as docs/gpu-models.md lists them.
#[test]
fn models_that_differ() {
    let [one, more] = [1.0, 1.0 + f64::from(2.0_f32.powi(-23))];
    let power = |exponent: i32| 2.0_f64.powi(exponent);
    let ampere = ["a100", "a2", "ada", "l40s"];
    let newest = ["h100", "h200", "b200", "rtxpro6000"];
    let of_e4m3fn = 1.0 + power(-13);
    let two = [vec![(0, one, one)], vec![(1, power(-12), power(-12)), (2, power(-12), power(-12))]].concat();
    let four = [vec![(0, one, one)], (1..5).map(|lane| (lane, power(-12), power(-13))).collect()].concat();
    let late = vec![(0, power(-7), power(-7)), (1, power(-7), power(-7)), (16, one, one)];
    let early = vec![(0, one, one), (1, power(-7), power(-7)), (2, power(-7), power(-7))];
    let cases = [
        ("binary16", 16, &two, one, vec!["v100", "mi250x"]),
        ("binary16", 16, &two, more, [&["t4", "mi300x"], &ampere[..], &newest].concat()),
        ("binary16", 16, &four, one, [&["v100", "t4", "mi250x", "mi300x"], &ampere[..]].concat()),
        ("binary16", 16, &four, more, newest.to_vec()),
        ("e4m3fn", 32, &late, of_e4m3fn, vec!["ada", "l40s", "b200", "rtxpro6000"]),
        ("e4m3fn", 32, &late, one, vec!["h100", "h200"]),
        ("e4m3fn", 32, &early, one, vec!["ada", "l40s", "h100", "h200"]),
        ("e4m3fn", 32, &early, of_e4m3fn, vec!["b200", "rtxpro6000"]),
    ];
    for (format, lanes, products, result, models) in cases {
        for like in models {
            let model = model(like, [format, format, "binary32"], "", "", lanes);
            let [operand, _] = model.factors();
            let code = |x: f64| Word::from(operand.encode_literal(&x.to_string().parse().unwrap(), &exactly()));
            let place = |word: Word, lane: usize, x: f64| word | code(x) << (lane * operand.width() as usize);
            let [a, b] = [0, 1].map(|port| {
                products.iter().fold(Word::default(), |word, &(lane, x, y)| place(word, lane, [x, y][port]))
            });
            let y = u32::try_from(&model.evaluate(&[a, b, Word::default()])[0]).unwrap();
            assert_eq!(f64::from(f32::from_bits(y)), result, "{like} {products:?}");
        }
    }
}

/// The product of 1 and a small negative `c`: CDNA 3 rounds it down.
#[test]
fn small_addends() {
    for (like, c, want) in [
        ("mi300x", -(2.0_f32.powi(-40)), 1.0 - 2.0_f32.powi(-24)),
        ("mi250x", -(2.0_f32.powi(-40)), 1.0),
        ("h100", -(2.0_f32.powi(-40)), 1.0),
        ("mi300x", 2.0_f32.powi(-40), 1.0),
    ] {
        let model = model(like, ["binary16", "binary16", "binary32"], "", "", 4);
        let inputs = [Word::from(0x3c00_u32), Word::from(0x3c00_u32), Word::from(c.to_bits())];
        assert_eq!(model.evaluate(&inputs), [Word::from(want.to_bits())], "{like} {c}");
    }
}

fn exactly() -> Policy {
    Policy::new(Rounding::Rne, Overflow::Inf)
}

/// Beyond the largest value, results are infinite, though they are rounded toward zero.
#[test]
fn overflow_is_infinite() {
    for like in ["a100", "h100", "b200"] {
        let model = model(like, ["bfloat16", "bfloat16", "binary32"], "", "", 4);
        for (sign, infinity) in [(0, 0x7f80_0000_u32), (0x8000, 0xff80_0000)] {
            // 2^127 times 2.
            let inputs = [Word::from(0x7f00_u32 | sign), Word::from(0x4000_u32), Word::default()];
            assert_eq!(model.evaluate(&inputs), [Word::from(infinity)], "{like}");
        }
    }
}

/// The same in formats of other families, to nearest: a codebook with infinities, and posits, which have none.
#[test]
fn overflow_in_other_families() {
    let of = |result: &str| {
        let selection = Selection {
            accumulator: Some(result.parse().unwrap()),
            summation: Some("align:10".parse().unwrap()),
            lanes: Some(1),
            ..Selection::new(Unit::Dot, "e5m2".parse().unwrap())
        };
        let model = Model::new(&selection.operation().unwrap());
        // 57344 times 57344.
        let y =
            u128::try_from(&model.evaluate(&[Word::from(0x7b_u32), Word::from(0x7b_u32), Word::default()])[0]).unwrap();
        (model.result.decode(y), model.result.max_code() == y)
    };
    assert!(matches!(of("hifloat8").0, Value::Infinite { negative: false }));
    assert!(of("posit8_0").1);
}

/// Rows from the file that MACHINE_ROWS names.
#[test]
#[ignore = "run by .ci/machines"]
fn nightly_rows_of_mma_sim() {
    let file =
        env::var("MACHINE_ROWS").expect("MACHINE_ROWS names the file; `.ci/machines` makes it and runs this test");
    let all = compared(&fs::read_to_string(file).unwrap());
    let mut wrong = vec![];
    for (name, compared) in all {
        let is_right = compared.is_right(&name);
        let Compared { rows, signs_of_zero, subnormal, wrong: others } = compared;
        let count = others.len();
        println!(
            "{name}: {rows} rows; {signs_of_zero} zeros of the other sign, {subnormal} other subnormals, {count} wrong"
        );
        wrong.extend((!is_right && others.is_empty()).then(|| format!("{name}: zeros or subnormals differ")));
        wrong.extend(others.into_iter().take(3));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
