//! Aliases: the names that libraries, standards and papers give to formats, units and settings.

/// A name and its aliases.
pub type Aliases = (&'static str, &'static [&'static str]);

/// Aliases of formats. Case, `_` and `-` are ignored.
pub const FORMAT_ALIASES: &[Aliases] = &[
    ("binary16", &["half", "float16", "fp16", "f16", "ieee16"]),
    ("binary32", &["single", "float32", "fp32", "f32", "ieee32"]),
    ("binary64", &["double", "float64", "fp64", "f64", "ieee64"]),
    ("binary128", &["quad", "quadruple", "float128", "fp128", "f128", "ieee128"]),
    ("bfloat16", &["bf16", "brainfloat16"]),
    ("tf32", &["tensorfloat32"]),
    ("dlfloat16", &["dlfloat"]),
    ("e6m9", &["ieee16_6"]),
    ("e7m8", &["ieee16_7"]),
    ("e5m2", &["float8_e5m2", "fp8_e5m2", "f8_e5m2", "ofp8_e5m2", "mxfp8_e5m2"]),
    ("e4m3", &["float8_e4m3"]),
    ("e4m3fn", &["float8_e4m3fn", "fp8_e4m3fn", "f8_e4m3fn", "ofp8_e4m3", "mxfp8_e4m3"]),
    ("e3m4", &["float8_e3m4"]),
    ("k8p3sf", &["float8_e5m2fnuz", "fp8_e5m2fnuz", "f8_e5m2fnuz", "e5m2fnuz"]),
    ("k8p4sf", &["float8_e4m3fnuz", "fp8_e4m3fnuz", "f8_e4m3fnuz", "e4m3fnuz"]),
    ("k8p4sf,bias=11", &["float8_e4m3b11fnuz", "f8_e4m3b11fnuz", "e4m3b11fnuz"]),
    ("e8m0", &["float8_e8m0fnu", "float8_e8m0", "f8_e8m0fnu", "e8m0fnu", "ue8m0"]),
    ("e4m3f", &["cfloat8_1_4_3"]),
    ("e5m2f", &["cfloat8_1_5_2"]),
    ("e3m2f", &["float6_e3m2fn", "fp6_e3m2", "f6_e3m2fn", "mxfp6_e3m2"]),
    ("e2m3f", &["float6_e2m3fn", "fp6_e2m3", "f6_e2m3fn", "mxfp6_e2m3"]),
    ("fixed8_6", &["mxint8"]),
    ("e3m0f", &["float4_e3m0fn", "float4_e3m0", "fp4_e3m0", "f4_e3m0fn"]),
    ("e1m2f", &["float4_e1m2fn", "float4_e1m2", "fp4_e1m2", "f4_e1m2fn"]),
    ("e2m1f", &["float4_e2m1fn", "float4_e2m1", "fp4_e2m1", "f4_e2m1fn", "fp4", "mxfp4", "mxfp4_e2m1", "nvfp4"]),
];

/// Names shared by several formats: the names, and what each of them may mean.
pub const AMBIGUOUS_FORMATS: &[(&[&str], &[&str])] = &[
    (&["fp8", "float8", "f8", "ofp8", "mxfp8"], &["e4m3fn (OCP E4M3)", "e5m2 (OCP E5M2)"]),
    (&["fp6", "float6", "f6", "mxfp6"], &["e3m2f (OCP MX E3M2)", "e2m3f (OCP MX E2M3)"]),
    (&["fp8_e4m3", "f8_e4m3"], &["e4m3fn (OCP E4M3: no infinity)", "e4m3 (IEEE encoding, with infinity)"]),
    (
        &["cfloat8"],
        &["e4m3f (cfloat8_1_4_3; its bias is an option: e4m3f,bias=<B>)", "e5m2f (cfloat8_1_5_2, likewise)"],
    ),
    (&["fp24"], &["e7m16 (7 exponent bits)", "e8m15 (the exponents of binary32)"]),
    (&["float"], &["binary32 (float of C)", "binary64 (float of Python)"]),
];

/// Formats that are not built: how their names begin, and what comes nearest.
pub const UNBUILT_FORMATS: &[Aliases] = &[
    (
        "a block format with three levels of scales; mx-quantize and mx-dot with e2m1f have one level",
        &["hifloat4", "hif4"],
    ),
    (
        "a logarithmic takum, whose numbers have no significand; the linear takum of n bits is takum_linear<n>",
        &["takum", "logtakum", "takumlog"],
    ),
    ("a decimal format; binary32, binary64 and binary128 are the binary formats of these widths", &["decimal"]),
    (
        "a hexadecimal format, whose exponent counts powers of 16; binary32 and binary64 are the binary formats of these widths",
        &["hex", "hexfloat", "ibm"],
    ),
    ("a logarithmic format; units compute with numbers that have a significand", &["lns"]),
    (
        "a block format: elements share an exponent; mx-quantize and mx-dot have e8m0 scales for blocks of int8, fixed8_6 or floats (bfloat16 is bf16)",
        &["bfp", "msfp", "blockfloat", "flexpoint"],
    ),
    (
        "an extended format with an explicit integer bit; e15m63 has its values in 79 bits",
        &["x87", "float80", "fp80", "f80", "extended"],
    ),
    ("a pair of numbers; binary128 is the nearest format", &["doubledouble"]),
];

/// Aliases of units, roundings and policies, valid wherever the name is.
pub const WORD_ALIASES: &[Aliases] = &[
    ("fmac", &["fma", "fmadd", "madd"]),
    ("mul", &["multiply", "fmul"]),
    ("add", &["fadd"]),
    ("sub", &["fsub", "subtract"]),
    ("divide", &["div", "fdiv"]),
    ("reciprocal", &["recip", "frecip"]),
    ("sqrt", &["fsqrt", "squareRoot"]),
    ("rsqrt", &["frsqrt", "invsqrt"]),
    ("convert", &["cvt", "fcvt", "cast"]),
    ("silu", &["swish"]),
    ("compare", &["cmp", "fcmp"]),
    ("classify", &["class", "fclass"]),
    ("sgnj", &["fsgnj", "copysign"]),
    ("accumulate", &["accum", "accumulator"]),
    ("mma", &["matmul", "gemm", "tensorcore"]),
    ("update", &["sgd", "weightUpdate"]),
    ("loss-scaler", &["gradScaler"]),
    ("rne", &["roundTiesToEven"]),
    ("rna", &["roundTiesToAway", "rmm"]),
    ("rtz", &["roundTowardZero"]),
    ("rup", &["roundTowardPositive"]),
    ("rdn", &["roundTowardNegative"]),
    ("rto", &["roundToOdd"]),
    ("inf", &["infinity"]),
    ("saturate", &["sat", "satFinite"]),
    ("propagate", &["satPropagate"]),
];

/// Aliases of the languages of generated files.
pub const LANGUAGE_ALIASES: &[Aliases] = &[("verilog", &["v"]), ("systemverilog", &["sv"]), ("vhdl", &["vhd"])];

/// The significant characters of a name, ASCII in lower case. Suites and `fuzz` compare names millions of times, so nothing is allocated.
fn significant(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| !matches!(letter, '_' | '-')).map(|letter| letter.to_ascii_lowercase())
}

/// Whether two spellings are the same name; case, `_` and `-` are ignored.
fn same(one: &str, other: &str) -> bool {
    significant(one).eq(significant(other))
}

/// The name of the format with this alias.
pub(crate) fn format_called(alias: &str) -> Option<&'static str> {
    let is_called = |(_, aliases): &&Aliases| aliases.iter().any(|name| same(name, alias));
    FORMAT_ALIASES.iter().find(is_called).map(|(name, _)| *name)
}

/// What comes nearest to a format that is not built.
pub(crate) fn unbuilt(name: &str) -> Option<&'static str> {
    let name: String = significant(name).collect();
    let begins = |(_, names): &&Aliases| {
        names.iter().any(|begin| name.strip_prefix(begin).is_some_and(|rest| !rest.starts_with(char::is_alphabetic)))
    };
    UNBUILT_FORMATS.iter().find(begins).map(|(nearest, _)| *nearest)
}

/// What an ambiguous name may mean.
pub(crate) fn formats_called(name: &str) -> Option<&'static [&'static str]> {
    let is_called = |(names, _): &&(&[&str], _)| names.iter().any(|ambiguous| same(ambiguous, name));
    AMBIGUOUS_FORMATS.iter().find(is_called).map(|(_, meanings)| *meanings)
}

/// The entry of `names` that a word means, in any spelling or by an alias.
///
/// ```
/// use binade_spec::alias::find_name;
///
/// assert_eq!(find_name("FMA", &["mul", "fmac"]), Some("fmac"));
/// assert_eq!(find_name("Minimum_Number", &["minimum-number"]), Some("minimum-number"));
/// assert_eq!(find_name("fma", &["mul"]), None);
/// ```
pub fn find_name<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    let is_called = |(_, aliases): &&Aliases| aliases.iter().any(|alias| same(alias, word));
    let called = || {
        let mut named = WORD_ALIASES.iter().chain(LANGUAGE_ALIASES).filter(is_called).map(|(name, _)| *name);
        named.find_map(|name| names.iter().find(|known| **known == name))
    };
    names.iter().find(|name| same(name, word)).or_else(called).copied()
}
