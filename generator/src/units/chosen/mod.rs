//! Units whose port `fmt` chooses the formats: one unit in formats that hold all of them.
//!
//! ```text
//! operands -> widen -> unit, rounded to odd -> round to each result format -> choose
//! ```
//!
//! Operands are converted exactly to a format that has all values of their formats. If results have several formats, the unit
//! rounds to odd, with two bits more than the longest of them and a range that contains theirs; rounding that once more gives
//! what rounding once would give (S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded sums", IEEE Transactions on
//! Computers 57, 2008). Only the sign of an exact zero is lost on the way, which is added afterwards.
//!
//! A conversion has no arithmetic to share, and keeps the payloads of NaNs, so each pair of formats has its own.
//!
//! | file | what it holds |
//! |---|---|
//! | `scaled.rs` | the formats of the shared unit |
//! | `operands.rs` | operands in its format |
//! | `zeros.rs` | the sign of exact zeros |
//! | `results.rs` | results, rounded to each format |

mod operands;
mod results;
mod scaled;
mod zeros;

use super::flags::both;
use binade_circuit::{Bits, concat};
use binade_spec::{Format, Operation, Rounding, StageKind};
use scaled::{Scaled, of_exact, scaled, union};

/// Bits below those of the results with which a number that is rounded to odd can be rounded again.
const ODD_BITS: u32 = 2;

/// A value that comes with the operands, when the results are made.
pub type Hold<'h, 'c> = &'h dyn Fn(&str, Bits<'c>) -> Bits<'c>;

/// The outputs of a unit with a port `fmt`, which is its last input.
pub fn chosen<'c>(
    operation: &Operation,
    inputs: &[Bits<'c>],
    hold: Hold<'_, 'c>,
    build: impl Fn(&Operation, &[Bits<'c>]) -> Vec<Bits<'c>>,
) -> Vec<Bits<'c>> {
    let (&fmt, inputs) = inputs.split_last().expect("the port fmt");
    let operations = operation.choices();
    let choices = Choices { scaled: scaled(&operations), operations, fmt };
    match operation.first_stage() {
        Some(StageKind::Code(_)) => choices.of_each(operation, inputs, build),
        _ => choices.of_shared(operation, inputs, hold, build),
    }
}

/// The operation that all choices share.
pub fn shared(operation: &Operation) -> Operation {
    let operations = operation.choices();
    let (first, all_scaled) = (&operations[0], scaled(&operations));
    let unions = |formats: Vec<Format>| union(&formats, 0);
    let of = |format: &dyn Fn(&Scaled) -> Format| all_scaled.iter().map(format).collect::<Vec<Format>>();
    let [operand, second] = [0, 1].map(|factor: usize| unions(of(&|scaled| scaled.factors[factor])));
    let results = of(&|scaled| scaled.result);
    let shared = match results.iter().all(|result| *result == results[0]) {
        true => Operation { operand, result: results[0], others: &[], ..*first },
        false => {
            let adds = matches!(first.first_stage(), Some(StageKind::Sum(_)));
            let result = if adds { union(&results, ODD_BITS) } else { of_exact(first, [operand, second], &results) };
            let operand = if adds { result } else { operand };
            let (overflow, posit_range) = Default::default();
            Operation { operand, result, rounding: Rounding::Rto, overflow, posit_range, others: &[], ..*first }
        }
    };
    let has_second = operations.iter().any(|choice| choice.second().is_some());
    if has_second { shared.with_second(Some(second)) } else { shared }
}

/// The plain operations, and the port that chooses one.
#[derive(Clone)]
struct Choices<'c> {
    operations: Vec<Operation>,
    /// Their formats in the shared unit.
    scaled: Vec<Scaled>,
    fmt: Bits<'c>,
}

impl<'c> Choices<'c> {
    /// One circuit for each choice.
    fn of_each(
        &self,
        operation: &Operation,
        inputs: &[Bits<'c>],
        build: impl Fn(&Operation, &[Bits<'c>]) -> Vec<Bits<'c>>,
    ) -> Vec<Bits<'c>> {
        let built = self.for_each(
            |scaled| *scaled,
            |choice, _| {
                let own: Vec<Bits> =
                    choice.inputs().iter().zip(inputs).map(|(port, input)| input.low(port.width())).collect();
                let name = format!("{}_to_{}", choice.operand.identifier(), choice.result.identifier());
                self.fmt.circuit().prefixed(&name, || build(choice, &own))
            },
        );
        let widened = |output: usize, width: u32| {
            self.choose(&built.iter().map(|results| results[output].zext(width)).collect::<Vec<_>>())
        };
        operation.outputs().iter().enumerate().map(|(at, port)| widened(at, port.width())).collect()
    }

    /// One circuit for all choices, between conversions.
    fn of_shared(
        &self,
        operation: &Operation,
        inputs: &[Bits<'c>],
        hold: Hold<'_, 'c>,
        build: impl Fn(&Operation, &[Bits<'c>]) -> Vec<Bits<'c>>,
    ) -> Vec<Bits<'c>> {
        let shared = shared(operation);
        let (ports, of_shared) = (operation.inputs(), shared.inputs());
        let rm = operation.rounding_port().map(|_| inputs[inputs.len() - 1]);
        let (mut operands, mut signals) = (vec![], vec![]);
        for (at, port) in of_shared.iter().enumerate().filter(|(_, port)| port.name != "rm") {
            let (operand, signal) = self.widened(operation, at, (&ports[at], inputs[at]), port);
            operands.push(operand);
            signals.extend(signal);
        }
        operands.extend(rm.filter(|_| shared.rounding == Rounding::Any));
        let results = build(&shared, &operands);
        let signal = signals.into_iter().reduce(|one, other| one | other);
        let signal = signal.map(|signal| hold("is_signaling", signal));
        let rm = rm.map(|rm| hold("rm", rm));
        let held = Choices { fmt: hold("fmt", self.fmt), ..self.clone() };
        if self.scaled.iter().all(|scaled| scaled.result == shared.result) {
            return with_invalid(results, operation, signal);
        }
        let signed = held.signs_of_zeros(&shared, &operands, results[0], rm);
        let (codes, rounded_flags) = held.rounded(operation, shared.result, signed, rm);
        let flags = operation.flags.map(|_| {
            let unit = results[1];
            // Of the shared unit, only invalid and a division by zero count: all else is found by the last rounding.
            let first = unit.high(unit.width() - 3);
            let first = concat(&[first, unit.circuit().constant(0, 3)]);
            both(first, rounded_flags.expect("the results have flags"))
        });
        with_invalid([Some(codes), flags].into_iter().flatten().collect(), operation, signal)
    }

    /// Builds once for each different `key`, and repeats what was built for the other choices.
    fn for_each<K: PartialEq, T: Clone>(
        &self,
        key: impl Fn(&Scaled) -> K,
        mut build: impl FnMut(&Operation, &Scaled) -> T,
    ) -> Vec<T> {
        let mut built: Vec<(K, T)> = vec![];
        let mut of_choice = |(choice, scaled): (&Operation, &Scaled)| {
            let own = key(scaled);
            if let Some((_, known)) = built.iter().find(|(known, _)| *known == own) {
                return known.clone();
            }
            let new = build(choice, scaled);
            built.push((own, new.clone()));
            new
        };
        self.operations.iter().zip(&self.scaled).map(&mut of_choice).collect()
    }

    /// [`chosen_by`] the port `fmt`.
    fn choose(&self, signals: &[Bits<'c>]) -> Bits<'c> {
        chosen_by(self.fmt, signals)
    }
}

/// One of several signals of the same width, by the value of `fmt`; the last for all values above.
pub fn chosen_by<'c>(fmt: Bits<'c>, signals: &[Bits<'c>]) -> Bits<'c> {
    let (&last, others) = signals.split_last().expect("a choice");
    let mut chosen = last;
    for (value, &signal) in others.iter().enumerate().rev() {
        if signal.node() != chosen.node() {
            let is_here = fmt.equals_constant(value as u128).named(format!("is_format_{value}"));
            chosen = is_here.select(signal, chosen);
        }
    }
    chosen
}

/// The outputs of a unit, with the flag of an invalid operation if an operand signals.
fn with_invalid<'c>(mut outputs: Vec<Bits<'c>>, operation: &Operation, signal: Option<Bits<'c>>) -> Vec<Bits<'c>> {
    if let (Some(_), Some(signal)) = (operation.flags, signal) {
        let flags = outputs.pop().expect("the port flags");
        outputs.push(concat(&[flags.msb() | signal, flags.low(flags.width() - 1)]));
    }
    outputs
}
