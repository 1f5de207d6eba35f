//! Names: every systematic name of the families and every alias is parsed to its format, is printed as one canonical
//! spelling that no other format has, and gives a unique identifier; and the messages for bad names.

use crate::common::{as_f64, float, format};
use binade_golden::{Codec, Exact, Value};
use binade_spec::alias::{AMBIGUOUS_FORMATS, FORMAT_ALIASES, UNBUILT_FORMATS, WORD_ALIASES};
use binade_spec::{Extremum, Function, Overflow, PositRange, Rounding, Unit, known_formats};
use binade_spec::{Fixed, Format, NameError, Posit, Sign};
use std::collections::HashMap;

/// The printed name of each format, to detect two formats with one name.
#[derive(Default)]
struct Printed {
    names: HashMap<String, Format>,
    identifiers: HashMap<String, Format>,
}

impl Printed {
    /// The format must have `name` as its canonical spelling, or another one that reads back as itself.
    fn add(&mut self, name: &str, format: Format) {
        let canonical = format.to_string();
        assert_eq!(canonical.parse(), Ok(format), "{name} is printed as {canonical}");
        let identifier = format.identifier();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(
            identifier.starts_with(|c: char| c.is_ascii_lowercase()) && identifier.chars().all(plain),
            "{identifier}"
        );
        assert_eq!(*self.names.entry(canonical).or_insert(format), format, "{name} shares its name");
        assert_eq!(*self.identifiers.entry(identifier).or_insert(format), format, "{name} shares its identifier");
    }

    /// Formats with different names must be different, and the other way round.
    fn check(self, formats: usize) {
        assert_eq!((self.names.len(), self.identifiers.len()), (formats, formats));
        let distinct: std::collections::HashSet<Format> = self.names.into_values().collect();
        assert_eq!(distinct.len(), formats);
    }
}

/// The format, unless it is refused because its exponents are out of range.
fn in_range(name: &str) -> Option<Format> {
    match name.parse() {
        Ok(format) => Some(format),
        Err(error @ NameError::Impossible { .. }) => {
            assert!(error.to_string().contains("the exponents of a format stay within"), "{error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn every_float() {
    let mut printed = Printed::default();
    for w in 2..=15 {
        for t in 0..=112 {
            for suffix in ["", "n", "ns", "fn", "f"] {
                if (w, t) == (8, 0) && ["", "ns", "fn"].contains(&suffix) {
                    continue;
                }
                for option in ["", ",bias=0", ",bias=-7", ",bias=7", ",bias=200"] {
                    let name = format!("e{w}m{t}{suffix}{option}");
                    let format = format(&name);
                    assert_eq!(
                        (float(format).exponent_bits, float(format).trailing_bits, format.width()),
                        (w, t, 1 + w + t),
                        "{name}"
                    );
                    printed.add(&name, format);
                }
            }
        }
    }
    // 7 is the default bias of w = 4; without trailing bits, `ns` and the plain name are one format.
    // e8m0, e8m0ns and e8m0fn are refused.
    let (shapes, spellings_of_default) = (14 * 113 * 5 * 5 - 3 * 5, 113 * 5);
    let without_trailing_bits = 13 * 5 - 1;
    printed.check(shapes - spellings_of_default - without_trailing_bits);
}

/// Formats with one exponent bit are finite.
#[test]
fn a_single_exponent_bit() {
    let mut printed = Printed::default();
    for t in 1..=112 {
        for suffix in ["", "f", "fn"] {
            let name = format!("e1m{t}{suffix}");
            let format = format(&name);
            assert_eq!((float(format).bias, format.width(), float(format).infinity_code()), (1, 2 + t, None), "{name}");
            printed.add(&name, format);
        }
    }
    printed.check(2 * 112);
    let values = (0..8).map(|code| as_f64(format("e1m2").decode(code)));
    assert_eq!(values.collect::<Vec<_>>(), [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75]);
    for name in ["e1m2n", "e1m2ns", "e1m0fn"] {
        assert!(matches!(name.parse::<Format>(), Err(NameError::Impossible { .. })), "{name}");
    }
}

/// These are P3109's finite unsigned formats, except for the bias: if that is equal, the name is P3109's.
#[test]
fn unsigned_scales() {
    let mut printed = Printed::default();
    let mut doubled = 0;
    for (w, t) in (1..=15).flat_map(|w| (1..=112).map(move |t| (w, t))) {
        for bias in [None, Some(7), Some(1 << (w - 1))] {
            doubled += usize::from(bias == Some(float(format(&format!("ue{w}m{t}"))).bias));
            let name = format!("ue{w}m{t}{}", bias.map_or(String::new(), |bias| format!(",bias={bias}")));
            let format = format(&name);
            assert_eq!((format.width(), format.sign()), (w + t, Sign::Unsigned), "{name}");
            printed.add(&name, format);
        }
    }
    printed.check(15 * 112 * 3 - doubled);
    let ue4m3 = format("ue4m3");
    assert_eq!(ue4m3, format("k7p4uf,bias=7"));
    assert_eq!((format("UE4M3FN"), format("k7p4uf").to_string()), (ue4m3, "k7p4uf".into()));
    assert_eq!([0x7e, 1].map(|code| as_f64(ue4m3.decode(code))), [448.0, 2.0_f64.powi(-9)]);
    assert!(ue4m3.is_nan(0x7f));
}

#[test]
fn every_p3109() {
    let mut printed = Printed::default();
    let (mut named, mut refused, mut doubled) = (0, 0, 0);
    for (k, p) in (3..=16).flat_map(|k| (1..=k).map(move |p| (k, p))) {
        for (domain, sign) in
            [("se", Sign::Signed), ("sf", Sign::Signed), ("ue", Sign::Unsigned), ("uf", Sign::Unsigned)]
        {
            if sign == Sign::Signed && p == k {
                continue;
            }
            for suffix in ["", "ns"] {
                named += 1;
                let name = format!("k{k}p{p}{domain}{suffix}");
                let Some(format) = in_range(&name) else {
                    assert!(k - p >= 12, "{name} has a moderate range");
                    refused += 1;
                    continue;
                };
                assert_eq!((format.width(), format.precision(), format.sign()), (k, p, sign), "{name}");
                doubled += usize::from(p == 1 && suffix == "ns");
                printed.add(&name, format);
            }
        }
    }
    printed.check(named - refused - doubled);
}

#[test]
fn every_supernormal() {
    let mut printed = Printed::default();
    let mut formats = 0;
    for (w, t) in (2..=15).flat_map(|w| (0..=23).map(move |t| (w, t))) {
        let most = (1 << w) - 1;
        for below in 1..=most.min(40) {
            for above in [0, 1, 2, 5, below].into_iter().filter(|above| below + above <= most) {
                for option in ["", ",sat"] {
                    let name = format!("e{w}m{t}b{below}u{above}{option}");
                    let Some(format) = in_range(&name) else {
                        assert!((below.max(above) << t) + (1 << w) > 40_000, "{name} has a moderate range");
                        continue;
                    };
                    assert_eq!(
                        (float(format).binades_below, float(format).binades_above, format.width()),
                        (below, above, 1 + w + t)
                    );
                    formats += usize::from(!printed.names.contains_key(&format.to_string()));
                    printed.add(&name, format);
                }
            }
        }
    }
    assert!(formats > 3000, "{formats}");
    printed.check(formats);
}

/// Every posit, with and without scales; no scale and `scale=2^0` are the same format.
#[test]
fn every_posit() {
    let mut printed = Printed::default();
    for (bits, exponent_bits) in (3..=64).flat_map(|bits| (0..=5).map(move |exponent_bits| (bits, exponent_bits))) {
        for scale in [0, 1, -1, 12, -300] {
            let name = format!("posit{bits}_{exponent_bits},scale=2^{scale}");
            let format = format(&name);
            assert_eq!(format.posit(), Some(&Posit { scale, ..Posit::new(bits, exponent_bits) }), "{name}");
            assert_eq!((format.float(), format.width(), format.sign()), (None, bits, Sign::Signed), "{name}");
            printed.add(&name, format);
        }
        let plain = format!("posit{bits}_{exponent_bits}");
        assert_eq!(format(&plain).to_string(), plain);
        assert_eq!(format(&plain), format(&format!("{plain},scale=2^0")));
    }
    printed.check(62 * 6 * 5);
}

/// Every width and some positions of the point, with and without a sign.
#[test]
fn every_fixed_point_format() {
    let mut printed = Printed::default();
    for (bits, sign) in (2..=64).flat_map(|bits| [(bits, Sign::Signed), (bits, Sign::Unsigned)]) {
        let unsigned = if sign == Sign::Signed { "" } else { "u" };
        for fraction_bits in [0, 1, 7, 64, 300] {
            let name = format!("{unsigned}fixed{bits}_{fraction_bits}");
            let format = format(&name);
            assert_eq!(format.fixed(), Some(&Fixed { bits, fraction_bits, sign }), "{name}");
            assert_eq!((format.float(), format.posit(), format.width(), format.sign()), (None, None, bits, sign));
            printed.add(&name, format);
        }
        let plain = format!("{unsigned}int{bits}");
        assert_eq!(format(&format!("{unsigned}fixed{bits}_0")).to_string(), plain);
        printed.add(&plain, format(&format!("{plain},scale=2^5")));
        assert_eq!(format(&format!("{plain},scale=2^-3")), format(&format!("{unsigned}fixed{bits}_3")));
    }
    printed.check(63 * 2 * 6);
    for (name, bits) in [("int1", 1), ("uint65", 65), ("fixed0_0", 0)] {
        refused(name, &format!("{name} has {bits} bits; fixed-point formats have 2 to 64"));
    }
    refused(
        "fixed8_50000",
        "fixed8_50000 reaches from 2^-50000 to 2^-49993; the exponents of a format stay within -40000..=40000",
    );
    assert!("fixed8".parse::<Format>().is_err() && "int8,bias=3".parse::<Format>().is_err());
}

/// All families in one table of names and of identifiers, each with scales that no other name expresses.
#[test]
fn families_share_no_name() {
    let mut printed = Printed::default();
    let floats =
        "e5m2 e5m2n e4m3fn e4m3ns e3m2f e2m1f e5m2b1 e5m2b2u1 e4m3b2,sat k8p3se k8p4uf k8p3sens e8m0 dlfloat16";
    let standard =
        "binary16 bfloat16 tf32 binary32 binary64 binary128 e6m9 posit8_0 posit16_1 posit32_2 posit64_2 int8 uint8";
    let names: Vec<&str> = floats.split(' ').chain(standard.split(' ')).collect();
    for name in &names {
        for scale in [0, 1, 5, -1, -5, 16] {
            printed.add(name, format(&format!("{name},scale=2^{scale}")));
        }
    }
    printed.check(names.len() * 6);
}

/// Scaling by 2^k reduces the bias by k: the values are the same, with exponents greater by k.
#[test]
fn scale_of_a_float_is_its_bias() {
    for (name, bias) in [("e4m3", 7), ("e5m2b1", 16), ("k8p3se", 16), ("e8m0", 127), ("bfloat16", 127), ("e2m1f", 1)] {
        for scale in [-20, -1, 0, 2, 9] {
            let scaled = format(&format!("{name},scale=2^{scale}"));
            assert_eq!(scaled, format(&format!("{name},bias={}", bias - scale)), "{name}");
            assert_eq!(scaled, format(&format!("{name},scale=2^{},scale=2^-3", scale + 3)), "{name}");
            for code in [1, 2, 3, 0x31, 0x5f].into_iter().filter(|code| code >> scaled.width() == 0) {
                let value = match format(name).decode(code) {
                    Value::Finite(exact) => Value::Finite(Exact { k: exact.k + scale, ..exact }),
                    special => special,
                };
                assert_eq!(scaled.decode(code), value, "{name} {code:#x}");
            }
        }
    }
}

#[test]
fn aliases() {
    let aliases = [
        ("binary16 half fp16 f16 ieee16 1/5/10/d e5m10 E5M10", "binary16"),
        ("1/5/10/n", "e5m10n"),
        ("bfloat16 bf16 1/8/7/d e8m7", "bfloat16"),
        ("1/8/7/n", "e8m7n"),
        ("ieee16_6 1/6/9/d", "e6m9"),
        ("1/6/9/n", "e6m9n"),
        ("ieee16_7 1/7/8/d", "e7m8"),
        ("tf32 e8m10 TF32", "tf32"),
        ("binary32 fp32 f32 ieee32 1/8/23/d e8m23", "binary32"),
        ("binary64 fp64 f64 ieee64 1/11/52/d e11m52", "binary64"),
        ("1/11/52/n e11m52n", "e11m52n"),
        ("binary128 fp128 f128 ieee128 1/15/112/d e15m112", "binary128"),
        ("ofp8e4m3", "e4m3fn"),
        ("ofp8e5m2 1/5/2/d", "e5m2"),
        ("dlfloat16 dlfloat", "dlfloat16"),
        ("binary8p3 k8p3se", "k8p3se"),
        ("binary8p4 binary8p4se", "k8p4se"),
        ("binary8p3sens", "k8p3sens"),
        ("e5m2b1 e5m2b1u1 E5M2B1", "e5m2b1"),
        ("e5m2b1,sat e5m2b1,SAT e5m2b1u1,sat", "e5m2b1,sat"),
        ("e4m3b2,sat,bias=3 e4m3b2,bias=3,sat", "e4m3b2,sat,bias=3"),
        ("e4m3,bias=7", "e4m3"),
        ("binary16,bias=3", "e5m10,bias=3"),
        ("posit16 posit16_2 POSIT16 posit16_2,scale=2^0 posit16,scale=2^3,scale=2^-3", "posit16_2"),
        ("posit8 posit8_2", "posit8_2"),
        ("posit64 posit64_2", "posit64_2"),
        ("posit<16,1> POSIT<16,1> p16e1 P16E1", "posit16_1"),
        ("posit<16,1>,scale=2^3", "posit16_1,scale=2^3"),
        ("e5_m2 E5_M2", "e5m2"),
        ("half,bias=3 Float16,bias=3", "e5m10,bias=3"),
        ("float8_e4m3b11fnuz,bias=8", "k8p4sf"),
        ("posit16_3,scale=2^-4 posit16_3,SCALE=2^-4", "posit16_3,scale=2^-4"),
        ("e4m3,scale=2^2 e4m3,bias=5", "e4m3,bias=5"),
        ("binary16,scale=2^0 e5m10,scale=2^0", "binary16"),
        ("e8m0 E8M0 e8m0,bias=127", "e8m0"),
        ("posit8_1 posit<8,1> posit8,1 POSIT8,1", "posit8_1"),
        ("posit8,1,scale=2^3 posit<8,1>,scale=2^3", "posit8_1,scale=2^3"),
        ("q4.4 Q4.4 fixed8_4", "fixed8_4"),
        ("uq0.8 ufixed8_8", "ufixed8_8"),
    ];
    for (names, canonical) in aliases {
        for name in names.split(' ') {
            assert_eq!(format(name).to_string(), canonical, "{name}");
            assert_eq!(format(name), format(canonical), "{name}");
        }
    }
}

/// Every alias, in every spelling, is the format in the table, and is printed there by its canonical name; no two
/// formats share a name.
#[test]
fn every_alias() {
    let mut seen = HashMap::new();
    for (name, aliases) in FORMAT_ALIASES {
        assert_eq!(format(name).to_string(), *name);
        for alias in *aliases {
            let spellings = [alias.to_string(), alias.to_uppercase(), alias.replace('_', ""), alias.replace('_', "-")];
            for spelling in spellings.into_iter().chain([format!(" {alias} ")]) {
                assert_eq!(spelling.parse(), Ok(format(name)), "{spelling}");
            }
            assert_eq!(seen.insert(alias.replace('_', ""), name), None, "{alias}");
        }
    }
    for (names, meanings) in AMBIGUOUS_FORMATS {
        for name in *names {
            let error = name.to_uppercase().parse::<Format>().expect_err(name).to_string();
            assert_eq!(error, format!("{} may be {}: say which", name.to_uppercase(), meanings.join(" or ")));
            assert_eq!(seen.insert(name.replace('_', ""), name), None, "{name}");
        }
        for meaning in *meanings {
            let (canonical, _) = meaning.split_once(" (").expect("a meaning says why");
            assert_eq!(format(canonical).to_string(), canonical);
        }
    }
}

/// What is not built is refused with what comes nearest, whatever its width.
#[test]
fn formats_that_are_not_built() {
    for (nearest, names) in UNBUILT_FORMATS {
        for name in names.iter().flat_map(|name| [name.to_string(), format!("{}16", name.to_uppercase())]) {
            let error = name.parse::<Format>().expect_err(&name).to_string();
            assert_eq!(error, format!("{name} is not built: it is {nearest}"));
        }
    }
}

/// A misspelt name is not taken for one with another width or sign.
#[test]
fn suggestions_keep_widths_and_signs() {
    let message = |name: &str| name.parse::<Format>().expect_err(name).to_string();
    assert!(message("bfloat17").ends_with("(`binade formats` lists them)"));
    assert!(message("float17").ends_with("(`binade formats` lists them)"));
    assert!(message("fp19").ends_with("(`binade formats` lists them)"));
    assert!(message("usingle").ends_with("(`binade formats` lists them)"));
    assert!(message("bflaot16").ends_with("; did you mean bfloat16?"));
    assert!(message("brainflaot16").ends_with("; did you mean brainfloat16?"));
}

/// The largest finite and the smallest positive value that the ml_dtypes package documents for each of its types.
#[test]
fn names_of_ml_dtypes_have_their_values() {
    for (name, largest, smallest) in [
        ("float8_e3m4", 15.5, 2_f64.powi(-6)),
        ("float8_e4m3", 240.0, 2_f64.powi(-9)),
        ("float8_e4m3fn", 448.0, 2_f64.powi(-9)),
        ("float8_e4m3fnuz", 240.0, 2_f64.powi(-10)),
        ("float8_e4m3b11fnuz", 30.0, 2_f64.powi(-13)),
        ("float8_e5m2", 57344.0, 2_f64.powi(-16)),
        ("float8_e5m2fnuz", 57344.0, 2_f64.powi(-17)),
        ("float8_e8m0fnu", 2_f64.powi(127), 2_f64.powi(-127)),
        ("float6_e2m3fn", 7.5, 0.125),
        ("float6_e3m2fn", 28.0, 0.0625),
        ("float4_e2m1fn", 6.0, 0.5),
    ] {
        let format = format(name);
        let ends = [format.max_code(), format.min_code()].map(|code| as_f64(format.decode(code)));
        assert_eq!(ends, [largest, smallest], "{name}");
        let unsigned_zero = name.ends_with("uz");
        assert_eq!(format.nan_code() == Some(0x80), unsigned_zero, "{name}");
    }
}

/// Units, roundings and policies are parsed in any spelling and by their aliases.
#[test]
fn every_name_of_a_word() {
    let read = |word: &str| -> Vec<String> {
        let unit = word.parse::<Unit>().map(|unit| unit.to_string()).ok();
        let rounding = word.parse::<Rounding>().map(|rounding| rounding.to_string()).ok();
        let overflow = word.parse::<Overflow>().map(|overflow| overflow.to_string()).ok();
        let range = word.parse::<PositRange>().map(|range| range.to_string()).ok();
        let extremum = word.parse::<Extremum>().map(|extremum| extremum.to_string()).ok();
        let mut read: Vec<String> = [unit, rounding, overflow, range, extremum].into_iter().flatten().collect();
        read.dedup();
        // `recip` is also an alias of a unit.
        let function = word.parse::<Function>().map(|function| function.to_string());
        if read.is_empty() { function.into_iter().collect() } else { read }
    };
    let aliases = WORD_ALIASES.iter().flat_map(|(name, aliases)| aliases.iter().map(move |alias| (*alias, *name)));
    let names = Unit::ALL.map(Unit::name).into_iter().chain(Extremum::ALL.map(Extremum::name));
    for (word, name) in aliases.chain(names.map(|name| (name, name))) {
        for spelling in [word.to_string(), word.to_uppercase(), word.replace('-', "_"), word.replace('-', "")] {
            assert_eq!(read(&spelling), [name], "{spelling}");
        }
    }
    assert_eq!(read("SR12"), ["sr12"]);
    for foreign in ["", "fmad", "sr0", "sr33", "min"] {
        assert_eq!(read(foreign), [""; 0], "{foreign}");
    }
}

#[test]
fn known_formats_are_spelt_canonically() {
    let known = known_formats();
    assert!(known.len() > 20);
    for (format, about) in known {
        assert_eq!(format.to_string().parse(), Ok(format));
        assert!(!about.is_empty() && !about.ends_with('.'), "{format}: {about}");
    }
}

#[track_caller]
fn refused(name: &str, sentence: &str) {
    assert_eq!(name.parse::<Format>().expect_err(name).to_string(), sentence);
}

#[test]
fn unknown_names() {
    let look =
        "names look like e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1, int8 or binary16 (`binade formats` lists them)";
    let alone = ["1/5/10/x", "2/5/10/d", "hello world", "e99999999999m2", "5", "e9", "f7", "i8"];
    for name in alone {
        refused(name, &format!("unknown format {name}; {look}"));
    }
    refused("", &format!("a format name is missing; {look}"));
    let near = [
        ("bfloat61", "bfloat16"),
        ("e4m3fnn", "e4m3fn"),
        ("e4m3fns", "e4m3fn"),
        ("k8p3xx", "k8p3se"),
        ("Binray16", "binary16"),
        ("e5m2b1u", "e5m2b1"),
        ("posit16_", "posit16_1"),
        ("e5 m2", "e5m2"),
        ("posit<16>1", "posit16_1"),
        ("posit<16,1", "posit16_1"),
        ("doubel", "double"),
    ];
    for (name, suggestion) in near {
        refused(name, &format!("unknown format {name}; {look}; did you mean {suggestion}?"));
    }
}

#[test]
fn impossible_formats() {
    let sizes = "e<w>m<t> takes w from 2 to 15 and t from 0 to 112";
    refused("e16m2", &format!("e16m2 has 16 exponent and 2 trailing significand bits; {sizes}"));
    for (name, suffix, least) in [("e1m3n", "n", 2), ("e1m3b1", "b1", 2), ("e16m3f", "f", 1)] {
        let (w, _) = name[1..].split_once('m').expect("an m");
        let sizes = format!("e<w>m<t>{suffix} takes w from {least} to 15 and t from 0 to 112");
        refused(name, &format!("{name} has {w} exponent and 3 trailing significand bits; {sizes}"));
    }
    let scales = "ue<w>m<t> takes w from 1 to 15 and t from 1 to 112 (e8m0 is the OCP MX scale)";
    refused("ue4m0", &format!("ue4m0 has 4 exponent and 0 trailing significand bits; {scales}"));
    refused("1/5/113/d", &format!("1/5/113/d has 5 exponent and 113 trailing significand bits; {sizes}"));
    let p3109 = "P3109 takes 3 to 16 bits, and a precision from 1 to";
    refused("k17p3se", &format!("k17p3se has 17 bits and precision 3; {p3109} the width less one"));
    refused("k8p8sf", &format!("k8p8sf has 8 bits and precision 8; {p3109} the width less one"));
    refused("k8p9ue", &format!("k8p9ue has 8 bits and precision 9; {p3109} the width"));
    refused("k8p0se", &format!("k8p0se has 8 bits and precision 0; {p3109} the width less one"));
    refused("k8p3", "k8p3 needs its domain: se, sf, ue or uf (signed or unsigned, extended or finite)");
    let e8m0 = "has no trailing significand bits; e8m0 is the OCP MX scale, e8m1 the nearest IEEE encoding";
    refused("e8m0ns", &format!("e8m0ns {e8m0}"));
    refused("1/8/0/d", &format!("1/8/0/d {e8m0}"));
    refused(
        "e8m0fn",
        "e8m0fn would have 9 bits with a sign; e8m0 is the OCP MX scale, 8 bits without one (float8_e8m0fnu), e8m0f the \
         signed powers of two",
    );
    let kind = "needs its kind: 1/6/9/d has subnormals, 1/6/9/n flushes them to zero; DLFloat is dlfloat16";
    refused("1/6/9", &format!("1/6/9 {kind}"));
}

#[test]
fn impossible_supernormals() {
    let taken = |fields: u32, binades: u32, most: u32| {
        format!(
            "leaves no ordinary binade (binades 0..={fields}, {binades} below and {binades} above are taken); use at most b{most}, \
             or a wider exponent; a bias is written `,bias={binades}`"
        )
    };
    refused("e4m3b9", &format!("e4m3b9 {}", taken(15, 9, 7)));
    refused("e4m3b8", &format!("e4m3b8 {}", taken(15, 8, 7)));
    refused("E2M1B2", &format!("e2m1b2 {}", taken(3, 2, 1)));
    let in_all =
        "leaves no ordinary binade (binades 0..=15, 7 below and 9 above are taken); use at most 15 in all, or a";
    refused("e4m3b7u9", &format!("e4m3b7u9 {in_all} wider exponent"));
    refused("e5m3b0", "e5m3b0 has no supernormal binade below; b<L> takes L from 1 (ns is the format with none)");
    refused(
        "e8m23b1",
        "e8m23b1 reaches from 2^-8388734 to 2^8388733; the exponents of a format stay within -40000..=40000",
    );
    refused(
        "e8m64b1",
        "e8m64b1 reaches from 2^-18446744073709551742 to 2^18446744073709551741; the exponents of a format stay within \
         -40000..=40000",
    );
}

/// The message names the posit and both of its sizes.
#[test]
fn impossible_posits() {
    let sizes = "posit<n>_<es> takes n from 3 to 64 and es from 0 to 5";
    for (bits, exponent_bits) in [(0, 2), (2, 0), (2, 2), (65, 2), (99, 3), (16, 6), (8, 99)] {
        let name = format!("posit{bits}_{exponent_bits}");
        refused(&name, &format!("{name} has {bits} bits and {exponent_bits} exponent bits; {sizes}"));
    }
    refused("posit65", &format!("posit65 has 65 bits and 2 exponent bits; {sizes}"));
    refused("POSIT2,scale=2^3", &format!("posit2,scale=2^3 has 2 bits and 2 exponent bits; {sizes}"));
}

#[test]
fn unknown_options() {
    let foreign = [("e5m2", "foo"), ("e4m3", "sat"), ("k8p3se", "bias"), ("posit16_1", "bias=3"), ("posit16_1", "sat")];
    let allowed =
        "allowed are scale=2^<k> and, for floats, bias=<B> (both from -65536 to 65535), and sat for supernormals";
    for (name, option) in foreign {
        refused(&format!("{name},{option}"), &format!("{name}: {option} is no option of this format; {allowed}"));
    }
    let numbers = [
        ("e5m2", "bias=abc", "bias=<B> with a whole number B"),
        ("e5m2", "bias=65536", "bias=<B> with a whole number B"),
        ("posit16_1", "scale=3", "scale=2^<k> with a whole number k"),
        ("posit8_2", "scale=2^-65537", "scale=2^<k> with a whole number k"),
        ("e4m3", "scale=2^x", "scale=2^<k> with a whole number k"),
    ];
    for (name, option, expected) in numbers {
        let sentence = format!("{name}: {option}: {expected} from -65536 to 65535 is expected");
        refused(&format!("{name},{option}"), &sentence);
    }
}

/// Combined options are limited by the exponents of the format, not by how they are written.
#[test]
fn options_add_up() {
    let limit = "the exponents of a format stay within -40000..=40000";
    for name in ["e4m3,bias=-39000,scale=2^900", "k16p1uf,scale=2^-1", "posit8_0,scale=2^32767,scale=2^7000"] {
        Printed::default().add(name, format(name));
    }
    refused("e4m3,bias=-40000", &format!("e4m3,bias=-40000 reaches from 2^39998 to 2^40014; {limit}"));
    refused(
        "posit8_0,scale=2^30000,scale=2^10000",
        &format!("posit8_0,scale=2^30000,scale=2^10000 reaches from 2^39994 to 2^40006; {limit}"),
    );
}
