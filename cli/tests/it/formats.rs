//! `binade formats`: the list, and the description of one format.

use crate::common::{folder, run_in};
use binade_spec::alias::{AMBIGUOUS_FORMATS, FORMAT_ALIASES, LANGUAGE_ALIASES, UNBUILT_FORMATS, WORD_ALIASES};
use serde_json::Value;

fn formats(arguments: &[&str]) -> String {
    let (code, stdout, stderr) = run_in(folder().path(), &[&["formats"], arguments].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
    stdout
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&formats(&[arguments, &["--json"]].concat())).expect("JSON")
}

#[test]
fn list_and_explanations() {
    insta::assert_snapshot!("formats", formats(&[]));
    insta::assert_snapshot!("formats_e5m2b1", formats(&["e5m2b1"]));
    insta::assert_snapshot!("formats_k4p2uf", formats(&["k4p2uf"]));
    insta::assert_snapshot!("formats_dlfloat16", formats(&["dlfloat16"]));
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
        assert_eq!(explained["aliases"].as_array().map_or(0, Vec::len), entry["aliases"].as_array().unwrap().len());
        let codes = explained["values"].as_array().map(|values| values.len());
        assert_eq!(codes, (bits <= 8).then(|| 1 << bits), "{name}");
    }
}

#[test]
fn an_alias_is_explained_by_its_canonical_name() {
    assert_eq!(json(&["half"]), json(&["binary16"]));
    assert_eq!(json(&["1/6/9/N"]), json(&["e6m9n"]));
}

/// The list and the page of names give every alias beside its format.
#[test]
fn every_alias_is_listed() {
    let list = formats(&[]);
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/names.md")).expect("the page is there");
    for (name, aliases) in FORMAT_ALIASES {
        let row = format!(" {name} ");
        let row = list.lines().find(|line| line.starts_with(&row) && line.trim_end().ends_with(&aliases.join(" ")));
        assert!(row.is_some(), "{name}");
    }
    for (name, aliases) in FORMAT_ALIASES.iter().chain(WORD_ALIASES).chain(LANGUAGE_ALIASES) {
        let row = format!("| `{name}` | `{}` |\n", aliases.join("` `"));
        assert!(page.contains(&row), "{row}");
    }
    for (nearest, names) in UNBUILT_FORMATS {
        let row = format!("| `{}` | {nearest} |\n", names.join("` `"));
        assert!(page.contains(&row), "{row}");
    }
    for (names, meanings) in AMBIGUOUS_FORMATS {
        assert!(list.contains(&format!(" {}: {}\n", names.join(" "), meanings.join(" or "))), "{names:?}");
        let row = format!("| `{}` | {} |\n", names.join("` `"), meanings.join(", "));
        assert!(page.contains(&row), "{row}");
    }
}

/// No object of the JSON has a duplicate key: strict parsers refuse that.
#[test]
fn keys_are_unique() {
    for name in ["posit16_1", "binary16", "e5m2b1"] {
        let text = formats(&[name, "--json"]);
        let mut keys: Vec<&str> = text.lines().filter(|line| line.starts_with("  \"")).collect();
        keys.iter_mut().for_each(|line| *line = line.split(':').next().unwrap());
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all, "{name}");
        assert!(keys.contains(&"  \"bits\""));
    }
}

/// Counted code by code for narrow formats.
#[test]
fn formats_are_compared() {
    let names = ["e4m3", "e4m3fn", "e5m2b1", "k8p4ue", "e8m0", "posit8", "e2m1f", "e3m4n"];
    let rows = json(&names);
    for (row, name) in rows.as_array().unwrap().iter().zip(names) {
        let explained = json(&[name]);
        let values: Vec<&str> =
            explained["values"].as_array().unwrap().iter().map(|code| code["value"].as_str().unwrap()).collect();
        let infinities = values.iter().filter(|value| value.ends_with("inf")).count();
        let nans = values.iter().filter(|value| **value == "NaN").count();
        let finite = values.len() - infinities - nans;
        assert_eq!((&row["format"], &row["bits"]), (&explained["name"], &explained["bits"]));
        assert_eq!(row["finite"], finite.to_string(), "{name}");
        assert_eq!((&row["infinities"], &row["nans"]), (&infinities.into(), &nans.to_string().into()), "{name}");
        assert_eq!([&row["smallest"], &row["largest"]], ["smallest", "largest"].map(|end| &explained["range"][end]));
    }
    let table = formats(&["e4m3fn", "posit16_1", "binary128", "e5m2,bias=40"]);
    insta::assert_snapshot!("formats_compared", table);
    let csv = formats(&["half", "binary128", "--csv"]);
    let widest = "e5m10,bias=3";
    assert_eq!(csv.lines().nth(1), Some("binary16,16,11,1*2^-24,1.9990234375*2^15,12.0,1*2^-10,63488,2,2046"));
    assert_eq!(csv.lines().count(), 3);
    assert_eq!(json(&[widest, "half"])[0]["ulp_at_1"], "1*2^-10");
}

#[test]
fn codes_by_range() {
    let some = formats(&["binary16", "--codes", "0x3bff..15361", "--csv"]);
    let lines = ["code,value,decimal", "0x3bff,1.9990234375*2^-1,0.99951171875", "0x3c00,1*2^0,1"];
    assert_eq!(some.lines().take(3).collect::<Vec<_>>(), lines);
    assert_eq!(some.lines().count(), 4);
    assert_eq!(json(&["posit32", "--codes", "0x80000000..0x80000000"])["values"][0]["value"], "NaN");
    assert_eq!(formats(&["e5m2", "--csv"]).lines().count(), 257);
    for (arguments, sentence) in [
        (&["e5m2", "--codes", "0..0x100"][..], "--codes: 0x100 is no code of e5m2, which has 8 bits"),
        (&["e5m2", "--codes", "5..4"], "the first code is not above the last one"),
        (&["e5m2", "--codes", "5"], "a range of codes is expected, such as 0x3c00..0x3c10"),
        (&["binary128", "--codes", "0..0xffffffffffff"], "up to 1048576 codes are shown at a time"),
        (&["binary16", "--csv"], "binary16 has 16 bits: --codes <FIRST>..<LAST> chooses the codes to print"),
        (&["e5m2", "e4m3", "--codes", "1..2"], "--codes is for one format"),
    ] {
        let (code, stdout, stderr) = run_in(folder().path(), &[&["formats"], arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert!(stderr.contains(sentence), "{stderr}");
    }
}

/// No line of a table ends in blanks.
#[test]
fn lines_end_where_their_text_does() {
    for arguments in [&[][..], &["e2m1f"], &["e5m2", "e4m3"]] {
        assert!(formats(arguments).lines().all(|line| line == line.trim_end()), "{arguments:?}");
    }
}

/// The table in section 3 of SEMANTICS.md.
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
