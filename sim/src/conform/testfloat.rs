//! Berkeley TestFloat, release 3e (John R. Hauser): the lines of `testfloat_gen`, and its functions.

use super::case::{Answer, ConformCase};
use super::claim::{Claim, ClaimLine, Codes, Syntax, fits, hex};
use super::flags::Flags;
use binade_spec::word::low_bits;
use binade_spec::{Comparison, Content, Format, Operation, OperationError, Port, Selection, Tininess, Unit, Word};

/// Lines of `testfloat_gen`: the operands, the result and a byte of flags, all in hexadecimal. Codes as wide as their formats are
/// NaN-boxed where the unit has boxes.
pub struct TestFloat {
    case: ConformCase,
    /// The ports whose words are in the lines.
    operands: Vec<Port>,
    results: Vec<Port>,
    /// The word on port `rm`, if the lines do not have it.
    rm: Option<u64>,
}

impl TestFloat {
    /// Lines for this case; `rm` is what the unit's port `rm` has in all of them.
    pub fn new(case: ConformCase, rm: Option<u64>) -> TestFloat {
        let (mut operands, results) = (case.operands(), case.results());
        if rm.is_some() {
            operands.pop();
        }
        TestFloat { case, operands, results, rm }
    }

    fn columns(&self) -> String {
        let names = self.operands.iter().chain(&self.results).map(|port| port.name);
        names.chain(["flags"]).collect::<Vec<_>>().join(" ")
    }

    /// Reads the words of a line for these ports.
    fn codes<'w>(&self, ports: &[Port], words: &mut impl Iterator<Item = &'w str>) -> Result<Codes, String> {
        let mut codes = Codes::new();
        for port in ports {
            let word = words.next().ok_or_else(|| self.wrong_columns())?;
            let mut code = hex(word).ok_or_else(|| format!("`{word}` is not a hexadecimal number"))?;
            if let Content::Chosen { formats: [format], boxing: Some(bits) } = port.content {
                let above = bits - format.width();
                let is_code = word.len() <= format.width().div_ceil(4) as usize && fits(code, format.width());
                code |= if is_code { (u128::MAX >> (u128::BITS - above)) << format.width() } else { 0 };
            }
            if !fits(code, port.width()) {
                return Err(format!("`{word}` has more than the {} bits of {}", port.width(), port.name));
            }
            codes.push(code);
        }
        Ok(codes)
    }

    fn wrong_columns(&self) -> String {
        let count = self.operands.len() + self.results.len() + 1;
        format!("{count} columns are expected, {}", self.columns())
    }
}

impl Syntax for TestFloat {
    fn read(&self, line: &str) -> Result<ClaimLine, String> {
        let mut words = line.split_ascii_whitespace();
        if line.trim_ascii().is_empty() {
            return Ok(ClaimLine::Blank);
        }
        let mut operands = self.codes(&self.operands, &mut words)?;
        operands.extend(self.rm.map(u128::from));
        let results = self.codes(&self.results, &mut words)?;
        let (Some(byte), None) = (words.next(), words.next()) else { return Err(self.wrong_columns()) };
        let flags = hex(byte).filter(|_| byte.len() == 2).and_then(|byte| Flags::of_byte(byte as u8));
        let flags = flags.ok_or_else(|| {
            format!("`{byte}` is not a byte of TestFloat's flags: two hexadecimal digits from 00 to 1F are expected")
        })?;
        Ok(ClaimLine::Claim { case: 0, claim: Claim { operands, results, flags: Some(flags) } })
    }

    fn case(&self, _: usize) -> ConformCase {
        self.case.clone()
    }
}

/// A vector of a unit with flags as `testfloat_gen` prints it: the words of all inputs, then those of all outputs.
///
/// # Panics
/// When the last output is not the port `flags`.
pub fn testfloat_line(ports: &[(&Port, &Word)]) -> String {
    let (flags, codes) = ports.split_last().expect("a unit has ports");
    let hex = |(port, word): &(&Port, &Word)| format!("{word:0digits$X}", digits = port.width().div_ceil(4) as usize);
    let mut columns: Vec<String> = codes.iter().map(hex).collect();
    assert_eq!(flags.0.name, "flags", "the unit has flags");
    columns.push(format!("{:02X}", Flags::of_port(low_bits(flags.1), flags.0.width()).byte()));
    columns.join(" ")
}

/// A function of TestFloat, such as `f16_mulAdd`, as a unit (TestFloat-general, section 6).
#[derive(Clone, Debug)]
pub struct TestFloatFunction {
    name: String,
    /// The unit and its formats, with flags; the caller chooses rounding and tininess.
    pub selection: Selection,
    answer: Answer,
}

/// The outputs of `compare`: bits for less, equal, greater, unordered.
const LESS: u32 = 1;
const EQUAL: u32 = 1 << 1;

impl TestFloatFunction {
    /// The function of this name.
    ///
    /// # Errors
    /// The sentence that says why no unit computes it.
    pub fn new(name: &str) -> Result<TestFloatFunction, String> {
        let unknown =
            || format!("`{name}` is not a function of TestFloat such as f16_mulAdd, f32_to_f16 or f64_lt_quiet");
        let (format, operation) = name.split_once('_').ok_or_else(unknown)?;
        let format = own_format(format).ok_or_else(unknown)??;
        let function = |selection: Selection| TestFloatFunction {
            name: name.into(),
            selection: Selection { flags: Some(Tininess::After), ..selection },
            answer: Answer::Outputs,
        };
        let of = |unit| function(Selection::new(unit, format));
        let compared = |comparison, bits| TestFloatFunction {
            answer: Answer::AnyOf(bits),
            ..function(Selection { comparison: Some(comparison), ..Selection::new(Unit::Compare, format) })
        };
        if let Some(to) = operation.strip_prefix("to_") {
            let target = own_format(to).ok_or_else(unknown)??;
            return Ok(function(Selection { target: Some(target), ..Selection::new(Unit::Convert, format) }));
        }
        Ok(match operation {
            "add" => of(Unit::Add),
            "sub" => of(Unit::Sub),
            "mul" => of(Unit::Mul),
            "div" => of(Unit::Divide),
            "sqrt" => of(Unit::Sqrt),
            "mulAdd" => function(Selection { accumulator: Some(format), ..Selection::new(Unit::Fmac, format) }),
            "eq" => compared(Comparison::Quiet, EQUAL),
            "le" => compared(Comparison::Signaling, LESS | EQUAL),
            "lt" => compared(Comparison::Signaling, LESS),
            "eq_signaling" => compared(Comparison::Signaling, EQUAL),
            "le_quiet" => compared(Comparison::Quiet, LESS | EQUAL),
            "lt_quiet" => compared(Comparison::Quiet, LESS),
            "rem" | "roundToInt" => return Err(format!("no unit computes `{name}`")),
            _ => return Err(unknown()),
        })
    }

    /// The function with other settings.
    pub fn with(self, selection: Selection) -> TestFloatFunction {
        TestFloatFunction { selection, ..self }
    }

    /// The vectors of the function.
    ///
    /// # Errors
    /// When the unit does not accept a setting or does not support the rounding.
    pub fn case(self) -> Result<ConformCase, OperationError> {
        let operation: Operation = self.selection.operation()?;
        let TestFloatFunction { name, answer, .. } = self;
        Ok(ConformCase { answer, ..ConformCase::new(name, operation) })
    }
}

/// The format with this TestFloat name, if there is one.
fn own_format(name: &str) -> Option<Result<Format, String>> {
    let format = match name {
        "f16" => "binary16",
        "bf16" => "bfloat16",
        "f32" => "binary32",
        "f64" => "binary64",
        "f128" => "binary128",
        "ui32" => "uint32",
        "ui64" => "uint64",
        "i32" => "int32",
        "i64" => "int64",
        "extF80" => return Some(Err("extF80: there is no format whose leading significand bit is stored".into())),
        _ => return None,
    };
    Some(Ok(format.parse().expect("the format is known")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(function: &str) -> TestFloat {
        TestFloat::new(TestFloatFunction::new(function).unwrap().case().unwrap(), None)
    }

    #[test]
    fn a_line_is_operands_result_and_flags() {
        let add = reader("f16_add");
        let line = add.read("3C00 3C01 4000 01\r").unwrap();
        let claim =
            Claim { operands: [0x3c00, 0x3c01][..].into(), results: [0x4000][..].into(), flags: Some(Flags::INEXACT) };
        assert_eq!(line, ClaimLine::Claim { case: 0, claim });
        assert_eq!(add.read("  "), Ok(ClaimLine::Blank));
        for (line, sentence) in [
            ("3C00 3C01 4000", "4 columns are expected, a b y flags"),
            ("3C00 3C01 4000 01 00", "4 columns are expected, a b y flags"),
            ("3C00 13C01 4000 01", "`13C01` has more than the 16 bits of b"),
            ("3C00 3C0G 4000 01", "`3C0G` is not a hexadecimal number"),
            ("3C00 3C01 4000 1", "`1` is not a byte"),
            ("3C00 3C01 4000 20", "`20` is not a byte"),
        ] {
            let refused = add.read(line).unwrap_err();
            assert!(refused.contains(sentence), "{refused}");
        }
    }

    #[test]
    fn functions_are_units() {
        let sub = TestFloatFunction::new("f64_sub").unwrap().case().unwrap();
        assert!(sub.operation.unit == Unit::Sub && sub.has_flags());
        let fused = TestFloatFunction::new("f16_mulAdd").unwrap().case().unwrap();
        assert_eq!(fused.operation.result, Format::binary16());
        let to_integer = TestFloatFunction::new("f32_to_ui64").unwrap().case().unwrap();
        assert!(to_integer.is_to_integer() && to_integer.results()[0].width() == 64);
        assert_eq!(reader("f32_le").case(0).answer, Answer::AnyOf(0b11));
        for (name, sentence) in [
            ("f16_rem", "no unit computes `f16_rem`"),
            ("extF80_add", "leading significand bit"),
            ("f16_pow", "not a function of TestFloat"),
            ("f17_add", "not a function of TestFloat"),
            ("add", "not a function of TestFloat"),
        ] {
            let refused = TestFloatFunction::new(name).unwrap_err();
            assert!(refused.contains(sentence), "{refused}");
        }
    }
}
