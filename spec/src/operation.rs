//! A unit with all that decides its output bits, and its ports.

use crate::units::{DEFAULT_BITS, DEFAULT_GUARD, DEFAULT_INTERVAL, DEFAULT_START, random};
use crate::{
    Comparison, Dataflow, Extremum, Format, Generator, Meaning, Negation, Overflow, Port, Posit, PositRange, Rounding,
    Summation, Target, Tininess, Unit, UpdateRule, WordKind,
};

/// A unit with its formats and its way of rounding: everything that decides its output bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The kind of unit.
    pub unit: Unit,
    /// Format of `x`, or of `a` and `b`.
    pub operand: Format,
    /// Format of `y`, and of `c`.
    pub result: Format,
    /// The rounding direction of every result, but of DLFloat16 results, which have their own.
    pub rounding: Rounding,
    /// Whether the unit makes the random bits of stochastic rounding itself: they are no port then.
    pub has_internal_random: bool,
    /// What results beyond the largest finite value become, where they are floats.
    pub overflow: Overflow,
    /// What results beyond the ends of the format become, where they are posits.
    pub posit_range: PositRange,
    /// What becomes of the new accumulator besides `y`.
    pub output: Option<OutputConversion>,
    /// Whether there is a port `flags`, and when a result counts as tiny.
    pub flags: Option<Tininess>,
    /// Which NaNs `compare` signals.
    pub comparison: Comparison,
    /// What `minmax` gives.
    pub extremum: Extremum,
    /// Which terms of `fmac` are taken with the other sign.
    pub negation: Option<Negation>,
    /// Format of `b`, where it is not that of `a`.
    pub second: Option<Format>,
    /// Format in which `a` and `b` arrive, where they are rounded first.
    pub source: Option<Format>,
    /// Format of `a_scale` and `b_scale`, and of the scale of `mx-quantize`.
    pub scale: Format,
    /// Codes of `a`, and of `b`, side by side; those of `g`; columns of `A`, and rows of `B`.
    pub lanes: u32,
    /// Rows of `A`, and of `C` and `D`.
    pub rows: u32,
    /// Columns of `B`, and of `C` and `D`.
    pub columns: u32,
    /// What stays in the elements of a systolic array, where the unit is one.
    pub array: Option<Dataflow>,
    /// How products and `c` are added.
    pub summation: Summation,
    /// Products of one block, where there are blocks.
    pub block: u32,
    /// Whether products are rounded before they are added.
    pub rounds_products: bool,
    /// Products of the largest values that `dot-exact` adds without overflow: 2 to this power.
    pub guard_bits: u32,
    /// Whether its sum is a second output before it is rounded, as the quire of the posit standard.
    pub has_quire: bool,
    /// Good steps after which the scale of `loss-scaler` doubles.
    pub interval: u32,
    /// The exponent of its first scale.
    pub start: i32,
    /// How `update` adds.
    pub rule: UpdateRule,
    /// Whether the update is the product of a rate and a gradient.
    pub has_fused_rate: bool,
    /// How `random` makes words.
    pub generator: Generator,
    /// Bits of its words.
    pub word_bits: u32,
}

/// The conversion of the accumulator to another format, on port `y_out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutputConversion {
    /// The format of port `y_out`.
    pub format: Format,
    /// Negative accumulators (-0, too) become +0 first.
    pub relu: bool,
}

impl Operation {
    /// An operation with everything else by default.
    pub fn new(unit: Unit, operand: Format, result: Format) -> Operation {
        Operation {
            unit,
            operand,
            result,
            rounding: result.default_rounding(),
            has_internal_random: false,
            overflow: Overflow::default(),
            posit_range: PositRange::default(),
            output: None,
            flags: None,
            comparison: Comparison::default(),
            extremum: Extremum::default(),
            negation: None,
            second: None,
            source: None,
            scale: Format::e8m0(),
            lanes: 1,
            rows: 1,
            columns: 1,
            array: None,
            summation: Summation::default(),
            block: 1,
            rounds_products: false,
            guard_bits: DEFAULT_GUARD,
            has_quire: false,
            interval: DEFAULT_INTERVAL,
            start: DEFAULT_START,
            rule: UpdateRule::default(),
            has_fused_rate: false,
            generator: Generator::default(),
            word_bits: DEFAULT_BITS,
        }
    }

    /// The formats of `a` and `b` as they are multiplied.
    pub fn factors(&self) -> [Format; 2] {
        [self.operand, self.second.unwrap_or(self.operand)]
    }

    /// What is computed.
    pub fn meaning(&self) -> Meaning {
        match self.internal_generator() {
            Some(generator) => Meaning::Machine(vec![random::state(generator)]),
            None => (self.unit.definition().meaning)(self),
        }
    }

    /// Whether the unit keeps a state from clock to clock.
    pub fn has_state(&self) -> bool {
        !self.registers().is_empty()
    }

    /// The registers that are part of the meaning, as ports would carry them.
    pub fn registers(&self) -> Vec<Port> {
        self.meaning().registers()
    }

    /// What the unit computes in words, where its formula does not say it.
    pub fn about(&self) -> Option<Vec<String>> {
        self.unit.definition().about.map(|about| about(self))
    }

    /// What the result is rounded into.
    pub fn target(&self) -> Target {
        let Operation { result: format, rounding, overflow, posit_range, flags, .. } = *self;
        Target { format, rounding, overflow, posit_range, flags }
    }

    /// What the new accumulator is converted into, if it is.
    pub fn output_target(&self) -> Option<Target> {
        let format = self.output?.format;
        Some(Target { format, rounding: format.own_rounding(self.rounding), ..self.target() })
    }

    /// The input ports: operands, then the random word if there is one, or what starts the generator of such words.
    pub fn inputs(&self) -> Vec<Port> {
        let mut ports = (self.unit.definition().inputs)(self);
        ports.extend(self.internal_generator().into_iter().flat_map(random::ports));
        if self.random_bits() > 0 {
            ports.push(Port::word("random_bits", self.random_bits(), WordKind::Random));
        }
        ports
    }

    /// The output ports.
    pub fn outputs(&self) -> Vec<Port> {
        (self.unit.definition().outputs)(self)
    }

    /// Bits of all inputs together: `2^input_bits` combinations exist.
    pub fn input_bits(&self) -> u32 {
        self.inputs().iter().map(Port::width).sum()
    }

    /// Bits of the random word on port `random_bits`: for each rounding as many as it takes.
    pub fn random_bits(&self) -> u32 {
        if self.rounding.random_bits() == 0 {
            return 0;
        }
        match self.meaning() {
            Meaning::Formula(formula) => formula.random_bits(),
            Meaning::Function | Meaning::Machine(_) => 0,
        }
    }

    /// The conversion of the accumulator to the output format, as an operation of its own.
    pub fn output_conversion(&self, output: &OutputConversion) -> Operation {
        Operation {
            unit: Unit::Convert,
            operand: self.result,
            result: output.format,
            rounding: output.format.own_rounding(self.rounding),
            output: None,
            has_internal_random: false,
            ..*self
        }
    }

    /// The posit of a posit unit.
    pub(crate) fn posit(&self) -> &Posit {
        self.operand.posit().expect("posit units have posit formats")
    }
}
