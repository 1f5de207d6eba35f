//! The shell of a unit with valid and ready, read by Yosys without the unit inside.

use crate::NoVerdict;
use binade_circuit::print::INSTANCE;
use binade_circuit::{Controls, Interface, OPERANDS, Packing, RESULTS};
use binade_gates::Graph;
use binade_generator::GeneratedUnit;
use binade_prove::Shell;
use binade_spec::Port;
use binade_synth::shell_netlist;
use binade_tools::{Error, Tools};

/// The shell of a unit as gates.
pub(super) fn load(tools: &Tools, unit: &GeneratedUnit) -> Result<Shell, NoVerdict> {
    let (Some(within), Some(controls)) = (&unit.within_shell, unit.design.interface.controls()) else {
        unreachable!("a unit in a shell")
    };
    let json = shell_netlist(tools, &unit.module, within, &unit.verilog)?;
    let (operation, is_clocked) = (&unit.design.operation, unit.is_clocked());
    let (inputs, outputs) = (operation.inputs(), operation.outputs());
    let [inside_in, inside_out] = [&inputs, &outputs].map(|ports| pins(ports));
    let [around_in, around_out] =
        [(OPERANDS, &inputs), (RESULTS, &outputs)].map(|(name, ports)| around(unit, name, ports));
    let Controls { clock, reset, in_valid, in_ready, out_valid, out_ready } = *controls;
    let bits = |names: &[&str]| names.iter().map(|name| (name.to_string(), 1)).collect::<Vec<_>>();
    let of_unit = |names: &[&str]| match is_clocked {
        true => names.iter().map(|name| (pin(name), 1)).collect(),
        false => vec![],
    };
    let read = [bits(&[clock, reset, in_valid, out_ready]), around_in.0, of_unit(&["out_valid"]), inside_out].concat();
    let driven =
        [bits(&[in_ready, out_valid]), around_out.0, of_unit(&["clk", "rst_n", "en", "in_valid"]), inside_in].concat();
    let [read, driven] =
        [&read, &driven].map(|ports| ports.iter().map(|(name, width)| (name.as_str(), *width)).collect::<Vec<_>>());
    let graph = Graph::of_netlist(&json, &unit.module, &read, &driven).map_err(|error| {
        let tool = tools.yosys().map(|yosys| format!("Yosys {}", yosys.version)).unwrap_or_default();
        NoVerdict::Tool(Error::unparsed(tool, "the netlist of a shell".into(), error.to_string()))
    })?;
    let waits = unit.design.pace().is_iterated();
    Ok(Shell { graph, is_clocked, waits, operands: around_in.1, results: around_out.1 })
}

/// A pin of the unit inside the shell, as a port.
fn pin(name: &str) -> String {
    format!("{INSTANCE}.{name}")
}

fn pins(ports: &[Port]) -> Vec<(String, u32)> {
    ports.iter().map(|port| (pin(port.name), port.width())).collect()
}

/// The shell's ports for words, and the position of each word's bits.
fn around(unit: &GeneratedUnit, packed: &str, words: &[Port]) -> (Vec<(String, u32)>, Vec<usize>) {
    match unit.design.interface {
        Interface::AxiStream => {
            let Packing { lows, width } = Packing::of(words.iter().map(Port::width));
            let bits = words.iter().zip(lows).flat_map(|(port, low)| low as usize..(low + port.width()) as usize);
            (vec![(packed.into(), width)], bits.collect())
        }
        Interface::Plain | Interface::ReadyValid => {
            let bits: u32 = words.iter().map(Port::width).sum();
            (words.iter().map(|port| (port.name.to_string(), port.width())).collect(), (0..bits as usize).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_generator::{Design, generate};
    use binade_prove::ShellFault::{self, Entering, Holding, Moving, Passing, Ready, Reset, Running};
    use binade_spec::{Selection, Unit};
    use binade_tools::Source;

    fn unit(unit: Unit, format: &str, stages: u32, interface: Interface) -> GeneratedUnit {
        let selection = Selection::new(unit, format.parse().expect("a format"));
        generate(Design::pipelined(selection.operation().expect("an operation"), stages).spoken_to(interface))
    }

    fn check(unit: &GeneratedUnit) -> Result<(), ShellFault> {
        load(&Tools::new(Source::Pinned), unit).unwrap_or_else(|failure| panic!("{failure}")).check(&|| false)
    }

    const UNITS: [(Unit, &str, u32); 5] = [
        (Unit::Mul, "e3m2f", 0),
        (Unit::Fmac, "e5m2b1", 3),
        (Unit::Classify, "binary16", 1),
        (Unit::Accumulate, "e5m2", 0),
        (Unit::Accumulate, "e5m2", 2),
    ];

    #[test]
    fn shells_are_proven() {
        for (turn, (kind, format, stages)) in UNITS.into_iter().enumerate() {
            let interface = [Interface::ReadyValid, Interface::AxiStream][turn % 2];
            assert_eq!(check(&unit(kind, format, stages, interface)), Ok(()), "{kind} {interface}");
        }
    }

    /// A unit that takes several clocks for an operation, in a shell.
    fn iterated(interface: Interface) -> GeneratedUnit {
        let selection = Selection::new(Unit::Divide, "e3m2f".parse().expect("a format"));
        let design =
            Design::from(selection.operation().expect("an operation")).in_clocks(1).expect("a unit with digits");
        generate(design.spoken_to(interface))
    }

    #[test]
    fn shells_wait_for_a_unit_that_takes_several_clocks() {
        for interface in [Interface::ReadyValid, Interface::AxiStream] {
            assert_eq!(check(&iterated(interface)), Ok(()), "{interface}");
        }
        let sound = iterated(Interface::ReadyValid).verilog;
        let faults = [
            ("~is_running | out_valid;", "1'b1;", Running),
            ("~is_running | out_valid;", "~is_running;", Ready),
            ("is_offered & is_free;", "is_offered;", Holding),
            ("unit_valid | ~is_free;", "unit_valid;", Running),
            ("is_waiting <= is_offered & ~(is_free & en)", "is_waiting <= is_offered & ~en", Holding),
            ("if (!rst_n) is_running <= 1'b0;\n    else if (en)", "if (en)", Running),
        ];
        for (from, to, fault) in faults {
            let mut broken = iterated(Interface::ReadyValid);
            assert_eq!(sound.matches(from).count(), 1, "{from}: {sound}");
            broken.verilog = sound.replacen(from, to, 1);
            assert_eq!(check(&broken), Err(fault), "{from} -> {to}");
        }
    }

    /// Changes each line of a shell, so that it loses or repeats something, or is ready when it should not be.
    #[test]
    #[ignore = "long"]
    fn broken_shells_are_found() {
        let clocked = [
            ("is_waiting <= unit_valid & ~en", "is_waiting <= 1'b0", Holding),
            ("is_waiting <= unit_valid & ~en", "is_waiting <= in_valid & ~en", Holding),
            ("if (!is_waiting) begin", "if (en) begin", Holding),
            ("if (!is_waiting) begin", "if (1'b1) begin", Holding),
            ("unit_a = is_waiting ? waiting_a : a", "unit_a = a", Entering),
            ("unit_valid = in_valid | is_waiting", "unit_valid = in_valid", Ready),
            ("in_ready = ~is_waiting", "in_ready = en", Ready),
            ("in_ready = ~is_waiting", "in_ready = 1'b1", Ready),
            ("in_ready = ~is_waiting", "in_ready = ~is_waiting & en", Ready),
            ("en         = out_ready | ~out_valid", "en         = 1'b1", Moving),
            ("en         = out_ready | ~out_valid", "en         = out_ready", Moving),
            ("en         = out_ready | ~out_valid", "en         = ~out_valid", Moving),
            ("if (!rst_n) is_waiting <= 1'b0;\n  else", "", Reset),
            (".rst_n(rst_n)", ".rst_n(1'b1)", Passing),
            (".clk(clk)", ".clk(1'b1)", Passing),
            (".clk(clk)", ".clk(clk | out_ready)", Passing),
            ("waiting_b <= b", "waiting_b <= a", Holding),
        ];
        let sound = unit(Unit::Mul, "e3m2f", 2, Interface::ReadyValid);
        for (from, to, fault) in clocked {
            let mut broken = unit(Unit::Mul, "e3m2f", 2, Interface::ReadyValid);
            let spaced = sound.verilog.contains(from);
            let from = if spaced {
                from.to_string()
            } else {
                from.replace("         =", " =").replace("\n  else", "\n    else")
            };
            assert!(sound.verilog.contains(&from), "{from}: {}", sound.verilog);
            broken.verilog = sound.verilog.replacen(&from, to, 1);
            assert_eq!(check(&broken), Err(fault), "{from} -> {to}");
        }
    }
}
