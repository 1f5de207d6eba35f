//! The page of a function of one number: its curve, the error of each result, and the cost of its units.

use crate::units::Cost;
use crate::{Axis, Datum, Figure, Mark, Page, Plot, Section, Series, Table};
use binade_golden::{Model, Number, Value};
use binade_spec::{Format, OfFunction, Operation, Rounding, TermId};

/// The largest magnitude of operands and results on the curve.
const LARGEST: f64 = 8.0;

/// The exponents of operands whose errors are drawn lie this far from 0 at most: beyond, most functions are constant, or
/// as their operand.
const FARTHEST: f64 = 16.0;

/// The most points of a series.
const MOST_POINTS: usize = 256;

/// Digits of an error, more than binary64 has.
const KEPT_DIGITS: i32 = 60;

/// The unit of a function in a format.
#[derive(Clone, Debug)]
pub struct FunctionUnit {
    /// The unit.
    pub operation: Operation,
    /// The name of its module.
    pub module: String,
    /// Its cost on each target.
    pub costs: Vec<Cost>,
    /// The inputs for which it was verified.
    pub verified: String,
}

/// A finite operand, and its result.
#[derive(Clone, Copy, Debug)]
struct Point {
    code: u128,
    x: f64,
    /// The function, before it is rounded.
    exact: f64,
    y: f64,
    /// `y - exact` in units in the last place of `y`.
    error: f64,
}

/// The results of a unit for all codes.
struct Survey {
    operand: Format,
    result: Format,
    /// Operands whose function and result are finite, in ascending order.
    points: Vec<Point>,
    /// Operands whose function or result is infinite, and those whose result is NaN.
    specials: [usize; 2],
}

impl Survey {
    fn of(operation: &Operation) -> Survey {
        let model = Model::new(operation);
        let mut survey =
            Survey { operand: operation.operand, result: operation.result, points: vec![], specials: [0; 2] };
        for code in 0..1_u128 << operation.operand.width() {
            let numbers = model.numbers(&[], &[code]);
            let [x, exact, y] = [0, 1, 2].map(|term| numbers[term].small().map(number));
            match (x, exact, y) {
                (Some(Some(x)), Some(Some(exact)), Some(Some(y))) => {
                    // Exact, so that a result is only called exact if it is.
                    let difference = Number::sum(&[&numbers[2], &numbers[1].negated()], Rounding::Rne);
                    let leading = difference.exponent().map_or(0, |exponent| exponent - KEPT_DIGITS);
                    let difference = difference.cut_off(leading, Rounding::Rtz).small().and_then(number);
                    let error = difference.expect("few digits") / ulp(&model, y);
                    survey.points.push(Point { code, x, exact, y, error });
                }
                _ if numbers[2].small() == Some(Value::Nan) => survey.specials[1] += 1,
                // An infinite function may also give the largest value.
                _ => survey.specials[0] += 1,
            }
        }
        survey.points.sort_by(|a, b| a.x.total_cmp(&b.x));
        survey
    }

    fn name(&self) -> String {
        match self.operand == self.result {
            true => self.operand.to_string(),
            false => format!("{} to {}", self.operand, self.result),
        }
    }

    fn worst(&self) -> Option<&Point> {
        self.points.iter().max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()))
    }

    /// The figures of all codes.
    fn row(&self) -> Vec<String> {
        let count = self.points.len();
        let exact = self.points.iter().filter(|point| point.error == 0.0).count();
        let mean = self.points.iter().map(|point| point.error.abs()).sum::<f64>() / count.max(1) as f64;
        let worst = self.worst().map_or(["-".into(), "-".into()], |worst| {
            [format!("{:.4}", worst.error.abs()), format!("{} ({})", worst.x, self.operand.hex(worst.code))]
        });
        let [infinite, nan] = self.specials;
        let counts = [count, exact, infinite, nan].map(|count| count.to_string());
        [vec![self.name()], counts.into(), vec![format!("{mean:.4}")], worst.into()].concat()
    }

    /// The results of operands and results that are small enough to be drawn, as far as they lie apart.
    fn curve(&self, of: fn(&Point) -> f64) -> Vec<Datum> {
        let is_drawn = |point: &&Point| point.x.abs() <= LARGEST && of(point).abs() <= LARGEST;
        let mut data: Vec<Datum> = vec![];
        for point in self.points.iter().filter(is_drawn) {
            if data.last().is_none_or(|last| point.x - last.x >= 2.0 * LARGEST / MOST_POINTS as f64) {
                let note = format!("{}: {} gives {}", self.name(), point.x, point.y);
                data.push(Datum::at(point.x, of(point)).with_note(note));
            }
        }
        data
    }

    /// The largest error of each group of neighbouring operands of a sign.
    fn errors(&self, is_negative: bool) -> Vec<Datum> {
        let is_drawn = |point: &&Point| {
            let exponent = point.x.abs().log2();
            exponent.abs() <= FARTHEST && (point.x < 0.0) == is_negative
        };
        let of_sign: Vec<&Point> = self.points.iter().filter(is_drawn).collect();
        let group = of_sign.len().div_ceil(MOST_POINTS).max(1);
        let largest = |points: &[&Point]| {
            let worst = points.iter().max_by(|a, b| a.error.abs().total_cmp(&b.error.abs())).expect("a group");
            let note = format!("{}: {} gives {}, {:.4} ulp", self.name(), worst.x, worst.y, worst.error);
            Datum::at(worst.x.abs().log2(), worst.error).with_note(note)
        };
        of_sign.chunks(group).map(largest).collect()
    }
}

/// A finite value.
fn number(value: Value) -> Option<f64> {
    match value {
        Value::Zero { negative } => Some(if negative { -0.0 } else { 0.0 }),
        Value::Finite(exact) => {
            // In two steps, so that a power below the range of binary64 does not become zero too early.
            let half = f64::from(exact.k / 2).exp2();
            let size = exact.n as f64 * half * f64::from(exact.k - exact.k / 2).exp2();
            Some(if exact.negative { -size } else { size })
        }
        Value::Infinite { .. } | Value::Nan => None,
    }
}

/// The distance from a result to the next one away from zero, or of the largest one to that before it.
fn ulp(model: &Model, y: f64) -> f64 {
    let codes = model.codes(TermId(2));
    let magnitudes = codes.min_code()..=codes.max_code();
    let value = |magnitude: u128| number(codes.decode(codes.code(false, magnitude))).unwrap_or(0.0);
    let (mut low, mut high) = (*magnitudes.start(), *magnitudes.end());
    // The last code whose value is not above the magnitude.
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if value(middle) <= y.abs() { low = middle } else { high = middle - 1 }
    }
    match low {
        code if value(code) > y.abs() => value(code),
        code if code == *magnitudes.end() => value(code) - value(code - 1),
        code => value(code + 1) - value(code),
    }
}

/// The page of a function. All units compute it.
pub fn page(units: &[FunctionUnit], command: &str) -> Page {
    let function = units[0].operation.settings::<OfFunction>().function;
    let surveys: Vec<Survey> = units.iter().map(|unit| Survey::of(&unit.operation)).collect();
    Page {
        title: format!("Function: {function}"),
        lead: "Results of the golden model for every code, and the cost of the units, as mapped by Yosys before placement.".into(),
        command: command.into(),
        sections: vec![curve(&function.text("x"), &surveys), errors(&surveys), cost(units)],
    }
}

fn curve(text: &str, surveys: &[Survey]) -> Section {
    let widest = surveys.iter().max_by_key(|survey| survey.points.len()).expect("there is a format");
    let mut series = vec![Series { name: "exact".into(), mark: Mark::Line, data: widest.curve(|point| point.exact) }];
    series.extend(surveys.iter().map(|survey| {
        let mark = if survey.operand.width() <= 8 { Mark::Points } else { Mark::Line };
        Series { name: survey.name(), mark, data: survey.curve(|point| point.y) }
    }));
    let plot = Plot {
        title: format!("{text} from -{LARGEST} to {LARGEST}"),
        description: format!(
            "{text} for operands and results of magnitudes up to {LARGEST}, in each format, and exactly."
        ),
        x: Axis::linear("x"),
        y: Axis::linear(text),
        height: 360,
        series,
    };
    Section {
        title: "Curve".into(),
        text: vec![],
        tables: vec![],
        figures: vec![Figure { plot, table: summary(surveys) }],
    }
}

fn summary(surveys: &[Survey]) -> Table {
    let columns = [
        "format",
        "finite",
        "exact",
        "infinite function or result",
        "NaN",
        "mean error, ulp",
        "largest error, ulp",
        "at",
    ];
    Table::new("Results of all codes", &columns, surveys.iter().map(Survey::row).collect())
}

fn errors(surveys: &[Survey]) -> Section {
    let figure = |is_negative: bool| {
        let series: Vec<Series> = surveys
            .iter()
            .map(|survey| Series { name: survey.name(), mark: Mark::Points, data: survey.errors(is_negative) })
            .filter(|series| !series.data.is_empty())
            .collect();
        let which = if is_negative { "negative" } else { "positive" };
        let plot = Plot {
            title: format!("Error of {which} operands"),
            description: format!(
                "The result less the exact value, in ulp of the result, over the magnitude of {which} operands."
            ),
            x: Axis::powers_of_two("magnitude of x"),
            y: Axis::linear("error in ulp"),
            height: 280,
            series,
        };
        (!plot.series.is_empty()).then(|| Figure { plot, table: summary(surveys) })
    };
    Section {
        title: "Error".into(),
        text: vec![
            "An ulp is the distance from a result to the next one away from zero. Rounded once to nearest, an error is at most half of it; \
             beyond the largest value it is larger. Operands from 2^-16 to 2^16 are drawn; of many neighbouring ones, that with the largest error."
                .into(),
        ],
        tables: vec![],
        figures: [false, true].into_iter().filter_map(figure).collect(),
    }
}

fn cost(units: &[FunctionUnit]) -> Section {
    let mut columns = vec!["unit".to_string()];
    for cost in units.iter().take(1).flat_map(|unit| &unit.costs) {
        columns.extend([format!("area on {}", cost.target), "depth".into()]);
    }
    columns.push("verified with".into());
    let row = |unit: &FunctionUnit| {
        let costs = unit.costs.iter().flat_map(|cost| [cost.text.clone(), cost.depth.to_string()]);
        [unit.module.clone()].into_iter().chain(costs).chain([unit.verified.clone()]).collect()
    };
    let table = Table { caption: "Units".into(), columns, rows: units.iter().map(row).collect() };
    let text = vec!["Depth is in cells on the longest path.".into()];
    Section { title: "Cost".into(), text, tables: vec![table], figures: vec![] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::{Function, Selection, Unit};

    fn survey(function: Function, name: &str, rounding: Option<Rounding>) -> Survey {
        let function = Some(function);
        let selection =
            Selection { function, rounding, ..Selection::new(Unit::Function, name.parse().expect("a format")) };
        Survey::of(&selection.operation().expect("an operation"))
    }

    /// Rounded to nearest, errors are at most half an ulp; toward zero, at most a whole one, which is how tanh comes near 1.
    #[test]
    fn errors_are_those_of_one_rounding() {
        for name in ["e5m2", "e4m3fn", "k8p3se"] {
            for function in [Function::Tanh, Function::Sigmoid, Function::Erf, Function::Sin] {
                let nearest = survey(function, name, None);
                assert!(nearest.points.len() > 100 && nearest.worst().is_some_and(|worst| worst.error.abs() <= 0.5));
                let inward = survey(function, name, Some(Rounding::Rtz));
                let is_inward = |point: &Point| point.error.abs() <= 1.0 && point.error * point.exact.signum() <= 0.0;
                assert_eq!(inward.points.iter().position(|point| !is_inward(point)), None, "{name} {function}");
            }
        }
    }

    #[test]
    fn every_code_is_counted() {
        let log = survey(Function::Log, "e5m2", None);
        // 123 positive numbers; +infinity, and the pole at both zeros; NaN of 123 negative numbers, -infinity and six NaNs.
        assert_eq!((log.points.len(), log.specials), (123, [3, 130]));
        let table = summary(&[log]);
        assert_eq!(table.rows[0][..5], ["e5m2", "123", "1", "3", "130"]);
    }

    #[test]
    fn the_page_has_curve_errors_and_cost() {
        let selection = Selection {
            function: Some(Function::Exp),
            ..Selection::new(Unit::Function, "e4m3".parse().expect("a format"))
        };
        let operation = selection.operation().expect("an operation");
        let unit = FunctionUnit { operation, module: "m".into(), costs: vec![], verified: "all".into() };
        let page = page(&[unit], "binade report function exp e4m3");
        let titles: Vec<&str> = page.sections.iter().map(|section| section.title.as_str()).collect();
        assert_eq!((page.title.as_str(), titles), ("Function: exp", vec!["Curve", "Error", "Cost"]));
        assert_eq!(page.sections[1].figures.len(), 2);
        assert!(page.sections[0].figures[0].plot.series.iter().all(|series| series.data.len() > 30));
    }
}
