//! A unit with everything that determines its output bits, and its ports.

use crate::{
    Activation, Comparison, Dataflow, Extremum, Format, Formula, Function, Generator, Kind, Like, MachineFunction,
    Meaning, NanResult, Negation, OfFunction, Optimizer, Overflow, PlainFunction, Port, Posit, PositRange, Products,
    Reduction, Rounding, ScaleRule, Significand, StageKind, Summation, Target, Tininess, Unit, UpdateRule, WordKind,
};

/// A unit with its formats and roundings: everything that determines its output bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The kind of unit.
    pub unit: Unit,
    /// Format of `x`, or of `a` and `b`.
    pub operand: Format,
    /// Format of `y`, and of `c`.
    pub result: Format,
    /// The rounding direction of every result, except DLFloat16 results, which have their own.
    pub rounding: Rounding,
    /// Whether the unit generates the random bits of stochastic rounding itself instead of reading them from a port.
    pub has_internal_random: bool,
    /// What floating-point results beyond the largest finite value become.
    pub overflow: Overflow,
    /// What posit results beyond the range become.
    pub posit_range: PositRange,
    /// The second output made from the new accumulator, besides `y`.
    pub output: Option<OutputConversion>,
    /// Whether there is a port `flags`, and when a result counts as tiny.
    pub flags: Option<Tininess>,
    /// What a converted NaN becomes.
    pub nan: NanResult,
    /// The bits into which codes are NaN-boxed, if they are and a code is narrower.
    pub boxing: Option<u32>,
    /// The settings of this kind of units.
    pub kind: Kind,
    /// The operations for the values of port `fmt` above 0; empty if there is no such port.
    pub others: &'static [Operation],
}

/// The conversion of the accumulator to another format, on port `y_out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutputConversion {
    /// The format of port `y_out` or `d_out`.
    pub format: Format,
    /// What is done to the accumulator first.
    pub activation: Option<Activation>,
}

impl Operation {
    /// An operation with defaults for everything else.
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
            nan: NanResult::default(),
            boxing: None,
            kind: (unit.definition().kind)(),
            others: &[],
        }
    }

    /// The formats in which `a` and `b` are multiplied.
    pub fn factors(&self) -> [Format; 2] {
        [self.operand, self.second().unwrap_or(self.operand)]
    }

    /// What the unit computes; a unit with a port `fmt` is a function, whose choices have formulas.
    pub fn meaning(&self) -> Meaning {
        match self.internal_generator() {
            _ if self.is_wrapped() => Meaning::Function(PlainFunction::OfChoice),
            Some(generator) => Meaning::Machine(MachineFunction::Drawn(generator), vec![generator.state()]),
            None => (self.unit.definition().meaning)(self),
        }
    }

    /// Whether the unit has state.
    pub fn has_state(&self) -> bool {
        !self.registers().is_empty()
    }

    /// The registers of its formula, as ports.
    pub fn registers(&self) -> Vec<Port> {
        self.meaning().registers()
    }

    /// A description of what the unit computes, if its formula does not say it.
    pub fn about(&self) -> Option<Vec<String>> {
        self.unit.definition().about.map(|about| about(self))
    }

    /// Whether an operand or a result is a codebook.
    pub fn has_codebook(&self) -> bool {
        let ports = self.inputs().into_iter().chain(self.outputs()).filter_map(|port| port.format());
        ports.chain([self.result]).any(|format| matches!(format, Format::Codebook(_)))
    }

    /// The format and policies of the result.
    pub fn target(&self) -> Target {
        let Operation { result: format, rounding, overflow, posit_range, flags, nan, .. } = *self;
        Target { format, rounding, overflow, posit_range, flags, nan }
    }

    /// The target of the output conversion, if there is one.
    pub fn output_target(&self) -> Option<Target> {
        let format = self.output?.format;
        Some(Target { format, rounding: format.own_rounding(self.rounding), ..self.target() })
    }

    /// The input ports: operands, then the random word or the ports that seed an internal generator, if any, then the port that
    /// chooses the formats.
    pub fn inputs(&self) -> Vec<Port> {
        if self.is_wrapped() {
            return self.ports_of_choices(Operation::inputs).into_iter().chain(self.choice_port()).collect();
        }
        let mut ports = (self.unit.definition().inputs)(self);
        ports.extend(self.internal_generator().into_iter().flat_map(Generator::ports));
        ports.extend(self.rounding_port());
        ports
    }

    /// The output ports.
    pub fn outputs(&self) -> Vec<Port> {
        match self.is_wrapped() {
            true => self.ports_of_choices(Operation::outputs),
            false => (self.unit.definition().outputs)(self),
        }
    }

    /// Bits of all inputs together: `2^input_bits` combinations exist.
    pub fn input_bits(&self) -> u32 {
        self.inputs().iter().map(Port::width).sum()
    }

    /// The last input port before the choice of formats, if the roundings read one: `random_bits`, or `rm` with the rounding direction.
    pub fn rounding_port(&self) -> Option<Port> {
        match (self.rounding, self.rounding_port_bits()) {
            (_, 0) => None,
            (Rounding::Any, bits) => Some(Port::word("rm", bits, WordKind::RoundingMode)),
            (_, bits) => Some(Port::word("random_bits", bits, WordKind::Random)),
        }
    }

    /// Bits of the port `random_bits`, the sum over all roundings.
    pub fn random_bits(&self) -> u32 {
        if self.rounding == Rounding::Any { 0 } else { self.rounding_port_bits() }
    }

    /// Bits of the port that the roundings read: `random_bits`, with the sum over all roundings, or `rm`.
    pub fn rounding_port_bits(&self) -> u32 {
        if self.rounding.port_bits() == 0 {
            return 0;
        }
        self.choices()[0].meaning().formula().map_or(0, Formula::rounding_port_bits)
    }

    /// The conversion of the accumulator to the output format, or its function in that format, as a separate operation.
    pub fn output_conversion(&self, output: &OutputConversion) -> Operation {
        let alone = match output.activation {
            Some(Activation::Function(function)) => {
                Operation { kind: Kind::Function(OfFunction { function }), ..self.alone(Unit::Function) }
            }
            Some(Activation::Relu) | None => self.alone(Unit::Convert),
        };
        Operation {
            operand: self.result,
            result: output.format,
            rounding: output.format.own_rounding(self.rounding),
            has_internal_random: false,
            ..alone
        }
    }

    /// The function of the accumulator that is the second output, as a separate operation.
    pub fn activation_function(&self) -> Option<Operation> {
        let output = self.output?;
        matches!(output.activation, Some(Activation::Function(_))).then(|| self.output_conversion(&output))
    }

    /// Whether there is a flag for a division by zero.
    pub fn divides(&self) -> bool {
        let plain = self.plain();
        let inputs = (plain.unit.definition().inputs)(&plain);
        plain.formula().is_some_and(|formula| formula.divides(&inputs))
    }

    /// The operation in its first formats, with unboxed codes, and with its random bits on a port.
    fn plain(&self) -> Operation {
        self.choices()[0].with_random_port()
    }

    /// The formula of the operation in its first formats; `None` for units without one.
    pub fn formula(&self) -> Option<Formula> {
        if let Meaning::Formula(formula) = self.plain().meaning() { Some(formula) } else { None }
    }

    /// What this formula rounds first.
    pub fn first_stage(&self) -> Option<StageKind> {
        self.formula()?.stages().ok()?.into_iter().next().map(|stage| stage.kind)
    }

    /// The same roundings in another unit, without a second output.
    pub fn alone(&self, unit: Unit) -> Operation {
        Operation { unit, kind: (unit.definition().kind)(), output: None, boxing: None, others: &[], ..*self }
    }

    /// The same sum of products with other settings.
    ///
    /// # Panics
    /// When the unit is not a sum of products.
    pub fn with_products(&self, change: impl FnOnce(Products) -> Products) -> Operation {
        Operation { kind: Kind::Products(change(self.settings())), ..*self }
    }

    /// The settings of the unit's kind: `operation.settings::<Update>().rule`.
    ///
    /// # Panics
    /// When the unit is of another kind.
    #[track_caller]
    pub fn settings<S: TryFrom<Kind>>(&self) -> S {
        let none = |_| panic!("{} has no settings of {}", self.unit, std::any::type_name::<S>());
        S::try_from(self.kind).unwrap_or_else(none)
    }

    /// The posit of a posit unit.
    pub(crate) fn posit(&self) -> &Posit {
        self.operand.posit().expect("posit units have posit formats")
    }
}

/// A setting of some kinds of units. Others have none, or a value that is true of them, too: one lane, no second format.
macro_rules! of_kind {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $default:expr, of $($kind:ident),+;)*) => {
        impl Operation {
            $($(#[$doc])*
            ///
            #[doc = concat!("In other units it is `", stringify!($default), "`.")]
            pub fn $name(&self) -> $type {
                match self.kind {
                    $(Kind::$kind(it) => it.$name.into(),)+
                    _ => $default,
                }
            })*
        }
    };
}

of_kind! {
    /// Which terms are negated.
    negation: Option<Negation> = None, of MultiplyAdd;
    /// Format of `b`, if it differs from that of `a`.
    second: Option<Format> = None, of Products, Scaled, Accumulation;
    /// Format in which operands arrive, if they are rounded first.
    source: Option<Format> = None, of Products, Scaled;
    /// Format of scales.
    scale: Option<Format> = None, of Scaled;
    /// How scales that are powers of two are chosen.
    scale_rule: Option<ScaleRule> = None, of Scaled;
    /// Format of the factor of all numbers of a tensor, if they have one.
    tensor_scale: Option<Format> = None, of Scaled;
    /// The matrix unit for blocks with scales that is modeled.
    like: Option<Like> = None, of Scaled;
    /// Lanes of an operand; for matrices, the columns of `A` and the rows of `B`.
    lanes: u32 = 1, of Products, Scaled, Accumulation, LossScaler, Vector;
    /// Rows of `A`, and of `C` and `D`.
    rows: u32 = 1, of Products;
    /// Columns of `B`, and of `C` and `D`.
    columns: u32 = 1, of Products;
    /// The dataflow of a systolic array, if the unit is one.
    array: Option<Dataflow> = None, of Products;
    /// How products are added.
    summation: Option<Summation> = None, of Products;
    /// Products per block, if there are blocks; elements that share a scale.
    block: u32 = 1, of Products, Scaled;
    /// Whether products are rounded before they are added, where that is a choice.
    rounds_products: bool = false, of Products;
    /// log2 of the number of products of the largest values that can be added without overflow.
    guard_bits: Option<u32> = None, of Accumulation;
    /// Whether the unrounded sum is a second output.
    has_quire: bool = false, of Accumulation;
    /// Which NaNs a comparison signals.
    comparison: Option<Comparison> = None, of Compare;
    /// How a decoder of posits gives the significand.
    significand: Option<Significand> = None, of Decoder;
    /// Which minimum or maximum it is.
    extremum: Option<Extremum> = None, of Minmax;
    /// What a vector is reduced to.
    reduction: Option<Reduction> = None, of Vector;
    /// Which function it is.
    function: Option<Function> = None, of Function;
    /// How an update adds.
    rule: Option<UpdateRule> = None, of Update;
    /// Whether the update is the product of a rate and a gradient.
    has_fused_rate: bool = false, of Update;
    /// What an update is made of.
    optimizer: Option<Optimizer> = None, of Update;
    /// Good steps after which a scale is doubled.
    interval: Option<u32> = None, of LossScaler;
    /// The exponent of the initial scale.
    start: Option<i32> = None, of LossScaler;
    /// The algorithm of a random generator.
    generator: Option<Generator> = None, of Random;
    /// Bits of a random word.
    word_bits: Option<u32> = None, of Random;
}
