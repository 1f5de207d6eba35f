//! `binade formats`: the list and what one format is.

use crate::common::{folder, run_in};
use serde_json::Value;

fn formats(arguments: &[&str]) -> String {
    let (code, stdout, stderr) = run_in(folder().path(), &[&["formats"], arguments].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
    stdout
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&formats(&[arguments, &["--json"]].concat())).expect("JSON")
}

/// Without the spaces that fill up the last column of a table.
fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn list_and_explanations() {
    insta::assert_snapshot!("formats", trimmed(&formats(&[])));
    insta::assert_snapshot!("formats_e5m2b1", trimmed(&formats(&["e5m2b1"])));
    insta::assert_snapshot!("formats_k4p2uf", trimmed(&formats(&["k4p2uf"])));
    insta::assert_snapshot!("formats_dlfloat16", trimmed(&formats(&["dlfloat16"])));
}

#[test]
fn every_listed_name_is_explained() {
    let list = json(&[]);
    let list = list.as_array().unwrap();
    assert!(list.len() > 20);
    for entry in list {
        let name = entry["name"].as_str().unwrap();
        let explained = json(&[name]);
        assert_eq!((&explained["name"], &explained["bits"]), (&entry["name"], &entry["bits"]));
        let bits = entry["bits"].as_u64().unwrap();
        let codes = explained["values"].as_array().map(|values| values.len());
        assert_eq!(codes, (bits <= 8).then_some(1 << bits), "{name}");
    }
}

#[test]
fn an_alias_is_explained_by_its_canonical_name() {
    assert_eq!(json(&["half"]), json(&["binary16"]));
    assert_eq!(json(&["1/6/9/N"]), json(&["e6m9n"]));
}

/// The table of SEMANTICS.md, section 3.
#[test]
fn values_are_those_of_the_standard() {
    let values = |name: &str, code: usize| json(&[name])["values"][code]["value"].as_str().unwrap().to_string();
    assert_eq!(values("e5m2b1", 0x01), "1*2^-18");
    assert_eq!(values("e5m2b1", 0x7b), "1.75*2^14");
    assert_eq!(values("e5m2b1", 0x7e), "1*2^17");
    assert_eq!(values("e5m2b1", 0x80), "NaN");
    assert_eq!(values("e4m3b2", 0x6f), "1.875*2^5");
    assert_eq!(values("e4m3fn", 0x7e), "1.75*2^8");
    let range = &json(&["e5m2b1"])["range"];
    assert_eq!((&range["smallest_ordinary"], &range["largest_ordinary"]), (&"1*2^-15".into(), &"1.75*2^14".into()));
    let range = &json(&["binary16"])["range"];
    assert_eq!((&range["smallest"], &range["smallest_ordinary"]), (&"1*2^-24".into(), &"1*2^-14".into()));
}
