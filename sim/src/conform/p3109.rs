//! The value tables of IEEE P3109: one line per code, with its value as C prints it (`%a`).

use super::case::ConformCase;
use super::claim::{Claim, ClaimLine, Syntax, fits, hex};
use binade_golden::{Codec, Codes, Literal, Policy};
use binade_spec::{Format, Operation, Overflow, Rounding, Sign, Unit};

/// Lines `codepoint,value,subnormal` of a table, such as `0x01,0x1p-3, `.
pub struct P3109Table {
    case: ConformCase,
    codes: Codes,
    policy: Policy,
}

impl P3109Table {
    /// The table of a format. Its unit converts codes to an IEEE 754 encoding that holds all values of the format; it is `decode` if that
    /// is binary32.
    pub fn new(format: Format) -> P3109Table {
        let target = exact_target(&format);
        let unit = if target == Format::binary32() { Unit::Decode } else { Unit::Convert };
        let case = ConformCase::new(unit.name(), Operation::new(unit, format, target));
        P3109Table { case, codes: Codes::new(target), policy: Policy::new(Rounding::Rne, Overflow::Inf) }
    }
}

/// The narrowest IEEE 754 encoding that holds all values of a P3109 format: binary32, binary64, binary128, or one with 16 exponent bits.
fn exact_target(format: &Format) -> Format {
    let lowest = |format: &Format| match format.decode(1) {
        binade_golden::Value::Finite(exact) => i64::from(exact.k) + i64::from(exact.n.trailing_zeros()),
        _ => 0,
    };
    let holds = |target: &Format| {
        lowest(target) <= lowest(format)
            && target.max_exponent() >= format.max_exponent()
            && target.precision() >= format.precision()
    };
    let wide = Format::ieee(16, 15);
    let targets = [Format::binary32(), Format::binary64(), Format::binary128()];
    targets.into_iter().find(holds).unwrap_or(wide)
}

impl Syntax for P3109Table {
    fn read(&self, line: &str) -> Result<ClaimLine, String> {
        let cells: Vec<&str> = line.trim().split(',').map(str::trim).collect();
        let (code, value) = match cells[..] {
            [""] | ["codepoint", ..] => return Ok(ClaimLine::Blank),
            [code, value] | [code, value, "" | "*"] => (code, value),
            _ => return Err("a code and a value are expected, such as `0x01,0x1p-3, `".into()),
        };
        let format = self.case.operation.operand;
        let code = code.strip_prefix("0x").and_then(hex).filter(|code| fits(*code, format.width()));
        let code = code.ok_or_else(|| format!("`{}` is no code of {format} such as 0x01", cells[0]))?;
        let literal: Literal = value.parse().map_err(|error: binade_golden::LiteralError| error.to_string())?;
        let operands = [code][..].into();
        let results = [self.codes.encode_literal(&literal, &self.policy)][..].into();
        Ok(ClaimLine::Claim { case: 0, claim: Claim { operands, results, flags: None } })
    }

    fn case(&self, _: usize) -> ConformCase {
        self.case.clone()
    }
}

/// The format of a table, from its file name: `Binary8p3se.csv` is k8p3se.
pub fn table_format(file: &str) -> Option<Format> {
    let name = file.strip_suffix(".csv").unwrap_or(file).strip_prefix("Binary")?;
    let format: Format = format!("k{name}").parse().ok()?;
    let own = format.float()?;
    let letters = if own.sign == Sign::Signed { ["se", "sf"] } else { ["ue", "uf"] };
    letters.iter().any(|letters| name.ends_with(letters)).then_some(format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_code_and_its_value() {
        let format = table_format("Binary3p1uf.csv").unwrap();
        assert_eq!(format.to_string(), "k3p1uf");
        let table = P3109Table::new(format);
        let line = table.read("0x01,0x1p-3, \r").unwrap();
        let claim = Claim { operands: [1][..].into(), results: [0x3e00_0000][..].into(), flags: None };
        assert_eq!(line, ClaimLine::Claim { case: 0, claim });
        assert_eq!(table.read("codepoint,value,subnormal"), Ok(ClaimLine::Blank));
        assert!(table.read("0x08,0x1p-3,").unwrap_err().contains("`0x08` is no code of k3p1uf"));
        assert!(table.read("0x01").unwrap_err().contains("a code and a value"));
        assert!(table.read("0x01,one,").unwrap_err().contains("is no number"));
        assert_eq!([table_format("values.csv"), table_format("Binary8.csv")], [None, None]);
    }

    #[test]
    fn the_target_has_every_value() {
        let target = |name: &str| exact_target(&name.parse().unwrap()).to_string();
        assert_eq!(
            ["k8p3se", "k10p1se", "k12p1ue", "k16p1uf"].map(target),
            ["binary32", "binary64", "binary128", "e16m15"]
        );
    }
}
