//! Tests the text of units in SystemVerilog and VHDL; `sim/tests/it/languages.rs` tests that they compute the same.

use crate::verilog_text::{Printed, all, code};
use binade_circuit::Language;
use binade_circuit::language::keyword_of;
use binade_generator::{GeneratedUnit, generate};
use binade_spec::{Selection, Unit};
use rayon::prelude::*;
use std::collections::HashSet;

/// The most columns of a line; comments of ports may be longer.
const COLUMNS: usize = 120;

/// Every seventh of the units whose Verilog is examined, and its text. The Verilog must be the same bytes again.
fn for_some(language: Language, check: impl Fn(&GeneratedUnit, &str) + Sync + Send) {
    let printed: Vec<&Printed> = all().iter().step_by(7).collect();
    printed.into_par_iter().for_each(|printed| {
        let unit = generate(printed.design);
        assert_eq!(unit.verilog, printed.verilog);
        check(&unit, &unit.text(language));
    });
}

/// Except for arrays, SystemVerilog is Verilog with other keywords for declarations of ports and for blocks; nets are of the default
/// kind.
#[test]
fn systemverilog_says_the_same_in_other_words() {
    for_some(Language::SystemVerilog, |unit, text| {
        let ports = unit.netlist.inputs.iter().chain(unit.netlist.outputs.iter().map(|(port, _)| port));
        if ports.clone().any(|port| port.lanes > 1) {
            let lanes = ports.filter(|port| port.lanes > 1);
            for port in lanes {
                let range = format!("[{}:0][{}:0] {}", port.lanes - 1, port.width / port.lanes - 1, port.name);
                assert!(text.contains(&range), "{}: no `{range}`", unit.module);
            }
            return;
        }
        assert!(!text.contains('`') && !text.contains("wire logic"), "{}: {text}", unit.module);
        let plain = code(text).replace("input  logic", "input wire").replace("output logic", "output wire");
        let plain = plain.replace("always_ff", "always").replace("logic", "reg").replace("(genvar ", "(");
        let is_verilog = |line: &&str| line.trim().starts_with("genvar ") || line.starts_with('`');
        let verilog: String = code(&unit.verilog).lines().filter(|line| !is_verilog(line)).collect();
        // Line breaks may differ.
        let dense = |text: &str| text.split_whitespace().collect::<String>();
        assert!(dense(&plain) == dense(&verilog), "{}: {text}", unit.module);
    });
}

/// Names are legal without escapes and not keywords. Each is declared once, regardless of case. The text contains no
/// Verilog syntax.
#[test]
fn vhdl_declares_each_name_once() {
    for_some(Language::Vhdl, |unit, text| {
        assert_eq!(Language::Vhdl.check_name(&unit.module), Ok(()));
        let code: Vec<&str> = text.lines().map(|line| line.split("--").next().unwrap_or("").trim_end()).collect();
        let mut declared = HashSet::new();
        for line in &code {
            if line.starts_with("entity ") {
                declared.clear();
            }
            let name = line.trim().strip_prefix("signal ").unwrap_or(line.trim()).split(' ').next().unwrap_or("");
            if line.starts_with("  signal ") || line.contains(" : in ") || line.contains(" : out ") {
                assert!(declared.insert(name.to_lowercase()), "{}: {name} is there twice", unit.module);
                assert_eq!(keyword_of(name), None, "{}: {line}", unit.module);
            }
            for verilog in ["\\", "{", "[", "?:", "//", "'d", "'h", "'b", "~", "|", "wire ", "assign "] {
                assert!(!line.contains(verilog), "{}: `{verilog}` in {line}", unit.module);
            }
            assert!(line.len() <= COLUMNS, "{}: {line}", unit.module);
        }
    });
}

/// Two kinds of elements with a common part.
#[test]
fn vhdl_has_each_entity_before_its_instances() {
    let posits = Selection::new(Unit::Mma, "posit8_2".parse().expect("a format"));
    let tile = Selection { rows: Some(2), columns: Some(3), depth: Some(4), ..posits };
    let tile = generate(tile.operation().expect("an operation that exists"));
    let check = |unit: &GeneratedUnit, text: &str| {
        let mut entities = HashSet::new();
        for line in text.lines() {
            if let Some((name, _)) = line.strip_prefix("entity ").and_then(|rest| rest.split_once(' ')) {
                entities.insert(name.to_string());
            }
            if let Some((_, rest)) = line.split_once(": entity work.") {
                let name = rest.split(' ').next().unwrap_or("");
                assert!(entities.contains(name), "{}: {name}", unit.module);
            }
        }
        assert_eq!(text.matches("\nentity ").count(), entities.len(), "{}", unit.module);
    };
    check(&tile, &tile.text(Language::Vhdl));
    for_some(Language::Vhdl, check);
}

/// The command in the header names the language of the text.
#[test]
fn headers_name_the_language() {
    let unit = generate(all()[0].design);
    assert!(!unit.text(Language::Verilog).contains("--language"));
    assert_eq!(unit.text(Language::Verilog), unit.verilog);
    for language in [Language::SystemVerilog, Language::Vhdl] {
        let header: Vec<String> = unit.text(language).lines().take(4).map(String::from).collect();
        assert!(header.join(" ").contains(&format!("--language {language}")), "{header:?}");
    }
}
