//! `function`: `y = f(x)`.

use super::{Definition, Facts, Meaning, OnPorts, divide, with_outputs};
use crate::function::{
    MOST_EXPONENT, MOST_FUNCTION_DIGITS, MOST_OPERAND_BITS, MOST_RANDOM_OPERAND_BITS, MOST_RESULT_BITS,
};
use crate::{Format, Formula, Kind, OfFunction, Operation, OperationError, Selection, Setting, Term};

pub(super) const FUNCTION: Definition = Definition {
    name: "function",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[
        Setting::Function,
        Setting::To,
        Setting::Round,
        Setting::Random,
        Setting::Overflow,
        Setting::PositRange,
        Setting::Flags,
        Setting::Tininess,
    ],
    formats,
    kind: || Kind::Function(OfFunction::default()),
    resolve: |selection, operation| {
        let function = selection.function.ok_or(OperationError::FunctionMissing)?;
        operation.check_function()?;
        Ok(Operation { kind: Kind::Function(OfFunction { function }), ..operation })
    },
    meaning,
    module: |operation| {
        let function = operation.settings::<OfFunction>().function.name().replace('-', "_");
        let [operand, result] = [operation.operand, operation.result].map(|format| format.identifier());
        match operation.operand == operation.result {
            true => format!("function_{function}_{operand}"),
            false => format!("function_{function}_{operand}_to_{result}"),
        }
    },
    ..divide::RECIPROCAL
};

fn formats(selection: &Selection) -> Result<[Format; 2], OperationError> {
    Ok([selection.format, selection.target.unwrap_or(selection.format)])
}

impl Operation {
    /// Checks that a function of the operand can be built in the format of the result.
    pub(crate) fn check_function(&self) -> Result<(), OperationError> {
        for (format, most) in [(self.operand, MOST_OPERAND_BITS), (self.result, MOST_RESULT_BITS)] {
            if format.width() > most {
                return Err(OperationError::FunctionBits { format });
            }
            if format.min_exponent() < -MOST_EXPONENT || format.max_exponent() > MOST_EXPONENT {
                return Err(OperationError::FunctionRange { format });
            }
        }
        let bits = self.result.precision() + self.rounding.random_bits().max(self.rounding.tail_bits() - 1);
        if bits > MOST_FUNCTION_DIGITS {
            return Err(OperationError::FunctionDigits { bits });
        }
        if self.rounding.random_bits() > 0 && self.operand.width() > MOST_RANDOM_OPERAND_BITS {
            return Err(OperationError::FunctionRandom { format: self.operand });
        }
        Ok(())
    }
}

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let of = formula.operand(0);
    let exact = formula.term(Term::Function { of, function: operation.settings::<OfFunction>().function });
    let y = formula.round(exact, operation.target());
    with_outputs(formula, operation, y)
}
