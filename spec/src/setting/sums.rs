//! The settings of products and sums: number, shape and roundings.

use super::row::{MAX_GUARD, NO_SUFFIX, PRODUCTS, Row, TRUTHS, choose, count, put, truth};
use crate::alias::find_name;
use crate::kind::DEFAULT_GUARD;
use crate::units::{MAX_LANES, MAX_SIZE};
use crate::{Dataflow, Like, Summation};

fn no_matrices(key: &str, only: &str) -> String {
    format!("multiplies no matrices; leave `{key}` out, {only}")
}

fn no_products(key: &str, only: &str) -> String {
    format!("adds no products; leave `{key}` out, {only}")
}

pub const LANES: Row = Row {
    key: "lanes",
    placeholder: "N",
    about: |takers| {
        format!(
            "Codes side by side on ports of {takers}, 1 to {MAX_LANES} [default: 4 for dot and for vectors, 32 for blocks, else 1]"
        )
    },
    names: None,
    refusal: |only| format!("takes no lanes (`lanes`); {only}"),
    set: |selection, word| choose(&mut selection.lanes, count(word, MAX_LANES)),
    says: |selection| selection.lanes.is_some(),
    word: |operation| Some(operation.lanes().to_string()),
    suffix: NO_SUFFIX,
};

pub const M: Row = Row {
    key: "m",
    placeholder: "SIZE",
    about: |takers| format!("Rows of A, C and D of {takers}, 1 to {MAX_SIZE} [default: 4]"),
    names: None,
    refusal: |only| no_matrices("m", only),
    set: |selection, word| choose(&mut selection.rows, count(word, MAX_SIZE)),
    says: |selection| selection.rows.is_some(),
    word: |operation| Some(operation.rows().to_string()),
    suffix: NO_SUFFIX,
};

pub const N: Row = Row {
    key: "n",
    placeholder: "SIZE",
    about: |takers| format!("Columns of B, C and D of {takers}, 1 to {MAX_SIZE} [default: 4]"),
    names: None,
    refusal: |only| no_matrices("n", only),
    set: |selection, word| choose(&mut selection.columns, count(word, MAX_SIZE)),
    says: |selection| selection.columns.is_some(),
    word: |operation| Some(operation.columns().to_string()),
    suffix: NO_SUFFIX,
};

pub const K: Row = Row {
    key: "k",
    placeholder: "SIZE",
    about: |takers| format!("Columns of A and rows of B of {takers}: the products of an element [default: 4]"),
    names: None,
    refusal: |only| no_matrices("k", only),
    set: |selection, word| choose(&mut selection.depth, count(word, MAX_LANES)),
    says: |selection| selection.depth.is_some(),
    // A sum of an array has as many products as are fed.
    word: |operation| operation.array().is_none().then(|| operation.lanes().to_string()),
    suffix: NO_SUFFIX,
};

pub const ARRAY: Row = Row {
    key: "array",
    placeholder: "ARRAY",
    about: |takers| {
        format!(
            "Make {takers} a systolic array of m x n elements, in which the sums stay (output-stationary) or the weights \
             (weight-stationary); operands are fed step by step [default: all matrices at once]"
        )
    },
    names: Some(|| Dataflow::ALL.map(Dataflow::name).to_vec()),
    refusal: |only| no_matrices("array", only),
    set: |selection, word| choose(&mut selection.array, word.parse()),
    says: |selection| selection.array.is_some(),
    word: |operation| operation.array().map(|array| array.to_string()),
    suffix: NO_SUFFIX,
};

pub const SUM: Row = Row {
    key: "sum",
    placeholder: "SUM",
    about: |takers| {
        format!(
            "How the products of {takers} are summed: one rounding of the exact sum (exact), a rounding after each product (chain), in pairs \
             (tree), in chains of a block that are added in binary32 (fmac8), as GPUs do, every term cut off F bits below \
             the largest exponent (align:F, with ,floor=E and ,result=BITS), as RISC-V does, products and sums rounded to odd \
             (bulk), or as AMD's matrix units do, in pairs without subnormals (flushed), or cut off in a group (grouped) or two \
             (interleaved) [default: exact, chain for dot-stream and arrays]"
        )
    },
    names: None,
    refusal: |only| no_products("sum", only),
    set: |selection, word| choose(&mut selection.summation, word.parse::<Summation>()),
    says: |selection| selection.summation.is_some(),
    word: |operation| operation.summation().map(|it| it.to_string()),
    suffix: NO_SUFFIX,
};

pub const BLOCK: Row = Row {
    key: "block",
    placeholder: "N",
    about: |_| {
        "Products of one chain of fmac8, or of one sum of align, bulk, flushed, grouped or interleaved, whose results follow each other [default: 8 for fmac8, else all]"
            .into()
    },
    names: None,
    refusal: |only| no_products("block", only),
    set: |selection, word| choose(&mut selection.block, count(word, MAX_LANES)),
    says: |selection| selection.block.is_some(),
    word: |operation| {
        let has_blocks = operation.summation().is_some_and(Summation::has_blocks) || operation.like().is_some();
        has_blocks.then(|| operation.block().to_string())
    },
    suffix: NO_SUFFIX,
};

pub const PRODUCT: Row = Row {
    key: "product",
    placeholder: "PRODUCT",
    about: |_| "Whether chain and tree add exact products or round them first [default: exact]".into(),
    names: Some(|| PRODUCTS.to_vec()),
    refusal: |only| no_products("product", only),
    set: |selection, word| match find_name(word, &PRODUCTS) {
        Some(product) => put(&mut selection.rounds_products, Ok(product == "rounded")),
        None => Err(format!("one of {} is expected", PRODUCTS.join(", "))),
    },
    says: |selection| selection.rounds_products,
    word: |operation| operation.rounds_products().then(|| "rounded".into()),
    suffix: NO_SUFFIX,
};

pub const LIKE: Row = Row {
    key: "like",
    placeholder: "MODEL",
    about: |takers| {
        format!(
            "The GPU whose matrix unit {takers} model, or rvbna for RISC-V's; it determines how terms are cut off, and the number of lanes"
        )
    },
    names: Some(|| Like::ALL.map(Like::name).to_vec()),
    refusal: |only| no_products("like", only),
    set: |selection, word| choose(&mut selection.like, word.parse()),
    says: |selection| selection.like.is_some(),
    // In other units the settings for lanes, sum and rounding imply it.
    word: |operation| operation.like().map(|like| like.to_string()),
    suffix: NO_SUFFIX,
};

pub const GUARD: Row = Row {
    key: "guard",
    placeholder: "COUNT",
    about: |takers| {
        format!(
            "Bits of the accumulator of {takers} above its largest product, up to {MAX_GUARD}; it adds 2^COUNT such products without overflow [default: {DEFAULT_GUARD}]"
        )
    },
    names: None,
    refusal: |only| format!("has no exact accumulator; leave `guard` out, {only}"),
    set: |selection, word| {
        let bits = word.parse().ok().filter(|bits| *bits <= MAX_GUARD);
        selection.guard_bits = Some(bits.ok_or(format!("a number from 0 to {MAX_GUARD} is expected"))?);
        Ok(())
    },
    says: |selection| selection.guard_bits.is_some(),
    word: |operation| operation.guard_bits().map(|it| it.to_string()),
    suffix: |operation| operation.guard_bits().filter(|it| *it != DEFAULT_GUARD).map(|it| format!("guard{it}")),
};

pub const QUIRE: Row = Row {
    key: "quire",
    placeholder: "BOOL",
    about: |takers| {
        format!(
            "Add the output quire to {takers} of posits: the sum before it is rounded, with the bits of the posit standard's quire"
        )
    },
    names: Some(|| TRUTHS.to_vec()),
    refusal: |only| format!("has no unrounded sum; leave `quire` out, {only}"),
    set: |selection, word| put(&mut selection.has_quire, truth(word)),
    says: |selection| selection.has_quire,
    word: |operation| operation.has_quire().then(|| "true".into()),
    suffix: |operation| operation.has_quire().then(|| "quire".into()),
};
