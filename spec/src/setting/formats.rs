//! The formats of operands, results and scales.

use super::row::{NO_SUFFIX, Row, choose, choose_formats, format_of};
use crate::Activation;
use crate::alias::find_name;

pub const FORMAT_B: Row = Row {
    key: "format-b",
    placeholder: "FORMAT",
    about: |takers| format!("Format of b in {takers}, if it is not that of a"),
    names: None,
    refusal: |only| format!("takes no second format (`format-b`); {only}"),
    set: |selection, word| choose_formats(&mut selection.second, &mut selection.others.second, word),
    says: |selection| selection.second.is_some(),
    word: |operation| operation.second().map(|format| format.to_string()),
    suffix: NO_SUFFIX,
};

pub const QUANTIZE_FROM: Row = Row {
    key: "quantize-from",
    placeholder: "FORMAT",
    about: |takers| {
        format!(
            "Format in which operands of {takers} arrive; they are rounded to theirs first [default: binary32 for mx-quantize]"
        )
    },
    names: None,
    refusal: |only| format!("takes no format that operands arrive in (`quantize-from`); {only}"),
    set: |selection, word| choose(&mut selection.source, format_of(word)),
    says: |selection| selection.source.is_some(),
    word: |operation| operation.source().map(|format| format.to_string()),
    suffix: |operation| operation.source().map(|format| format!("from_{}", format.identifier())),
};

pub const ACC: Row = Row {
    key: "acc",
    placeholder: "FORMAT",
    about: |takers| {
        format!(
            "Accumulator format of {takers}: that of c and y, or of what is between x and y [default: binary16 for formats of up to 8 bits, binary32 for up to 16 bits and for mx-dot, else the format itself]"
        )
    },
    names: None,
    refusal: |only| format!("takes no accumulator format (`acc`); {only}"),
    set: |selection, word| choose_formats(&mut selection.accumulator, &mut selection.others.accumulator, word),
    says: |selection| selection.accumulator.is_some(),
    word: |operation| (!operation.is_maximum()).then(|| operation.accumulator_format().to_string()),
    suffix: NO_SUFFIX,
};

pub const SCALE: Row = Row {
    key: "scale",
    placeholder: "FORMAT",
    about: |takers| format!("Format of the scales of {takers}, such as e8m0 or e4m3fn [default: e8m0]"),
    names: None,
    refusal: |only| format!("takes no scales (`scale`); {only}"),
    set: |selection, word| choose(&mut selection.scale, format_of(word)),
    says: |selection| selection.scale.is_some(),
    word: |operation| operation.scale().map(|it| it.to_string()),
    suffix: NO_SUFFIX,
};

pub const TENSOR_SCALE: Row = Row {
    key: "tensor-scale",
    placeholder: "FORMAT",
    about: |takers| {
        format!(
            "Format of the factor of a tensor, by which {takers} multiplies its numbers first: the second scale of NVFP4, binary32 [default: none]"
        )
    },
    names: None,
    refusal: |only| format!("takes no factor of a tensor (`tensor-scale`); {only}"),
    set: |selection, word| choose(&mut selection.tensor_scale, format_of(word)),
    says: |selection| selection.tensor_scale.is_some(),
    word: |operation| operation.tensor_scale().map(|format| format.to_string()),
    suffix: NO_SUFFIX,
};

pub const TO: Row = Row {
    key: "to",
    placeholder: "FORMAT",
    about: |takers| format!("Format of the result of {takers}; only convert needs it"),
    names: None,
    refusal: |only| format!("takes no format to convert to (`to`); {only}"),
    set: |selection, word| choose_formats(&mut selection.target, &mut selection.others.target, word),
    says: |selection| selection.target.is_some(),
    word: |operation| Some(operation.result.to_string()),
    suffix: NO_SUFFIX,
};

pub const OUT: Row = Row {
    key: "out",
    placeholder: "FORMAT",
    about: |takers| {
        format!("For {takers}, a format: a second output, y_out or d_out, is the first one converted to it")
    },
    names: None,
    refusal: |only| format!("takes no output format (`out`); {only}; a folder called like a format is ./e5m2"),
    set: |selection, word| choose(&mut selection.output, format_of(word)),
    says: |selection| selection.output.is_some(),
    word: |operation| operation.output.map(|output| output.format.to_string()),
    suffix: |operation| operation.output.map(|output| format!("out_{}", output.format.identifier())),
};

pub const ACTIVATION: Row = Row {
    key: "activation",
    placeholder: "FUNCTION",
    about: |_| "Function of y, rounded to that format: relu, or any that the unit function computes".into(),
    names: Some(Activation::names),
    refusal: |only| format!("takes no activation (`activation`); {only}, with `out <FORMAT>`"),
    set: |selection, word| match find_name(word, &Activation::names()).and_then(Activation::named) {
        Some(activation) => choose(&mut selection.activation, Ok(activation)),
        None => Err(format!("one of {} is expected", Activation::names().join(", "))),
    },
    says: |selection| selection.activation.is_some(),
    word: |operation| operation.output?.activation.map(|activation| activation.name().into()),
    suffix: |operation| (ACTIVATION.word)(operation).map(|name| name.replace('-', "_")),
};
