//! DSP blocks without registers, as far as Yosys uses them for products: `MULT18X18D` of ECP5, `SB_MAC16` of iCE40 UltraPlus, and `DSP48E1`
//! of 7 series, which also adds.

use crate::graph::{Graph, Literal};
use crate::netlist_error::NetlistError;
use crate::pins::Pins;

/// Bits of a factor of `MULT18X18D`.
const ECP5_BITS: usize = 18;

/// Bits of a result of `DSP48E1`.
const XC7_BITS: usize = 48;

/// Bits of the factors of `DSP48E1`.
const XC7_FACTORS: [usize; 2] = [25, 18];

/// The pins of the product of `MULT18X18D`.
pub const ECP5_OUTPUTS: [&str; 36] = [
    "P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12", "P13", "P14", "P15", "P16", "P17",
    "P18", "P19", "P20", "P21", "P22", "P23", "P24", "P25", "P26", "P27", "P28", "P29", "P30", "P31", "P32", "P33",
    "P34", "P35",
];

/// A factor, and whether it is in two's complement.
type Factor = (Vec<Literal>, bool);

/// The product of two factors of 18 bits, each bit on a pin of its own.
pub fn mult18x18d(graph: &mut Graph, pins: Pins) -> Result<Vec<Vec<Literal>>, NetlistError> {
    for register in ["REG_INPUTA_CLK", "REG_INPUTB_CLK", "REG_PIPELINE_CLK", "REG_OUTPUT_CLK"] {
        if pins.cell.parameters.get(register).is_some_and(|clock| clock != "NONE") {
            return Err(pins.incomplete(format!("function with {register}")));
        }
    }
    for source in ["SOURCEA", "SOURCEB"] {
        constant(pins, source, pins.bit(source)?, false)?;
    }
    let factor = |name: &str| -> Result<Factor, NetlistError> {
        let bits: Result<Vec<Literal>, NetlistError> =
            (0..ECP5_BITS).map(|at| pins.bit(&format!("{name}{at}"))).collect();
        let is_signed = pins.bit(&format!("SIGNED{name}"))?;
        match is_signed {
            Literal::FALSE | Literal::TRUE => Ok((bits?, is_signed == Literal::TRUE)),
            _ => Err(pins.incomplete(format!("constant at pin SIGNED{name}"))),
        }
    };
    let factors = [factor("A")?, factor("B")?];
    Ok(product(graph, &factors, 2 * ECP5_BITS).into_iter().map(|bit| vec![bit]).collect())
}

/// The product of two factors of 16 bits.
pub fn sb_mac16(graph: &mut Graph, pins: Pins) -> Result<Vec<Vec<Literal>>, NetlistError> {
    let registers = [
        "A_REG",
        "B_REG",
        "TOP_8x8_MULT_REG",
        "BOT_8x8_MULT_REG",
        "PIPELINE_16x16_MULT_REG1",
        "PIPELINE_16x16_MULT_REG2",
    ];
    for (name, value) in registers.map(|name| (name, 0)).into_iter().chain([
        ("MODE_8x8", 0),
        // The product itself, not a sum.
        ("TOPOUTPUT_SELECT", 3),
        ("BOTOUTPUT_SELECT", 3),
    ]) {
        if pins.number(name)? != value {
            return Err(pins.incomplete(format!("function with {name} = {}", pins.number(name)?)));
        }
    }
    let factor = |name: &str| -> Result<Factor, NetlistError> {
        Ok((pins.word(name)?, pins.number(&format!("{name}_SIGNED"))? == 1))
    };
    let factors = [factor("A")?, factor("B")?];
    Ok(vec![product(graph, &factors, 32)])
}

/// A product in two's complement, added to 0, to C, or to the result of another block.
pub fn dsp48e1(graph: &mut Graph, pins: Pins) -> Result<Vec<Vec<Literal>>, NetlistError> {
    for register in ["AREG", "BREG", "CREG", "MREG", "PREG", "ADREG"] {
        if pins.number(register)? != 0 {
            return Err(pins.incomplete(format!("function with {register}")));
        }
    }
    let ways = [("USE_MULT", "MULTIPLY"), ("USE_SIMD", "ONE48"), ("USE_DPORT", "FALSE")];
    for (name, way) in ways {
        if pins.cell.parameters.get(name).is_none_or(|word| word != way) {
            return Err(pins.incomplete(format!("function without {name} = {way}")));
        }
    }
    let zeros = [("INMODE", 5), ("CARRYINSEL", 3), ("CARRYIN", 1)];
    for (pin, bits) in zeros {
        let word = pins.word(pin)?;
        for bit in word.into_iter().take(bits) {
            constant(pins, pin, bit, false)?;
        }
    }
    let [a_bits, b_bits] = XC7_FACTORS;
    let [a, b] = [cascaded(pins, "A")?, cascaded(pins, "B")?];
    let factors = [(a[..a_bits].to_vec(), true), (b[..b_bits].to_vec(), true)];
    let multiplied = product(graph, &factors, XC7_BITS);
    let chosen = known(pins, "OPMODE")?;
    let addend = match (chosen >> 4, chosen & 0xf) {
        (0, 5) => vec![Literal::FALSE; XC7_BITS],
        (1, 5) => pins.word("PCIN")?,
        (3, 5) => pins.word("C")?,
        (5, 5) => {
            let word = pins.word("PCIN")?;
            let sign = word[XC7_BITS - 1];
            (0..XC7_BITS).map(|at| word.get(at + b_bits - 1).copied().unwrap_or(sign)).collect()
        }
        _ => return Err(pins.incomplete(format!("function with OPMODE {chosen:07b}"))),
    };
    let result = match known(pins, "ALUMODE")? {
        0 => graph.add(&addend, &multiplied, Literal::FALSE).0,
        // The addend less the product.
        3 => difference(graph, &addend, &multiplied),
        mode => return Err(pins.incomplete(format!("function with ALUMODE {mode:04b}"))),
    };
    Ok(vec![result.clone(), result, a, b])
}

/// A factor of `DSP48E1`: its pin, or that of the block before.
fn cascaded(pins: Pins, pin: &str) -> Result<Vec<Literal>, NetlistError> {
    match pins.cell.parameters.get(&format!("{pin}_INPUT")).map(String::as_str) {
        Some("DIRECT") => pins.word(pin),
        Some("CASCADE") => pins.word(&format!("{pin}CIN")),
        _ => Err(pins.incomplete(format!("parameter {pin}_INPUT"))),
    }
}

/// The constant at a pin.
fn known(pins: Pins, pin: &str) -> Result<u64, NetlistError> {
    let mut number = 0;
    for (at, bit) in pins.word(pin)?.into_iter().enumerate() {
        match bit {
            Literal::FALSE => {}
            Literal::TRUE => number |= 1 << at,
            _ => return Err(pins.incomplete(format!("constant at pin {pin}"))),
        }
    }
    Ok(number)
}

/// Checks that a bit is this constant.
fn constant(pins: Pins, pin: &str, bit: Literal, value: bool) -> Result<(), NetlistError> {
    let wanted = if value { Literal::TRUE } else { Literal::FALSE };
    if bit == wanted { Ok(()) } else { Err(pins.incomplete(format!("{} at pin {pin}", u32::from(value)))) }
}

/// The product of two factors, modulo 2^`width`: the product of unsigned numbers, less 2^bits times the other factor for each factor in
/// two's complement that is negative.
fn product(graph: &mut Graph, [(a, a_is_signed), (b, b_is_signed)]: &[Factor; 2], width: usize) -> Vec<Literal> {
    let mut product = resized(&unsigned(graph, trimmed(a), trimmed(b)), width);
    for (is_signed, factor, other) in [(*a_is_signed, a, b), (*b_is_signed, b, a)] {
        let sign = factor[factor.len() - 1];
        if is_signed && sign != Literal::FALSE {
            let mut excess = vec![Literal::FALSE; factor.len()];
            for &bit in other {
                excess.push(graph.and(sign, bit));
            }
            product = difference(graph, &product, &resized(&excess, width));
        }
    }
    // Of two negative factors, each excess counts 2^(both) less than it should.
    if let ([(a, true), (b, true)], true) = (&[(a, *a_is_signed), (b, *b_is_signed)], a.len() + b.len() < width) {
        let both = graph.and(a[a.len() - 1], b[b.len() - 1]);
        let mut excess = vec![Literal::FALSE; a.len() + b.len()];
        excess.push(both);
        product = graph.add(&product, &resized(&excess, width), Literal::FALSE).0;
    }
    product
}

/// Without the constant zeros at the top.
fn trimmed(factor: &[Literal]) -> &[Literal] {
    let bits = factor.iter().rposition(|&bit| bit != Literal::FALSE).map_or(0, |at| at + 1);
    &factor[..bits]
}

/// The product of unsigned numbers: each two bits of `b` choose 0, 1, 2 or 3 times `a`, and the rows are added one by one.
fn unsigned(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Vec<Literal> {
    let width = a.len() + 2;
    let (single, double) = (resized(a, width), resized(&[&[Literal::FALSE], a].concat(), width));
    let triple = graph.add(&double, &single, Literal::FALSE).0;
    let (mut low, mut high) = (vec![], vec![Literal::FALSE; width]);
    for digit in b.chunks(2) {
        let row: Vec<Literal> = (0..width)
            .map(|at| {
                let one = graph.and(digit[0], single[at]);
                let Some(&two) = digit.get(1) else { return one };
                let more = graph.mux(digit[0], triple[at], double[at]);
                graph.mux(two, more, one)
            })
            .collect();
        high = graph.add(&row, &high, Literal::FALSE).0;
        low.extend(high.drain(..digit.len()));
        high = resized(&high, width);
    }
    [low, high].concat()
}

fn difference(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Vec<Literal> {
    let inverted: Vec<Literal> = b.iter().map(|&bit| !bit).collect();
    graph.add(a, &inverted, Literal::TRUE).0
}

/// With zeros above, or without the bits above.
fn resized(word: &[Literal], width: usize) -> Vec<Literal> {
    (0..width).map(|at| word.get(at).copied().unwrap_or(Literal::FALSE)).collect()
}
