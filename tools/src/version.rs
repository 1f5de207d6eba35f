//! Version numbers as printed by tools.

use std::fmt;

use crate::Error;

/// Major and minor number: Verilator 5.006 is `Version(5, 6)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub u32, pub u32);

impl Version {
    /// The first two numbers of a text such as `5.006` or `0.23+12`.
    fn parse(text: &str) -> Option<Version> {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit());
        Some(Version(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    }
}

/// A tool whose version can be queried.
pub(crate) struct Versioned {
    /// The name with which the tool's version line starts.
    pub name: &'static str,
    pub oldest: Version,
    /// `oldest` as the tool writes it.
    pub oldest_text: &'static str,
    /// What to do if it is missing or too old.
    pub advice: &'static str,
}

impl Versioned {
    /// The version in a line such as `Verilator 5.006 2023-01-22 rev`, if it is not too old.
    pub fn check(&self, line: &str) -> Result<String, Error> {
        let text = line.strip_prefix(self.name).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
        match Version::parse(text) {
            None => Err(Error::Unparsed {
                tool: self.name.to_string(),
                expected: format!("`{} VERSION`", self.name),
                output: line.trim().to_string(),
            }),
            Some(version) if version < self.oldest => Err(Error::TooOld {
                tool: self.name.to_string(),
                found: text.to_string(),
                needed: self.oldest_text.to_string(),
                advice: self.advice.to_string(),
            }),
            Some(_) => Ok(text.to_string()),
        }
    }

    /// The error that the tool is missing.
    pub fn missing(&self) -> Error {
        Error::Missing { tool: self.name.to_string(), advice: self.advice.to_string() }
    }
}

impl fmt::Display for Versioned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.oldest_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: Versioned =
        Versioned { name: "Verilator", oldest: Version(5, 6), oldest_text: "5.006", advice: "use `--tools pinned`" };

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(TOOL.check("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)\n").unwrap(), "5.006");
        assert_eq!(TOOL.check("Verilator 5.048 devel rev v5.048-7").unwrap(), "5.048");
        assert_eq!(
            TOOL.check("Verilator 4.228 2022-10-01").unwrap_err().to_string(),
            "Verilator 4.228 is too old, 5.006 or newer is needed; use `--tools pinned`"
        );
        assert!(matches!(TOOL.check("hello"), Err(Error::Unparsed { .. })));
    }
}
