//! A unit: its settings, its text, its results.

use crate::flags::raised;
use crate::shown::Shown;
use crate::word::{hex, word_of};
use crate::{datapath, operands, steps};
use binade_circuit::Language;
use binade_generator::{BuildChoice, BuildError, Design, GeneratedUnit, Manifest, description, generate};
use binade_golden::{Codes, Model};
use binade_spec::alias::find_name;
use binade_spec::word::low_bits;
use binade_spec::{
    Content, Formats, NameError, Operation, OperationError, Port, Selection, Setting, Unit, Word, WordKind,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A unit with its operands.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Request {
    /// The words for unit, format, settings and design, by their keys on the command line.
    words: BTreeMap<String, String>,
    /// The texts for the operands' lanes, by port name.
    #[serde(default)]
    operands: BTreeMap<String, Vec<String>>,
    /// The content of the registers, in the golden model and in the circuit; the reset state if missing.
    #[serde(default)]
    state: Option<[Vec<String>; 2]>,
}

/// The most lanes of a port that are shown.
const MOST_LANES: usize = 64;

thread_local! {
    /// The last unit requested, since operands change more often than units.
    static LAST: RefCell<Option<Rc<GeneratedUnit>>> = const { RefCell::new(None) };
}

/// The unit with its results.
pub fn evaluated(request: &Request) -> Result<Value, String> {
    let design = request.design()?;
    let operation = &design.operation;
    let model = Model::new(operation);
    let texts = request.texts(model.input_ports());
    let typed = model.input_ports().iter().zip(&texts);
    let words = typed.map(|(port, texts)| operands::word(port, texts)).collect::<Result<Vec<Word>, _>>()?;
    let unit = generated(design);
    let [state, circuit_state] = request.states(&model, &unit)?;
    let (next, results) = model.step(&state, &words);
    let run = datapath::run(&unit.netlist, &words, &circuit_state);
    let ports = |ports: &[Port], words: &[Word]| -> Vec<Value> {
        ports.iter().zip(words).map(|(port, word)| port_json(operation, port, word)).collect()
    };
    let hexadecimals = |words: &[Word]| words.iter().map(|word| format!("{word:#x}")).collect::<Vec<_>>();
    Ok(json!({
        "module": unit.module,
        "command": description::command(&design),
        "about": description::about(&design, unit.pipeline.as_ref()),
        "builds": builds(operation.unit),
        "settings": settings(operation.unit, Some(operation)),
        "inputs": ports(model.input_ports(), &words),
        "texts": texts,
        "outputs": ports(model.output_ports(), &results),
        "circuit": ports(model.output_ports(), &run.outputs),
        "agrees": results == run.outputs,
        "steps": steps::steps(&model, &state, &words),
        "sections": run.sections,
        "more_wires": run.more,
        "state": operation.has_state().then(|| [hexadecimals(&next), hexadecimals(&run.next)]),
        "registers": ports(&model.registers(), &state),
    }))
}

/// The text of the unit in a language, and the command that writes it.
pub fn text(request: &Request) -> Result<Value, String> {
    let design = request.design()?;
    let language = request.word("language", Language::default(), Language::ALL.map(Language::name).to_vec())?;
    let unit = generated(design);
    let file = format!("{}{}", unit.module, language.ending());
    let manifest = Manifest::in_language(&unit, vec![file.clone().into()], language);
    Ok(json!({
        "file": file,
        "text": unit.text(language),
        "command": description::command_in(&design, language),
        "pipeline": manifest.pipeline.as_ref().map(ToString::to_string),
    }))
}

fn unit_named(name: &str) -> Result<Unit, String> {
    name.parse().map_err(|expected| format!("--unit {name}: {expected}"))
}

pub fn generated(design: Design) -> Rc<GeneratedUnit> {
    LAST.with_borrow_mut(|last| match last {
        Some(unit) if unit.design == design => unit.clone(),
        last => last.insert(Rc::new(generate(design))).clone(),
    })
}

impl Request {
    pub fn design(&self) -> Result<Design, String> {
        let chosen = |choice: BuildChoice| {
            let word = self.words.get(choice.key()).map(|word| word.trim()).filter(|word| !word.is_empty())?;
            Some((choice, word))
        };
        let choose = |design: Design, (choice, word): (BuildChoice, &str)| {
            design.choose(choice, word).map_err(|error| match error {
                BuildError::Word(expected) => format!("--{choice} {word}: {expected}"),
                BuildError::Design(error) => error.to_string(),
            })
        };
        let operation = self.operation()?;
        let is_offered = |choice: &BuildChoice| choice.is_for(operation.unit) && *choice != BuildChoice::Module;
        let mut chosen = BuildChoice::ALL.into_iter().filter(is_offered).filter_map(chosen);
        chosen.try_fold(Design::from(operation), choose)
    }

    fn operation(&self) -> Result<Operation, String> {
        let unit = unit_named(self.words.get("unit").map_or("fmac", String::as_str))?;
        let format = self.words.get("format").filter(|_| unit.has_format());
        let format =
            format.map(|name| name.trim().parse()).transpose().map_err(|error: NameError| error.to_string())?;
        let formats: Formats = unit.format_or_none(format).map_err(|error: OperationError| error.to_string())?;
        let mut selection = Selection::with_formats(unit, formats);
        for setting in Setting::ALL.into_iter().filter(|&setting| unit.takes(setting)) {
            if let Some(word) = self.words.get(setting.key()).filter(|word| !word.trim().is_empty()) {
                let problem = |error: String| format!("--{setting} {word}: {error}");
                selection.set(setting, word.trim()).map_err(problem)?;
            }
        }
        selection.operation().map_err(|error| error.to_string())
    }

    /// Parses a word that must be one of some names.
    fn word<T: std::str::FromStr>(&self, key: &str, default: T, names: Vec<&'static str>) -> Result<T, String> {
        let Some(word) = self.words.get(key).filter(|word| !word.is_empty()) else { return Ok(default) };
        let named = find_name(word, &names).and_then(|name| name.parse().ok());
        named.ok_or_else(|| format!("--{key} {word}: one of {} is expected", names.join(", ")))
    }

    /// What the user typed for each lane of each port, or else the default.
    fn texts(&self, ports: &[Port]) -> Vec<Vec<String>> {
        let mut place = 0;
        let mut texts = |port: &Port| {
            let given = self.operands.get(port.name);
            let text = |lane: usize| {
                let text = given.and_then(|texts| texts.get(lane)).filter(|text| !text.trim().is_empty()).cloned();
                text.unwrap_or_else(|| operands::default_text(port, place + lane))
            };
            let texts = (0..port.lanes as usize).map(text).collect();
            place += port.lanes as usize;
            texts
        };
        ports.iter().map(&mut texts).collect()
    }

    /// The content of the registers in the golden model and in the circuit.
    fn states(&self, model: &Model, unit: &GeneratedUnit) -> Result<[Vec<Word>; 2], String> {
        let reset = [model.reset(), unit.netlist.registers.iter().map(|register| register.reset.clone()).collect()];
        let Some(given) = &self.state else { return Ok(reset) };
        let widths: [Vec<u32>; 2] = [
            model.registers().iter().map(Port::width).collect(),
            unit.netlist.registers.iter().map(|register| register.width).collect(),
        ];
        let mut states = reset;
        for ((state, words), widths) in states.iter_mut().zip(given).zip(widths) {
            *state = words.iter().map(|word| word_of(word)).collect::<Result<_, _>>()?;
            let fits = |(word, width): (&Word, u32)| word.bits() <= width.into();
            if state.len() != widths.len() || !state.iter().zip(widths).all(fits) {
                return Err("the registers hold the state of another unit; begin with a reset".into());
            }
        }
        Ok(states)
    }
}

/// The choices of how a unit is built, and the settings that it accepts, for a unit whose settings are still incomplete.
pub fn settings_of(unit: &str) -> Result<Value, String> {
    let unit = unit_named(unit)?;
    Ok(json!({ "builds": builds(unit), "settings": settings(unit, None) }))
}

/// The choices of how a unit is built, but for the name of its module.
fn builds(unit: Unit) -> Vec<Value> {
    let choices = BuildChoice::ALL.into_iter().filter(|&choice| choice.is_for(unit) && choice != BuildChoice::Module);
    choices
        .map(|choice| {
            json!({
                "key": choice.key(),
                "about": choice.about(),
                "names": choice.names(),
                "word": choice.default_word(),
            })
        })
        .collect()
}

/// The settings that a unit accepts, with their words in an operation.
fn settings(unit: Unit, operation: Option<&Operation>) -> Vec<Value> {
    let taken = Setting::ALL.into_iter().filter(|&setting| unit.takes(setting));
    taken
        .map(|setting| {
            json!({
                "key": setting.key(),
                "about": setting.about(),
                "placeholder": setting.placeholder(),
                "names": setting.names(),
                "is_flag": setting.is_flag(),
                "word": operation.and_then(|operation| operation.word(setting)),
            })
        })
        .collect()
}

/// A port with the content of its lanes.
pub fn port_json(operation: &Operation, port: &Port, word: &Word) -> Value {
    let lanes = operands::split(port, word);
    let shown: Vec<Value> = lanes.iter().take(MOST_LANES).map(|lane| lane_json(port, lane)).collect();
    let (about, columns) = (port.about(), columns(operation, port));
    json!({ "name": port.name, "about": about, "width": port.width(), "lanes": shown, "count": port.lanes, "columns": columns })
}

/// The columns of the matrix whose rows are on a port; none if it has no matrix.
fn columns(operation: &Operation, port: &Port) -> Option<u32> {
    let is_matrix = operation.unit == Unit::Mma && operation.array().is_none() && port.lanes > 1;
    is_matrix.then(|| if port.name == "a" { operation.lanes() } else { operation.columns() })
}

fn lane_json(port: &Port, lane: &Word) -> Value {
    match port.content {
        Content::Code(format) => {
            let shown = Shown::new(&Codes::new(format), low_bits(lane));
            json!({ "code": shown, "format": format.to_string() })
        }
        Content::Chosen { .. } => {
            json!({ "word": hex(lane, port.lane_width()), "number": lane.to_string(), "flags": null })
        }
        Content::Word { width, kind } => {
            let flags = (kind == WordKind::Flags).then(|| raised(low_bits(lane) as u64, width));
            json!({ "word": hex(lane, width), "number": lane.to_string(), "flags": flags })
        }
    }
}
