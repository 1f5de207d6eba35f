//! Registers that are part of a circuit's meaning.

use crate::{Bits, Circuit, Op, Register};
use num_bigint::BigUint;

/// A circuit with registers is a Mealy machine. In each step that takes operands, its outputs and the next values of its
/// registers are functions of the operands and the registers.
///
/// ```
/// use binade_circuit::{Circuit, Interpreter};
///
/// let circuit = Circuit::new();
/// let total = {
///     let amount = circuit.input("amount", 8, "what is added");
///     let total = circuit.register("total", 8, 0, "sum of all amounts, modulo 256");
///     circuit.drive(total, total.add(amount));
///     total.node()
/// };
/// let netlist = circuit.finish(&[("before", total, "the sum without this amount".into())]);
///
/// // Two machines side by side, for one step.
/// let mut states = netlist.reset_states(2);
/// let mut before = [0; 2];
/// Interpreter::new(&netlist).step(&[[3, 5]], &mut states, &mut [&mut before]);
/// assert_eq!((before, &states[0][..]), ([0, 0], &[3, 5][..]));
/// ```
impl Circuit {
    /// A register that holds `reset` at first; the result is its value. [`Circuit::drive`] sets its next value. `about` is its
    /// comment in the Verilog.
    ///
    /// # Panics
    /// If `reset` has more than `width` bits.
    #[track_caller]
    pub fn register(&self, name: &str, width: u32, reset: u128, about: &str) -> Bits<'_> {
        self.wide_register(name, width, reset.into(), about)
    }

    /// A register whose `reset` may have more than 128 bits.
    ///
    /// # Panics
    /// If `reset` has more than `width` bits.
    #[track_caller]
    pub fn wide_register(&self, name: &str, width: u32, reset: BigUint, about: &str) -> Bits<'_> {
        assert!(reset.bits() <= u64::from(width), "{reset} does not fit in {width} bits");
        let mut state = self.state.borrow_mut();
        let index = state.netlist.registers.len();
        let name = format!("{}{name}", state.prefix);
        state.netlist.registers.push(Register { name, width, reset, about: about.into(), next: 0, is_kept: false });
        state.is_driven.push(false);
        drop(state);
        self.bits(Op::Register(index), width)
    }

    /// Sets the value of a register after a step with operands.
    ///
    /// # Panics
    /// If it is no register, is driven already, or is not as wide as `next`.
    #[track_caller]
    pub fn drive(&self, register: Bits<'_>, next: Bits<'_>) {
        let Op::Register(index) = self.op(register.node()) else {
            panic!("{} is no register, so nothing drives it", self.describe(register.node()));
        };
        let mut state = self.state.borrow_mut();
        let was_driven = std::mem::replace(&mut state.is_driven[index], true);
        let before = std::mem::replace(&mut state.netlist.registers[index].next, next.node());
        drop(state);
        let names = [register.node(), before, next.node()].map(|node| self.describe(node));
        assert!(!was_driven, "register {} is driven twice, by {} and by {}", names[0], names[1], names[2]);
        assert!(register.width() == next.width(), "register {} is driven by {}", names[0], names[2]);
    }

    /// Keeps a register even if no output needs it, so that the module has the ports of a unit with state.
    ///
    /// # Panics
    /// If it is no register.
    #[track_caller]
    pub fn keep(&self, register: Bits) {
        let Op::Register(index) = self.op(register.node()) else {
            panic!("{} is no register", self.describe(register.node()));
        };
        self.state.borrow_mut().netlist.registers[index].is_kept = true;
    }

    /// Panics if the author of a circuit has forgotten to drive a register.
    #[track_caller]
    pub(crate) fn check_driven(&self) {
        let state = self.state.borrow();
        let registers = state.netlist.registers.iter().zip(&state.is_driven);
        let forgotten: Vec<&str> = registers.filter(|(_, driven)| !**driven).map(|(it, _)| it.name.as_str()).collect();
        assert!(forgotten.is_empty(), "nothing drives the register {}", forgotten.join(", nor "));
    }
}
