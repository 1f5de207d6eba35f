//! Answers as the page receives them.

use crate::proof::compared;
use crate::{answer, answer_with_progress};
use binade_gates::{GateFault, Graph, Machine, Program, bit, fill_bit_of_index};
use binade_generator::{Design, generate};
use binade_spec::{Selection, Unit};
use serde_json::{Value, json};
use std::sync::Mutex;

fn answered(request: Value) -> Value {
    let answer: Value = serde_json::from_str(&answer(&request.to_string(), vec![])).expect("JSON");
    assert!(answer.get("error").is_none(), "{request}: {answer}");
    answer["answer"].clone()
}

fn error(request: Value) -> String {
    let answer: Value = serde_json::from_str(&answer(&request.to_string(), vec![])).expect("JSON");
    answer["error"].as_str().unwrap_or_else(|| panic!("{request} is answered")).into()
}

/// A definition that the page has is known in every request, also to a model that was started anew.
#[test]
fn a_definition_of_the_user_has_a_name() {
    let text = "name = \"own\"\nbits = 3\nsegments = [{ prefix = \"0\", linear = 0 }, { prefix = \"1\", exponent = 1, trailing = 1 }]";
    let name = answered(json!({ "ask": "own", "text": text }))["name"].clone();
    let asked = answered(json!({ "ask": "format", "format": name, "own": text }));
    assert!(asked["summary"].as_str().expect("a text").starts_with("codebook of 3 bits"), "{asked}");
    let words = json!({ "unit": "mul", "format": name });
    assert!(
        answered(json!({ "ask": "text", "words": words, "language": "verilog", "own": text }))
            .to_string()
            .contains("module mul_own_")
    );
    assert!(
        error(json!({ "ask": "own", "text": text.replace("exponent", "exponents") }))
            .contains("unknown field `exponents`")
    );
    assert!(error(json!({ "ask": "own", "text": "" })).contains("missing field `name`"));
    // What is wrong with the definition is said once.
    answered(json!({ "ask": "format", "format": "e5m2", "own": "nonsense" }));
}

/// Error messages are those of the command line.
#[test]
fn errors_are_sentences() {
    let format = |name: &str| error(json!({ "ask": "format", "format": name }));
    assert!(format("bfloat61").ends_with("did you mean bfloat16?"));
    assert!(format("e4m3b9").contains("use at most b7"));
    let unit = |words: Value| error(json!({ "ask": "unit", "words": words }));
    assert!(unit(json!({ "unit": "fnac", "format": "e5m2" })).starts_with("--unit fnac: one of decode, "));
    assert!(unit(json!({ "unit": "convert", "format": "e5m2" })).contains("needs the format to convert to"));
    assert!(unit(json!({ "unit": "mul", "format": "e5m2", "round": "rnx" })).starts_with("--round rnx: one of rne, "));
    assert!(unit(json!({ "unit": "mul", "format": "e5m2", "stages": "17" })).contains("can have up to 16"));
    assert!(
        unit(json!({ "unit": "mul", "format": "e5m2", "optimize": "speed" })).contains("area or depth is expected")
    );
    let other = json!({ "unit": "accumulate", "format": "e5m2" });
    let state = json!([["0x1", "0x2"], ["0x1"]]);
    assert!(error(json!({ "ask": "unit", "words": other, "state": state })).contains("begin with a reset"));
    assert!(error(json!({ "ask": "code", "format": "e5m2", "code": "0x100" })).contains("has 8 bits"));
    assert!(error(json!({ "ask": "format" })).contains("missing field"));
}

/// For every unit, the circuit agrees with the golden model, after a reset and later.
#[test]
fn circuits_and_golden_model_agree() {
    for unit in Unit::ALL {
        for format in ["e5m2b1", "posit8_1", "bfloat16"] {
            let is_posit_unit = matches!(unit, Unit::PositDecoder | Unit::PositEncoder);
            let has_sign_bit = format == "bfloat16";
            if is_posit_unit && format != "posit8_1" || unit == Unit::Sgnj && !has_sign_bit {
                continue;
            }
            let mut words = json!({ "unit": unit.name() });
            match unit {
                Unit::Random => {}
                _ => words["format"] = format.into(),
            }
            match unit {
                Unit::Convert => words["to"] = "e4m3fn".into(),
                Unit::Function => words["function"] = "gelu".into(),
                Unit::Minmax => words["operation"] = "maximum".into(),
                _ => {}
            }
            let first = answered(json!({ "ask": "unit", "words": words }));
            assert_eq!(first["agrees"], true, "{unit} {format}");
            assert!(!first["outputs"].as_array().expect("ports").is_empty());
            if !first["state"].is_null() {
                let second = answered(json!({ "ask": "unit", "words": words, "state": first["state"] }));
                assert_eq!(second["agrees"], true, "{unit} {format} in the second step");
                assert_eq!(first["outputs"] == second["outputs"], unit == Unit::LossScaler, "{unit} {format}");
            }
        }
    }
}

/// The steps of a multiply-add: the product, the sum, and its rounding.
#[test]
fn steps_are_those_of_the_formula() {
    let operands = json!({ "a": ["3"], "b": ["0x3c"], "c": ["65504"] });
    let words = json!({ "unit": "fmac", "format": "e5m2", "flags": "true" });
    let answer = answered(json!({ "ask": "unit", "words": words, "operands": operands }));
    let terms = answer["steps"]["terms"].as_array().expect("steps");
    let numbers: Vec<&str> = terms.iter().filter_map(|term| term["number"]["decimal"].as_str()).collect();
    assert_eq!(numbers, ["3", "65507", "65504"]);
    let rounding = &terms[2]["rounding"];
    assert_eq!((&rounding["chosen"]["code"], &rounding["flags"]), (&json!("0x7bff"), &json!(["inexact"])));
    assert_eq!(rounding["around"]["lower"]["decimal"], "65504");
    assert_eq!(answer["outputs"][1]["lanes"][0]["flags"], json!(["inexact"]));
    assert_eq!(
        answer["command"],
        "binade gen --format e5m2 --unit fmac --acc binary16 --round rne --overflow inf --flags --tininess after"
    );
}

/// A number rounded to zero keeps its sign.
#[test]
fn a_zero_that_is_chosen_has_its_sign() {
    let words = json!({ "unit": "mul", "format": "e5m2" });
    let answer = answered(json!({ "ask": "unit", "words": words, "operands": { "a": ["0x81"], "b": ["0x01"] } }));
    let terms = answer["steps"]["terms"].as_array().expect("steps");
    let chosen: Vec<&Value> = terms.iter().map(|term| &term["rounding"]["chosen"]["code"]).collect();
    assert_eq!(chosen.last(), Some(&&json!("0x80")), "{terms:?}");
}

/// The wires' values are those that the Verilog computes: they drive the outputs.
#[test]
fn wires_carry_values() {
    let words = json!({ "unit": "mul", "format": "e5m2" });
    let answer = answered(json!({ "ask": "unit", "words": words, "operands": { "a": ["1.5"], "b": ["-1.75"] } }));
    let sections = answer["sections"].as_array().expect("sections");
    let wires: Vec<&Value> = sections.iter().flat_map(|section| section["wires"].as_array().expect("wires")).collect();
    let wire = |name: &str| *wires.iter().find(|wire| wire["name"] == name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(wire("a_significand")["value"]["digits"], "110");
    assert_eq!(wire("b_significand")["value"]["digits"], "111");
    assert!(wire("b_significand")["reads"].as_array().is_some_and(|reads| !reads.is_empty()));
    let text = answered(json!({ "ask": "text", "words": words }));
    for wire in wires {
        assert!(
            text["text"].as_str().is_some_and(|text| text.contains(wire["name"].as_str().expect("a name"))),
            "{wire}"
        );
    }
}

/// The text is the generator's, in every language.
#[test]
fn texts_are_those_of_the_generator() {
    let operation = Selection::new(Unit::Add, "posit16_1".parse().expect("a format")).operation().expect("an adder");
    let unit = generate(Design::pipelined(operation, 2));
    let words = json!({ "unit": "add", "format": "posit16_1", "stages": "2" });
    let text = answered(json!({ "ask": "text", "words": words }));
    assert_eq!((&text["text"], &text["file"]), (&json!(unit.verilog), &json!("add_posit16_1_rne_p2.v")));
    let words = json!({ "unit": "add", "format": "posit16_1", "stages": "2", "language": "vhdl" });
    let text = answered(json!({ "ask": "text", "words": words }));
    assert_eq!(text["text"], unit.text(binade_circuit::Language::Vhdl));
    assert_eq!(text["file"], "add_posit16_1_rne_p2.vhd");
}

/// A code is split into fields, and its neighbours are those on the number line.
#[test]
fn codes_are_explained() {
    let code = |format: &str, code: &str| answered(json!({ "ask": "code", "format": format, "code": code }));
    let about = code("e5m2b1", "0x39");
    assert_eq!((&about["code"]["decimal"], &about["bits"]), (&json!("0.3125"), &json!("00111001")));
    assert_eq!((&about["toward_zero"]["code"], &about["away_from_zero"]["code"]), (&json!("0x38"), &json!("0x3a")));
    assert_eq!((&about["ulp"]["decimal"], &about["class"]), (&json!("0.0625"), &json!("normal")));
    assert_eq!(about["fields"][1], json!({ "name": "biased exponent", "bits": "01110", "about": "14, bias 16" }));
    let negative = code("posit8_1", "0xb3");
    assert_eq!(negative["fields"][1]["about"], "run of 1, regime 0");
    assert_eq!(negative["colors"], json!([0, null, null, null, null, null, null, null]));
    let takum = code("takum_linear16", "0xa3c0");
    assert_eq!(takum["fields"][1]["about"], "direction 1, characteristic of 3 bits");
    assert_eq!(code("posit8_1", "0x80")["class"], "NaR");
    let names = |format: &str, x: &str| {
        let about = code(format, x);
        let fields = about["fields"].as_array().expect("fields").iter();
        fields.map(|field| field["name"].as_str().expect("a name").to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("posit8_0", "0x45"), "sign regime fraction");
    assert_eq!(names("posit8_1", "0x45"), "sign regime exponent fraction");
    assert_eq!(names("takum_linear16", "0x4555"), "sign regime fraction");
    assert_eq!(names("takum_linear16", "0x5555"), "sign regime characteristic fraction");
    assert_eq!(code("binary128", "1")["ulp"]["value"], "1*2^-16494");
}

#[test]
fn formats_are_compared() {
    let page = answered(json!({ "ask": "formats", "formats": ["e5m2", "posit8_1", "e5m2"] }));
    let titles: Vec<&str> =
        page["sections"].as_array().expect("sections").iter().filter_map(|it| it["title"].as_str()).collect();
    assert_eq!(titles, ["Overview", "Range", "Accuracy", "Values", "Special values"]);
    assert!(page["sections"][1]["figures"][0]["specification"]["layer"].is_array());
    let five = ["e5m2", "e4m3", "e3m4", "e2m5", "e2m1f"];
    assert_eq!(error(json!({ "ask": "formats", "formats": five })), "5 formats are named; up to 4 are shown");
}

#[test]
fn units_are_proven() {
    for (unit, format, proven) in [
        ("add", "e5m2", "proven for all 2^16 inputs, in "),
        ("mul", "posit8_1", "proven for all 2^16 inputs, in "),
        ("fmac", "e4m3fn", "proven for all 2^32 inputs, in "),
        ("decode", "e5m2b1", "proven for all 2^8 inputs, in "),
    ] {
        let request = json!({ "ask": "prove", "words": { "unit": unit, "format": format } }).to_string();
        let heard = Mutex::new((0, 0));
        let hear = |done: usize, all: usize| {
            let mut last = heard.lock().expect("nobody panicked");
            *last = (done.max(last.0), all.max(last.1));
        };
        let answer: Value = serde_json::from_str(&answer_with_progress(&request, vec![], &hear)).expect("JSON");
        let answer = &answer["answer"];
        assert_eq!(answer["verdict"], "proven", "{answer}");
        assert!(answer["text"].as_str().expect("a text").starts_with(proven), "{answer}");
        let command = answer["command"].as_str().expect("a command");
        assert!(command.starts_with(&format!("binade prove --format {format} --unit {unit} ")), "{command}");
        let (done, all) = heard.into_inner().expect("nobody panicked");
        assert!(done > 1 && done == all, "{done} of {all}");
    }
}

/// Each gate of a multiplier, stuck at 0, is found, or changes no result.
#[test]
fn a_wrong_unit_is_not_proven() {
    let design =
        Design::from(Selection::new(Unit::Mul, "e2m1".parse().expect("a format")).operation().expect("a unit"));
    let circuit = Graph::of_circuit(&generate(design).netlist);
    // One lane for each of the 2^8 inputs.
    let outputs = |graph: &Graph| -> Vec<bool> {
        let program = Program::new(graph);
        let mut machine = Machine::new(&program);
        (0..8).for_each(|bit| fill_bit_of_index(&mut machine.inputs()[bit], 0, bit as u32));
        machine.run();
        (0..256)
            .flat_map(|lane| (0..4).map(move |at| (lane, at)))
            .map(|(lane, at)| bit(machine.output(at), lane))
            .collect()
    };
    let right = outputs(&circuit);
    let (mut wrong, mut equal) = (0, 0);
    for gate in circuit.gates().len() - 30..circuit.gates().len() {
        let faulty = circuit.with_fault(gate, GateFault::Zero);
        let answer = compared(&design, &faulty, &|_, _| {});
        let is_right = outputs(&faulty) == right;
        assert_eq!(answer["verdict"], if is_right { "proven" } else { "wrong" }, "{answer}");
        assert_eq!(answer["wrong"].as_array().expect("ports").len(), if is_right { 0 } else { 2 });
        if is_right { equal += 1 } else { wrong += 1 }
    }
    assert!(wrong > 20 && wrong + equal == 30, "{wrong} wrong");
}

#[test]
fn what_is_not_proven_in_the_page_is_refused() {
    let refused = |words: Value| error(json!({ "ask": "prove", "words": words }));
    let of = |format: &str, more: Value| {
        let mut words = json!({ "unit": "mul", "format": format });
        words.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        refused(words)
    };
    let wide = of("binary32", json!({}));
    assert!(
        wide.starts_with("the page proves units of up to 2^24 inputs")
            && wide.ends_with("binade prove --format binary32 --unit mul --round rne --overflow inf proves this unit"),
        "{wide}"
    );
    assert!(of("e5m2", json!({ "stages": "2" })).starts_with("the page proves units without a clock"));
    assert!(of("e5m2", json!({ "interface": "axi-stream" })).starts_with("the page proves units without a clock"));
    let second = refused(json!({ "unit": "fmac", "format": "e5m2", "out": "e4m3" }));
    assert!(second.starts_with("the page proves units with one result"), "{second}");
}
