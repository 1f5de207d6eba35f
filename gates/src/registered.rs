//! The registers inside `DSP48E1` of 7 series as flip-flops around a block without them (AMD, UG479, figure 2-1). A register between the
//! multiplier and an addend other than 0 stays inside, and the block is refused.

use crate::pins::{Bit, Cell, net};
use std::collections::{BTreeMap, HashMap};

/// The registers of the factors: their parameter, the pin that they register, enables of the first and the second, and reset.
const FACTORS: [(&str, &str, [&str; 2], &str); 2] =
    [("AREG", "A", ["CEA1", "CEA2"], "RSTA"), ("BREG", "B", ["CEB1", "CEB2"], "RSTB")];

/// The parameters that must be equal for cascaded factors, with the pin on which these leave.
const CASCADES: [(&str, &str, &str); 2] = [("AREG", "ACASCREG", "ACOUT"), ("BREG", "BCASCREG", "BCOUT")];

/// Replaces the registers of all blocks.
pub(super) fn expand(cells: &mut BTreeMap<String, Cell>) {
    let mut pins: HashMap<u64, usize> = HashMap::new();
    let nets = cells.values().flat_map(|cell| cell.connections.values().flatten()).filter_map(net);
    nets.for_each(|net| *pins.entry(net).or_default() += 1);
    let last = pins.keys().max().copied().unwrap_or(0);
    let names: Vec<String> =
        cells.iter().filter(|(_, cell)| cell.kind == "DSP48E1").map(|(name, _)| name.clone()).collect();
    let mut made = Made { next: last + 1, flip_flops: vec![] };
    for name in names {
        let cell = cells.get_mut(&name).expect("a name of this map");
        if is_cascaded_as_registered(cell) {
            made.factors(cell);
            made.addend(cell);
            let is_read = |bit: &Bit| net(bit).is_some_and(|net| pins[&net] > 1);
            let is_cascaded = cell.connections.get("PCOUT").is_some_and(|bits| bits.iter().any(is_read));
            made.result(cell, if is_cascaded { &["P", "PCOUT"] } else { &["P"] });
        }
    }
    let flip_flops = made.flip_flops.into_iter().enumerate();
    cells.extend(flip_flops.map(|(number, cell)| (format!("register of a block {number}"), cell)));
}

fn is_cascaded_as_registered(cell: &Cell) -> bool {
    CASCADES.iter().all(|(own, cascaded, pin)| {
        let is_read = cell.connections.get(*pin).is_some_and(|bits| !bits.is_empty());
        !is_read || number(cell, own) == number(cell, cascaded)
    })
}

fn number(cell: &Cell, parameter: &str) -> Option<u64> {
    u64::from_str_radix(cell.parameters.get(parameter)?, 2).ok()
}

/// The flip-flops made, and the number of the next net.
struct Made {
    next: u64,
    flip_flops: Vec<Cell>,
}

impl Made {
    fn factors(&mut self, cell: &mut Cell) {
        for (parameter, factor, [first, second], reset) in FACTORS {
            let enables: &[&str] = match number(cell, parameter) {
                Some(1) => &[second],
                Some(2) => &[first, second],
                _ => continue,
            };
            let is_cascaded = cell.parameters.get(&format!("{factor}_INPUT")).is_some_and(|input| input == "CASCADE");
            let pin = if is_cascaded { format!("{factor}CIN") } else { factor.to_string() };
            self.before(cell, &pin, enables, reset);
            cell.parameters.insert(parameter.into(), "0".into());
        }
    }

    fn addend(&mut self, cell: &mut Cell) {
        if number(cell, "CREG") == Some(1) {
            self.before(cell, "C", &["CEC"], "RSTC");
            cell.parameters.insert("CREG".into(), "0".into());
        }
    }

    /// Registers of the product, if nothing is added to it, and of the result.
    fn result(&mut self, cell: &mut Cell, results: &[&str]) {
        let mode: Option<Vec<bool>> = cell
            .connections
            .get("OPMODE")
            .map(|bits| bits.iter().map(|bit| *bit == Bit::Constant("1".into())).collect());
        let is_product = mode.is_some_and(|mode| mode == [true, false, true, false, false, false, false]);
        let is_added = cell
            .connections
            .get("ALUMODE")
            .is_some_and(|bits| bits.iter().all(|bit| *bit == Bit::Constant("0".into())));
        let mut registers = vec![];
        if number(cell, "MREG") == Some(1) {
            if !(is_product && is_added) {
                return;
            }
            registers.push(("MREG", "CEM", "RSTM"));
        }
        if number(cell, "PREG") == Some(1) {
            registers.push(("PREG", "CEP", "RSTP"));
        }
        for (parameter, enable, reset) in registers.into_iter().rev() {
            results.iter().for_each(|pin| self.behind(cell, pin, enable, reset));
            cell.parameters.insert(parameter.into(), "0".into());
        }
    }

    /// Puts registers before a pin.
    fn before(&mut self, cell: &mut Cell, pin: &str, enables: &[&str], reset: &str) {
        let Some(mut bits) = cell.connections.get(pin).cloned() else { return };
        for enable in enables {
            for bit in &mut bits {
                let output = self.net();
                self.add(cell, [bit.clone(), output.clone()], enable, reset);
                *bit = output;
            }
        }
        cell.connections.insert(pin.into(), bits);
    }

    /// Puts a register behind a pin.
    fn behind(&mut self, cell: &mut Cell, pin: &str, enable: &str, reset: &str) {
        let Some(mut bits) = cell.connections.get(pin).cloned() else { return };
        for bit in &mut bits {
            let inner = self.net();
            self.add(cell, [inner.clone(), bit.clone()], enable, reset);
            *bit = inner;
        }
        cell.connections.insert(pin.into(), bits);
    }

    fn net(&mut self) -> Bit {
        self.next += 1;
        Bit::Net(self.next - 1)
    }

    /// A flip-flop with the clock of a block.
    fn add(&mut self, block: &Cell, [data, output]: [Bit; 2], enable: &str, reset: &str) {
        let mut connections = HashMap::from([("D".to_string(), vec![data]), ("Q".to_string(), vec![output])]);
        for (pin, of_block) in [("C", "CLK"), ("CE", enable), ("R", reset)] {
            connections.extend(block.connections.get(of_block).map(|bits| (pin.to_string(), bits.clone())));
        }
        let inverted = block.parameters.get("IS_CLK_INVERTED").cloned().unwrap_or_else(|| "0".into());
        let parameters = HashMap::from([("IS_C_INVERTED".to_string(), inverted)]);
        self.flip_flops.push(Cell { kind: "FDRE".into(), parameters, attributes: HashMap::new(), connections });
    }
}
