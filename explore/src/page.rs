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

/// The page, which works offline. `vega` is the script of Vega-Lite; it sets `window.vegaEmbed`. `module` is the WebAssembly module that
/// answers requests, as `explore/build` builds it.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn page(vega: &str, module: &[u8]) -> String {
    let html = Html {
        style: &[binade_report::STYLE, include_str!("../page/style.css")].concat(),
        plots: binade_report::PLOTS,
        vega: &packed(vega.as_bytes()),
        script: &closed(&SCRIPTS.concat()),
        worker: &closed(include_str!("../page/worker.js")),
        wasm: &packed(module),
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
    use flate2::read::GzDecoder;
    use std::io::Read;

    /// Bytes that begin as a module does.
    const MODULE: &[u8] = b"\0asm\x01\0\0\0 and some instructions";

    /// The bytes that the page keeps in the element of this name.
    fn unpacked(html: &str, name: &str) -> Vec<u8> {
        let (_, rest) = html.split_once(&format!("id=\"{name}\">")).expect("the element is there");
        let (text, _) = rest.split_once('<').expect("the element ends");
        let packed = STANDARD.decode(text.trim()).expect("base64");
        let mut bytes = vec![];
        GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).expect("gzip");
        bytes
    }

    #[test]
    fn the_page_is_one_file_that_loads_nothing() {
        let html = page("window.vegaEmbed = '</script>'", MODULE);
        // The module and the plots' script are another 1.3 MB.
        assert!(html.len() < 500_000, "{}", html.len());
        assert!(html.contains("default-src 'none'"));
        assert!(!html.contains(" src=") && !html.contains("<link") && !html.contains("@import"));
        assert_eq!(html.matches("</script>").count(), html.matches("<script").count());
    }

    #[test]
    fn the_page_has_the_module_and_the_answers() {
        let html = page("window.vegaEmbed = 1", MODULE);
        assert_eq!(unpacked(&html, "packed-model"), MODULE);
        assert_eq!(unpacked(&html, "packed-vega"), b"window.vegaEmbed = 1");
        let first: Value = serde_json::from_slice(&unpacked(&html, "packed-first")).expect("JSON");
        assert_eq!(first.as_object().map(Map::len), Some(FIRST.len()));
    }
}
