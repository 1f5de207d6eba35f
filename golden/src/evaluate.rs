//! The fast paths: results of units of well-known shapes, with 64-bit codes and 128-bit products.

use crate::arithmetic::{Random, Rounded};
use crate::decoder::FastDecoder;
use crate::dot::ExactDot;
use crate::flags::{INVALID, port_word};
use crate::functions;
use crate::walk::Walk;
use crate::{Model, Value};
use binade_spec::word::low_bits;
use binade_spec::{Activation, Column, ColumnMut, Format, Formula, Meaning, Rounding, Shape, Word};

/// An exact product, with its flags.
#[derive(Clone, Copy)]
pub(crate) struct Factors {
    pub product: Value,
    pub signals: u64,
}

/// The words of the ports `y`, `y_out` and `flags`; 0 for missing ones.
#[derive(Clone, Copy)]
pub(crate) struct Results {
    pub y: u64,
    pub out: u64,
    pub flags: u64,
}

/// Columns for [`Results`].
pub(crate) struct Sink<'a> {
    y: &'a mut [u64],
    out: Option<&'a mut [u64]>,
    flags: Option<&'a mut [u64]>,
}

impl<'a> Sink<'a> {
    pub fn new(model: &Model, outputs: &'a mut [ColumnMut]) -> Sink<'a> {
        let mut columns = outputs.iter_mut().map(|column| &mut *column.words);
        let mut next = || columns.next().expect("a column an output");
        Sink { y: next(), out: model.output.map(|_| next()), flags: model.flags.map(|_| next()) }
    }

    #[inline(always)]
    pub fn store(&mut self, vector: usize, results: Results) {
        self.y[vector] = results.y;
        if let Some(out) = &mut self.out {
            out[vector] = results.out;
        }
        if let Some(flags) = &mut self.flags {
            flags[vector] = results.flags;
        }
    }
}

impl Model {
    /// [`Model::evaluate`] on a fast path, if there is one.
    pub(crate) fn fast(&self, inputs: &[Word]) -> Option<Vec<Word>> {
        let mut words = [0; 8];
        for (word, input) in words.iter_mut().zip(inputs) {
            *word = low_bits(input) as u64;
        }
        let Results { y, out, flags } = self.results(words.get(..inputs.len())?)?;
        let words = [Some(y), self.output.map(|_| out), self.flags.map(|_| flags)];
        Some(words.into_iter().flatten().map(Word::from).collect())
    }

    /// The word of the first output, for a unit whose ports have up to 128 bits each.
    pub fn first_result(&self, inputs: &[u128]) -> u128 {
        let mut words = [0; 8];
        words.iter_mut().zip(inputs).for_each(|(word, &input)| *word = input as u64);
        let results = words.get(..inputs.len()).and_then(|words| self.results(words));
        results.map_or_else(|| low_bits(&self.evaluate(inputs)[0]), |results| results.y.into())
    }

    /// The results on a fast path, if there is one.
    pub(crate) fn results(&self, inputs: &[u64]) -> Option<Results> {
        if !self.is_fast() {
            return None;
        }
        if let (Some((rm, operands)), false) = (inputs.split_last(), self.directions.is_empty()) {
            return self.directions[Rounding::place_of_mode(*rm)].results(operands);
        }
        let (operands, random) = match inputs.split_last() {
            Some((&random, operands)) if self.rounding_port_bits > 0 => (operands, Random(random)),
            _ => (inputs, Random(0)),
        };
        let decoded = |codes: [u64; 2]| codes.map(|code| self.operand.decode(code.into()));
        Some(match (self.shape, operands) {
            (Shape::Conversion, &[x]) => self.plain(self.convert(x, self.operand.decode(x.into()), random)),
            (Shape::Product, &[a, b]) => self.multiply(self.factors([a, b], decoded([a, b])), random),
            (Shape::Sum, &[a, b]) => self.add([a, b], decoded([a, b]), random),
            (Shape::Accumulation | Shape::RoundedAccumulation, &[a, b, c]) => {
                let factors = self.factors([a, b], decoded([a, b]));
                self.accumulate(factors, c, self.result.decode(c.into()), random)
            }
            (Shape::RunningSum, &[x, clear]) => {
                let acc = self.result.decode(self.result.zero_code(false));
                self.running_sum(acc, (x, self.operand.decode(x.into())), clear & 1 == 1, random)
            }
            (Shape::Parts, &[sign, zero, nar, exponent, significand, sticky]) => {
                let parts = self.value_of_parts([sign, zero, nar, exponent, significand, sticky]);
                self.plain(self.encode(parts, &mut { random }))
            }
            _ => return None,
        })
    }

    /// [`Model::evaluate`] for many vectors, with one column per input and output. The vectors of a unit with state are
    /// a sequence from a reset.
    pub fn evaluate_columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        if self.has_state() {
            return self.run_columns(inputs, outputs);
        }
        if self.is_wrapped() {
            return self.choice_columns(inputs, outputs);
        }
        let count = outputs[0].words.len() / outputs[0].limbs;
        if let Some(dot) = ExactDot::of(self, count) {
            return dot.columns(inputs, outputs);
        }
        if !self.is_fast() || !self.directions.is_empty() {
            return self.evaluate_each(inputs, outputs, count);
        }
        let words = |at: usize| inputs[at].words;
        let last = inputs.len() - 1;
        let random = |vector: usize| Random(if self.rounding_port_bits > 0 { words(last)[vector] } else { 0 });
        let mut sink = Sink::new(self, outputs);
        let operand = FastDecoder::new(self.operand, count);
        match self.shape {
            Shape::Conversion => {
                for (vector, &x) in words(0).iter().enumerate() {
                    sink.store(vector, self.plain(self.convert(x, operand.decode(x), random(vector))));
                }
            }
            Shape::Product => {
                for (vector, (&a, &b)) in words(0).iter().zip(words(1)).enumerate() {
                    let factors = self.factors([a, b], [operand.decode(a), operand.decode(b)]);
                    sink.store(vector, self.multiply(factors, random(vector)));
                }
            }
            Shape::Sum => {
                for (vector, (&a, &b)) in words(0).iter().zip(words(1)).enumerate() {
                    let values = [operand.decode(a), operand.decode(b)];
                    sink.store(vector, self.add([a, b], values, random(vector)));
                }
            }
            Shape::Accumulation | Shape::RoundedAccumulation => {
                self.accumulate_columns([words(0), words(1), words(2)], &operand, random, &mut sink);
            }
            Shape::Parts | Shape::RunningSum | Shape::Function | Shape::Machine | Shape::Other => {
                self.evaluate_each(inputs, outputs, count);
            }
        }
    }

    /// Evaluates vector by vector: on a fast path, functions of narrow ports without conversion to words, all others by the plain walk.
    fn evaluate_each(&self, inputs: &[Column], outputs: &mut [ColumnMut], count: usize) {
        if self.is_fast() {
            let (mut sink, mut words) = (Sink::new(self, outputs), vec![0; inputs.len()]);
            let all = (0..count).try_for_each(|vector| {
                words.iter_mut().zip(inputs).for_each(|(word, column)| *word = column.words[vector]);
                self.results(&words).map(|results| sink.store(vector, results))
            });
            if all.is_some() {
                return;
            }
        }
        let is_narrow = inputs
            .iter()
            .map(|column| column.limbs)
            .chain(outputs.iter().map(|column| column.limbs))
            .all(|limbs| limbs == 1);
        if let (&Meaning::Function(function), true) = (&self.meaning, is_narrow) {
            let (mut words, mut results) = (vec![0; inputs.len()], vec![0; outputs.len()]);
            for vector in 0..count {
                words.iter_mut().zip(inputs).for_each(|(word, column)| *word = column.words[vector].into());
                functions::evaluate(self, function, &words, &mut results);
                outputs.iter_mut().zip(&results).for_each(|(column, &word)| column.words[vector] = word as u64);
            }
            return;
        }
        let has_words = self.outputs.iter().all(|port| port.lanes == 1 && port.width() <= u64::BITS);
        if let (Meaning::Formula(formula), true) = (&self.meaning, has_words) {
            return self.walk_each(formula, inputs, outputs, count);
        }
        for vector in 0..count {
            let words: Vec<Word> = inputs.iter().map(|column| column.word(vector)).collect();
            let results = self.evaluate(&words);
            outputs.iter_mut().zip(&results).for_each(|(column, word)| column.set(vector, word));
        }
    }

    /// Evaluates vector by vector by the plain walk, for operands of any width and codes of one limb.
    fn walk_each(&self, formula: &Formula, inputs: &[Column], outputs: &mut [ColumnMut], count: usize) {
        let mut outcomes = vec![];
        for vector in 0..count {
            let words: Vec<&[u64]> = inputs.iter().map(|column| column.only(vector).words).collect();
            let walk = Walk::reusing(self, formula, &words, &[], outcomes);
            outputs.iter_mut().zip(walk.outputs()).for_each(|(column, code)| column.words[vector] = code as u64);
            outcomes = walk.into_outcomes();
        }
    }

    /// Exhaustive runs keep `a` and `b` constant while `c` varies, so the product is reused.
    fn accumulate_columns(
        &self,
        [a, b, c]: [&[u64]; 3],
        factor: &FastDecoder,
        random: impl Fn(usize) -> Random,
        sink: &mut Sink,
    ) {
        let addend = FastDecoder::new(self.result, c.len());
        let mut codes = None;
        let mut factors = Factors { product: Value::Nan, signals: 0 };
        for (vector, ((&a, &b), &c)) in a.iter().zip(b).zip(c).enumerate() {
            if codes != Some([a, b]) {
                codes = Some([a, b]);
                factors = self.factors([a, b], [factor.decode(a), factor.decode(b)]);
            }
            sink.store(vector, self.accumulate(factors, c, addend.decode(c), random(vector)));
        }
    }

    #[inline(always)]
    fn multiply(&self, Factors { product, signals }: Factors, mut random: Random) -> Results {
        self.plain(self.round(product, &mut random).with_flags(signals))
    }

    #[inline(always)]
    fn add(&self, codes: [u64; 2], [a, b]: [Value; 2], mut random: Random) -> Results {
        let signals = self.signals(&self.operand, codes[0], a) | self.signals(&self.operand, codes[1], b);
        let [a, b] = self.signed([a, b]);
        self.plain(self.sum(a, b, &mut random).with_flags(signals))
    }

    /// The terms of the last sum, with their signs.
    #[inline(always)]
    fn signed(&self, [first, last]: [Value; 2]) -> [Value; 2] {
        let [negates_first, negates_last] = self.signs;
        [if negates_first { first.negated() } else { first }, if negates_last { last.negated() } else { last }]
    }

    /// The exact product of two operands.
    #[inline(always)]
    pub(crate) fn factors(&self, codes: [u64; 2], [a, b]: [Value; 2]) -> Factors {
        let product = Value::product(a, b);
        if self.flags.is_none() {
            return Factors { product, signals: 0 };
        }
        let invalid = self.invalid_if(product == Value::Nan && a != Value::Nan && b != Value::Nan);
        let signals = self.signals(&self.operand, codes[0], a) | self.signals(&self.operand, codes[1], b);
        Factors { product, signals: invalid | signals }
    }

    /// `fmac` and `mac` with a decoded addend `c`.
    #[inline(always)]
    fn accumulate(&self, factors: Factors, c: u64, addend: Value, word: Random) -> Results {
        let mut random = word;
        let mut signals = factors.signals | self.signals(&self.result, c, addend);
        let product = if self.shape == Shape::RoundedAccumulation {
            let rounded = self.round(factors.product, &mut random);
            signals |= rounded.flags;
            self.result.decode(rounded.code.into())
        } else {
            factors.product
        };
        let [product, addend] = self.signed([product, addend]);
        let sum = self.sum(product, addend, &mut random).with_flags(signals);
        match &self.conversion {
            None => self.plain(sum),
            Some(conversion) => self.with_output(conversion, sum, word),
        }
    }

    /// `y` and its flags.
    #[inline(always)]
    pub(crate) fn plain(&self, rounded: Rounded) -> Results {
        Results { y: rounded.code, out: 0, flags: rounded.flags }
    }

    /// `y` and `y_out`, and the combined flags of both roundings. The last random bits are those of `y_out`, whether the
    /// sum took its own or was exact.
    fn with_output(&self, conversion: &Model, sum: Rounded, mut random: Random) -> Results {
        if conversion.rounding_port_bits > 0 {
            random.take(self.rounding_port_bits - conversion.rounding_port_bits);
        }
        let out = match self.output.and_then(|output| output.activation) {
            Some(Activation::Function(_)) => {
                let out = conversion.function_of(sum.code, random);
                return Results { y: sum.code, out: out.code, flags: port_word(sum.flags | out.flags, true) };
            }
            Some(Activation::Relu) if self.result.decode(sum.code.into()).is_negative() => {
                conversion.converted(self.result.zero_code(false) as u64, random)
            }
            Some(Activation::Relu) | None => conversion.converted(sum.code, random),
        };
        Results { y: sum.code, out: out.code, flags: sum.flags | out.flags }
    }

    #[inline(always)]
    fn converted(&self, code: u64, random: Random) -> Rounded {
        self.convert(code, self.operand.decode(code.into()), random)
    }

    /// The only function of a formula, of a code.
    fn function_of(&self, code: u64, random: Random) -> Rounded {
        let formula = self.formula().expect("a function has a formula");
        let (code, word) = ([code], [random.0]);
        let inputs = [&code[..], &word[..]];
        let walk = Walk::new(self, formula, &inputs, &[]);
        let result = walk.of(formula.results().next().expect("a function has a result"));
        Rounded { code: result.code.expect("a result is a code").0 as u64, flags: result.flags }
    }

    /// The flag of an invalid operation, if flags are requested.
    pub(crate) fn invalid_if(&self, condition: bool) -> u64 {
        if condition && self.flags.is_some() { INVALID } else { 0 }
    }

    /// Operating on a signaling NaN is invalid; `value` is the value of the code.
    #[inline(always)]
    pub(crate) fn signals(&self, format: &Format, code: u64, value: Value) -> u64 {
        let is_nan = self.flags.is_some() && value == Value::Nan;
        if is_nan && format.is_signaling(code.into()) { INVALID } else { 0 }
    }
}
