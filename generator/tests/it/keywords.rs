//! No name in the printed text is a keyword of Verilog, SystemVerilog or VHDL, whatever the language of the text.

use crate::reference;
use crate::verilog_text::{all, code, for_all, words};
use binade_circuit::language::keyword_of;
use binade_circuit::{CLOCK_PORTS, Interface};
use binade_generator::{Design, generate};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The keywords in a module in Verilog; every other word is a name.
const SPOKEN: [&str; 19] = [
    "always",
    "assign",
    "begin",
    "else",
    "end",
    "endgenerate",
    "endmodule",
    "for",
    "generate",
    "genvar",
    "if",
    "input",
    "module",
    "negedge",
    "or",
    "output",
    "posedge",
    "reg",
    "wire",
];

fn assert_names_are_no_keywords(module: &str, verilog: &str) {
    let code = code(verilog);
    for name in words(&code).filter(|word| !SPOKEN.contains(word)) {
        assert_eq!(keyword_of(name), None, "{module}: {name}");
    }
}

#[test]
fn names_in_units_are_no_keywords() {
    for_all(|unit| assert_names_are_no_keywords(&unit.module, &unit.verilog));
}

#[test]
fn names_in_shells_are_no_keywords() {
    let shells = [Interface::ReadyValid, Interface::AxiStream];
    let designs = all().iter().step_by(100).flat_map(|unit| shells.map(|interface| unit.design.spoken_to(interface)));
    designs.collect::<Vec<Design>>().into_par_iter().map(generate).for_each(|shell| {
        assert_names_are_no_keywords(&shell.module, &shell.verilog);
    });
}

#[test]
fn names_in_reference_files_are_no_keywords() {
    let files = reference::files();
    assert!(!files.is_empty());
    files.iter().for_each(|(name, verilog)| assert_names_are_no_keywords(name, verilog));
}

#[test]
fn names_of_ports_are_no_keywords() {
    let of_units = all().iter().map(|unit| unit.design.operation);
    let of_units = of_units.flat_map(|operation| operation.inputs().into_iter().chain(operation.outputs()));
    let clocked = CLOCK_PORTS.iter().map(|port| port.name);
    let names: BTreeSet<&str> = of_units.map(|port| port.name).chain(clocked).collect();
    for name in ["random_bits", "class_bits", "y_out"] {
        assert!(names.contains(name), "no unit has a port {name}: {names:?}");
    }
    for name in names {
        assert_eq!(keyword_of(name), None, "{name}");
    }
}
