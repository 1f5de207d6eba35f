//! Clauses that stand for themselves, such as `-0 is less than +0`.

use super::number::Number;
use super::result::{Beyond, Claim, Direction, Values};
use super::{ends, formula, named};
use binade_golden::{Codec, Model, Value};
use binade_spec::word::{field, low_bits};
use binade_spec::{Column, ColumnMut, Extremum, Format, Operation, Overflow, Scaled, Unit, Word};

/// A clause, and how it is tried.
pub struct Special {
    clause: String,
    try_it: fn(&Model, &str) -> Result<(), String>,
}

impl Special {
    /// The clause, if this unit has such a one.
    pub fn read(operation: &Operation, clause: &str) -> Option<Special> {
        let starts = |word: &str| clause.starts_with(word);
        let is = |words: &[&str]| words.contains(&clause);
        let try_it: fn(&Model, &str) -> Result<(), String> = match operation.unit {
            Unit::MxQuantize if starts("scale = ") || starts("NaN if ") => scale,
            Unit::MxQuantize if is(&["results beyond the largest element become it"]) => no_infinities,
            Unit::MxQuantize if starts("if scale is NaN, y[i] is ") => elements_of_nan,
            Unit::Softmax if clause.ends_with("where max is the largest x[i]") => described,
            Unit::Softmax if starts("Each difference is rounded to ") && clause.ends_with(", and saturates") => {
                differences
            }
            Unit::Reduce if starts("y is the largest of ") && clause.ends_with(" numbers, or NaN if one is NaN") => {
                largest
            }
            Unit::Reduce | Unit::Minmax if is(&["-0 is less than +0"]) => signs_of_zeros,
            Unit::Reduce | Unit::Minmax if is(&["Zeros are equal, and become +0"]) => zeros_without_sign,
            Unit::Minmax if is(&["numbers override NaN", "NaN overrides numbers"]) => overrides,
            Unit::Compare if is(&["A NaN is unordered with everything", "-0 equals +0"]) => compared,
            Unit::Compare if is(&["NaR equals itself and is less than every other posit"]) => compared_posits,
            Unit::Classify
                if starts("class_bits: ") || starts("From bit 0 up: ") || is(&["Flushed codes count as zeros"]) =>
            {
                classes
            }
            Unit::Sgnj if starts("y = a with another sign") || starts("No other bit changes") => signs,
            Unit::DotExact if starts("zero is +0, NaN and infinities stay until clear") => stays,
            Unit::DotExact if clause.contains("products of the largest values do not overflow it") => described,
            Unit::PositDecoder if starts("For zero and NaR, the significand is 0") => no_significand,
            Unit::PositDecoder if starts("x = (-1)^sign * significand * 2^exponent") => described,
            Unit::PositEncoder if is(&["nar overrides zero, and zero overrides the number"]) => nar_and_zero,
            Unit::PositEncoder if starts("The lowest significand bits are below those of the posit") => described,
            Unit::PositEncoder if starts("y = (-1)^sign * significand * 2^exponent") => described,
            Unit::LossScaler if starts("skip: step is 1") || starts("It stays between ") => described,
            _ if clause.ends_with(" below the largest exponent and added") => described,
            _ => return None,
        };
        Some(Special { clause: clause.into(), try_it })
    }

    pub fn check(&self, model: &Model) -> Result<(), String> {
        (self.try_it)(model, &self.clause).map_err(|what| format!("`{}`: {what}", self.clause))
    }
}

/// What other tests try: how a unit is built up.
fn described(_: &Model, _: &str) -> Result<(), String> {
    Ok(())
}

/// A result of a unit whose header has no formula for it: not an infinity where infinities become the largest value.
pub fn is_possible(values: &Values, claim: &Claim, code: u128) -> bool {
    claim.infinite != Beyond::Largest || !values.is_infinite_code(code)
}

fn expect(is_so: bool, what: impl Fn() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(what()) }
}

fn number(format: Format, code: u128) -> Number {
    format.decode(code).into()
}

fn is_nan(format: Format, code: u128) -> bool {
    format.decode(code) == Value::Nan
}

/// The results of these words, and of zero on the other ports.
fn evaluate(model: &Model, words: &[Word]) -> Vec<Word> {
    let missing = model.operation().inputs().len() - words.len();
    model.evaluate(&[words, &vec![Word::ZERO; missing]].concat())
}

/// Pairs of codes at the ends of a format.
fn pairs(format: Format) -> Vec<[u128; 2]> {
    let ends = ends(format);
    ends.iter().flat_map(|&a| ends.iter().map(move |&b| [a, b])).collect()
}

/// Blocks of two numbers, joined in a word, with the factor of the tensor where there is one: 1.
fn blocks(model: &Model) -> Vec<([u128; 2], Vec<Word>)> {
    let source = model.operation().operand;
    let one = Value::Finite(binade_golden::Exact { negative: false, n: 1, k: 0 });
    let factor = model.operation().tensor_scale();
    let factor = factor.map(|format| Word::from(format.encode(one, format.default_rounding(), Overflow::Inf)));
    let words = |[a, b]: [u128; 2]| Word::from(b) << source.width() | Word::from(a);
    let mut all = pairs(source);
    all.extend(
        (0..1 << 12).map(|at: u128| [(at * 0x9e37_79b9) & source.max_code(), (at * 0x85eb_ca6b) & source.max_code()]),
    );
    all.into_iter().map(|pair| (pair, [words(pair)].into_iter().chain(factor.clone()).collect())).collect()
}

/// The scale of a block is NaN exactly if a number is none, and else within its range.
fn scale(model: &Model, clause: &str) -> Result<(), String> {
    let (source, of_scale) = (model.operation().operand, model.operation().settings::<Scaled>().scale);
    let limits = clause.split_once("limited to 2^").and_then(|(_, rest)| {
        let (low, rest) = rest.split_once(" .. 2^")?;
        Some([low.parse().ok()?, rest.split(',').next()?.parse().ok()?])
    });
    for (pair, words) in blocks(model) {
        let code = low_bits(&evaluate(model, &words)[1]);
        let has_special = pair.iter().any(|&x| matches!(source.decode(x), Value::Nan | Value::Infinite { .. }));
        let what = || format!("the scale of {pair:x?} is {code:#x}");
        expect(is_nan(of_scale, code) == has_special, what)?;
        if let (Some([low, high]), false) = (limits, has_special) {
            let [low, high] = [low, high].map(|exponent: i32| Number::power_of_two(exponent));
            let (Number::Ratio(low), Number::Ratio(high), Number::Ratio(scale)) = (low, high, number(of_scale, code))
            else {
                return Err(what());
            };
            expect(scale.compare(&low).is_ge() && scale.compare(&high).is_le(), what)?;
        }
    }
    Ok(())
}

/// Numbers of blocks have no infinite elements, and no NaN.
fn no_infinities(model: &Model, _: &str) -> Result<(), String> {
    let (source, element) = (model.operation().operand, model.operation().result);
    for (pair, words) in blocks(model) {
        let elements = &evaluate(model, &words)[0];
        let has_special = pair.iter().any(|&x| matches!(source.decode(x), Value::Nan | Value::Infinite { .. }));
        for lane in 0..2 {
            let code = field(elements, lane * element.width(), element.width());
            let is_below =
                element.sign() == binade_spec::Sign::Unsigned && number(source, pair[lane as usize]).is_negative();
            let is_number = !matches!(element.decode(code), Value::Nan | Value::Infinite { .. });
            expect(is_number || has_special || is_below, || {
                format!("an element of {pair:x?} is {}", element.decode(code))
            })?;
        }
    }
    Ok(())
}

fn elements_of_nan(model: &Model, clause: &str) -> Result<(), String> {
    let (element, of_scale) = (model.operation().result, model.operation().settings::<Scaled>().scale);
    let is_zero = clause.ends_with(" is zero");
    for (pair, words) in blocks(model) {
        let results = evaluate(model, &words);
        if !is_nan(of_scale, low_bits(&results[1])) {
            continue;
        }
        for lane in 0..2 {
            let value = element.decode(field(&results[0], lane * element.width(), element.width()));
            let is_so = if is_zero { matches!(value, Value::Zero { .. }) } else { value == Value::Nan };
            expect(is_so, || format!("an element of {pair:x?} is {value}"))?;
        }
    }
    Ok(())
}

/// The largest number and the lowest: their difference is the lowest number, whose exponential is that of the function alone.
fn differences(model: &Model, _: &str) -> Result<(), String> {
    let operation = model.operation();
    let (format, result) = (operation.operand, operation.result);
    let [top, low] = [false, true].map(|negative| format.code(negative, format.max_magnitude(negative)));
    let y = |a: u128, b: u128| {
        let results = evaluate(model, &[Word::from(b) << format.width() | Word::from(a)]);
        field(&results[0], result.width(), result.width())
    };
    let zero = format.zero_code(false);
    // The difference of zero and the lowest number is that number.
    let [beyond, lowest] = [y(top, low), y(zero, low)];
    expect(beyond == lowest, || {
        format!("{beyond:#x} for the largest and the lowest number, {lowest:#x} for zero and the lowest")
    })
}

fn largest(model: &Model, _: &str) -> Result<(), String> {
    let format = model.operation().operand;
    let is_same = |x: u128, y: u128| match (format.decode(x), format.decode(y)) {
        (Value::Zero { .. }, Value::Zero { .. }) if format.ignores_sign_of_specials() => true,
        (x, y) => x == y,
    };
    for pair in pairs(format) {
        let word = Word::from(pair[1]) << format.width() | Word::from(pair[0]);
        let code = low_bits(&evaluate(model, &[word])[0]);
        let has_nan = pair.iter().any(|&code| is_nan(format, code));
        let is_so = if has_nan { is_nan(format, code) } else { pair.iter().any(|&x| is_same(x, code)) };
        expect(is_so, || format!("{pair:x?} gives {code:#x}"))?;
    }
    Ok(())
}

fn signs_of_zeros(model: &Model, _: &str) -> Result<(), String> {
    let format = model.operation().operand;
    if !format.has_minus_zero() {
        return Ok(());
    }
    let zeros = [false, true].map(|negative| format.zero_code(negative));
    for [a, b] in [zeros, [zeros[1], zeros[0]]] {
        let inputs = match model.operation().unit {
            Unit::Reduce => vec![Word::from(b) << format.width() | Word::from(a)],
            _ => vec![Word::from(a), Word::from(b)],
        };
        let is_maximum = model.extremum().is_none_or(Extremum::is_maximum);
        let code = low_bits(&evaluate(model, &inputs)[0]);
        expect(code == zeros[usize::from(!is_maximum)], || format!("{a:#x}, {b:#x} gives {code:#x}"))?;
    }
    Ok(())
}

fn zeros_without_sign(model: &Model, _: &str) -> Result<(), String> {
    let format = model.operation().operand;
    let zeros = [0, format.sign_mask()];
    for [a, b] in zeros.into_iter().flat_map(|a| zeros.map(|b| [a, b])) {
        let inputs = match model.operation().unit {
            Unit::Reduce => vec![Word::from(b) << format.width() | Word::from(a)],
            _ => vec![Word::from(a), Word::from(b)],
        };
        let code = low_bits(&evaluate(model, &inputs)[0]);
        expect(code == 0, || format!("{a:#x}, {b:#x} gives {code:#x}"))?;
    }
    Ok(())
}

fn overrides(model: &Model, clause: &str) -> Result<(), String> {
    let format = model.operation().operand;
    let prefers_number = clause == "numbers override NaN";
    for [a, b] in pairs(format) {
        let nans = [a, b].map(|code| is_nan(format, code));
        let code = low_bits(&evaluate(model, &[a, b].map(Word::from))[0]);
        let wanted = if prefers_number { nans == [true, true] } else { nans.contains(&true) };
        expect(is_nan(format, code) == wanted, || format!("{a:#x}, {b:#x} gives {code:#x}"))?;
    }
    Ok(())
}

/// lt, eq, gt, unordered.
fn order(model: &Model, pair: [u128; 2]) -> [bool; 4] {
    let results = evaluate(model, &pair.map(Word::from));
    std::array::from_fn(|at| low_bits(&results[at]) == 1)
}

fn compared(model: &Model, _: &str) -> Result<(), String> {
    let format = model.operation().operand;
    for [a, b] in pairs(format) {
        let got = order(model, [a, b]);
        let both_zeros = [a, b].iter().all(|&code| matches!(format.decode(code), Value::Zero { .. }));
        let has_nan = is_nan(format, a) || is_nan(format, b);
        let is_so = got[3] == has_nan && got.iter().filter(|bit| **bit).count() == 1 && (!both_zeros || got[1]);
        expect(is_so, || format!("{a:#x}, {b:#x} gives {got:?}"))?;
    }
    Ok(())
}

fn compared_posits(model: &Model, _: &str) -> Result<(), String> {
    let format = model.operation().operand;
    for [a, b] in pairs(format) {
        let got = order(model, [a, b]);
        let is_so = match [a, b].map(|code| is_nan(format, code)) {
            [true, true] => got[1],
            [true, false] => got[0],
            [false, true] => got[2],
            [false, false] => !got[3],
        };
        expect(is_so, || format!("{a:#x}, {b:#x} gives {got:?}"))?;
    }
    Ok(())
}

fn classes(model: &Model, _: &str) -> Result<(), String> {
    let format = model.operation().operand;
    for code in ends(format) {
        let bits = low_bits(&evaluate(model, &[Word::from(code)])[0]);
        let wanted: &[u32] = match format.decode(code) {
            Value::Infinite { negative: true } => &[0],
            Value::Finite(exact) if exact.negative => &[1, 2],
            Value::Zero { negative: true } => &[3],
            Value::Zero { negative: false } => &[4],
            Value::Finite(_) => &[5, 6],
            Value::Infinite { negative: false } => &[7],
            Value::Nan => &[8, 9],
        };
        expect(wanted.iter().any(|bit| bits == 1 << bit), || format!("{code:#x} gives {bits:#b}"))?;
    }
    Ok(())
}

fn signs(model: &Model, _: &str) -> Result<(), String> {
    let format = model.operation().operand;
    for [a, b] in pairs(format) {
        for op in 0..4_u32 {
            let got = low_bits(&evaluate(model, &[Word::from(a), Word::from(b), Word::from(op)])[0]);
            let [of_a, of_b] = [a, b].map(|code| code & format.sign_mask() != 0);
            let negative = [of_b, !of_b, of_a != of_b, of_a != of_b][op as usize];
            let wanted = a & !format.sign_mask() | if negative { format.sign_mask() } else { 0 };
            expect(got == wanted, || format!("{a:#x}, {b:#x} with {op} gives {got:#x}"))?;
        }
    }
    Ok(())
}

/// The significand, the last output, of what is no number but zero.
fn no_significand(model: &Model, _: &str) -> Result<(), String> {
    let format = model.operation().operand;
    for code in ends(format) {
        let results = evaluate(model, &[Word::from(code)]);
        let is_number = matches!(format.decode(code), Value::Finite(_));
        let is_zero = results.last().is_some_and(|significand| *significand == Word::ZERO);
        expect(is_zero != is_number, || format!("{code:#x} gives {results:x?}"))?;
    }
    Ok(())
}

/// All values of zero and nar, with any number.
fn nar_and_zero(model: &Model, _: &str) -> Result<(), String> {
    let (ports, format) = (model.operation().inputs(), model.operation().result);
    for [zero, nar] in [[0_u32, 0], [0, 1], [1, 0], [1, 1]] {
        let words: Vec<Word> = ports
            .iter()
            .map(|port| match port.name {
                "zero" => Word::from(zero),
                "nar" => Word::from(nar),
                _ => (Word::from(1_u32) << port.width()) - 1_u32,
            })
            .collect();
        let value = format.decode(low_bits(&model.evaluate(&words)[0]));
        let is_so = match [zero, nar] {
            [_, 1] => value == Value::Nan,
            [1, _] => matches!(value, Value::Zero { .. }),
            _ => matches!(value, Value::Finite(_)),
        };
        expect(is_so, || format!("zero {zero}, nar {nar} give {value}"))?;
    }
    Ok(())
}

/// The results of a sequence from a reset.
fn sequence(model: &Model, steps: &[Vec<u64>]) -> Vec<u64> {
    let columns: Vec<Vec<u64>> =
        (0..steps[0].len()).map(|port| steps.iter().map(|step| step[port]).collect()).collect();
    let inputs: Vec<Column> = columns.iter().map(|column| Column::narrow(column)).collect();
    let mut results = vec![vec![0; steps.len()]; model.operation().outputs().len()];
    model
        .evaluate_columns(&inputs, &mut results.iter_mut().map(|column| ColumnMut::narrow(column)).collect::<Vec<_>>());
    results.remove(0)
}

/// After an infinity or a NaN, sums stay one until they are cleared; then they are zero with a plus sign.
fn stays(model: &Model, _: &str) -> Result<(), String> {
    let (format, result) = (model.operation().operand, model.operation().result);
    let zero = format.zero_code(false) as u64;
    let [one, minus_one] = [false, true].map(|negative| {
        let one = Value::Finite(binade_golden::Exact { negative, n: 1, k: 0 });
        format.encode(one, format.default_rounding(), Overflow::Inf) as u64
    });
    let step = |a: u64, b: u64, clear: u64| {
        let ports = model.operation().inputs();
        let words = ports.iter().map(|port| match port.name {
            "a" => a,
            "b" => b,
            "clear" => clear,
            _ => 0,
        });
        words.collect::<Vec<u64>>()
    };
    let nan = format.nan_code().map(|code| code as u64);
    let infinity = format.infinity_code().map(|code| code as u64);
    for special in [nan, infinity].into_iter().flatten() {
        let y =
            sequence(model, &[step(special, one, 1), step(one, one, 0), step(zero, zero, 1), step(minus_one, zero, 1)]);
        let value = |at: usize| result.decode(y[at].into());
        let claim = || format!("{special:#x} gives {y:x?}");
        expect(y[0] == y[1] || matches!(value(0), Value::Infinite { .. } | Value::Nan) && value(0) == value(1), claim)?;
        let is_plus = |at: usize| !matches!(value(at), Value::Zero { negative: true });
        expect(is_plus(2) && is_plus(3), claim)?;
    }
    Ok(())
}

/// Units with state: `acc = clear ? x : acc + x` step by step, and no infinities where they are excluded.
pub fn check_states(model: &Model, claim: &Claim, text: Option<&str>) -> Result<(), String> {
    let operation = model.operation();
    let (ports, result) = (operation.inputs(), operation.result);
    let values = Values::new(result);
    if ports.iter().any(|port| port.width() > u64::BITS) || ports[0].format().is_none() {
        return Ok(());
    }
    let coded = ports.iter().filter(|port| port.format().is_some()).count();
    let steps: Vec<Vec<u64>> = pairs(operation.operand)
        .into_iter()
        .flat_map(|[a, b]| [[a, b, 1], [b, a, 0]])
        .map(|[a, b, clear]| {
            let words = ports.iter().enumerate().map(|(at, port)| match port.name {
                "clear" => clear as u64,
                _ if at == 0 => a as u64,
                _ if at < coded => b as u64,
                _ => 0,
            });
            words.collect()
        })
        .collect();
    let y = sequence(model, &steps);
    let claim = Claim { direction: claim.direction.chosen(0), ..*claim };
    for (at, step) in steps.iter().enumerate() {
        let code = u128::from(y[at]);
        let step_text =
            text.and_then(|text| text.strip_prefix("clear ? x : ")).map(|sum| if at % 2 == 0 { "x" } else { sum });
        let words: Vec<Word> = step.iter().map(|&word| Word::from(word)).collect();
        let acc = number(result, if at == 0 { 0 } else { y[at - 1].into() });
        let of_name = |name: &str| if name == "acc" { Some((acc.clone(), true)) } else { named(&ports, &words, name) };
        let exact = step_text.and_then(|text| formula::value(text, &of_name, claim.direction == Direction::Down));
        let is_allowed = exact.map_or(is_possible(&values, &claim, code), |exact| values.allow(&claim, &exact, code));
        expect(is_allowed, || format!("step {at}, {step:x?}, gives {code:#x} ({})", result.decode(code)))?;
    }
    Ok(())
}
