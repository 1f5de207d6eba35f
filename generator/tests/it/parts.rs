//! Tests parts that occur more than once in a unit: they have one module, and an instance for each part.

use crate::verilog_text::{self, code};
use binade_circuit::{Language, MAX_WIDTH};
use binade_generator::{BuildChoice, Design, generate};
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

/// The instances of a module that one statement makes.
struct Instances {
    module: String,
    /// The ports that are connected.
    ports: Vec<String>,
    /// The number of instances; more than one in loops.
    count: usize,
}

/// The instances in a module.
fn instances(module: &str) -> Vec<Instances> {
    let statements = module.split(';').map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut count = 1;
    let mut all = vec![];
    for statement in statements {
        if let Some((head, connections)) = statement.split_once(" (.").or_else(|| statement.split_once(" ( .")) {
            let connected = connections.split(" .").filter_map(|port| Some(port.split_once('(')?.0.to_string()));
            let module = head.rsplit(' ').nth(1).expect("an instance has a module and a name");
            all.push(Instances { module: module.into(), ports: connected.collect(), count });
            count = 1;
        } else if let Some((_, times)) = statement.split_once(" < ").filter(|(variable, _)| !variable.contains(' ')) {
            count *= times.parse::<usize>().expect("how often a loop is run through");
        }
    }
    all
}

/// The number of instances of each part in a module, by the part's name.
fn counts(unit: &str, module: &str) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = vec![];
    for Instances { module, count: more, .. } in instances(module) {
        let part = module.strip_prefix(&format!("{unit}_")).expect("parts are named after their unit").to_string();
        match counts.iter_mut().find(|(other, _)| *other == part) {
            Some((_, count)) => *count += more,
            None => counts.push((part, more)),
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
    assert_eq!(counts(&unit.module, &dot.1), [("multiply".to_string(), 4), ("place".to_string(), 4)]);
    let decode = ["x", "sign", "biased", "is_zero", "is_infinite", "is_nan", "significand"];
    assert_eq!(ports(&modules[1].1), decode);
    let lines = unit.verilog.lines().count();
    assert!(lines < 450, "{lines} lines");
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

/// Every instance connects each port of a module of the file once, and every module but the first has two instances; one that is a module by
/// its kind may have one.
#[test]
fn instances_fit_their_modules() {
    verilog_text::for_all(|unit| {
        let modules = modules(&unit.verilog);
        let wanted: HashMap<&str, Vec<String>> =
            modules.iter().map(|(name, text)| (name.as_str(), ports(text))).collect();
        assert_eq!(wanted.len(), modules.len(), "{}: two modules have one name", unit.module);
        let all: Vec<_> = modules.iter().flat_map(|(_, text)| instances(text)).collect();
        for Instances { module, ports, .. } in &all {
            assert_eq!(Some(ports), wanted.get(module.as_str()), "{}: {module}", unit.module);
        }
        for (module, _) in &modules[1..] {
            let count: usize = all.iter().filter(|of| of.module == *module).map(|of| of.count).sum();
            let least = if module.contains("_prefix_") { 1 } else { 2 };
            assert!(count >= least, "{}: {module}", unit.module);
        }
    });
}

/// The text without line breaks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Each language has loops for parts that read successive lanes.
#[test]
fn lanes_are_loops() {
    let dot = generate(design(Selection { lanes: Some(4), ..selection(Unit::Dot, "e5m2b1") }));
    let cases = [
        (
            Language::Verilog,
            "genvar lane; for (lane = 0; lane < 4; lane = lane + 1) begin : multiply_lanes \
             dot4_e5m2b1_acc_binary16_rne_multiply multiply ( .a(a[8*lane +: 8]), .b(b[8*lane +: 8]), \
             .product_sign(product_sign[lane])",
        ),
        (
            Language::SystemVerilog,
            "for (genvar lane = 0; lane < 4; lane = lane + 1) begin : multiply_lanes \
             dot4_e5m2b1_acc_binary16_rne_multiply multiply ( .a(a[lane]), .b(b[lane]), \
             .product_sign(product_sign[lane])",
        ),
        (
            Language::Vhdl,
            "multiply_lanes : for lane in 0 to 3 generate \
             multiply : entity work.dot4_e5m2b1_acc_binary16_rne_multiply port map ( \
             a => unsigned(a(8*lane + 7 downto 8*lane)), b => unsigned(b(8*lane + 7 downto 8*lane)), \
             product_sign => product_sign(lane)",
        ),
    ];
    for (language, wanted) in cases {
        let text = words(&dot.text(language));
        assert!(text.contains(wanted), "no `{wanted}` in {text}");
    }
}

/// Each element of a tile reads a row of one factor and a column of the other.
#[test]
fn rows_and_columns_are_loops() {
    let text = words(&generate(design(selection(Unit::Mma, "e5m2b1"))).verilog);
    let wanted = [
        "for (row = 0; row < 4; row = row + 1) begin : dot_rows \
         for (column = 0; column < 4; column = column + 1) begin : dot_columns",
        ".a_sign(a_sign[4*row +: 4]), \
         .b_sign({b_sign[column + 12], b_sign[column + 8], b_sign[column + 4], b_sign[column]})",
        ".c(c[64*row + 16*column +: 16]), .result(result[64*row + 16*column +: 16])); end end assign d = result;",
    ];
    for wanted in wanted {
        assert!(text.contains(wanted), "no `{wanted}` in {text}");
    }
}

/// The outputs of a loop are no wider than signals may be.
#[test]
fn wide_lanes_stay_apart() {
    for (lanes, loops) in [(4, 2), (17, 1)] {
        let wide = generate(design(Selection { lanes: Some(lanes), ..selection(Unit::Dot, "binary64") }));
        let text = words(&wide.verilog);
        assert_eq!(text.matches("genvar").count(), 1, "{}", wide.module);
        assert_eq!(text.matches("for (lane").count(), loops, "{}", wide.module);
        let highest = text.split("wire [").skip(1).filter_map(|rest| rest.split(':').next()?.parse::<u32>().ok()).max();
        assert!(highest.is_some_and(|bit| bit < MAX_WIDTH), "{}: {highest:?}", wide.module);
    }
}

/// A file for each module has that module alone, and all files together have the lines of the one file, but for the waiver and the headers.
#[test]
fn each_module_can_have_a_file() {
    let with = |words: &[(&str, &str)], unit, format| {
        let design = words.iter().fold(design(selection(unit, format)), |design, (key, word)| {
            let choice = BuildChoice::ALL.into_iter().find(|choice| choice.key() == *key).expect("a choice");
            design.choose(choice, word).expect("a design")
        });
        generate(design)
    };
    let units = [
        (with(&[], Unit::Dot, "e5m2"), 3),
        (with(&[("optimize", "depth")], Unit::Fmac, "e5m2"), 7),
        (with(&[("stages", "2"), ("interface", "ready-valid")], Unit::Mul, "e5m2"), 2),
        (with(&[], Unit::Mul, "e5m2"), 1),
    ];
    for (unit, count) in &units {
        for language in Language::ALL {
            let begin = if language == Language::Vhdl { "entity " } else { "module " };
            let files = unit.files(language);
            assert_eq!(files.len(), *count, "{}", unit.module);
            assert_eq!(files[0].0, unit.module);
            let modules = |text: &str| text.lines().filter(|line| line.starts_with(begin)).count();
            for (name, text) in &files {
                assert_eq!(modules(text), 1, "{text}");
                assert!(text.contains(&format!("\n{begin}{name} ")), "{name}: {text}");
                assert!(text.contains("SPDX-License-Identifier") && !text.contains("lint_off"), "{text}");
                assert!(*name == unit.module || text.contains(&format!(" A part of {}.\n", unit.module)), "{text}");
            }
            let lines = |text: &str| {
                let is_counted =
                    |line: &&str| !line.is_empty() && !line.contains("verilator lint_") && !line.starts_with('`');
                let comment = if language == Language::Vhdl { "--" } else { "//" };
                let body = text.lines().skip_while(|line| line.starts_with(comment));
                body.filter(is_counted).map(String::from).collect::<Vec<_>>()
            };
            let mut all: Vec<String> = files.iter().flat_map(|(_, text)| lines(text)).collect();
            let mut one = lines(&unit.text(language));
            all.sort_unstable();
            one.sort_unstable();
            assert_eq!(all, one, "{}", unit.module);
        }
    }
}
