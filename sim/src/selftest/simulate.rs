//! The self-test in Verilator, with random initial register values.

use super::{Leds, Lit, SelfTest};
use crate::engines::verilator::{PortWidth, VerilogModule, drive};
use askama::Template;
use binade_circuit::Interface;
use binade_spec::contract::Pace;
use binade_tools::{Error, Tools};

#[derive(Template)]
#[template(path = "verilator/selftest.cpp", escape = "none")]
struct Driver {
    /// The levels at which the LEDs are lit.
    running: u8,
    passed: u8,
    failed: u8,
    pressed: Option<u64>,
    limit: u64,
}

impl Driver {
    fn text(&self) -> String {
        self.render().expect("a template of plain values")
    }
}

/// The LEDs at the end of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulated {
    /// Whether the test is still running.
    pub is_running: bool,
    /// Whether the signature is the right one.
    pub has_passed: bool,
    /// Whether the signature is wrong.
    pub has_failed: bool,
    /// Clocks since the configuration; after the button was pressed, counted as from a new configuration.
    pub clocks: u64,
}

impl SelfTest<'_> {
    /// Simulates the self-test in the file `verilog`, which holds the module `module`, until it ends or exceeds its time. The button is
    /// pressed for one clock after `pressed` clocks.
    ///
    /// # Errors
    /// When Verilator or the C++ compiler is missing or fails.
    pub fn simulate(
        &self,
        tools: &Tools,
        module: &str,
        verilog: &str,
        pressed: Option<u64>,
    ) -> Result<Simulated, Error> {
        let port = |name| PortWidth::new(name, 1);
        let inputs = ["clk", "rst_n"].map(port);
        let outputs = ["led_running", "led_passed", "led_failed"].map(port);
        // Its clock is driven like any other input here.
        let (inputs, outputs, interface) = (&inputs, &outputs, Interface::Plain);
        let module = VerilogModule {
            name: module,
            verilog,
            inputs,
            outputs,
            pace: Pace::pipelined(0),
            has_state: false,
            interface,
            dut: None,
        };
        let level = |lit| u8::from(lit == Lit::High);
        let Leds { running, passed, failed } = self.leds;
        let [running, passed, failed] = [running, passed, failed].map(level);
        // One clock more than the test takes.
        let driver = Driver { running, passed, failed, pressed, limit: self.clocks() + 1 };
        let printed = drive(tools, &module, &driver.text())?;
        let numbers: Vec<u64> = printed.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let &[is_running, has_passed, has_failed, clocks] = numbers.as_slice() else {
            let (tool, expected) = ("the simulation of the self-test".into(), "the LEDs and the clocks".into());
            return Err(Error::unparsed(tool, expected, printed));
        };
        let [is_running, has_passed, has_failed] = [is_running, has_passed, has_failed].map(|lit| lit == 1);
        Ok(Simulated { is_running, has_passed, has_failed, clocks })
    }
}
