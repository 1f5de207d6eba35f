//! The models of GPUs' matrix units against recorded results.

use binade_golden::Model;
use binade_spec::{Format, Like, Selection, Unit, Word};

/// Recorded rows; the first lines give their origin.
const ROWS: &str = include_str!("../data/matrix_units.csv");

/// The codes of an operand, the first one lowest.
fn word(codes: &str, format: &Format) -> Word {
    // A tf32 code is the upper part of a binary32 word.
    let unused = if *format == "tf32".parse().unwrap() { 13 } else { 0 };
    let code = |code| u64::from_str_radix(code, 16).unwrap() >> unused;
    codes.split(' ').rev().fold(Word::default(), |word, next| (word << format.width() as usize) + code(next))
}

/// A binary32 word as a code of the format.
fn rounded(word: u64, format: &Format) -> u64 {
    let conversion = Selection { target: Some(*format), ..Selection::new(Unit::Convert, Format::binary32()) };
    Model::new(&conversion.operation().unwrap()).first_result(&[word.into()]) as u64
}

#[test]
fn gpus_answered_what_the_models_say() {
    let mut compared = 0;
    for row in ROWS.lines().filter(|line| !line.starts_with('#')) {
        let [like, name, a, b, c, wide, narrow] = row.split(',').collect::<Vec<_>>().try_into().unwrap();
        let (like, format): (Like, Format) = (like.parse().unwrap(), name.parse().unwrap());
        let number = |word| u64::from_str_radix(word, 16).unwrap();
        for (result, wanted) in [(Format::binary32(), wide), (Format::binary16(), narrow)] {
            if wanted.is_empty() || like.matrix_unit(format, result).is_none() {
                continue;
            }
            let lanes = Some(a.split(' ').count() as u32);
            let selection =
                Selection { like: Some(like), lanes, accumulator: Some(result), ..Selection::new(Unit::Dot, format) };
            let model = Model::new(&selection.operation().unwrap());
            let inputs = [word(a, &format), word(b, &format), rounded(number(c), &result).into()];
            let wanted = Word::from(rounded(number(wanted), &result));
            assert_eq!(model.evaluate(&inputs), [wanted], "{row} into {result}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared} rows");
}
