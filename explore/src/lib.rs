//! A page that shows formats, values, units and their Verilog, and needs no installation: one HTML file with the golden model and the generator
//! inside, as WebAssembly.
//!
//! [`answer`] is the page's only interface: a request in JSON, an answer in JSON, so that all answers are tested here without a browser.
//! `wasm.rs` turns it into a WebAssembly module, which `explore/build` builds. [`page()`] assembles the page from the module and the files
//! in `page/`.
//!
//! ```
//! let request = r#"{"ask": "code", "format": "e5m2b1", "code": "0x39"}"#;
//! let answer = binade_explore::answer(request, vec![]);
//! assert!(answer.contains(r#""decimal":"0.3125""#), "{answer}");
//!
//! let request = r#"{"ask": "format", "format": "e5m2b99"}"#;
//! assert!(binade_explore::answer(request, vec![]).starts_with(r#"{"error":"e5m2b99 leaves no ordinary binade"#));
//! ```
//!
//! | file | what it answers |
//! |---|---|
//! | `code.rs` | formats; the meaning of a code, and its neighbours |
//! | `value.rs` | what each rounding makes of a number |
//! | `plots.rs` | formats side by side, and on the numbers of a file |
//! | `unit.rs` | a unit: its settings, its text, its results |
//! | `proof.rs` | a unit proven for all inputs |
//! | `operands.rs` | operands as users write them |
//! | `steps.rs` | the steps to a result: exact terms and roundings |
//! | `datapath.rs` | the wires of the circuit and their values |
//! | `word.rs`, `flags.rs` | words as users write them and answers show them; the names of exception flags |
//! | `shown.rs` | a code with its value |
//! | `number.rs` | exact numbers in several notations |
//! | `measured.rs` | what units cost, as measured |
//! | `page.rs`, `page/` | the page |

mod code;
mod datapath;
mod flags;
#[cfg(not(target_family = "wasm"))]
mod measured;
mod number;
mod operands;
#[cfg(not(target_family = "wasm"))]
mod page;
mod plots;
mod proof;
mod shown;
mod steps;
#[cfg(test)]
mod tests;
mod unit;
mod value;
mod word;

#[cfg(not(target_family = "wasm"))]
pub use page::page;

use binade_circuit::Language;
use binade_spec::{Format, Unit, definition, known_formats};
use serde::Deserialize;
use serde_json::{Value, json};

/// A request of the page.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
enum Request {
    /// The names that lists offer.
    Names,
    /// The properties of a format.
    Format { format: String },
    /// The meaning of one of its codes.
    Code { format: String, code: String },
    /// The result of rounding a number to it.
    Value { format: String, value: String },
    /// Formats side by side.
    Formats { formats: Vec<String> },
    /// The format that the user's definition defines.
    Own { text: String },
    /// A unit evaluated on operands.
    Unit(unit::Request),
    /// The settings that a unit takes.
    Settings { unit: String },
    /// A unit proven for all inputs.
    Prove(unit::Request),
    /// The text of a unit in a language.
    Text(unit::Request),
    /// The errors of formats on the numbers in the file of this name.
    Tensor { name: String, formats: Vec<String> },
}

/// A request, and the user's definition of a format, whose name it may have.
#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    own: String,
    #[serde(flatten)]
    request: Request,
}

/// Answers a request, both in JSON: an object with `answer`, or with `error`, a sentence for the user. `file` is the content of the user's
/// file, if the request needs one.
pub fn answer(request: &str, file: Vec<u8>) -> String {
    answer_with_progress(request, file, &|_, _| {})
}

/// The same; `hear` is called during long work with how much is done, and how much there is by then.
pub fn answer_with_progress(request: &str, file: Vec<u8>, hear: &(dyn Fn(usize, usize) + Sync)) -> String {
    let asked = serde_json::from_str::<Asked>(request).map_err(|error| error.to_string());
    let answer = asked.and_then(|Asked { own, request }| {
        // What is wrong with the definition is the answer to `Request::Own`.
        if !own.is_empty() {
            _ = definition::parse(&own);
        }
        answered(request, file, hear)
    });
    match answer {
        Ok(answer) => json!({ "answer": answer }).to_string(),
        Err(error) => json!({ "error": error }).to_string(),
    }
}

fn answered(request: Request, file: Vec<u8>, hear: proof::Hear) -> Result<Value, String> {
    match request {
        Request::Names => Ok(names()),
        Request::Format { format } => Ok(code::about_format(&named(&format)?)),
        Request::Code { format, code } => code::about_code(&named(&format)?, &code),
        Request::Value { format, value } => value::rounded(&named(&format)?, &value),
        Request::Formats { formats } => plots::formats(&all_named(&formats)?),
        Request::Own { text } => {
            let format = definition::parse(&text).map_err(|error| error.to_string())?;
            Ok(json!({ "name": format.to_string() }))
        }
        Request::Unit(request) => unit::evaluated(&request),
        Request::Settings { unit } => unit::settings_of(&unit),
        Request::Prove(request) => proof::proven(&request, hear),
        Request::Text(request) => unit::text(&request),
        Request::Tensor { name, formats } => plots::tensor(&name, file, &all_named(&formats)?),
    }
}

fn names() -> Value {
    let formats = known_formats().into_iter().map(|(format, about)| [format.to_string(), about.into()]);
    json!({
        "formats": formats.collect::<Vec<_>>(),
        "units": Unit::ALL.map(Unit::name).to_vec(),
        "language": Language::ALL.map(Language::name),
    })
}

fn named(format: &str) -> Result<Format, String> {
    format.trim().parse().map_err(|error: binade_spec::NameError| error.to_string())
}

/// Parses formats and removes duplicates.
fn all_named(names: &[String]) -> Result<Vec<Format>, String> {
    let mut formats = vec![];
    for name in names {
        let format = named(name)?;
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    if formats.is_empty() { Err("name a format, such as e5m2".into()) } else { Ok(formats) }
}
