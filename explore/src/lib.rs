//! A page that shows formats, values, units and their Verilog, and needs no installation: one HTML file with the golden model and the generator
//! inside, as WebAssembly.
//!
//! [`answer`] is all that the page calls: a request in JSON, an answer in JSON, so that what the page says is tested here without a
//! browser. `wasm.rs` makes it a module of WebAssembly, which `explore/build` builds and which is kept in `page/`, since not every machine
//! has what it is built with. [`page()`] puts the page together.
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
//! | `code.rs` | formats; what a code is, and what lies on either side |
//! | `value.rs` | what a number is rounded to, in every way |
//! | `plots.rs` | formats side by side, and on the numbers of a file |
//! | `unit.rs` | a unit: its settings, its text, what it makes of operands |
//! | `operands.rs` | operands as people write them |
//! | `steps.rs` | exact results and roundings on the way to a result |
//! | `datapath.rs` | the wires of the circuit and what they carry |
//! | `number.rs` | exact numbers as they are written |
//! | `page.rs`, `page/` | the page |

mod code;
mod datapath;
mod number;
mod operands;
#[cfg(not(target_family = "wasm"))]
mod page;
mod plots;
mod steps;
#[cfg(test)]
mod tests;
mod unit;
mod value;

#[cfg(not(target_family = "wasm"))]
pub use page::page;

use binade_circuit::Language;
use binade_circuit::{Interface, Optimize};
use binade_spec::{Format, Unit, known_formats};
use serde::Deserialize;
use serde_json::{Value, json};

/// What the page wants to know.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
enum Request {
    /// The names that lists offer.
    Names,
    /// What a format has.
    Format { format: String },
    /// What a code of it stands for.
    Code { format: String, code: String },
    /// What a number becomes in it.
    Value { format: String, value: String },
    /// Formats side by side.
    Formats { formats: Vec<String> },
    /// A unit on operands.
    Unit(unit::Request),
    /// The settings that a unit takes.
    Settings { unit: String },
    /// The text of a unit in a language.
    Text(unit::Request),
    /// What formats make of the numbers in the file of this name.
    Tensor { name: String, formats: Vec<String> },
}

/// The answer to a request, both in JSON: an object with `answer`, or with `error`, a sentence for the user. `file` is what the user
/// has dropped, if the request is about that.
pub fn answer(request: &str, file: Vec<u8>) -> String {
    let answer = serde_json::from_str(request).map_err(|error| error.to_string()).and_then(|it| answered(it, file));
    match answer {
        Ok(answer) => json!({ "answer": answer }).to_string(),
        Err(error) => json!({ "error": error }).to_string(),
    }
}

fn answered(request: Request, file: Vec<u8>) -> Result<Value, String> {
    match request {
        Request::Names => Ok(names()),
        Request::Format { format } => Ok(code::about_format(&named(&format)?)),
        Request::Code { format, code } => code::about_code(&named(&format)?, &code),
        Request::Value { format, value } => value::rounded(&named(&format)?, &value),
        Request::Formats { formats } => plots::formats(&all_named(&formats)?),
        Request::Unit(request) => unit::evaluated(&request),
        Request::Settings { unit } => unit::settings_of(&unit),
        Request::Text(request) => unit::text(&request),
        Request::Tensor { name, formats } => plots::tensor(&name, file, &all_named(&formats)?),
    }
}

fn names() -> Value {
    let formats = known_formats().into_iter().map(|(format, about)| [format.to_string(), about.into()]);
    json!({
        "formats": formats.collect::<Vec<_>>(),
        "units": Unit::ALL.map(Unit::name),
        "optimize": Optimize::ALL.map(Optimize::name),
        "interface": Interface::ALL.map(Interface::name),
        "language": Language::ALL.map(Language::name),
    })
}

fn named(format: &str) -> Result<Format, String> {
    format.trim().parse().map_err(|error: binade_spec::NameError| error.to_string())
}

/// Formats, each once.
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
