//! Running a circuit against the golden model with the interpreter.

use binade_generator::{circuit::Interpreter, description::module_name, units};
use binade_golden::{Format, Operation, Overflow, Selection, Unit};

/// Vectors a column.
const BATCH: usize = 4096;

pub fn operation(unit: Unit, format: &str, other: Option<&str>, overflow: Overflow) -> Operation {
    let parse = |name: &str| name.parse::<Format>().unwrap_or_else(|error| panic!("{error}"));
    let other = other.map(parse);
    Selection {
        unit,
        format: parse(format),
        accumulator: other.filter(|_| unit == Unit::Fmac),
        target: other.filter(|_| unit == Unit::Convert),
        rounding: None,
        overflow,
    }
    .operation()
    .unwrap_or_else(|error| panic!("{error}"))
}

/// Checks the circuit on every vector that `stimulus` gives (codes of the operands, in order).
pub fn check(operation: &Operation, stimulus: impl Iterator<Item = Vec<u64>>) {
    let netlist = units::build(operation);
    let mut interpreter = Interpreter::new(&netlist);
    let ports = operation.inputs().len();
    let mut columns = vec![Vec::with_capacity(BATCH); ports];
    let mut count = 0_u64;
    let mut run = |columns: &mut Vec<Vec<u64>>| {
        let inputs: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let (mut got, mut want) = (vec![0; inputs[0].len()], vec![0; inputs[0].len()]);
        interpreter.evaluate(&inputs, &mut got);
        operation.evaluate_columns(&inputs, &mut want);
        if let Some(at) = (0..got.len()).find(|&i| got[i] != want[i]) {
            report(operation, &inputs.iter().map(|column| column[at]).collect::<Vec<_>>(), got[at], want[at]);
        }
        columns.iter_mut().for_each(Vec::clear);
    };
    for vector in stimulus {
        for (column, code) in columns.iter_mut().zip(vector) {
            column.push(code);
        }
        count += 1;
        if columns[0].len() == BATCH {
            run(&mut columns);
        }
    }
    run(&mut columns);
    assert!(count > 0, "no vector was checked");
}

fn report(operation: &Operation, codes: &[u64], got: u64, want: u64) -> ! {
    let describe = |format: &Format, code: u64| format!("{code:#x} = {}", format.decode(code));
    let operands: Vec<String> = operation
        .inputs()
        .iter()
        .zip(codes)
        .map(|(port, &code)| format!("{} {}", port.name, describe(&port.format, code)))
        .collect();
    panic!(
        "{}: {}: got {}, want {}",
        module_name(operation),
        operands.join(", "),
        describe(&operation.result, got),
        describe(&operation.result, want)
    );
}

/// Every combination of operand codes.
pub fn all_vectors(operation: &Operation) -> impl Iterator<Item = Vec<u64>> {
    let widths: Vec<u32> = operation.inputs().iter().map(|port| port.format.width()).collect();
    (0..1_u64 << operation.input_bits()).map(move |index| {
        let mut rest = index;
        let mut codes: Vec<u64> = widths
            .iter()
            .rev()
            .map(|width| {
                let code = rest & ((1 << width) - 1);
                rest >>= width;
                code
            })
            .collect();
        codes.reverse();
        codes
    })
}
