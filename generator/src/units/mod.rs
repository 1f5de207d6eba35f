//! The units. Each is a function that reads from top to bottom like its figure:
//!
//! ```text
//! convert      unpack                        -> encode
//! mul          unpack -> multiply            -> encode
//! add          unpack             -> sum     -> encode
//! fmac         unpack -> multiply -> sum     -> encode [-> output]
//! mac          mul, then add [, then output]
//! ```
//!
//! | file | stage |
//! |---|---|
//! | `unpack/` | code to sign, exponent, significand and class |
//! | `add/` | sum of two codes of one format; for floats the exact sum, in `float.rs` |
//! | `product.rs` | exact product of two operands |
//! | `mul/` | product of operands with subnormals, aligned and rounded |
//! | `fmac/` | factors, exponent distance and alignment, for floats as accumulators |
//! | `sum.rs` | sum of a product and a posit |
//! | `normalise.rs` | the leading one of a sum |
//! | `result.rs` | encode: exact result to code, for floats by the next three, for posits by `round_posit.rs` |
//! | `round/` | where a magnitude lies among the codes of a format, and rounding |
//! | `assemble.rs` | zeros, overflow, infinities and NaN into the result's code |
//! | `flags.rs` | exception flags |
//! | `output.rs` | activation, and the accumulator's conversion to an output format |
//! | `posit/` | posit products and sums in posits: operands, arithmetic and rounding in two's complement |
//! | `posit_units.rs` | the posit stages as units of their own |
//!
//! What stages hand on: `class.rs` (sign and class), `exact.rs` (an exact result), `target.rs` (what it is rounded into).

mod add;
mod assemble;
mod class;
mod convert;
mod exact;
mod flags;
mod fmac;
mod mac;
mod mul;
mod normalise;
mod output;
mod posit;
mod posit_units;
mod product;
mod result;
mod round;
mod round_posit;
mod sum;
mod target;
mod unpack;

use binade_circuit::{Bits, Circuit, Netlist, Optimize, without_chains};
use binade_spec::{Operation, Port, Unit};
use result::Coded;
use target::{Family, Target};

/// The circuit of an operation.
pub fn build(operation: &Operation, optimize: Optimize) -> Netlist {
    let circuit = Circuit::optimized(optimize);
    let inputs: Vec<Bits> = operation.inputs().iter().map(|port| input(&circuit, port)).collect();
    let outputs = outputs(operation, &inputs);
    let ports = operation.outputs();
    let named: Vec<_> =
        ports.iter().zip(&outputs).map(|(port, output)| (port.name, output.node(), port.about())).collect();
    let netlist = circuit.finish(&named);
    match optimize {
        Optimize::Area => netlist,
        Optimize::Depth => without_chains(&netlist),
    }
}

fn input<'c>(circuit: &'c Circuit, port: &Port) -> Bits<'c> {
    circuit.input(port.name, port.width(), &port.about())
}

/// The outputs, in the order of the operation's ports.
fn outputs<'c>(operation: &Operation, inputs: &[Bits<'c>]) -> Vec<Bits<'c>> {
    let mut random = Random::new(operation, inputs);
    match (operation.unit, operation.operand.posit(), inputs) {
        (Unit::PositDecoder, Some(posit), &[x]) => return posit_units::posit_decoder(posit, x),
        (Unit::PositEncoder, Some(_), &[sign, zero, nar, exponent, significand, sticky, ..]) => {
            let parts = [sign, zero, nar, exponent, significand, sticky];
            let Family::Posit(target) = Target::from(operation).family() else {
                unreachable!("posit units have posit formats")
            };
            return vec![posit_units::posit_encoder(&target, parts, random.take())];
        }
        _ => {}
    }
    let y = arithmetic(operation, inputs, &mut random);
    let Some(output) = &operation.output else {
        return [Some(y.code), y.flags].into_iter().flatten().collect();
    };
    let conversion = operation.output_conversion(output);
    let random = if conversion.random_bits() > 0 { random.take() } else { None };
    let out = output::output(
        conversion.operand,
        &Target::from(&conversion),
        output.relu,
        y.code.named("accumulated"),
        random,
    );
    let flags = y.flags.map(|flags| out.flags.map_or(flags, |more| flags | more));
    [Some(y.code), Some(out.code), flags].into_iter().flatten().collect()
}

/// The result in the operation's result format.
fn arithmetic<'c>(operation: &Operation, inputs: &[Bits<'c>], random: &mut Random<'c>) -> Coded<'c> {
    let (operand, target) = (operation.operand, Target::from(operation));
    match (operation.unit, inputs) {
        (Unit::Decode | Unit::Encode | Unit::Convert, &[x, ..]) => {
            convert::convert(operand, &target, ("x", x), random.take())
        }
        (Unit::Mul, &[a, b, ..]) => mul::mul(operand, &target, [a, b], random.take()),
        (Unit::Add, &[a, b, ..]) => add::add(&target, [a, b], random.take()),
        (Unit::Fmac, &[a, b, c, ..]) => fmac::fmac(operand, &target, [a, b, c], random.take()),
        (Unit::Mac, &[a, b, c, ..]) => mac::mac(operand, &target, [a, b, c], [random.take(), random.take()]),
        (unit, inputs) => unreachable!("{unit} with {} operands", inputs.len()),
    }
}

/// The port `rand`, handed out from the lowest bits up.
struct Random<'c> {
    word: Option<Bits<'c>>,
    bits: u32,
    taken: u32,
}

impl<'c> Random<'c> {
    fn new(operation: &Operation, inputs: &[Bits<'c>]) -> Random<'c> {
        let word = (operation.random_bits() > 0).then(|| *inputs.last().expect("the random word is the last input"));
        Random { word, bits: operation.rounding.random_bits(), taken: 0 }
    }

    /// The bits for the next rounding of the operation, if it takes some.
    fn take(&mut self) -> Option<Bits<'c>> {
        let low = self.taken;
        self.taken += self.bits;
        self.word.map(|word| word.slice(low + self.bits - 1, low))
    }
}
