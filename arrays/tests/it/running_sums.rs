//! Running sums against additions one by one.

use super::format;
use binade_arrays::{ArrayError, RunningSums, Words};
use binade_golden::Model;
use binade_spec::{Format, Selection, Tininess, Unit};

#[test]
fn sums_are_those_of_additions() {
    let [e4m3, binary16] = ["e4m3", "binary16"].map(format);
    let into = |unit, from: Format, to: Format| {
        let accumulator = (unit == Unit::Accumulate).then_some(to);
        let target = (unit == Unit::Convert).then_some(to);
        Selection { accumulator, target, ..Selection::new(unit, from) }.operation().unwrap()
    };
    let sums = RunningSums::new(&into(Unit::Accumulate, e4m3, binary16)).unwrap();
    let [convert, add] = [into(Unit::Convert, e4m3, binary16), into(Unit::Add, binary16, binary16)];
    let [convert, add] = [convert, add].map(|operation| Model::new(&operation));
    let codes: Vec<u8> = (0..252).map(|at: u32| (at * 37 % 251) as u8).collect();
    let mut results = vec![0_u16; codes.len()];
    sums.evaluate(Words::U8(&codes), 63, &mut results);
    for (codes, results) in codes.chunks(63).zip(results.chunks(63)) {
        let mut acc = None;
        for (&code, &result) in codes.iter().zip(results) {
            let x = convert.first_result(&[code.into()]);
            let sum = acc.map_or(x, |acc| add.first_result(&[acc, x]));
            assert_eq!(u128::from(result), sum, "{code:#x} after {acc:?}");
            acc = Some(sum);
        }
    }
}

#[test]
fn what_has_no_running_sums_is_said() {
    let selection = Selection::new(Unit::Accumulate, format("e4m3"));
    let flagged = Selection { flags: Some(Tininess::After), ..selection };
    let stochastic = Selection { rounding: Some("sr4".parse().unwrap()), ..selection };
    let add = Selection::new(Unit::Add, format("e4m3"));
    for selection in [flagged, stochastic, add] {
        let operation = selection.operation().unwrap();
        assert_eq!(RunningSums::new(&operation).err(), Some(ArrayError::NoRunningSum { unit: operation.unit }));
    }
}
