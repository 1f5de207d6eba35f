//! The covered unit: its formula, and the sources of its codes.

use crate::places::{Place, join, places};
use binade_golden::{Bits, Codec, Examination, Facts, Model, Value};
use binade_spec::{Class, Content, Format, Formula, Operation, Port, Sign, Target, Term, TermId, Word, WordKind};

/// A unit and what coverage needs to know of it.
pub(crate) struct CoveredUnit {
    pub model: Model,
    /// Its formula; empty for a plain function.
    pub formula: Formula,
    /// The lanes of its inputs.
    pub places: Vec<Place>,
    /// The sources of codes and words: the lanes of its inputs, then its registers.
    pub sources: Vec<Source>,
    /// The sources of the select bits, each once.
    pub choices: Vec<usize>,
    /// Whether lanes are parts of words, or words have more than 128 bits.
    is_split: bool,
}

/// A lane of an input, or a register.
pub(crate) struct Source {
    pub name: String,
    pub content: Content,
    /// The index of the register, if it is one.
    pub register: Option<usize>,
}

impl Source {
    /// The format of its codes, if it carries codes.
    pub fn format(&self) -> Option<Format> {
        match self.content {
            Content::Code(format) => Some(format),
            Content::Chosen { .. } | Content::Word { .. } => None,
        }
    }

    /// Whether it is the port that the roundings read.
    pub fn is_random(&self) -> bool {
        matches!(self.content, Content::Word { kind: WordKind::Random | WordKind::RoundingMode, .. })
    }
}

impl CoveredUnit {
    /// The subject for an operation.
    pub fn of(operation: &Operation) -> CoveredUnit {
        CoveredUnit::new(Model::new(operation))
    }

    pub fn new(model: Model) -> CoveredUnit {
        let formula = model.formula().cloned().unwrap_or_default();
        let ports = model.input_ports();
        let places = places(ports);
        let lane =
            |place: &Place| Source { name: place.name(ports[place.port].name), content: place.content, register: None };
        let mut sources: Vec<Source> = places.iter().map(lane).collect();
        sources.extend(model.registers().iter().enumerate().map(|(at, register)| Source {
            name: register.name.into(),
            content: register.content,
            register: Some(at),
        }));
        let is_split = places.iter().any(|place| place.is_one_of_many || place.width > u128::BITS);
        let choices = choices(&formula, &places);
        CoveredUnit { model, formula, places, sources, choices, is_split }
    }

    /// The input ports.
    pub fn inputs(&self) -> &[Port] {
        self.model.input_ports()
    }

    /// The sources of codes.
    pub fn operands(&self) -> impl Iterator<Item = (usize, Format)> {
        self.sources.iter().enumerate().filter_map(|(at, source)| Some((at, source.format()?)))
    }

    /// The source of a term, if it is one.
    pub fn source(&self, id: TermId) -> Option<usize> {
        match self.formula.terms()[id.0] {
            Term::Operand { port, lane } => {
                self.places.iter().position(|place| place.port == port && place.lane == lane)
            }
            Term::State { register } => Some(self.places.len() + register),
            Term::Zero
            | Term::Power(_)
            | Term::Largest(_)
            | Term::Parts
            | Term::Product(..)
            | Term::Sum { .. }
            | Term::Aligned { .. }
            | Term::Grouped { .. }
            | Term::Choose { .. }
            | Term::Round { .. }
            | Term::Convert { .. }
            | Term::Rectify(_)
            | Term::Flush { .. }
            | Term::Negate(_)
            | Term::Scale { .. }
            | Term::Quotient(..)
            | Term::Root { .. }
            | Term::Function { .. } => None,
        }
    }

    /// The term on the first output, if that is a code: the result.
    pub fn result(&self) -> Option<TermId> {
        self.formula.outputs().first()?.codes().first().copied()
    }

    /// The format of the codes of a term that has codes.
    pub fn format(&self, id: TermId) -> Format {
        **self.model.codes(id)
    }

    /// Whether a term has a code.
    pub fn coded(&self, id: TermId) -> bool {
        self.formula.format(id, self.inputs()).is_some()
    }

    /// The target of a rounding.
    pub fn target(&self, id: TermId) -> &Target {
        self.formula.terms()[id.0].target().expect("a rounding has a target")
    }

    /// The operand of a rounding.
    pub fn rounded(&self, id: TermId) -> TermId {
        self.formula.terms()[id.0].uses()[0]
    }

    /// The text of a term.
    pub fn text(&self, id: TermId) -> String {
        self.formula.text(self.inputs(), id)
    }

    /// The facts about a vector with these codes and words, source by source.
    pub fn examine<'e>(&self, examination: &'e mut Examination, sources: &[u128]) -> &'e Facts {
        let (lanes, state) = sources.split_at(self.places.len());
        if !self.is_split {
            return self.model.examine_in(examination, state, lanes);
        }
        let [lanes, state] = [lanes, state].map(|words| words.iter().copied().map(Word::from).collect::<Vec<_>>());
        self.model.examine_in(examination, &state, &join(&self.places, &lanes))
    }

    /// The codes in the registers after a reset.
    pub fn reset(&self) -> Vec<u128> {
        self.model.reset().iter().map(|code| code.field(0, u128::BITS)).collect()
    }

    /// Whether ports have several lanes or more than 128 bits, so that lanes and words differ.
    pub fn is_split(&self) -> bool {
        self.is_split
    }
}

/// The places of the select bits, each once.
fn choices(formula: &Formula, places: &[Place]) -> Vec<usize> {
    let mut all = vec![];
    for term in formula.terms() {
        if let Term::Choose { port, .. } = term {
            all.extend(places.iter().position(|place| place.port == *port).filter(|at| !all.contains(at)));
        }
    }
    all
}

/// Whether a format has negative values.
pub(crate) fn is_signed(format: &Format) -> bool {
    format.sign() == Sign::Signed
}

/// Whether a class has negative codes, other than those whose sign is ignored.
pub(crate) fn has_negative(format: &Format, class: Class) -> bool {
    is_signed(format) && !class.is_nan() && (class != Class::Zero || format.has_minus_zero())
}

/// Whether a class has codes that are not negative.
pub(crate) fn has_positive(class: Class) -> bool {
    class != Class::Lowest
}

/// Exponents of the smallest and the largest number of a class.
pub(crate) fn class_exponents(format: &Format, class: Class) -> Option<(i32, i32)> {
    let exponent = |code| match format.decode(code) {
        Value::Finite(exact) => Some(exact.exponent()),
        Value::Zero { .. } | Value::Infinite { .. } | Value::Nan => None,
    };
    let [first, last] =
        format.class_codes(class)?.map(|code| if class.is_nan() { code } else { format.code(false, code) });
    Some((exponent(first)?, exponent(last)?))
}

/// Classifies codes, with a lookup table for narrow formats.
pub(crate) struct Classifier {
    format: Format,
    table: Vec<(Class, bool)>,
}

/// Formats of up to this many bits have a table of classes.
const LISTED_BITS: u32 = 16;

impl Classifier {
    pub fn new(format: Format) -> Classifier {
        let mut classifier = Classifier { format, table: vec![] };
        if format.width() <= LISTED_BITS {
            classifier.table = (0..1 << format.width()).map(|code| classifier.class(code)).collect();
        }
        classifier
    }

    /// The class and sign of a code. The sign of NaN is ignored.
    pub fn class(&self, code: u128) -> (Class, bool) {
        if let Some(known) = self.table.get(code as usize) {
            return *known;
        }
        let class = self.format.class(code);
        (class, !class.is_nan() && self.format.is_negative(code))
    }
}
