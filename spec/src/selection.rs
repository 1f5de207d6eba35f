//! From the user's settings to an operation, if there is one.

use crate::function::MOST_OPERAND_BITS;
use crate::operation_error::MOST_WINDOW_BITS;
use crate::units::OnPorts;
use crate::{
    Activation, Algorithm, Comparison, Dataflow, Extremum, FieldZero, Float, Format, Function, Generator, Like,
    MOST_PORT_BITS, NanResult, Negation, Operation, OperationError, Optimizer, OtherFormats, OutputConversion,
    Overflow, PositRange, Profile, Reduction, Rounding, ScaleRule, Setting, Sign, Significand, Summation, Tininess,
    Unit,
};

/// The user's settings; the defaults of missing ones depend on the formats.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// The kind of unit.
    pub unit: Unit,
    /// The format of the operands; for `encode`, that of the result.
    pub format: Format,
    /// Accumulator of `fmac`, `mac` and `accumulate`. Default: binary16 for operands of up to 8 bits, else binary32;
    /// for fixed-point operands 32 or 64 bits with twice their fraction bits.
    pub accumulator: Option<Format>,
    /// Result of `convert`.
    pub target: Option<Format>,
    /// Format of the second output of `fmac` and `mac`, converted from the new accumulator.
    pub output: Option<Format>,
    /// What is done to the accumulator before the conversion to `output`.
    pub activation: Option<Activation>,
    /// The rounding direction. Default: that of the result format.
    pub rounding: Option<Rounding>,
    /// Whether the unit generates the random bits of stochastic rounding itself.
    pub has_internal_random: bool,
    /// What floating-point results beyond the largest finite value become.
    pub overflow: Overflow,
    /// What posit results beyond the range become.
    pub posit_range: PositRange,
    /// Whether there are exception flags, and when a result counts as tiny.
    pub flags: Option<Tininess>,
    /// What a converted NaN becomes.
    pub nan: NanResult,
    /// The bits into which codes are NaN-boxed. Default: with a profile those of the widest format, else codes are not boxed.
    pub boxing: Option<u32>,
    /// The instruction set whose rules hold where no other setting says otherwise.
    pub profile: Option<Profile>,
    /// Which NaNs `compare` signals.
    pub comparison: Option<Comparison>,
    /// How `posit-decoder` gives the significand. Default: its magnitude.
    pub significand: Option<Significand>,
    /// The operation of `minmax`.
    pub extremum: Option<Extremum>,
    /// The function of `function`.
    pub function: Option<Function>,
    /// What `reduce` computes. Default: the sum.
    pub reduction: Option<Reduction>,
    /// Format of `b` in `dot`. Default: that of `a`.
    pub second: Option<Format>,
    /// Format in which the operands of `dot` arrive, to be rounded first.
    pub source: Option<Format>,
    /// Format of the scales of blocks. Default: e8m0.
    pub scale: Option<Format>,
    /// How the scales of `mx-quantize` are chosen. Default: `floor`.
    pub scale_rule: Option<ScaleRule>,
    /// Format of the factor by which `mx-quantize` multiplies its numbers first. Default: none.
    pub tensor_scale: Option<Format>,
    /// Products of `dot`. Default: 4, or as many as the modeled matrix unit adds at once. Elements of `mx-dot`: 32. Lanes
    /// of `loss-scaler`: 1.
    pub lanes: Option<u32>,
    /// Rows of `A` in `mma`. Default: 4.
    pub rows: Option<u32>,
    /// Columns of `B`. Default: 4.
    pub columns: Option<u32>,
    /// Columns of `A` and rows of `B`: products per element. Default: 4, or as many as the modeled matrix unit adds at
    /// once.
    pub depth: Option<u32>,
    /// The dataflow of a systolic array. Default: `mma` is no array.
    pub array: Option<Dataflow>,
    /// How `dot` is summed. Default: exactly.
    pub summation: Option<Summation>,
    /// Products per block. Default: 8 for `fmac8`, all for truncated sums, or as many as the modeled matrix unit adds at
    /// once.
    pub block: Option<u32>,
    /// Whether products are rounded before they are added.
    pub rounds_products: bool,
    /// The matrix unit that `dot` models.
    pub like: Option<Like>,
    /// log2 of the number of products of the largest values that `dot-exact` adds without overflow. Default: 30.
    pub guard_bits: Option<u32>,
    /// Whether its unrounded sum is a second output, like the quire of the posit standard.
    pub has_quire: bool,
    /// Good steps after which `loss-scaler` doubles its scale. Default: 2000.
    pub interval: Option<u32>,
    /// The exponent of its initial scale. Default: 24.
    pub start: Option<i32>,
    /// Which terms of `fmac` are negated.
    pub negation: Option<Negation>,
    /// The algorithm of `random` or `update`. Default: `lfsr16`, `nearest`.
    pub algorithm: Option<Algorithm>,
    /// Whether the update is the product of a rate and a gradient.
    pub has_fused_rate: bool,
    /// What the update is made of. Default: a gradient.
    pub optimizer: Option<Optimizer>,
    /// Bits of the words of `random`. Default: 8.
    pub word_bits: Option<u32>,
    /// Where the user gave lists of formats of which a port chooses, the formats after the first.
    pub others: OtherFormats,
}

impl Selection {
    /// A selection with defaults for everything else.
    pub fn new(unit: Unit, format: Format) -> Selection {
        Selection {
            unit,
            format,
            accumulator: None,
            target: None,
            output: None,
            activation: None,
            rounding: None,
            has_internal_random: false,
            overflow: Overflow::default(),
            posit_range: PositRange::default(),
            flags: None,
            nan: NanResult::default(),
            boxing: None,
            profile: None,
            comparison: None,
            significand: None,
            extremum: None,
            function: None,
            reduction: None,
            second: None,
            source: None,
            scale: None,
            scale_rule: None,
            tensor_scale: None,
            lanes: None,
            rows: None,
            columns: None,
            depth: None,
            array: None,
            summation: None,
            block: None,
            rounds_products: false,
            like: None,
            guard_bits: None,
            has_quire: false,
            interval: None,
            start: None,
            negation: None,
            algorithm: None,
            has_fused_rate: false,
            optimizer: None,
            word_bits: None,
            others: OtherFormats::default(),
        }
    }

    /// The selected operation.
    ///
    /// # Errors
    /// When the unit does not take a setting, lacks one, or cannot round to the format this way.
    pub fn operation(self) -> Result<Operation, OperationError> {
        self.check_words()?;
        let plain = Selection { boxing: None, ..self.with_profile() };
        let first = plain.first_operation()?;
        let operation = if self.others == OtherFormats::default() { first } else { plain.with_choices(first)? };
        let bits = self.boxing.or(self.profile.and_then(|_| operation.widest_code()));
        bits.map_or(Ok(operation), |bits| operation.boxed(bits))
    }

    /// The settings that the profile implies.
    fn with_profile(self) -> Selection {
        let Some(Profile::Riscv) = self.profile else { return self };
        let takes = |setting| self.unit.takes(setting);
        let mut others = self.others;
        if self.accumulator.is_none() && takes(Setting::Acc) {
            others.accumulator = others.format;
        }
        Selection {
            accumulator: self.accumulator.or(takes(Setting::Acc).then_some(self.format)),
            others,
            rounding: self.rounding.or(takes(Setting::Round).then_some(Rounding::Any)),
            flags: self.flags.or(takes(Setting::Flags).then_some(Tininess::After)),
            nan: if takes(Setting::NanResult) && self.nan == NanResult::default() {
                NanResult::Riscv
            } else {
                self.nan
            },
            profile: None,
            ..self
        }
    }

    /// The operation with the first format of each list.
    fn first_operation(self) -> Result<Operation, OperationError> {
        self.check_words()?;
        let [operand, result] = (self.unit.definition().formats)(&self)?;
        let plain = Operation::new(self.unit, operand, result);
        let operation = Operation {
            rounding: self.rounding.unwrap_or(result.default_rounding()),
            has_internal_random: self.has_internal_random,
            overflow: self.overflow,
            posit_range: self.posit_range,
            output: self.output.map(|format| OutputConversion { format, activation: self.activation }),
            flags: self.flags,
            nan: self.nan,
            ..plain
        };
        let operation = (self.unit.definition().resolve)(&self, operation)?;
        operation.check()?;
        Ok(operation)
    }

    /// Refuses settings that the unit does not take.
    fn check_words(&self) -> Result<(), OperationError> {
        let unit = self.unit;
        if self.activation.is_some() && self.output.is_none() {
            return Err(OperationError::ActivationUnused);
        }
        if let Some(setting) = Setting::ALL.into_iter().find(|&setting| self.says(setting) && !unit.takes(setting)) {
            return Err(OperationError::Unused { unit, setting });
        }
        if let Some(algorithm) = self.algorithm.filter(|algorithm| !unit.algorithms().contains(algorithm)) {
            return Err(OperationError::WrongAlgorithm { unit, algorithm });
        }
        Ok(())
    }
}

impl Operation {
    /// Checks that every result of the operation is defined.
    fn check(&self) -> Result<(), OperationError> {
        self.check_internal_random()?;
        match self.rounding {
            Rounding::Any => self.check_rounding_port()?,
            rounding => self.result.check_rounding(rounding)?,
        }
        if self.rounds_to_operands() {
            self.factors().into_iter().try_for_each(|format| format.check_operand_rounding(self.rounding))?;
        }
        if let Some(OutputConversion { format, .. }) = self.output {
            format.check_rounding(format.own_rounding(self.rounding))?;
        }
        let results = [Some(self.result), self.output.map(|output| output.format)];
        for format in results.into_iter().flatten() {
            if self.flags.is_some() && !format.has_flags() {
                return Err(OperationError::NoFlags { format });
            }
        }
        let operands = self.rounds_to_operands().then(|| self.factors());
        let rounded = results.into_iter().flatten().chain(operands.into_iter().flatten());
        rounded.into_iter().try_for_each(|format| format.check_bound(self.posit_range))?;
        let families_differ = self.output.is_some_and(|output| !output.format.is_of_family(&self.result));
        if !families_differ {
            self.result.check_range(self.overflow, self.posit_range)?;
        }
        self.check_activation()?;
        self.check_widths()
    }

    /// Whether numbers are rounded to the operands' format: operands that arrive in another one, but for blocks, and the differences of
    /// softmax.
    fn rounds_to_operands(&self) -> bool {
        self.unit == Unit::Softmax || self.source().is_some() && self.unit != Unit::MxQuantize
    }

    /// Checks that the function of the accumulator, if there is one, can be built.
    fn check_activation(&self) -> Result<(), OperationError> {
        let Some(output) = self.output else { return Ok(()) };
        match output.activation {
            Some(Activation::Function(_)) if self.result.width() > MOST_OPERAND_BITS => {
                Err(OperationError::ActivationBits { format: self.result })
            }
            Some(Activation::Function(_)) => self.output_conversion(&output).check_function(),
            Some(Activation::Relu) | None => Ok(()),
        }
    }

    /// Checks that the unit can take its rounding direction from a port.
    fn check_rounding_port(&self) -> Result<(), OperationError> {
        if self.unit.definition().facts.on_ports != OnPorts::Both || self.output.is_some() {
            return Err(OperationError::UnitOfOneRounding { unit: self.unit });
        }
        let is_plain =
            |float: &Float| float.sign == Sign::Signed && float.binades_below == 0 && float.binades_above == 0;
        let is_float = self.result.float().is_some_and(is_plain) && !self.result.ignores_sign_of_specials();
        if is_float || self.result.fixed().is_some() {
            return Ok(());
        }
        Err(OperationError::FormatOfOneRounding { format: self.result })
    }

    /// Checks that the unit can generate its random words.
    fn check_internal_random(&self) -> Result<(), OperationError> {
        let most = Generator::Lfsr32.most_bits();
        if !self.has_internal_random {
            return Ok(());
        }
        match self.with_random_port().random_bits() {
            0 => Err(OperationError::InternalRandomUnused),
            bits if bits > most => Err(OperationError::TooManyInternalBits { bits, most }),
            _ => Ok(()),
        }
    }

    /// Checks that every port, and the window of every exact sum, has a supported width.
    fn check_widths(&self) -> Result<(), OperationError> {
        let ports = || self.inputs().into_iter().chain(self.outputs());
        if let Some(port) = ports().find(|port| port.width() > MOST_PORT_BITS) {
            return Err(OperationError::WidePort { port: port.name, width: port.width() });
        }
        // Most formats have few exponents: then no window of products of codes and scales is too wide.
        let reaches: Vec<[i64; 2]> = ports().filter_map(|port| port.format()).map(|format| format.reach()).collect();
        let lowest = reaches.iter().map(|[low, _]| *low).min().unwrap_or(0).min(0);
        let above = reaches.iter().map(|[_, high]| *high).max().unwrap_or(0).max(0);
        if 4 * (above - lowest) < MOST_WINDOW_BITS {
            return Ok(());
        }
        match self.meaning().formula().map_or(0, |formula| formula.widest_window(&self.inputs())) {
            width if width > MOST_WINDOW_BITS => Err(OperationError::WideSum { width }),
            _ => Ok(()),
        }
    }
}

impl Format {
    /// To nearest with ties to even; for DLFloat16, its only rounding, with ties away; for a codebook, what its file says.
    pub fn default_rounding(&self) -> Rounding {
        match self {
            Format::Codebook(codebook) => codebook.rounding,
            Format::Float(_) | Format::Posit(_) | Format::Fixed(_) => self.own_rounding(Rounding::Rne),
        }
    }

    /// The rounding of an output conversion: the unit's; for DLFloat16, its only rounding.
    pub fn own_rounding(&self, rounding: Rounding) -> Rounding {
        if self.ignores_sign_of_specials() { Rounding::Rnu } else { rounding }
    }

    /// Checks that this format supports a rounding.
    ///
    /// # Errors
    /// For DLFloat16 any rounding except its own; for formats that are not supernormal the MPTorch rounding; for all formats the
    /// rounding that a port chooses.
    pub fn check_rounding(&self, rounding: Rounding) -> Result<(), OperationError> {
        let format = *self;
        match rounding {
            Rounding::Rnu => Ok(()),
            _ if self.ignores_sign_of_specials() => Err(OperationError::RoundingUndefined { format, rounding }),
            Rounding::Sr(_) => match self {
                Format::Codebook(codebook) if !codebook.has_binary_steps() => {
                    Err(OperationError::StochasticCodebook { format })
                }
                Format::Float(_) | Format::Posit(_) | Format::Fixed(_) | Format::Codebook(_) => Ok(()),
            },
            Rounding::Srb(_) | Rounding::Src(_) if !self.float().is_some_and(Float::underflows_gradually) => {
                Err(OperationError::StochasticOfP3109 { format, rounding })
            }
            Rounding::Any => Err(OperationError::NoOneRounding),
            Rounding::Mptorch if self.float().is_none_or(|float| float.binades_below == 0) => {
                Err(OperationError::NotSupernormal { format })
            }
            _ => Ok(()),
        }
    }

    /// Checks that operands that arrive in another format can be rounded to this one, where the results are rounded in this way.
    fn check_operand_rounding(&self, rounding: Rounding) -> Result<(), OperationError> {
        let adds_to_fraction = match self {
            Format::Float(float) => float.field_zero != FieldZero::Binade && float.binades_below == 0,
            Format::Fixed(_) => true,
            Format::Posit(_) | Format::Codebook(_) => false,
        };
        match rounding {
            Rounding::Srb(_) | Rounding::Src(_) if adds_to_fraction => Ok(()),
            rounding => self.check_rounding(self.own_rounding(rounding)),
        }
    }
}

impl Format {
    /// Checks that the format supports these policies, unless they are the defaults.
    ///
    /// # Errors
    /// For posits and fixed-point formats any floating-point policy; for floats and fixed-point formats any posit
    /// policy.
    pub fn check_range(&self, overflow: Overflow, posit_range: PositRange) -> Result<(), OperationError> {
        let format = *self;
        match self {
            Format::Posit(_) if overflow != Overflow::Inf => Err(OperationError::PositOverflow { format, overflow }),
            Format::Fixed(_) if overflow != Overflow::Inf => Err(OperationError::FixedOverflow { format, overflow }),
            Format::Codebook(codebook) if overflow != Overflow::Inf && codebook.place_of_infinity.is_none() => {
                Err(OperationError::CodebookOverflow { format })
            }
            Format::Posit(_) => format.check_bound(posit_range),
            Format::Float(_) | Format::Fixed(_) | Format::Codebook(_) if posit_range != PositRange::Saturate => {
                Err(OperationError::NoPositRange { format })
            }
            Format::Float(_) | Format::Fixed(_) | Format::Codebook(_) => Ok(()),
        }
    }

    /// Checks that numbers are rounded to this format with this range, if it is a posit: one whose smallest and largest values are no powers
    /// of two only saturates.
    fn check_bound(&self, posit_range: PositRange) -> Result<(), OperationError> {
        match self.posit() {
            Some(posit) if posit.has_bound() && posit_range != PositRange::Saturate => {
                Err(OperationError::BoundedPositRange { format: *self })
            }
            _ => Ok(()),
        }
    }
}
