//! Units with NaN-boxed codes: boxes are opened before the unit, and closed after it.
//!
//! ```text
//! operands -> code, or canonical NaN if a bit above is 0 -> unit -> results with ones above
//! ```

use super::chosen::{Hold, chosen_by};
use binade_circuit::{Bits, concat};
use binade_spec::{Content, Format, Operation, Port};

/// The outputs of a unit with boxed codes.
pub fn boxed<'c>(
    operation: &Operation,
    inputs: &[Bits<'c>],
    hold: Hold<'_, 'c>,
    build: impl FnOnce(&Operation, &[Bits<'c>]) -> Vec<Bits<'c>>,
) -> Vec<Bits<'c>> {
    let unboxed = operation.unboxed();
    let fmt = operation.has_choices().then(|| *inputs.last().expect("the port fmt"));
    inputs[0].circuit().section("NaN boxes");
    let ports = operation.inputs();
    let opened = |((port, own), &bits): ((&Port, &Port), &Bits<'c>)| match port.content {
        Content::Chosen { formats, boxing: Some(_) } => opened(formats, bits, own.width(), fmt, port.name),
        _ => bits,
    };
    let codes: Vec<Bits> = ports.iter().zip(&unboxed.inputs()).zip(inputs).map(opened).collect();
    let results = build(&unboxed, &codes);
    let fmt = fmt.map(|fmt| hold("fmt", fmt));
    let closed = |(port, bits): (&Port, Bits<'c>)| match port.content {
        Content::Chosen { formats, boxing: Some(width) } => closed(formats, bits, width, fmt),
        _ => bits,
    };
    operation.outputs().iter().zip(results).map(closed).collect()
}

/// The code in a box, in a word of `width` bits.
fn opened<'c>(formats: &[Format], bits: Bits<'c>, width: u32, fmt: Option<Bits<'c>>, name: &str) -> Bits<'c> {
    let code = |format: &Format| {
        let own = format.width();
        if own == bits.width() {
            return bits;
        }
        let is_boxed = bits.high(bits.width() - own).all().named(format!("{name}_is_boxed_in_{own}"));
        let nan = format.nan_code().expect("a format with a NaN is boxed");
        is_boxed.select(bits.low(own), bits.circuit().constant(nan, own)).zext(width)
    };
    by_format(formats, fmt, code).named(format!("{name}_unboxed"))
}

/// A result with ones above it.
fn closed<'c>(formats: &[Format], bits: Bits<'c>, width: u32, fmt: Option<Bits<'c>>) -> Bits<'c> {
    let boxed = |format: &Format| match width - format.width() {
        0 => bits,
        above => concat(&[bits.circuit().ones(above), bits.low(format.width())]),
    };
    by_format(formats, fmt, boxed)
}

/// What port `fmt` chooses of the words that the formats need; without the port there is one format.
fn by_format<'c>(formats: &[Format], fmt: Option<Bits<'c>>, word: impl Fn(&Format) -> Bits<'c>) -> Bits<'c> {
    match fmt {
        Some(fmt) => chosen_by(fmt, &formats.iter().map(word).collect::<Vec<_>>()),
        None => word(&formats[0]),
    }
}
