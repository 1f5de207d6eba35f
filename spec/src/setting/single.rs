//! The settings of only one or two units.

use super::row::{MAX_BITS, MAX_INTERVAL, NO_SUFFIX, Row, TRUTHS, choose, count, put, truth};
use crate::kind::{DEFAULT_INTERVAL, DEFAULT_START};
use crate::{
    Algorithm, Comparison, Extremum, Format, Function, Negation, Optimizer, Reduction, ScaleRule, Significand,
};

pub const COMPARE: Row = Row {
    key: "compare",
    placeholder: "KIND",
    about: |takers| {
        format!(
            "Which NaNs make {takers} raise invalid, with `flags`: signaling ones (quiet), or all (signaling) [default: quiet]"
        )
    },
    names: Some(|| Comparison::ALL.map(Comparison::name).to_vec()),
    refusal: |only| format!("takes no kind of comparison (`compare`); {only}"),
    set: |selection, word| choose(&mut selection.comparison, word.parse()),
    says: |selection| selection.comparison.is_some(),
    word: |operation| operation.comparison().filter(|it| *it != Comparison::default()).map(|it| it.to_string()),
    suffix: |operation| (COMPARE.word)(operation).map(|word| word.replace('-', "_")),
};

pub const SIGNIFICAND: Row = Row {
    key: "significand",
    placeholder: "FORM",
    about: |takers| {
        format!(
            "How {takers} gives the significand of a negative number: as a magnitude in [1, 2) (sign-magnitude), or in [-2, -1), which takes \
             fewer gates (twos-complement) [default: sign-magnitude]"
        )
    },
    names: Some(|| Significand::ALL.map(Significand::name).to_vec()),
    refusal: |only| format!("gives no significand; leave `significand` out, {only}"),
    set: |selection, word| choose(&mut selection.significand, word.parse()),
    says: |selection| selection.significand.is_some(),
    word: |operation| operation.significand().filter(|it| *it != Significand::default()).map(|it| it.to_string()),
    suffix: |operation| (SIGNIFICAND.word)(operation).map(|word| word.replace('-', "_")),
};

pub const OPERATION: Row = Row {
    key: "operation",
    placeholder: "OPERATION",
    about: |takers| format!("Which of the operations of IEEE 754-2019 section 9.6 {takers} computes"),
    names: Some(|| Extremum::ALL.map(Extremum::name).to_vec()),
    refusal: |only| format!("takes no minimum or maximum (`operation`); {only}"),
    set: |selection, word| choose(&mut selection.extremum, word.parse()),
    says: |selection| selection.extremum.is_some(),
    word: |operation| operation.extremum().map(|it| it.to_string()),
    suffix: |operation| operation.extremum().map(|it| it.to_string().replace('-', "_")),
};

pub const FUNCTION: Row = Row {
    key: "function",
    placeholder: "FUNCTION",
    about: |takers| format!("With unit {takers}: which function of x, for codes of up to 16 bits"),
    names: Some(|| Function::ALL.map(Function::name).to_vec()),
    refusal: |only| format!("takes no function (`function`); {only}"),
    set: |selection, word| choose(&mut selection.function, word.parse()),
    says: |selection| selection.function.is_some(),
    word: |operation| operation.function().map(|it| it.to_string()),
    suffix: NO_SUFFIX,
};

pub const SCALE_RULE: Row = Row {
    key: "scale-rule",
    placeholder: "RULE",
    about: |takers| {
        format!(
            "How {takers} chooses scales that are powers of two: from the largest magnitude's exponent (floor), from that of the power of two at \
             or above it (ceil), from its exponent after rounding to the elements' precision (even), or as the least scale with which no element \
             is too large (rceil) [default: floor]"
        )
    },
    names: Some(|| ScaleRule::ALL.map(ScaleRule::name).to_vec()),
    refusal: |only| format!("chooses no scales (`scale-rule`); {only}"),
    set: |selection, word| choose(&mut selection.scale_rule, word.parse()),
    says: |selection| selection.scale_rule.is_some(),
    word: |operation| {
        operation.scale().filter(Format::has_only_powers_of_two)?;
        operation.scale_rule().map(|it| it.to_string())
    },
    suffix: NO_SUFFIX,
};

pub const REDUCTION: Row = Row {
    key: "reduction",
    placeholder: "REDUCTION",
    about: |takers| format!("What {takers} makes of its numbers [default: sum]"),
    names: Some(|| Reduction::ALL.map(Reduction::name).to_vec()),
    refusal: |only| format!("reduces nothing (`reduction`); {only}"),
    set: |selection, word| choose(&mut selection.reduction, word.parse()),
    says: |selection| selection.reduction.is_some(),
    word: |operation| operation.reduction().map(|it| it.to_string()),
    suffix: NO_SUFFIX,
};

pub const INTERVAL: Row = Row {
    key: "interval",
    placeholder: "COUNT",
    about: |takers| format!("Good steps in a row after which {takers} doubles the scale [default: 2000]"),
    names: None,
    refusal: |only| format!("has no scale; leave `interval` out, {only}"),
    set: |selection, word| choose(&mut selection.interval, count(word, MAX_INTERVAL)),
    says: |selection| selection.interval.is_some(),
    word: |operation| operation.interval().map(|it| it.to_string()),
    suffix: |operation| operation.interval().filter(|it| *it != DEFAULT_INTERVAL).map(|it| format!("interval{it}")),
};

pub const START: Row = Row {
    key: "start",
    placeholder: "EXPONENT",
    about: |takers| format!("Exponent of the initial scale of {takers}, a power of two [default: 24]"),
    names: None,
    refusal: |only| format!("has no scale; leave `start` out, {only}"),
    set: |selection, word| {
        selection.start = Some(word.parse().map_err(|_| "the exponent of a power of two is expected")?);
        Ok(())
    },
    says: |selection| selection.start.is_some(),
    word: |operation| operation.start().map(|it| it.to_string()),
    suffix: |operation| {
        let start = operation.start().filter(|it| *it != DEFAULT_START)?;
        Some(format!("start{start}").replace('-', "_minus_"))
    },
};

pub const NEGATE: Row = Row {
    key: "negate",
    placeholder: "TERMS",
    about: |takers| {
        format!("Which terms of {takers} are negated: -(a * b) + c (product), a * b - c (addend), -(a * b) - c (both)")
    },
    names: Some(|| Negation::ALL.map(Negation::name).to_vec()),
    refusal: |only| format!("negates no terms; leave `negate` out, {only}"),
    set: |selection, word| choose(&mut selection.negation, word.parse()),
    says: |selection| selection.negation.is_some(),
    word: |operation| operation.negation().map(|negation| negation.to_string()),
    suffix: NO_SUFFIX,
};

pub const ALGORITHM: Row = Row {
    key: "algorithm",
    placeholder: "ALGORITHM",
    about: |_| {
        "How random makes words [default: lfsr16], or update adds: rounded to nearest, stochastically, or with \
         Kahan's compensation [default: nearest]"
            .into()
    },
    names: Some(|| Algorithm::all().into_iter().map(Algorithm::name).collect()),
    refusal: |only| format!("takes no algorithm (`algorithm`); {only}"),
    set: |selection, word| choose(&mut selection.algorithm, word.parse()),
    says: |selection| selection.algorithm.is_some(),
    word: |operation| {
        let rule = operation.rule().map(|it| it.to_string());
        rule.or_else(|| operation.generator().map(|it| it.to_string()))
    },
    suffix: NO_SUFFIX,
};

pub const OPTIMIZER: Row = Row {
    key: "optimizer",
    placeholder: "OPTIMIZER",
    about: |takers| {
        format!(
            "What {takers} adds: u, or a rate and a gradient with momentum, or with AdamW's two means [default: sgd]"
        )
    },
    names: Some(|| Optimizer::ALL.map(Optimizer::name).to_vec()),
    refusal: |only| format!("updates no weights; leave `optimizer` out, {only}"),
    set: |selection, word| choose(&mut selection.optimizer, word.parse()),
    says: |selection| selection.optimizer.is_some(),
    word: |operation| operation.optimizer().filter(|it| *it != Optimizer::Sgd).map(|it| it.to_string()),
    suffix: NO_SUFFIX,
};

pub const FUSED_RATE: Row = Row {
    key: "fused-rate",
    placeholder: "BOOL",
    about: |takers| format!("Let {takers} take a rate and a gradient: w - rate * g, the product not rounded"),
    names: Some(|| TRUTHS.to_vec()),
    refusal: |only| format!("updates no weights; leave `fused-rate` out, {only}"),
    set: |selection, word| put(&mut selection.has_fused_rate, truth(word)),
    says: |selection| selection.has_fused_rate,
    word: |operation| operation.has_fused_rate().then(|| "true".into()),
    suffix: NO_SUFFIX,
};

pub const BITS: Row = Row {
    key: "bits",
    placeholder: "COUNT",
    about: |takers| format!("Bits of a word of {takers} [default: 8]"),
    names: None,
    refusal: |only| format!("makes no random words; leave `bits` out, {only}"),
    set: |selection, word| choose(&mut selection.word_bits, count(word, MAX_BITS)),
    says: |selection| selection.word_bits.is_some(),
    word: |operation| operation.word_bits().map(|it| it.to_string()),
    suffix: NO_SUFFIX,
};
