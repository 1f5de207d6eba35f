//! The page as one file.

use crate::answer;
use crate::measured::measured;
use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use binade_report::closed;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};
use std::io::Write;

/// The WebAssembly module that answers requests; `explore/build` builds it.
const WASM: &[u8] = include_bytes!("../page/binade.wasm");

/// The scripts of the page, in loading order.
const SCRIPTS: [&str; 8] = [
    include_str!("../page/model.js"),
    include_str!("../page/state.js"),
    include_str!("../page/elements.js"),
    include_str!("../page/format.js"),
    include_str!("../page/plots.js"),
    include_str!("../page/unit.js"),
    include_str!("../page/datapath.js"),
    include_str!("../page/main.js"),
];

/// The template of the file.
#[derive(Template)]
#[template(path = "page.html")]
struct Html<'p> {
    style: &'p str,
    plots: &'p str,
    vega: &'p str,
    script: &'p str,
    worker: &'p str,
    wasm: &'p str,
    first: &'p str,
    measured: &'p str,
    version: &'p str,
}

/// The page, which works offline. `vega` is the script of Vega-Lite; it sets `window.vegaEmbed`.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn page(vega: &str) -> String {
    let html = Html {
        style: &[binade_report::STYLE, include_str!("../page/style.css")].concat(),
        plots: binade_report::PLOTS,
        vega: &packed(vega.as_bytes()),
        script: &closed(&SCRIPTS.concat()),
        worker: &closed(include_str!("../page/worker.js")),
        wasm: &packed(WASM),
        first: &packed(json!(first_answers()).to_string().as_bytes()),
        measured: &packed(json!(measured()).to_string().as_bytes()),
        version: env!("CARGO_PKG_VERSION"),
    };
    html.render().expect("the template is complete")
}

/// What the page asks first, as `page/state.js` and the scripts have it. Compared formats are further down, so they wait for the model.
const FIRST: [&str; 7] = [
    r#"{"own":"","ask":"names"}"#,
    r#"{"own":"","ask":"own","text":""}"#,
    r#"{"own":"","ask":"format","format":"e5m2b1"}"#,
    r#"{"own":"","ask":"code","format":"e5m2b1","code":"0x40"}"#,
    r#"{"own":"","ask":"value","format":"e5m2b1","value":"0.3"}"#,
    r#"{"own":"","ask":"unit","words":{"format":"e5m2b1","unit":"fmac","language":"verilog"},"operands":{},"state":null}"#,
    r#"{"own":"","ask":"text","words":{"format":"e5m2b1","unit":"fmac","language":"verilog"},"operands":{},"state":null}"#,
];

/// The answers to what the page asks first, by request: the page shows them before the model is ready.
fn first_answers() -> Map<String, Value> {
    let answered = |request: &str| {
        let answer = answer(request, vec![]);
        (request.to_string(), serde_json::from_str(&answer).expect("an answer is JSON"))
    };
    FIRST.into_iter().map(answered).collect()
}

/// Bytes as text: compressed by gzip, in base64.
fn packed(bytes: &[u8]) -> String {
    let mut packed = GzEncoder::new(vec![], Compression::best());
    packed.write_all(bytes).expect("memory takes everything");
    STANDARD.encode(packed.finish().expect("memory takes everything"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};
    use std::path::Path;

    /// The sources of the module are unchanged, and so is the module.
    #[test]
    fn the_module_is_of_these_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let read = |path: &str| std::fs::read(root.join(path)).unwrap_or_default();
        let lock = String::from_utf8(read("Cargo.lock")).expect("a lock file is text");
        let is_locked = |name: &str, version: &str| {
            lock.contains(&format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n"))
        };
        let sum = |path: &str| Sha256::digest(read(path)).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        // A line holds checksum and file, as `sha256sum` prints them, or crate and version.
        let is_as_it_was = |line: &&str| match line.split_once("  ") {
            Some((was, path)) => sum(path) == was,
            None => line.split_once(' ').is_some_and(|(name, version)| is_locked(name, version)),
        };
        let sources = include_str!("../page/binade.wasm.sources");
        // The compiler may differ here.
        let of_sources = sources.lines().filter(|line| !line.starts_with("rustc "));
        let changed: Vec<&str> = of_sources.filter(|line| !is_as_it_was(line)).collect();
        assert!(sources.contains("  golden/src/encode.rs") && sources.contains("\nserde_json "));
        assert!(
            changed.is_empty(),
            "explore/page/binade.wasm is older than these; run `explore/build`, which needs `rustup target add wasm32-unknown-unknown`:\n{}",
            changed.join("\n")
        );
    }

    #[test]
    fn the_page_is_one_file_that_loads_nothing() {
        let html = page("window.vegaEmbed = '</script>'");
        // The plots' script is another 0.4 MB.
        assert!(html.len() < 1_600_000, "{}", html.len());
        assert!(html.contains("default-src 'none'"));
        assert!(!html.contains(" src=") && !html.contains("<link") && !html.contains("@import"));
        assert_eq!(html.matches("</script>").count(), html.matches("<script").count());
    }
}
