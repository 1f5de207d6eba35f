//! Parts that a unit has more than once: a module, and an instance for each.

use crate::verilog_text::{self, code};
use binade_generator::{Design, generate};
use binade_spec::{Selection, Unit};
use std::collections::HashMap;

fn selection(unit: Unit, format: &str) -> Selection {
    Selection::new(unit, format.parse().unwrap_or_else(|error| panic!("{error}")))
}

fn design(selection: Selection) -> Design {
    Design::from(selection.operation().expect("an operation that exists"))
}

/// The modules of a file: their names, and their texts from the ports on.
fn modules(verilog: &str) -> Vec<(String, String)> {
    let code = code(verilog);
    let texts = code.split("\nmodule ").skip(1).map(|text| text.split("endmodule").next().expect("a module ends"));
    let named = texts.map(|text| text.split_once(" (").expect("a module has ports"));
    named.map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

/// The names of a module's ports.
fn ports(module: &str) -> Vec<String> {
    let declared = module.split(");").next().expect("ports end").lines().filter(|line| line.contains(" wire "));
    let name = |line: &str| line.trim().trim_end_matches(',').split_whitespace().last().map(String::from);
    declared.filter_map(name).collect()
}

/// The instances in a module, each with its module and the ports that it connects.
fn instances(module: &str) -> Vec<(String, Vec<String>)> {
    let statements = module.split(';').map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let instance = |text: String| {
        let (head, connections) = text.split_once(" (.").or_else(|| text.split_once(" ( ."))?;
        let connected = connections.split(" .").filter_map(|port| Some(port.split_once('(')?.0.to_string()));
        Some((head.split(' ').next()?.to_string(), connected.collect()))
    };
    statements.filter_map(instance).collect()
}

/// How many instances of each part there are in a module, by the part's name.
fn counts(unit: &str, module: &str) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = vec![];
    for (name, _) in instances(module) {
        let part = name.strip_prefix(&format!("{unit}_")).expect("parts are named after their unit").to_string();
        match counts.iter_mut().find(|(other, _)| *other == part) {
            Some((_, count)) => *count += 1,
            None => counts.push((part, 1)),
        }
    }
    counts
}

#[test]
fn lanes_of_a_dot_product_are_instances() {
    let unit = generate(design(Selection { lanes: Some(4), ..selection(Unit::Dot, "e5m2b1") }));
    let modules = modules(&unit.verilog);
    let wanted = [("multiply".to_string(), 4), ("place".to_string(), 4)];
    assert_eq!(counts(&unit.module, &modules[0].1), wanted);
    let multiply = ["a", "b", "product_sign", "product_is_infinite", "product_is_nan", "product", "product_exponent"];
    assert_eq!(ports(&modules[1].1), multiply);
    assert!(unit.verilog.contains("// The exact product of two codes.\nmodule "), "{}", unit.verilog);
}

#[test]
fn a_tile_has_a_module_for_its_elements() {
    let unit = generate(design(selection(Unit::Mma, "e5m2b1")));
    let modules = modules(&unit.verilog);
    assert_eq!(counts(&unit.module, &modules[0].1), [("decode".to_string(), 32), ("dot".to_string(), 16)]);
    let dot = modules.iter().find(|(name, _)| name.ends_with("_dot")).expect("a module for the elements");
    assert_eq!(counts(&unit.module, &dot.1), [("place".to_string(), 4)]);
    let decode = ["x", "sign", "biased", "is_zero", "is_infinite", "is_nan", "significand"];
    assert_eq!(ports(&modules[1].1), decode);
    let lines = unit.verilog.lines().count();
    assert!(lines < 950, "{lines} lines");
}

#[test]
fn parts_of_each_kind_of_unit() {
    let eight = |unit, format| Selection { lanes: Some(8), ..selection(unit, format) };
    let cases = [
        (eight(Unit::MxQuantize, "e4m3fn"), vec![("quotient", 8)]),
        (eight(Unit::MxDot, "e4m3fn"), vec![("multiply", 8), ("place", 7)]),
        (eight(Unit::DotExact, "e5m2"), vec![("multiply", 8), ("place", 7)]),
        (eight(Unit::LossScaler, "e5m2"), vec![("overflow", 8)]),
    ];
    for (selection, wanted) in cases {
        let unit = generate(design(selection));
        let found = counts(&unit.module, &modules(&unit.verilog)[0].1);
        let found: Vec<(&str, usize)> = found.iter().map(|(part, count)| (part.as_str(), *count)).collect();
        assert_eq!(found, wanted, "{}", unit.module);
    }
}

#[test]
fn what_is_there_once_has_no_module() {
    for selection in [selection(Unit::Fmac, "e5m2b1"), Selection { lanes: Some(1), ..selection(Unit::Dot, "e5m2b1") }] {
        let unit = generate(design(selection));
        assert_eq!(modules(&unit.verilog).len(), 1, "{}", unit.module);
        assert!(!unit.verilog.contains("lint_off"), "{}", unit.module);
    }
}

/// Every instance connects each port of a module of the file once, and every module but the first has two instances.
#[test]
fn instances_fit_their_modules() {
    verilog_text::for_all(|unit| {
        let modules = modules(&unit.verilog);
        let wanted: HashMap<&str, Vec<String>> =
            modules.iter().map(|(name, text)| (name.as_str(), ports(text))).collect();
        assert_eq!(wanted.len(), modules.len(), "{}: two modules have one name", unit.module);
        let all: Vec<_> = modules.iter().flat_map(|(_, text)| instances(text)).collect();
        for (module, connected) in &all {
            assert_eq!(Some(connected), wanted.get(module.as_str()), "{}: {module}", unit.module);
        }
        for (module, _) in &modules[1..] {
            assert!(all.iter().filter(|(name, _)| name == module).count() > 1, "{}: {module}", unit.module);
        }
    });
}
