//! The units. Each is a function that reads from top to bottom like its figure:
//!
//! ```text
//! convert      unpack                        -> encode
//! mul          unpack -> multiply            -> encode
//! divide       unpack -> digits              -> encode
//! sqrt         unpack -> digits              -> encode
//! add          unpack             -> sum     -> encode
//! function     table
//! sub          add of the code with the other sign
//! fmac         unpack -> multiply -> sum     -> encode [-> output]
//! mac          mul, then add [, then output]
//! dot          fmac after fmac, or all products placed in one window -> sum -> encode [-> output]
//! mma          a dot for each element
//! mma --array  fmac after fmac, a step each, in a systolic array
//! mx-dot       as dot, the window times two scales
//! mx-quantize  largest exponent, or number -> scale -> quotient, for each element
//! unscale      mul by the reciprocal of a power of two
//! dot-exact    unpack -> multiply -> place in the window -> accumulate -> encode
//! dot-stream   fmac into a register [-> add in binary32 into another -> convert]
//! softmax      largest -> add -> function -> sum -> divide, for each element
//! rms-norm     squares -> sum -> root -> mul -> mul, for each element
//! layer-norm   sum -> mean -> add, and as rms-norm
//! reduce       largest, or sum
//! update       add, or fmac, once or for every rounding of Kahan's sum
//! accumulate   add, or fmac without the product, into a register
//! loss-scaler  unpack -> any overflow -> scale and steps in registers
//! ```
//!
//! | file | stage |
//! |---|---|
//! | `unpack/` | code to sign, exponent, significand and class |
//! | `add/` | sum of two codes of one format; for floats the exact sum, in `float.rs` |
//! | `divide.rs`, `digits.rs` | quotients and roots, digit by digit |
//! | `function/` | functions of one operand: tables |
//! | `product.rs` | exact product of two operands |
//! | `mul/` | product of operands with subnormals, aligned and rounded |
//! | `fmac/` | factors, exponent distance and alignment, for floating-point accumulators |
//! | `formula/` | formulas of several roundings, rounding by rounding |
//! | `sums/` | exact sums of any codes and products, rounded once |
//! | `normalize.rs` | the leading one of a sum |
//! | `result.rs` | encode: exact result to code, for floats by the next three, for posits by `posit/` |
//! | `round/` | where a magnitude lies among the codes of a format, and rounding |
//! | `supernormal.rs` | both at once, in supernormal formats with equal ends |
//! | `assemble.rs` | zeros, overflow, infinities and NaN into the result's code |
//! | `flags.rs` | exception flags |
//! | `fixed.rs` | results in fixed-point formats |
//! | `codebook.rs` | results in codebooks |
//! | `listed.rs`, `picture.rs` | codes and values as text, for the tables in comments; pictures of words |
//! | `tabulated.rs` | units of codebooks with few operand bits, as diagrams |
//! | `output.rs` | activation, and the accumulator's conversion to an output format |
//! | `posit/` | products and sums in posits, b-posits and takums: operands and arithmetic in two's complement, and numbers to codes |
//! | `tapered/` | rounding of codes that are truncated bit strings, from magnitudes or from two's complement |
//! | `chosen/` | units whose formats a port chooses: one of these units between conversions |
//! | `posit_units.rs` | the posit stages as separate units |
//! | `order.rs` | codes as numbers that ascend with their values |
//! | `compare.rs`, `minmax.rs`, `classify.rs`, `sgnj.rs` | units that compute no new value |
//! | `array/` | systolic arrays |
//! | `dot_exact.rs`, `dot_stream.rs`, `loss_scaler.rs`, `random.rs` | machines that are not formulas |
//!
//! Data between stages: `class.rs` (sign and class), `exact.rs` (an exact result), `target.rs` (the target of its rounding),
//! `coded.rs` (a rounded result).

mod accumulate;
mod add;
mod array;
mod assemble;
mod boxed;
mod chosen;
mod class;
mod classify;
mod codebook;
mod coded;
mod compare;
mod convert;
mod digits;
mod divide;
mod dot_exact;
mod dot_stream;
mod exact;
mod fixed;
mod flags;
mod fmac;
mod formula;
mod function;
mod iterate;
mod listed;
mod loss_scaler;
mod mac;
mod minmax;
mod mul;
mod normalize;
mod order;
mod output;
mod picture;
mod posit;
mod posit_units;
mod product;
mod random;
mod result;
mod round;
mod sgnj;
mod sums;
mod supernormal;
mod tabulated;
mod tapered;
mod target;
mod unpack;

use binade_circuit::{Architecture, Bits, Circuit, Iteration, Netlist, Optimize, Part, concat, without_chains};
use binade_spec::{
    Decoder, Format, Generator, MachineFunction, Meaning, Operation, PlainFunction, Port, Summation, Unit,
};
use coded::Coded;
use formula::Results;
use iterate::{Clocks, Schedule};
use target::FamilyTarget;

/// The circuit of an operation.
pub fn build(operation: &Operation, architecture: impl Into<Architecture>) -> Netlist {
    let architecture = architecture.into();
    let circuit = Circuit::optimized(architecture);
    let inputs: Vec<Bits> = operation.inputs().iter().map(|port| input(&circuit, port)).collect();
    let outputs = computed(operation, &inputs);
    let ports = operation.outputs();
    let named: Vec<_> =
        ports.iter().zip(&outputs).map(|(port, output)| (port.name, output.node(), port.about())).collect();
    let netlist = circuit.finish(&named);
    let netlist = if operation.has_codebook() { tabulated::smaller(operation, netlist, architecture) } else { netlist };
    let mut netlist = match architecture.optimize {
        Optimize::Area => netlist,
        Optimize::Depth => without_chains(&netlist),
    };
    let outputs = netlist.outputs.iter_mut().map(|(port, _)| port);
    for (port, about) in netlist.inputs.iter_mut().zip(operation.inputs()).chain(outputs.zip(ports)) {
        port.lanes = about.lanes;
    }
    netlist
}

/// The clocks that a unit takes for an operation if it computes this many digits of its result in each; `None` for units that do not
/// compute digits.
pub fn clocks(operation: &Operation, digits_per_clock: u32) -> Option<u32> {
    steps(operation).map(|steps| iterate::clocks(steps, digits_per_clock))
}

/// The digits of the results; those of the shared unit if a port chooses the formats.
fn steps(operation: &Operation) -> Option<u32> {
    if operation.has_choices() { divide::steps(&chosen::shared(operation)) } else { divide::steps(operation) }
}

/// The circuit of an operation that computes this many digits of its result in a clock.
///
/// # Panics
/// If the unit does not compute digits.
pub fn build_in_clocks(operation: &Operation, architecture: Architecture, digits_per_clock: u32) -> Iteration {
    let circuit = Circuit::optimized(architecture);
    let takes = circuit.input("in_valid", 1, "operands are valid");
    let inputs: Vec<Bits> = operation.inputs().iter().map(|port| input(&circuit, port)).collect();
    let steps = steps(operation).expect("a unit that computes digits");
    let (clocks, out_valid) = Clocks::new(&circuit, takes, steps, digits_per_clock);
    let results = computed_in_clocks(operation, &inputs, &Schedule::Clocked(clocks));
    let ports = operation.outputs();
    let mut named = vec![("out_valid", out_valid.node(), "results are valid".to_string())];
    named.extend(ports.iter().zip(&results).map(|(port, result)| (port.name, result.node(), port.about())));
    let netlist = circuit.finish(&named);
    Iteration { netlist, clocks: iterate::clocks(steps, digits_per_clock) }
}

/// The outputs of a unit that computes digits at this schedule.
fn computed_in_clocks<'c>(operation: &Operation, inputs: &[Bits<'c>], schedule: &Schedule<'c>) -> Vec<Bits<'c>> {
    let hold = |name: &str, bits| schedule.held(name, bits);
    let inner = |inner: &Operation, codes: &[Bits<'c>]| computed_in_clocks(inner, codes, schedule);
    if operation.boxing.is_some() {
        return boxed::boxed(operation, inputs, &hold, inner);
    }
    if operation.has_choices() {
        return chosen::chosen(operation, inputs, &hold, inner);
    }
    divide::in_clocks(operation, inputs, schedule)
}

fn input<'c>(circuit: &'c Circuit, port: &Port) -> Bits<'c> {
    circuit.input(port.name, port.width(), &port.about())
}

/// The outputs of a unit with a random word from an internal generator, whose ports are the last ones.
fn drawn<'c>(generator: Generator, with_port: &Operation, inputs: &[Bits<'c>]) -> Vec<Bits<'c>> {
    let (operands, ports) = inputs.split_at(inputs.len() - 2);
    let word = random::random(generator, with_port.random_bits(), first(ports)).named("random_bits");
    computed(with_port, &[operands, &[word]].concat())
}

/// The outputs, in the order of the operation's ports.
fn computed<'c>(operation: &Operation, inputs: &[Bits<'c>]) -> Vec<Bits<'c>> {
    let formula = match operation.meaning() {
        Meaning::Formula(formula) => formula,
        Meaning::Function(function) => return of_function(operation, function, inputs),
        Meaning::Machine(function, _) => return of_machine(operation, function, inputs),
    };
    let of_formula = |operation: &Operation, inputs: &[Bits<'c>], random: &mut RoundingPort<'c>| {
        let results = formula::formula(operation, &formula, inputs, || random.take());
        Coded { code: results.codes[0], flags: results.flags }
    };
    let mut random = RoundingPort::new(operation, inputs);
    let (operand, target) = (operation.operand, operation.target());
    let y = match operation.unit {
        Unit::PositEncoder => match FamilyTarget::from(&target) {
            FamilyTarget::Posit(target) => {
                return vec![posit_units::posit_encoder(&target, first(inputs), random.take())];
            }
            FamilyTarget::Float(_) | FamilyTarget::Fixed(_) | FamilyTarget::Codebook(_) => {
                of_formula(operation, inputs, &mut random)
            }
        },
        Unit::Decode | Unit::Encode | Unit::Convert => {
            convert::convert(operand, &target, ("x", inputs[0]), random.take())
        }
        Unit::Mul => mul::mul([operand; 2], &target, [("a", inputs[0]), ("b", inputs[1])], random.take()),
        Unit::Add => add::add(&target, first(inputs), random.take()),
        Unit::Fmac => match (operation.negation(), operand, FamilyTarget::from(&target)) {
            (None, ..) => fmac::fmac(operand, &target, first(inputs), random.take()),
            (Some(negation), Format::Float(_) | Format::Posit(_), FamilyTarget::Float(target)) => {
                fmac::negated_fmac(operand, negation, &target, first(inputs), random.take())
            }
            (Some(_), ..) => of_formula(operation, inputs, &mut random),
        },
        Unit::Sub | Unit::Divide | Unit::Reciprocal | Unit::Sqrt | Unit::Rsqrt | Unit::Function => {
            of_formula(operation, inputs, &mut random)
        }
        Unit::Dot | Unit::MxDot => of_formula(operation, inputs, &mut random),
        // Those of the last lines mean functions, and have no formula.
        Unit::Mma
        | Unit::MxQuantize
        | Unit::Update
        | Unit::Unscale
        | Unit::Softmax
        | Unit::RmsNorm
        | Unit::LayerNorm
        | Unit::Hadamard
        | Unit::Reduce
        | Unit::Compare
        | Unit::Minmax
        | Unit::Sgnj
        | Unit::Classify
        | Unit::PositDecoder
        | Unit::DotExact
        | Unit::DotStream
        | Unit::LossScaler
        | Unit::Random => {
            let results = formula::formula(operation, &formula, inputs, || random.take());
            return with_converted(operation, results, &mut random);
        }
        Unit::Accumulate => accumulate::accumulate(operand, &target, first(inputs), random.take()),
        Unit::Mac => mac::mac(operand, &target, first(inputs), [random.take(), random.take()]),
    };
    with_output(operation, y, &mut random)
}

/// The outputs of a unit that is a plain function of codes.
fn of_function<'c>(operation: &Operation, function: PlainFunction, inputs: &[Bits<'c>]) -> Vec<Bits<'c>> {
    match function {
        PlainFunction::Compare => compare::compare(operation, first(inputs)),
        PlainFunction::Minmax => minmax::minmax(operation, first(inputs)),
        PlainFunction::Classify => vec![classify::classify(operation.operand, inputs[0])],
        PlainFunction::Sgnj => vec![sgnj::sgnj(first(inputs))],
        PlainFunction::PositDecoder(posit) => {
            posit_units::posit_decoder(&posit, operation.settings::<Decoder>().significand, inputs[0])
        }
        PlainFunction::OfChoice if operation.boxing.is_some() => {
            boxed::boxed(operation, inputs, &|_, bits| bits, computed)
        }
        PlainFunction::OfChoice => chosen::chosen(operation, inputs, &|_, bits| bits, computed),
    }
}

/// The outputs of a unit that is a plain function of operands and a state.
fn of_machine<'c>(operation: &Operation, function: MachineFunction, inputs: &[Bits<'c>]) -> Vec<Bits<'c>> {
    let target = operation.target();
    match function {
        MachineFunction::DotExact => dot_exact::dot_exact(operation, &target, first(inputs)),
        MachineFunction::DotStream => vec![dot_stream::dot_stream(operation, &target, first(inputs)).code],
        MachineFunction::Array(dataflow) => array::array(operation, dataflow, inputs),
        MachineFunction::LossScaler => loss_scaler::loss_scaler(operation, first(inputs)),
        MachineFunction::Random => {
            let binade_spec::Random { generator, word_bits } = operation.settings();
            vec![random::random(generator, word_bits, first(inputs))]
        }
        MachineFunction::Drawn(generator) => drawn(generator, &operation.with_random_port(), inputs),
    }
}

/// The results of a formula, each lane of the first one converted, and the flags, as far as they are selected.
fn with_converted<'c>(operation: &Operation, results: Results<'c>, random: &mut RoundingPort<'c>) -> Vec<Bits<'c>> {
    let (Some(conversion), Some(target)) = (operation.output, operation.output_target()) else {
        return results.codes.into_iter().chain(reported(operation, results.flags)).collect();
    };
    let d = results.codes[0];
    let circuit = d.circuit();
    let width = operation.result.width();
    let mut flags = results.flags;
    let mut convert = |lane: u32| {
        let random = if target.rounding.random_bits() > 0 { random.take() } else { None };
        let y = d.slice((lane + 1) * width - 1, lane * width).named(format!("d_{lane}"));
        let element = || output::output(operation.result, &target, conversion.activation, y, random);
        let out = circuit.part(CONVERSION, &lane.to_string(), element);
        flags = [flags, out.flags].into_iter().flatten().reduce(flags::both);
        out.code.named(format!("d_out_{lane}"))
    };
    let mut codes: Vec<Bits> = (0..operation.rows() * operation.columns()).map(&mut convert).collect();
    codes.reverse();
    [Some(d), Some(concat(&codes)), reported(operation, flags)].into_iter().flatten().collect()
}

const CONVERSION: Part = Part::repeated("conversion", "An element converted, after its activation.");

/// The operands, which are the first inputs.
fn first<'c, const COUNT: usize>(inputs: &[Bits<'c>]) -> [Bits<'c>; COUNT] {
    inputs[..COUNT].try_into().expect("the unit's ports")
}

/// The result, its conversion, and the flags, as far as they are selected.
fn with_output<'c>(operation: &Operation, y: Coded<'c>, random: &mut RoundingPort<'c>) -> Vec<Bits<'c>> {
    let (Some(output), Some(target)) = (operation.output, operation.output_target()) else {
        return [Some(y.code), reported(operation, y.flags)].into_iter().flatten().collect();
    };
    let random = if target.rounding.random_bits() > 0 { random.take() } else { None };
    let out = output::output(operation.result, &target, output.activation, y.code.named("accumulated"), random);
    let flags = y.flags.zip(out.flags).map(|(flags, more)| flags::both(flags, more));
    [Some(y.code), Some(out.code), reported(operation, flags)].into_iter().flatten().collect()
}

/// The flags that the unit reports: without underflow and inexact, if it leaves these out.
fn reported<'c>(operation: &Operation, flags: Option<Bits<'c>>) -> Option<Bits<'c>> {
    let is_silent = operation.summation().is_some_and(Summation::is_inexact_silent);
    flags.map(|flags| if is_silent { flags.high(flags.width() - 2).zeros_below(2) } else { flags })
}

/// The port that the roundings read: `random_bits`, handed out from the lowest bits up, or `rm`.
struct RoundingPort<'c> {
    word: Option<Bits<'c>>,
    bits: u32,
    taken: u32,
}

impl<'c> RoundingPort<'c> {
    fn new(operation: &Operation, inputs: &[Bits<'c>]) -> RoundingPort<'c> {
        let port = operation.rounding_port();
        let word = port.map(|_| *inputs.last().expect("the port of the rounding is the last input"));
        RoundingPort { word, bits: operation.rounding.port_bits(), taken: 0 }
    }

    /// What the next rounding of the operation reads, if it reads a port.
    fn take(&mut self) -> Option<Bits<'c>> {
        let low = self.taken;
        self.taken += self.bits;
        self.word.map(|word| word.slice(low + self.bits - 1, low))
    }
}
