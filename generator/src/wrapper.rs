//! Wrappers: classes that instantiate a module, for hardware description languages in Python and Scala.

use crate::GeneratedUnit;
use crate::manifest::{Manifest, PortEntry};
use binade_circuit::Language;
use std::fmt;
use std::str::FromStr;

/// A language whose classes instantiate modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// Python, for Amaranth.
    Amaranth,
    /// Scala, for Chisel.
    Chisel,
    /// Scala, for SpinalHDL.
    Spinalhdl,
}

impl Wrapper {
    /// All of them.
    pub const ALL: [Wrapper; 3] = [Wrapper::Amaranth, Wrapper::Chisel, Wrapper::Spinalhdl];

    /// The name of the tool, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Wrapper::Amaranth => "amaranth",
            Wrapper::Chisel => "chisel",
            Wrapper::Spinalhdl => "spinalhdl",
        }
    }

    /// The file beside a unit's text in a language: the ending of its name, after the module's, and its text.
    pub fn file(self, unit: &GeneratedUnit, language: Language) -> (String, String) {
        let module = Manifest::in_language(unit, vec![], language);
        let file = format!("{}{}", module.module, language.ending());
        match self {
            Wrapper::Amaranth => ("_amaranth.py".into(), module.amaranth(&file)),
            Wrapper::Chisel => ("_chisel.scala".into(), module.chisel(&file)),
            Wrapper::Spinalhdl => ("_spinalhdl.scala".into(), module.spinalhdl(&file)),
        }
    }
}

impl fmt::Display for Wrapper {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Wrapper {
    type Err = String;

    fn from_str(name: &str) -> Result<Wrapper, String> {
        let found = Wrapper::ALL.into_iter().find(|wrapper| wrapper.name() == name);
        found.ok_or_else(|| format!("amaranth, chisel or spinalhdl is expected, not `{name}`"))
    }
}

/// Names of the clock and of the active-low reset, those of AXI4-Stream last.
const CLOCKS: [&str; 2] = ["clk", "aclk"];
const RESETS: [&str; 2] = ["rst_n", "aresetn"];

impl PortEntry {
    fn is_input(&self) -> bool {
        self.direction == "input"
    }

    /// The format as a comment, if the port has one.
    fn comment(&self, mark: &str) -> String {
        self.format.as_ref().map_or(String::new(), |format| format!("  {mark} {format}"))
    }
}

impl Manifest {
    /// The clock and the reset, if the module has them.
    fn clock(&self) -> Option<[&str; 2]> {
        let has = |name: &str| self.ports.iter().any(|port| port.name == name);
        CLOCKS.into_iter().zip(RESETS).find(|(clock, _)| has(clock)).map(|(clock, reset)| [clock, reset])
    }

    /// The ports other than the clock and the reset.
    fn signals(&self) -> impl Iterator<Item = &PortEntry> {
        let control = self.clock().unwrap_or_default();
        self.ports.iter().filter(move |port| !control.contains(&port.name.as_str()))
    }

    fn amaranth(&self, file: &str) -> String {
        let Manifest { module, command, .. } = self;
        let mut text = format!(
            "\"\"\"`{module}` for Amaranth, made by: {command} --wrapper amaranth\"\"\"\n\n\
             import pathlib\n\n\
             from amaranth.hdl import ClockSignal, Instance, Module, ResetSignal\n\
             from amaranth.lib import wiring\n\
             from amaranth.lib.wiring import In, Out\n\n\n\
             class {module}(wiring.Component):\n"
        );
        for port in self.signals() {
            let way = if port.is_input() { "In" } else { "Out" };
            text += &format!("    {}: {way}({}){}\n", port.name, port.width, port.comment("#"));
        }
        text += &format!(
            "\n    def elaborate(self, platform):\n        m = Module()\n        if platform is not None:\n            \
             platform.add_file(\"{file}\", pathlib.Path(__file__).with_name(\"{file}\").read_text())\n        \
             m.submodules.unit = Instance(\n            \"{module}\",\n"
        );
        if let Some([clock, reset]) = self.clock() {
            text += &format!("            i_{clock}=ClockSignal(),\n            i_{reset}=~ResetSignal(),\n");
        }
        for port in self.signals() {
            let way = if port.is_input() { "i" } else { "o" };
            text += &format!("            {way}_{0}=self.{0},\n", port.name);
        }
        text + "        )\n        return m\n"
    }

    fn chisel(&self, file: &str) -> String {
        let Manifest { module, command, .. } = self;
        let mut text = format!(
            "// `{module}` for Chisel, made by: {command} --wrapper chisel\n// `{file}` is a resource of the project.\n\n\
             import chisel3._\nimport chisel3.util.HasBlackBoxResource\n\n\
             class {module} extends BlackBox with HasBlackBoxResource {{\n  val io = IO(new Bundle {{\n"
        );
        let control = self.clock();
        for port in &self.ports {
            let way = if port.is_input() { "Input" } else { "Output" };
            let kind = match (control, port.width) {
                (Some([clock, _]), _) if port.name == clock => "Clock()".into(),
                (_, 1) => "Bool()".into(),
                (_, width) => format!("UInt({width}.W)"),
            };
            text += &format!("    val {} = {way}({kind}){}\n", port.name, port.comment("//"));
        }
        text + &format!("  }})\n  addResource(\"/{file}\")\n}}\n")
    }

    fn spinalhdl(&self, file: &str) -> String {
        let Manifest { module, command, .. } = self;
        let mut text = format!(
            "// `{module}` for SpinalHDL, made by: {command} --wrapper spinalhdl\n\n\
             import spinal.core._\n\nclass {module} extends BlackBox {{\n  val io = new Bundle {{\n"
        );
        for port in &self.ports {
            let way = if port.is_input() { "in" } else { "out" };
            let kind = if port.width == 1 { "Bool()".into() } else { format!("Bits({} bits)", port.width) };
            text += &format!("    val {} = {way} {kind}{}\n", port.name, port.comment("//"));
        }
        text += "  }\n  noIoPrefix()\n";
        if let Some([clock, reset]) = self.clock() {
            text += &format!("  mapClockDomain(clock = io.{clock}, reset = io.{reset}, resetActiveLevel = LOW)\n");
        }
        text + &format!("  addRTLPath(\"{file}\")\n}}\n")
    }
}
