//! Units of a vector, as networks use them: `softmax`, `rms-norm`, `layer-norm`, `hadamard`, and `reduce`. All roundings are to
//! nearest, or as `--round` says; the names of formats are x for the operands, acc for what is between, y for the result.

use super::{Definition, Facts, MAX_LANES, Meaning, OnPorts, accumulator_format, minmax, own_format, signed_format};
use crate::{
    Format, Formula, Function, Kind, OfFunction, Operation, OperationError, Output, Overflow, Port, PositRange,
    Reduction, Selection, Setting, Sign, Target, Term, TermId, Unit, Vector,
};

/// The default number of lanes.
const DEFAULT_LANES: u32 = 4;

/// The numbers of points of a Hadamard transform, the default one first: powers of 4, whose roots are powers of two.
const POINTS: [u32; 3] = [16, 4, 64];

/// The settings of units whose results have a format of their own.
const SETTINGS: &[Setting] =
    &[Setting::Acc, Setting::Lanes, Setting::To, Setting::Round, Setting::Overflow, Setting::PositRange];

/// The settings of a sum, which a largest number does not have.
const ROUNDED: &[Setting] = &[Setting::Acc, Setting::Round, Setting::Random, Setting::Overflow, Setting::PositRange];

pub(super) const SOFTMAX: Definition = Definition {
    name: "softmax",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: SETTINGS,
    formats: result_format,
    kind: || Kind::Vector(Vector::default()),
    resolve: |selection, operation| {
        let resolved = selection.vector(operation, |_| true)?;
        let exponential = Kind::Function(OfFunction { function: Function::Exp });
        Operation { kind: exponential, result: resolved.accumulator_format(), ..resolved }.check_function()?;
        Ok(resolved)
    },
    inputs: |operation| vec![lanes(operation, "x", operation.operand)],
    outputs: |operation| vec![lanes(operation, "y", operation.result)],
    meaning: softmax,
    module,
    about: Some(|operation| {
        let acc = operation.accumulator_format();
        vec![
            format!(
                "Softmax of {} numbers: y[i] = exp(x[i] - max) / sum, where max is the largest x[i].",
                operation.lanes()
            ),
            format!(
                "Each difference is rounded to {}, and saturates; each exponential and their sum are rounded to {acc}.",
                operation.operand
            ),
        ]
    }),
};

pub(super) const RMS_NORM: Definition = Definition {
    name: "rms-norm",
    resolve: |selection, operation| selection.vector(operation, u32::is_power_of_two),
    inputs: |operation| {
        let gain = lanes(operation, "gain", operation.operand);
        vec![lanes(operation, "x", operation.operand), gain, epsilon(operation)]
    },
    meaning: rms_norm,
    about: Some(|operation| {
        let acc = operation.accumulator_format();
        vec![
            format!("Root mean square normalization of {} numbers (Zhang and Sennrich, 2019):", operation.lanes()),
            format!(
                "q = x[0]^2 + x[1]^2 + ..; r = 1 / sqrt(q / {} + epsilon); y[i] = (x[i] * r) * gain[i].",
                operation.lanes()
            ),
            format!("q, q / {} + epsilon, r and x[i] * r are rounded to {acc}, each once.", operation.lanes()),
        ]
    }),
    ..SOFTMAX
};

pub(super) const LAYER_NORM: Definition = Definition {
    name: "layer-norm",
    resolve: |selection, operation| signed_steps(selection.vector(operation, u32::is_power_of_two)?),
    inputs: |operation| {
        let ports = ["x", "gain", "bias"].map(|name| lanes(operation, name, operation.operand));
        ports.into_iter().chain([epsilon(operation)]).collect()
    },
    meaning: layer_norm,
    about: Some(|operation| {
        let (lanes, acc) = (operation.lanes(), operation.accumulator_format());
        vec![
            format!(
                "Layer normalization of {lanes} numbers (Ba, Kiros and Hinton, 2016): s = x[0] + x[1] + ..; m = s / {lanes};"
            ),
            format!(
                "d[i] = x[i] - m; q = d[0]^2 + d[1]^2 + ..; r = 1 / sqrt(q / {lanes} + epsilon); y[i] = (d[i] * r) * gain[i] + bias[i]."
            ),
            format!("s, m, d[i], q, q / {lanes} + epsilon, r and d[i] * r are rounded to {acc}, each once."),
        ]
    }),
    ..RMS_NORM
};

pub(super) const HADAMARD: Definition = Definition {
    name: "hadamard",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    resolve: |selection, operation| {
        let points = selection.lanes.unwrap_or(POINTS[0]);
        if !POINTS.contains(&points) {
            return Err(OperationError::Points { lanes: points });
        }
        let resolved = Selection { lanes: Some(points), ..*selection }.vector(operation, |_| true)?;
        signed_steps(resolved)
    },
    meaning: hadamard,
    about: Some(|operation| {
        let (points, acc) = (operation.lanes(), operation.accumulator_format());
        let (stages, root) = (points.ilog2(), 1 << (points.ilog2() / 2));
        vec![
            format!("Hadamard transform of {points} numbers in {stages} stages of sums and differences:"),
            format!("y[i] = (sum of x[j] * (-1)^popcount(i & j) for all j) / {root}."),
            format!("Each sum and each difference is rounded to {acc}, and the last one divided by {root}."),
        ]
    }),
    ..SOFTMAX
};

pub(super) const REDUCE: Definition = Definition {
    name: "reduce",
    settings: &[
        Setting::Reduction,
        Setting::Acc,
        Setting::Lanes,
        Setting::Round,
        Setting::Random,
        Setting::Overflow,
        Setting::PositRange,
    ],
    formats: |selection| match selection.reduction.unwrap_or_default() {
        Reduction::Max => match ROUNDED.iter().find(|setting| selection.says(**setting)) {
            Some(&setting) => Err(OperationError::MaximumRounds { setting }),
            None => own_format(selection),
        },
        Reduction::Sum | Reduction::Squares => accumulator_format(selection),
    },
    resolve: |selection, operation| {
        let reduction = selection.reduction.unwrap_or_default();
        let resolved = selection.vector(operation, |_| true)?;
        let vector = Vector { reduction: Some(reduction), accumulator: resolved.result, ..resolved.settings() };
        Ok(Operation { kind: Kind::Vector(vector), ..resolved })
    },
    outputs: |operation| vec![Port::code("y", operation.result)],
    meaning: reduce,
    module: |operation| {
        let [operand, result] = [operation.operand, operation.result].map(|format| format.identifier());
        let (lanes, reduction) = (operation.lanes(), operation.reduction().unwrap_or_default());
        let name = format!("reduce{lanes}_{reduction}_{operand}").replace('-', "_");
        if reduction == Reduction::Max { name } else { format!("{name}_acc_{result}") }
    },
    about: Some(|operation| {
        let (lanes, reduction) = (operation.lanes(), operation.reduction().unwrap_or_default());
        vec![match reduction {
            Reduction::Max => {
                format!(
                    "y is the largest of {lanes} numbers, or NaN if one is NaN. {}.",
                    minmax::zeros(&operation.operand)
                )
            }
            Reduction::Sum => format!("y is the exact sum of {lanes} numbers."),
            Reduction::Squares => format!("y is the exact sum of the squares of {lanes} numbers."),
        }]
    }),
    ..SOFTMAX
};

/// Operands with a sign, and the result in a format of its own.
fn result_format(selection: &Selection) -> Result<[Format; 2], OperationError> {
    let [operand, own] = signed_format(selection)?;
    Ok([operand, selection.target.unwrap_or(own)])
}

/// Refuses steps without a sign: differences have either sign.
fn signed_steps(operation: Operation) -> Result<Operation, OperationError> {
    match operation.accumulator_format() {
        format if format.sign() == Sign::Unsigned => Err(OperationError::NoSign { unit: operation.unit, format }),
        _ => Ok(operation),
    }
}

impl Selection {
    /// Resolves lanes and accumulator.
    fn vector(&self, operation: Operation, takes: fn(u32) -> bool) -> Result<Operation, OperationError> {
        let lanes = self.lanes.unwrap_or(DEFAULT_LANES);
        if !takes(lanes) {
            return Err(OperationError::LanesOfMean { unit: self.unit, lanes, most: MAX_LANES });
        }
        let [_, accumulator] = accumulator_format(self)?;
        // Exponentials, and reciprocals of roots, are mostly below 1.
        let is_whole = accumulator.fixed().is_some() && self.accumulator.is_none() && self.unit != Unit::Reduce;
        let accumulator = if is_whole { Format::binary32() } else { accumulator };
        accumulator.check_rounding(accumulator.own_rounding(operation.rounding))?;
        let vector = Vector { lanes, accumulator, reduction: None };
        Ok(Operation { kind: Kind::Vector(vector), ..operation })
    }
}

impl Operation {
    /// The format of what is between operands and results: that of the result where nothing is.
    pub fn accumulator_format(&self) -> Format {
        match self.kind {
            Kind::Vector(vector) => vector.accumulator,
            _ => self.result,
        }
    }

    /// Whether it is a largest number, which is not rounded.
    pub(crate) fn is_maximum(&self) -> bool {
        self.reduction() == Some(Reduction::Max)
    }

    /// The target of what is rounded to a format on the way.
    fn towards(&self, format: Format) -> Target {
        Target { format, rounding: format.own_rounding(self.rounding), ..self.target() }
    }

    /// The target of a difference from the largest number: beyond the range it becomes the lowest number, whose
    /// exponential is as small as that of any below.
    fn towards_difference(&self) -> Target {
        let target = self.towards(self.operand);
        let overflow = self.operand.with_overflow(Overflow::Propagate);
        Target { overflow, posit_range: PositRange::Saturate, ..target }
    }
}

fn module(operation: &Operation) -> String {
    let name = operation.unit.name().replace('-', "_");
    let [operand, accumulator, result] =
        [operation.operand, operation.accumulator_format(), operation.result].map(|format| format.identifier());
    let to = if operand == result { String::new() } else { format!("_to_{result}") };
    format!("{name}{}_{operand}{to}_acc_{accumulator}", operation.lanes())
}

fn lanes(operation: &Operation, name: &'static str, format: Format) -> Port {
    Port { lanes: operation.lanes(), ..Port::code(name, format) }
}

fn epsilon(operation: &Operation) -> Port {
    Port::code("epsilon", operation.accumulator_format())
}

/// A formula under construction.
struct Steps {
    formula: Formula,
    /// The target of what is between operands and results.
    between: Target,
    result: Target,
    lanes: u32,
}

impl Steps {
    fn of(operation: &Operation) -> Steps {
        let between = operation.towards(operation.accumulator_format());
        Steps { formula: Formula::new(), between, result: operation.target(), lanes: operation.lanes() }
    }

    /// The operands on a port.
    fn operands(&mut self, port: usize) -> Vec<TermId> {
        (0..self.lanes).map(|lane| self.formula.lane(port, lane)).collect()
    }

    /// The sum of these terms, rounded.
    fn sum(&mut self, of: &[TermId], target: Target) -> TermId {
        let sum = self.formula.sum(of, target.rounding);
        self.formula.round(sum, target)
    }

    fn product(&mut self, a: TermId, b: TermId) -> TermId {
        let product = self.formula.product(a, b);
        self.formula.round(product, self.between)
    }

    /// Each code less another one.
    fn differences(&mut self, of: &[TermId], less: TermId, target: Target) -> Vec<TermId> {
        let less = self.formula.negate(less);
        of.iter().map(|&x| self.sum(&[x, less], target)).collect()
    }

    fn squares(&mut self, of: &[TermId]) -> Vec<TermId> {
        of.iter().map(|&x| self.formula.product(x, x)).collect()
    }

    /// 1 / lanes, which is a power of two.
    fn share(&mut self) -> TermId {
        self.formula.term(Term::Power(-(self.lanes.ilog2() as i32)))
    }

    /// `1 / sqrt(q / lanes + epsilon)` for the sum `q` of these squares.
    fn reciprocal_deviation(&mut self, of: &[TermId], epsilon: TermId) -> TermId {
        let squares = self.squares(of);
        let q = self.sum(&squares, self.between);
        let share = self.share();
        let mean = self.formula.product(q, share);
        let variance = self.sum(&[mean, epsilon], self.between);
        let root = self.formula.term(Term::Root { of: variance, is_reciprocal: true });
        self.formula.round(root, self.between)
    }

    fn with_results(mut self, results: Vec<TermId>) -> Meaning {
        self.formula.output(Output::Codes(results));
        Meaning::Formula(self.formula)
    }
}

fn softmax(operation: &Operation) -> Meaning {
    let mut steps = Steps::of(operation);
    let x = steps.operands(0);
    let largest = steps.formula.term(Term::Largest(x.clone()));
    let differences = steps.differences(&x, largest, operation.towards_difference());
    let exponentials: Vec<TermId> = differences
        .into_iter()
        .map(|of| {
            let exact = steps.formula.term(Term::Function { of, function: Function::Exp });
            steps.formula.round(exact, steps.between)
        })
        .collect();
    let sum = steps.sum(&exponentials, steps.between);
    let results = exponentials.into_iter().map(|e| {
        let quotient = steps.formula.quotient(e, sum);
        steps.formula.round(quotient, steps.result)
    });
    let results = results.collect();
    steps.with_results(results)
}

fn rms_norm(operation: &Operation) -> Meaning {
    let mut steps = Steps::of(operation);
    let [x, gain] = [0, 1].map(|port| steps.operands(port));
    let epsilon = steps.formula.operand(2);
    let r = steps.reciprocal_deviation(&x, epsilon);
    let results = x.into_iter().zip(gain).map(|(x, gain)| {
        let normal = steps.product(x, r);
        let scaled = steps.formula.product(normal, gain);
        steps.formula.round(scaled, steps.result)
    });
    let results = results.collect();
    steps.with_results(results)
}

fn layer_norm(operation: &Operation) -> Meaning {
    let mut steps = Steps::of(operation);
    let [x, gain, bias] = [0, 1, 2].map(|port| steps.operands(port));
    let epsilon = steps.formula.operand(3);
    let sum = steps.sum(&x, steps.between);
    let share = steps.share();
    let mean = steps.product(sum, share);
    let d = steps.differences(&x, mean, steps.between);
    let r = steps.reciprocal_deviation(&d, epsilon);
    let results = d.into_iter().zip(gain).zip(bias).map(|((d, gain), bias)| {
        let normal = steps.product(d, r);
        let scaled = steps.formula.product(normal, gain);
        steps.sum(&[scaled, bias], steps.result)
    });
    let results = results.collect();
    steps.with_results(results)
}

/// The butterflies of each stage join lanes whose numbers differ in one bit.
fn hadamard(operation: &Operation) -> Meaning {
    let mut steps = Steps::of(operation);
    let x = steps.operands(0);
    let is_step = operation.operand == operation.accumulator_format();
    let mut of: Vec<TermId> = match is_step {
        true => x,
        false => x.into_iter().map(|x| steps.formula.convert(x, steps.between)).collect(),
    };
    for bit in 0..operation.lanes().ilog2() {
        let negated: Vec<TermId> = of.iter().map(|&term| steps.formula.negate(term)).collect();
        let joined = |at: usize| {
            let other = at ^ 1 << bit;
            match at < other {
                true => [of[at], of[other]],
                false => [of[other], negated[at]],
            }
        };
        of = (0..of.len()).map(|at| steps.sum(&joined(at), steps.between)).collect();
    }
    let by_root = steps.formula.term(Term::Power(-(operation.lanes().ilog2() as i32 / 2)));
    let results = of.into_iter().map(|sum| {
        let scaled = steps.formula.product(sum, by_root);
        steps.formula.round(scaled, steps.result)
    });
    let results = results.collect();
    steps.with_results(results)
}

fn reduce(operation: &Operation) -> Meaning {
    let mut steps = Steps::of(operation);
    let x = steps.operands(0);
    let y = match operation.reduction().unwrap_or_default() {
        Reduction::Max => steps.formula.term(Term::Largest(x)),
        Reduction::Sum => steps.sum(&x, steps.result),
        Reduction::Squares => {
            let squares = steps.squares(&x);
            steps.sum(&squares, steps.result)
        }
    };
    steps.with_results(vec![y])
}
