//! Rounding, range and flags of results.

use super::row::{MAX_BOXING, NO_SUFFIX, RANDOM_SOURCES, Row, TRUTHS, choose, count, put, truth};
use crate::alias::find_name;
use crate::{NanResult, Overflow, PositRange, Profile, Tininess};

fn rounds_nothing(_: &str) -> String {
    "rounds nothing; leave `round`, `overflow` and `posit-range` out".into()
}

pub const ROUND: Row = Row {
    key: "round",
    placeholder: "ROUND",
    about: |_| {
        "Rounding: to nearest with ties to even (rne), away (rna; rnu is DLFloat16's name for it), \
         toward zero (rtz), up (rup), down (rdn), to odd (rto), stochastic with so many random bits on port \
         random_bits (sr1 to sr32), as the MPTorch software rounds supernormals (mptorch), as port rm says \
         at each operation in RISC-V's codes (any) [default: rne, for DLFloat16 rnu]"
            .into()
    },
    names: None,
    refusal: rounds_nothing,
    set: |selection, word| choose(&mut selection.rounding, word.parse()),
    says: |selection| selection.rounding.is_some(),
    word: |operation| (!operation.is_maximum()).then(|| operation.rounding.to_string()),
    suffix: |operation| (ROUND.word)(operation),
};

pub const RANDOM: Row = Row {
    key: "random",
    placeholder: "SOURCE",
    about: |_| {
        "Where the random bits of stochastic rounding come from: from port random_bits (port), or from a shift \
         register in the unit, which ports seed and load start (internal) [default: port]"
            .into()
    },
    names: Some(|| RANDOM_SOURCES.to_vec()),
    refusal: |only| format!("makes no random bits of its own; leave `random` out, {only}, with `round sr<bits>`"),
    set: |selection, word| match find_name(word, &RANDOM_SOURCES) {
        Some(source) => put(&mut selection.has_internal_random, Ok(source == "internal")),
        None => Err(format!("one of {} is expected", RANDOM_SOURCES.join(", "))),
    },
    says: |selection| selection.has_internal_random,
    word: |operation| operation.has_internal_random.then(|| "internal".into()),
    suffix: |operation| operation.has_internal_random.then(|| "lfsr".into()),
};

pub const OVERFLOW: Row = Row {
    key: "overflow",
    placeholder: "OVERFLOW",
    about: |_| {
        "What results beyond the largest finite value become: infinity or what the format has in \
         its place, the largest value (saturate), or the largest value except for infinite operands (propagate) [default: inf]"
            .into()
    },
    names: Some(|| Overflow::ALL.map(Overflow::name).to_vec()),
    refusal: rounds_nothing,
    set: |selection, word| put(&mut selection.overflow, word.parse()),
    says: |selection| selection.overflow != Overflow::default(),
    word: |operation| operation.takes_overflow().then(|| operation.overflow.to_string()),
    suffix: |operation| Some(operation.overflow.to_string()).filter(|_| operation.overflow != Overflow::default()),
};

pub const NAN_RESULT: Row = Row {
    key: "nan-result",
    placeholder: "NAN",
    about: |_| {
        "What a NaN becomes: between IEEE 754 encodings, one with its payload (payload), the canonical NaN (canonical), or that and the \
         largest integer, as in RISC-V (riscv); without riscv, integers are 0 [default: payload]"
            .into()
    },
    names: Some(|| NanResult::ALL.map(NanResult::name).to_vec()),
    refusal: |only| format!("takes no `nan-result`, because all its NaNs are canonical; {only}"),
    set: |selection, word| put(&mut selection.nan, word.parse()),
    says: |selection| selection.nan != NanResult::default(),
    word: |operation| Some(operation.nan.to_string()).filter(|_| operation.nan != NanResult::default()),
    suffix: |operation| (NAN_RESULT.word)(operation).map(|name| format!("{name}_nan")),
};

pub const NAN_BOXING: Row = Row {
    key: "nan-boxing",
    placeholder: "BITS",
    about: |_| {
        "NaN-box narrower codes in so many bits, as in RISC-V's registers: the bits above a code are ones, and an operand with \
         a 0 there is the canonical NaN [default: with a profile the bits of the unit's widest format, else no boxes]"
            .into()
    },
    names: None,
    refusal: |only| format!("takes no boxes (`nan-boxing`); {only}"),
    set: |selection, word| choose(&mut selection.boxing, count(word, MAX_BOXING)),
    says: |selection| selection.boxing.is_some(),
    word: |operation| operation.boxing.map(|bits| bits.to_string()),
    suffix: |operation| operation.boxing.map(|bits| format!("boxed{bits}")),
};

pub const PROFILE: Row = Row {
    key: "profile",
    placeholder: "PROFILE",
    about: |_| {
        "Follow the rules of an instruction set where no other option says otherwise; riscv is `round any`, `flags`, `nan-result \
         riscv`, `nan-boxing` with the bits of the unit's widest format, and for fmac `acc` with the format of a"
            .into()
    },
    names: Some(|| Profile::ALL.map(Profile::name).to_vec()),
    refusal: |only| format!("does not follow an instruction set (`profile`); {only}"),
    set: |selection, word| choose(&mut selection.profile, word.parse()),
    says: |selection| selection.profile.is_some(),
    word: |_| None,
    suffix: NO_SUFFIX,
};

pub const POSIT_RANGE: Row = Row {
    key: "posit-range",
    placeholder: "RANGE",
    about: |_| {
        "What results beyond the ends of a posit become: minpos and maxpos (saturate), or zero \
         below minpos/2 and NaR above maxpos (float) [default: saturate]"
            .into()
    },
    names: Some(|| PositRange::ALL.map(PositRange::name).to_vec()),
    refusal: rounds_nothing,
    set: |selection, word| put(&mut selection.posit_range, word.parse()),
    says: |selection| selection.posit_range != PositRange::default(),
    word: |operation| {
        Some(operation.posit_range.to_string()).filter(|_| operation.posit_range != PositRange::default())
    },
    suffix: |operation| (POSIT_RANGE.word)(operation).map(|range| format!("{range}_range")),
};

pub const FLAGS: Row = Row {
    key: "flags",
    placeholder: "BOOL",
    about: |_| {
        "Add the output flags: invalid, overflow, underflow, inexact, from the top bit down; units that divide, \
         and function, have division by zero below invalid"
            .into()
    },
    names: Some(|| TRUTHS.to_vec()),
    refusal: |_| "has no exception flags; leave `flags` out".into(),
    set: |selection, word| {
        let chosen = selection.flags.unwrap_or_default();
        selection.flags = truth(word)?.then_some(chosen);
        Ok(())
    },
    says: |selection| selection.flags.is_some(),
    word: |operation| operation.flags.map(|_| "true".into()),
    suffix: |operation| operation.flags.map(|_| "flags".into()),
};

pub const TININESS: Row = Row {
    key: "tininess",
    placeholder: "TININESS",
    about: |_| "Whether tininess, for the underflow flag, is detected after or before rounding [default: after]".into(),
    names: Some(|| Tininess::ALL.map(Tininess::name).to_vec()),
    refusal: |_| "has no results that are tiny; leave `tininess` out".into(),
    set: |selection, word| choose(&mut selection.flags, word.parse()),
    says: |selection| selection.flags.is_some_and(|tininess| tininess != Tininess::default()),
    word: |operation| operation.flags.map(|tininess| tininess.to_string()),
    suffix: |operation| operation.flags.filter(|&at| at != Tininess::default()).map(|at| at.to_string()),
};
