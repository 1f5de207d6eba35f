//! Units whose port `fmt` chooses the formats of each operation, `--format e4m3fn+e5m2`, and units with NaN-boxed codes.
//!
//! Such a unit is a list of plain operations with the same ports. Value `i` of `fmt` chooses the `i`-th one, and values beyond
//! the last choose the last; without port `fmt` there is one. A code that is narrower than its lane has the lane's lowest bits. The
//! bits above are ignored in operands and 0 in results, unless codes are NaN-boxed (RISC-V's "D" extension, section "NaN Boxing of
//! Narrower Values"): then they are ones in results, and an operand with a 0 there is the canonical NaN.

use crate::units::OnPorts;
use crate::{
    Class, Content, Format, Kind, NameError, Operation, OperationError, Port, Rounding, Selection, Sign, Summation,
    Unit, WordKind,
};
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{LazyLock, Mutex};
use std::{fmt, str::FromStr};

/// The most formats of a list.
const MOST_FORMATS: usize = 8;

/// One format, or several of which a port chooses one: `e4m3fn+e5m2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formats {
    /// The first format.
    pub first: Format,
    /// The other formats.
    pub others: &'static [Format],
}

impl From<Format> for Formats {
    fn from(first: Format) -> Formats {
        Formats { first, others: &[] }
    }
}

impl FromStr for Formats {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Formats, NameError> {
        let whole = text.parse::<Format>();
        if whole.is_ok() || !text.contains('+') {
            return whole.map(Formats::from);
        }
        let formats = text.split('+').map(str::parse).collect::<Result<Vec<Format>, NameError>>()?;
        if formats.len() > MOST_FORMATS {
            return Err(NameError::LongList { count: formats.len(), most: MOST_FORMATS });
        }
        Ok(Formats { first: formats[0], others: kept(&FORMATS, &formats[1..]) })
    }
}

impl fmt::Display for Formats {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<String> = [&[self.first], self.others].concat().iter().map(Format::to_string).collect();
        f.pad(&names.join("+"))
    }
}

/// Lists that live as long as the program, so that operations can be copied; each is stored once.
type Kept<T> = LazyLock<Mutex<HashSet<&'static [T]>>>;

static FORMATS: Kept<Format> = LazyLock::new(Mutex::default);
static OPERATIONS: Kept<Operation> = LazyLock::new(Mutex::default);

fn kept<T: Copy + Eq + Hash>(lists: &Kept<T>, list: &[T]) -> &'static [T] {
    let mut lists = lists.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = lists.get(list) {
        return known;
    }
    let list: &'static [T] = Box::leak(list.into());
    lists.insert(list);
    list
}

/// The formats of a selection after the first ones, where the user gave lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherFormats {
    /// Of the operands, or of the result of `encode`.
    pub format: &'static [Format],
    /// Of `b`.
    pub second: &'static [Format],
    /// Of the accumulator.
    pub accumulator: &'static [Format],
    /// Of the result of `convert` or of another unit.
    pub target: &'static [Format],
}

impl OtherFormats {
    /// The longest list.
    fn longest(&self) -> usize {
        [self.format, self.second, self.accumulator, self.target].map(<[Format]>::len).into_iter().max().unwrap_or(0)
    }
}

impl Selection {
    /// A selection with defaults for everything else, whose operands have one of these formats.
    pub fn with_formats(unit: Unit, formats: Formats) -> Selection {
        let others = OtherFormats { format: formats.others, ..OtherFormats::default() };
        Selection { others, ..Selection::new(unit, formats.first) }
    }

    /// The operation with a port for the formats, whose first choice is `first`.
    pub(crate) fn with_choices(&self, first: Operation) -> Result<Operation, OperationError> {
        let others = self.others;
        let count = others.longest();
        let lists = [others.format, others.second, others.accumulator, others.target];
        if let Some(other) = lists.into_iter().find(|list| !list.is_empty() && list.len() != count) {
            return Err(OperationError::ListLengths { counts: [count + 1, other.len() + 1] });
        }
        let selected = |at: usize| Selection {
            format: others.format.get(at).copied().unwrap_or(self.format),
            second: others.second.get(at).copied().or(self.second),
            accumulator: others.accumulator.get(at).copied().or(self.accumulator),
            target: others.target.get(at).copied().or(self.target),
            others: OtherFormats::default(),
            ..*self
        };
        let more = (0..count).map(|at| selected(at).operation()).collect::<Result<Vec<Operation>, OperationError>>()?;
        let operation = Operation { others: kept(&OPERATIONS, &more), ..first };
        operation.check_choices()?;
        Ok(operation)
    }
}

impl Operation {
    /// The plain operations among which port `fmt` chooses, by its value; only one if there is no such port. Their codes are not
    /// boxed.
    pub fn choices(&self) -> Vec<Operation> {
        self.listed().into_iter().map(|operation| Operation { boxing: None, ..operation }).collect()
    }

    /// The same with boxed codes.
    fn listed(&self) -> Vec<Operation> {
        let first = Operation { others: &[], ..*self };
        [&[first], self.others].concat()
    }

    /// The index of the operation that a value of port `fmt` chooses.
    pub fn index_of_choice(&self, fmt: u64) -> usize {
        usize::try_from(fmt).unwrap_or(usize::MAX).min(self.others.len())
    }

    /// Whether a port chooses the formats.
    pub fn has_choices(&self) -> bool {
        !self.others.is_empty()
    }

    /// The operation without boxes around codes.
    pub fn unboxed(&self) -> Operation {
        let others: Vec<Operation> = self.others.iter().map(|other| Operation { boxing: None, ..*other }).collect();
        Operation { boxing: None, others: kept(&OPERATIONS, &others), ..*self }
    }

    /// Whether ports have the codes of plain operations in lanes of their own: a port chooses the formats, or codes are boxed.
    pub fn is_wrapped(&self) -> bool {
        self.has_choices() || self.boxing.is_some()
    }

    /// The port that chooses the formats, if there is one.
    pub(crate) fn choice_port(&self) -> Option<Port> {
        let bits = usize::BITS - self.others.len().leading_zeros();
        self.has_choices().then(|| Port::word("fmt", bits, WordKind::Choice))
    }

    /// Ports that hold those of all choices.
    pub(crate) fn ports_of_choices(&self, ports: impl Fn(&Operation) -> Vec<Port>) -> Vec<Port> {
        let of_choices: Vec<Vec<Port>> = self.choices().iter().map(ports).collect();
        let port = |at: usize| {
            let formats: Vec<Format> = of_choices.iter().filter_map(|ports| ports[at].format()).collect();
            let first = of_choices[0][at];
            let is_boxed = |format: &Format| format.float().is_some() && Some(format.width()) != self.boxing;
            let boxing = self.boxing.filter(|_| formats.iter().any(is_boxed));
            match formats.iter().all(|format| *format == formats[0]) && boxing.is_none() {
                true => first,
                false => Port { content: Content::Chosen { formats: kept(&FORMATS, &formats), boxing }, ..first },
            }
        };
        (0..of_choices[0].len()).map(port).collect()
    }

    /// The name of the module: those of the choices, with their common words at the beginning and at the end once.
    pub(crate) fn name_of_choices(&self) -> String {
        let names: Vec<String> = self.choices().iter().map(Operation::module_name).collect();
        let words: Vec<Vec<&str>> = names.iter().map(|name| name.split('_').collect()).collect();
        let fewest = words.iter().map(Vec::len).min().unwrap_or(0);
        let is_common = |at: &usize| words.iter().all(|other| other[*at] == words[0][*at]);
        let first = (0..fewest).take_while(is_common).count();
        let from_end = |words: &[&str], at: usize| words[words.len() - 1 - at].to_string();
        let is_common = |at: &usize| words.iter().all(|other| from_end(other, *at) == from_end(&words[0], *at));
        let last = (0..fewest.saturating_sub(first)).take_while(is_common).count();
        let own = |first: usize| words.iter().map(move |words| &words[first..words.len() - last]);
        // The words of a format such as posit16_1 stay together.
        let is_whole = |first: usize| {
            own(first)
                .all(|own| own.first().is_some_and(|word| !word.starts_with(|letter: char| letter.is_ascii_digit())))
        };
        let first = (0..=first).rev().find(|&first| is_whole(first)).unwrap_or(0);
        let own: Vec<String> = own(first).map(|own| own.join("_")).collect();
        let end = &words[0][words[0].len() - last..];
        [&words[0][..first], &[&own.join("_or_")], end].concat().join("_")
    }

    /// Checks that the choices have the same ports, and that one unit can compute them all.
    fn check_choices(&self) -> Result<(), OperationError> {
        let takes = self.unit.definition().facts.on_ports != OnPorts::Nothing;
        if !takes || self.array().is_some() || self.output.is_some() || self.source().is_some() {
            return Err(OperationError::UnitOfOneFormat { unit: self.unit });
        }
        let choices = self.choices();
        let is_exact = |choice: &Operation| {
            let is_exact = choice.summation().is_none_or(|summation| summation == Summation::Exact);
            is_exact && !choice.rounds_products() && choice.like().is_none()
        };
        if !choices.iter().all(is_exact) {
            return Err(OperationError::InexactSumOfFormats);
        }
        if choices.iter().any(|choice| choice.rounding.random_bits() > 0) {
            return Err(OperationError::StochasticFormats);
        }
        let has_zero = |scale: &Format| scale.sign() == Sign::Signed || scale.class_codes(Class::Zero).is_some();
        let has_results = choices.iter().any(|choice| choice.result != self.result);
        if let (Some(scale), Rounding::Rdn, true) = (self.scale().filter(has_zero), self.rounding, has_results) {
            return Err(OperationError::ScaledZerosOfLists { scale });
        }
        if choices.iter().all(|choice| *choice == choices[0]) {
            return Err(OperationError::SameFormats);
        }
        let formats = choices.iter().flat_map(|choice| choice.factors().into_iter().chain([choice.result]));
        for format in formats {
            let is_plain = match format {
                Format::Float(float) => float.sign == Sign::Signed && !format.ignores_sign_of_specials(),
                Format::Posit(_) => true,
                Format::Fixed(_) | Format::Codebook(_) => false,
            };
            if !is_plain || self.unit.computes_digits() && !format.has_minus_zero() {
                return Err(OperationError::FormatOfNoList { format, unit: self.unit });
            }
        }
        Ok(())
    }

    /// Checks that the codes can be NaN-boxed, and leaves boxes out that would be no wider than any code.
    pub(crate) fn boxed(self, bits: u32) -> Result<Operation, OperationError> {
        if self.output.is_some() || self.has_internal_random {
            return Err(OperationError::UnitWithoutBoxes { unit: self.unit });
        }
        let formats = self.boxed_formats();
        if formats.is_empty() {
            return Err(OperationError::FormatWithoutBoxes { format: self.operand });
        }
        for &format in &formats {
            let is_ieee = format.float().is_some_and(|float| float.sign == Sign::Signed);
            if !is_ieee || format.nan_code().is_none() || format.ignores_sign_of_specials() {
                return Err(OperationError::FormatWithoutBoxes { format });
            }
            if format.width() > bits {
                return Err(OperationError::NarrowBoxes { format, bits });
            }
        }
        if formats.iter().all(|format| format.width() == bits) {
            return Ok(self);
        }
        let others: Vec<Operation> =
            self.others.iter().map(|other| Operation { boxing: Some(bits), ..*other }).collect();
        Ok(Operation { boxing: Some(bits), others: kept(&OPERATIONS, &others), ..self })
    }

    /// The formats of all ports with numbers; integers are in other registers.
    fn boxed_formats(&self) -> Vec<Format> {
        let ports = self.choices().into_iter().flat_map(|choice| [choice.inputs(), choice.outputs()].concat());
        ports.filter_map(|port| port.format()).filter(|format| format.fixed().is_none()).collect()
    }

    /// The bits of the widest of them, if there is one.
    pub(crate) fn widest_code(&self) -> Option<u32> {
        self.boxed_formats().iter().map(Format::width).max()
    }

    /// A setting's value for all choices: one word, or a list.
    pub(crate) fn word_of_choices(&self, word: impl Fn(&Operation) -> Option<String>) -> Option<String> {
        let words = self.listed().iter().map(word).collect::<Option<Vec<String>>>()?;
        match words.iter().all(|word| *word == words[0]) {
            true => words.into_iter().next(),
            false => Some(words.join("+")),
        }
    }

    /// The same unit with exact sums of products in other formats.
    ///
    /// # Panics
    /// When the unit takes no second format.
    pub fn with_second(&self, second: Option<Format>) -> Operation {
        let kind = match self.kind {
            Kind::Products(products) => Kind::Products(crate::Products { second, ..products }),
            Kind::Scaled(scaled) => Kind::Scaled(crate::Scaled { second, ..scaled }),
            _ => panic!("{} has no second format", self.unit),
        };
        Operation { kind, ..*self }
    }
}
