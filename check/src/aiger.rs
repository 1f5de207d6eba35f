//! Combinational circuits in the binary format AIGER. (A. Biere, K. Heljanko, S. Wieringa, AIGER 1.9 and beyond, 2011.)

use flussab_aiger::aig::{OrderedAig, SymbolTarget};
use flussab_aiger::binary::{Config, Header, Parser};
use std::ops::Range;

/// A literal: twice a variable, plus 1 if it is inverted. Variable 0 is the constant 0.
pub type Literal = u32;

/// The largest variable that is accepted.
const MOST_VARIABLES: usize = 1 << 28;

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
        let parser = Parser::<Literal>::from_read(bytes, Config::default()).map_err(|error| error.to_string())?;
        let Header { max_var_index, input_count, latch_count, output_count, and_gate_count, .. } = *parser.header();
        // Each gate has at least two bytes, and each input and output a name.
        let are_there =
            [input_count, latch_count, output_count, and_gate_count].iter().all(|&count| count < bytes.len());
        if !are_there || max_var_index > MOST_VARIABLES || input_count + and_gate_count != max_var_index {
            return Err("it has latches, or the numbers of the header do not fit together".into());
        }
        let aig = parser.parse().map_err(|error| error.to_string())?;
        let input_names = names(&aig, 0..input_count, SymbolTarget::Input)?;
        let output_names = names(&aig, input_count..input_count + output_count, SymbolTarget::Output)?;
        let OrderedAig { outputs, and_gates, symbols, comment, .. } = aig;
        if symbols.len() > input_count + output_count || comment.is_some() {
            return Err("something follows the names".into());
        }
        let gates = and_gates.into_iter().map(|gate| gate.inputs).collect();
        Ok(Aig { inputs: input_count as u32, gates, outputs, input_names, output_names })
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

/// The names of all inputs or outputs, which stand at these places, in order.
fn names(
    aig: &OrderedAig<Literal>,
    places: Range<usize>,
    target: fn(usize) -> SymbolTarget,
) -> Result<Vec<String>, String> {
    let first = places.start;
    let name = |place: usize| {
        let symbol = aig.symbols.get(place).filter(|symbol| symbol.target == target(place - first));
        symbol.map(|symbol| symbol.name.to_string()).ok_or_else(|| format!("name {place} is missing"))
    };
    places.map(name).collect()
}
