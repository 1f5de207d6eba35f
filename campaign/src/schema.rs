//! The JSON schema of suites, printed from the rows of settings and choices: `docs/suite.schema.json`.

use crate::suite::DUT_KEYS;
use binade_circuit::pipeline::MAX_STAGES;
use binade_generator::BuildChoice;
use binade_spec::{Rounding, Setting, Unit};
use binade_synth::Target;
use serde_json::{Map, Value, json};

/// The schema.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Binade suite",
        "description": "Units that verify, synth and other commands work on together (--suite)",
        "type": "object",
        "additionalProperties": false,
        "required": ["unit"],
        "properties": {
            "targets": several("Synthesis targets, unless the command line names some", listed(&Target::ALL.map(Target::name))),
            "peers": {
                "description": "CSV file with figures of other designs for synth to compare with, relative to the suite",
                "type": "string",
            },
            "family": {
                "description": "Families of the peers' rows, and the ratios to reach",
                "type": "array",
                "items": { "$ref": "#/$defs/family" },
            },
            "unit": {
                "description": "Units; a key with several words stands for one unit with each of them",
                "type": "array",
                "minItems": 1,
                "items": { "$ref": "#/$defs/unit" },
            },
        },
        "$defs": {
            "unit": {
                "type": "object",
                "additionalProperties": false,
                "required": ["unit"],
                "properties": of_unit(),
            },
            "family": {
                "type": "object",
                "additionalProperties": false,
                "required": ["name"],
                "properties": {
                    "name": { "description": "Value of the CSV's column family", "type": "string" },
                    "area": { "description": "Largest ratio of our area to the peer's", "type": "number" },
                    "depth": { "description": "The same for the depth", "type": "number" },
                },
            },
        },
    })
}

/// The keys of a unit.
fn of_unit() -> Map<String, Value> {
    let format = "A format's name, such as e5m2 or posit16_1; several joined by +, such as e4m3fn+e5m2: port fmt chooses one of them";
    let first = [
        ("format", several("Number format of the operands", json!({ "description": format, "type": "string" }))),
        ("unit", several("What the unit computes", listed(&Unit::ALL.map(Unit::name)))),
    ];
    let settings = Setting::ALL.map(|setting| (setting.key(), several(&plain(&setting.about()), value_of(setting))));
    let choices = BuildChoice::ALL.map(|choice| (choice.key(), of_choice(choice)));
    let duts = DUT_KEYS.map(|(key, _)| (key, of_dut(key)));
    first.into_iter().chain(settings).chain(choices).chain(duts).map(|(key, value)| (key.into(), value)).collect()
}

/// A text without the marks around settings.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// One value, or a list of some.
fn several(about: &str, value: Value) -> Value {
    json!({ "description": about, "oneOf": [value, { "type": "array", "items": value, "minItems": 1 }] })
}

fn listed(names: &[&str]) -> Value {
    json!({ "enum": names })
}

fn value_of(setting: Setting) -> Value {
    match (setting.names(), setting.placeholder()) {
        _ if setting.is_flag() => json!({ "enum": [true, false, "true", "false"] }),
        (Some(names), _) => listed(&names),
        (None, "ROUND") => {
            let named = Rounding::NAMED.map(|rounding| rounding.to_string()).join("|");
            json!({ "type": "string", "pattern": format!("^({named}|sr[bc]?([1-9]|[12][0-9]|3[0-2]))$") })
        }
        (None, "FORMAT" | "SUM") => json!({ "type": "string" }),
        (None, _) => json!({ "type": ["integer", "string"] }),
    }
}

fn of_choice(choice: BuildChoice) -> Value {
    let about = choice.about();
    match (choice, choice.names()) {
        (BuildChoice::Module, _) => {
            let about = format!("{about}; for an entry that stands for one unit");
            json!({ "description": about, "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" })
        }
        (_, Some(names)) => several(about, listed(&names)),
        (choice, None) => {
            let most = if choice == BuildChoice::Stages { MAX_STAGES } else { 128 };
            let number = json!({ "type": "integer", "minimum": 0, "maximum": most });
            several(about, json!({ "oneOf": [number, { "type": "string" }] }))
        }
    }
}

/// A key that describes a user's module.
fn of_dut(key: &str) -> Value {
    let text = || json!({ "type": "string" });
    let (about, value) = match key {
        "verilog" => {
            ("Files with your module, which is checked instead of the generated one, relative to the suite", text())
        }
        "include" => ("Folders of included files, relative to the suite", text()),
        "define" => ("Macros, as NAME or NAME=VALUE", text()),
        "top" => ("The module to check", text()),
        "parameters" => ("Parameters of the module, as NAME=VALUE", text()),
        "ports" => ("Ports of the unit and yours, as y=result", text()),
        "ties" => ("Constant inputs, as mode=0", text()),
        "besides" => ("Constants of other operations, which run in between, as op=1,mode=0", text()),
        "reset" => ("The reset and its level, as rst:high", text()),
        "latency" => ("Latency in clocks, or auto", json!({ "type": ["integer", "string"] })),
        "startup" => ("Clocks after a reset without operands", json!({ "type": "integer" })),
        "policies" => ("What the module does otherwise, as daz", text()),
        "flag-order" => ("Order of your flags: binade, riscv, or names from the top bit, as NV,OF,UF,NX", text()),
        "nan" => ("Which NaN is right if the result is NaN", listed(&["canonical", "any", "payload"])),
        "zero-sign" => ("Which sign of a zero is right", listed(&["exact", "any"])),
        _ => panic!("{key} is not described"),
    };
    several(about, value)
}
