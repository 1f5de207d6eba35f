//! `mma --array` against matrix products with all operands at once, and the step in which each row appears.

use crate::common::{Random, format};
use binade_golden::Model;
use binade_spec::word::field;
use binade_spec::{Dataflow, Format, Overflow, Rounding, Selection, Summation, Unit, Word};

/// Matrices as rows of codes.
type Matrix = Vec<Vec<u128>>;

/// A code that is rarely an infinity or NaN.
fn code(format: &Format, random: &mut Random) -> u128 {
    let code = u128::from(random.bits()) & (format.magnitude_mask() | format.sign_mask());
    let is_special = format.is_nan(code) || Some(format.magnitude(code)) == format.infinity_code();
    if is_special && random.below(50) > 0 { format.min_code() } else { code }
}

fn matrix(format: &Format, [rows, columns]: [usize; 2], random: &mut Random) -> Matrix {
    (0..rows).map(|_| (0..columns).map(|_| code(format, random)).collect()).collect()
}

fn column(matrix: &Matrix, at: usize) -> Vec<u128> {
    matrix.iter().map(|row| row[at]).collect()
}

fn word<'c>(codes: impl DoubleEndedIterator<Item = &'c u128>, format: &Format) -> Word {
    codes.rev().fold(Word::ZERO, |word, &code| word << format.width() | Word::from(code))
}

/// An array, step by step.
struct Array {
    model: Model,
    state: Vec<Word>,
    /// What was on `d` in each step, if a row was.
    rows: Vec<Option<Vec<u128>>>,
}

impl Array {
    fn new(selection: Selection) -> Array {
        let model = Model::new(&selection.operation().unwrap_or_else(|error| panic!("{error}")));
        Array { state: model.reset(), model, rows: vec![] }
    }

    /// The codes of each operand, then commands.
    fn step(&mut self, codes: &[&[u128]], commands: [bool; 3]) {
        let ports = self.model.operation().inputs();
        let operands = codes.iter().zip(&ports).map(|(codes, port)| word(codes.iter(), &port.format().unwrap()));
        let inputs: Vec<Word> = operands.chain(commands.map(|bit| Word::from(u8::from(bit)))).collect();
        let (state, outputs) = self.model.step(&self.state, &inputs);
        self.state = state;
        let width = self.model.operation().result.width();
        let row = (0..self.model.operation().columns()).map(|lane| field(&outputs[0], lane * width, width)).collect();
        let is_row = outputs[1] == Word::from(1_u8);
        assert!(is_row || outputs[0] == Word::ZERO, "without a row d is zero");
        self.rows.push(is_row.then_some(row));
    }

    /// A step without operands, whose codes mean nothing.
    fn idle(&mut self, random: &mut Random) {
        let ports = self.model.operation().inputs();
        let codes = ports.iter().filter_map(|port| Some((port.format()?, port.lanes)));
        let codes: Vec<Vec<u128>> =
            codes.map(|(format, lanes)| matrix(&format, [1, lanes as usize], random).remove(0)).collect();
        self.step(&codes.iter().map(Vec::as_slice).collect::<Vec<_>>(), [false; 3]);
    }
}

/// `A * B + C`, each element as a chain from `C`.
fn product(array: Selection, [a, b, c]: [&Matrix; 3]) -> Matrix {
    let (rows, depth, columns) = (a.len(), b.len(), b[0].len());
    let dot = Selection { unit: Unit::Dot, array: None, rows: None, columns: None, lanes: Some(depth as u32), ..array };
    let dot = Model::new(&Selection { summation: Some(Summation::Chain), ..dot }.operation().unwrap());
    let [a_format, b_format] = dot.operation().factors();
    let element = |row: usize, at: usize| {
        let operands = [word(a[row].iter(), &a_format), word(column(b, at).iter(), &b_format), Word::from(c[row][at])];
        field(&dot.evaluate(&operands)[0], 0, 128)
    };
    (0..rows).map(|row| (0..columns).map(|at| element(row, at)).collect()).collect()
}

fn selection(names: [&str; 3], array: Dataflow, [rows, columns]: [usize; 2]) -> Selection {
    let [a, b, result] = names.map(format);
    Selection {
        second: Some(b),
        accumulator: Some(result),
        array: Some(array),
        rows: Some(rows as u32),
        columns: Some(columns as u32),
        ..Selection::new(Unit::Mma, a)
    }
}

/// Consecutive products, with bubbles and gaps: exactly their rows appear, each when it is due.
fn output_stationary(selection: Selection) {
    let mut random = Random(11);
    let mut array = Array::new(selection);
    let operation = *array.model.operation();
    let [a_format, b_format] = operation.factors();
    let (m, n) = (operation.rows() as usize, operation.columns() as usize);
    let mut wanted: Vec<Option<Vec<u128>>> = vec![];
    for turn in 0..30 {
        let depth = m + random.below(9) as usize;
        let (a, b) = (matrix(&a_format, [m, depth], &mut random), matrix(&b_format, [depth, n], &mut random));
        for (step, row) in b.iter().enumerate() {
            if turn % 3 == 0 && random.below(3) == 0 {
                array.idle(&mut random);
            }
            array.step(&[&column(&a, step), row], [true, step == 0, step + 1 == depth]);
        }
        let zero = vec![vec![operation.result.zero_code(false); n]; m];
        // The first row comes out `m + n - 1` steps after the last operands.
        wanted.resize(array.rows.len() - 1 + m + n - 1, None);
        wanted.extend(product(selection, [&a, &b, &zero]).into_iter().map(Some));
        (0..random.below(4) * (turn % 2)).for_each(|_| array.idle(&mut random));
    }
    (0..3 * (m + n)).for_each(|_| array.idle(&mut random));
    wanted.resize(array.rows.len(), None);
    assert_eq!(array.rows, wanted, "{operation:?}");
}

/// Consecutive rows while the next weights are loaded: each row uses the weights of its time.
fn weight_stationary(selection: Selection) {
    let mut random = Random(12);
    let mut array = Array::new(selection);
    let operation = *array.model.operation();
    let [a_format, b_format] = operation.factors();
    let (m, n) = (operation.rows() as usize, operation.columns() as usize);
    let mut wanted: Vec<Option<Vec<u128>>> = vec![None; m + n - 1];
    let mut b: Matrix = vec![vec![0; n]; m];
    for turn in 0..30 {
        let next = matrix(&b_format, [m, n], &mut random);
        let idle_steps = random.below(4) as usize * (turn % 2);
        for step in 0..m + idle_steps {
            let is_fed = random.below(4) > 0;
            let (a, c) = (matrix(&a_format, [1, m], &mut random), matrix(&operation.result, [1, n], &mut random));
            let is_last = step + 1 == m + idle_steps;
            let loaded = step.checked_sub(idle_steps).map(|row| &next[m - 1 - row]);
            array.step(&[&a[0], loaded.unwrap_or(&next[0]), &c[0]], [is_fed, loaded.is_some(), is_last]);
            wanted.push(is_fed.then(|| product(selection, [&a, &b, &c]).remove(0)));
        }
        b = next;
    }
    (0..m + n - 1).for_each(|_| array.idle(&mut random));
    assert_eq!(array.rows, wanted, "{operation:?}");
}

#[test]
fn rows_are_those_of_the_product_when_they_are_due() {
    let formats = [
        ["e5m2b1", "e5m2b1", "binary16"],
        ["e4m3fn", "e5m2", "binary32"],
        ["posit8_1", "posit8_1", "posit16_1"],
        ["e2m1f", "e2m1f", "dlfloat16"],
        ["fixed8_4", "fixed8_4", "fixed32_8"],
    ];
    for (formats, size) in formats.into_iter().zip([[3, 4], [1, 1], [4, 1], [1, 5], [2, 2]]) {
        output_stationary(selection(formats, Dataflow::OutputStationary, size));
        weight_stationary(selection(formats, Dataflow::WeightStationary, size));
    }
    for rounding in [Rounding::Rdn, Rounding::Rto] {
        let policies = |selection| Selection {
            rounding: Some(rounding),
            overflow: Overflow::Saturate,
            rounds_products: true,
            ..selection
        };
        let formats = ["e4m3", "e4m3", "e5m2"];
        output_stationary(policies(selection(formats, Dataflow::OutputStationary, [2, 3])));
        weight_stationary(policies(selection(formats, Dataflow::WeightStationary, [2, 3])));
    }
}

/// Sums that are taken too early overwrite the remaining rows.
#[test]
fn rows_that_are_not_out_are_lost() {
    let mut array = Array::new(selection(["e5m2", "e5m2", "binary16"], Dataflow::OutputStationary, [4, 2]));
    let [one, two] = [0x3c, 0x40];
    array.step(&[&[one; 4], &[one; 2]], [true, true, true]);
    array.step(&[&[one; 4], &[two; 2]], [true, false, true]);
    array.step(&[&[one; 4], &[two; 2]], [false, true, false]);
    (0..12).for_each(|_| array.idle(&mut Random(3)));
    let row = |code: u128| Some(vec![code; 2]);
    let wanted = [row(0x3c00), row(0x4200), row(0x4200), row(0x4200), row(0x4200)];
    assert_eq!(array.rows[..5], [const { None }; 5]);
    assert_eq!(array.rows[5..10], wanted);
    assert_eq!(array.rows[10..], vec![None; array.rows.len() - 10]);
}
