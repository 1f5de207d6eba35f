//! Combinational circuits in the binary format AIGER. (A. Biere, K. Heljanko, S. Wieringa, AIGER 1.9 and beyond, 2011.)

/// A literal: twice a variable, plus 1 if it is inverted. Variable 0 is the constant 0.
pub type Literal = u32;

/// The largest variable that is accepted.
const MOST_VARIABLES: u32 = 1 << 28;

/// AND gates with inverters.
#[derive(Clone, Debug)]
pub struct Aig {
    inputs: u32,
    /// The operands of each gate. Gate number `k` has the variable `inputs + 1 + k`, and operands with lower variables.
    pub gates: Vec<[Literal; 2]>,
    pub outputs: Vec<Literal>,
    pub input_names: Vec<String>,
    pub output_names: Vec<String>,
}

impl Aig {
    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Aig, String> {
        let mut reader = Reader { bytes };
        let header = reader.line()?;
        let numbers: Vec<u32> = header
            .strip_prefix("aig ")
            .ok_or("the file does not begin with `aig`")?
            .split(' ')
            .map(|number| number.parse().map_err(|_| format!("`{number}` is no number")))
            .collect::<Result<_, String>>()?;
        let [most, inputs, latches, outputs, gates] = numbers[..] else {
            return Err("the header has other than five numbers".into());
        };
        if latches != 0 {
            return Err("the circuit has latches".into());
        }
        if most > MOST_VARIABLES || inputs.checked_add(gates) != Some(most) || outputs as usize > bytes.len() {
            return Err("the numbers of the header do not fit together".into());
        }
        let output_literals = (0..outputs).map(|_| literal(&reader.line()?, most)).collect::<Result<_, String>>()?;
        let mut aig =
            Aig { inputs, gates: vec![], outputs: output_literals, input_names: vec![], output_names: vec![] };
        for gate in 0..gates {
            let own = 2 * (inputs + 1 + gate);
            let high = own.checked_sub(reader.number()?).filter(|&high| high < own);
            let high = high.ok_or("a gate has an operand that is not before it")?;
            let low = high.checked_sub(reader.number()?).ok_or("a gate has a negative operand")?;
            aig.gates.push([high, low]);
        }
        aig.read_names(reader)?;
        Ok(aig)
    }

    /// The names of all inputs, then of all outputs, each once and in order.
    fn read_names(&mut self, mut reader: Reader) -> Result<(), String> {
        for at in 0..self.inputs {
            self.input_names.push(reader.name('i', at as usize)?);
        }
        for at in 0..self.outputs.len() {
            self.output_names.push(reader.name('o', at)?);
        }
        if reader.bytes.is_empty() { Ok(()) } else { Err("something follows the names".into()) }
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs as usize
    }

    /// Which gates some literals depend on.
    pub fn cone(&self, literals: &[Literal]) -> Vec<bool> {
        let mut needed = vec![false; self.gates.len()];
        let place = |literal: Literal| (literal >> 1).checked_sub(1 + self.inputs).map(|place| place as usize);
        literals.iter().filter_map(|&literal| place(literal)).for_each(|place| needed[place] = true);
        for gate in (0..needed.len()).rev() {
            if needed[gate] {
                self.gates[gate].iter().filter_map(|&operand| place(operand)).for_each(|place| needed[place] = true);
            }
        }
        needed
    }
}

fn literal(text: &str, most: u32) -> Result<Literal, String> {
    let literal: Literal = text.parse().map_err(|_| format!("`{text}` is no literal"))?;
    if literal >> 1 <= most { Ok(literal) } else { Err(format!("there is no variable {}", literal >> 1)) }
}

struct Reader<'b> {
    bytes: &'b [u8],
}

impl Reader<'_> {
    /// The next line, without its end.
    fn line(&mut self) -> Result<String, String> {
        let end = self.bytes.iter().position(|&byte| byte == b'\n').ok_or("the file ends too early")?;
        let (line, rest) = self.bytes.split_at(end);
        self.bytes = &rest[1..];
        String::from_utf8(line.into()).map_err(|_| "a line is not text".into())
    }

    /// A number: seven bits in each byte, lowest first; all bytes but the last have bit 7 set.
    fn number(&mut self) -> Result<u32, String> {
        let mut number = 0_u64;
        for place in 0..5 {
            let (&byte, rest) = self.bytes.split_first().ok_or("the file ends too early")?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return u32::try_from(number).map_err(|_| "a number is too large".into());
            }
        }
        Err("a number is too large".into())
    }

    /// The name of an input or output with this number.
    fn name(&mut self, kind: char, at: usize) -> Result<String, String> {
        let line = self.line()?;
        let name = line.strip_prefix(&format!("{kind}{at} "));
        name.map(String::from).ok_or_else(|| format!("the name of {kind}{at} is missing"))
    }
}
