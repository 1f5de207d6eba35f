//! The Rust part of the Python package. It works on contiguous one-dimensional arrays; shapes, defaults and all documentation for users are
//! in `binade/__init__.py`.

mod judged;
mod matrices;
mod running_sums;

use binade_arrays::{Arithmetic, Code, Conversion, Random, Words, operation};
use binade_circuit::Language;
use binade_generator::{BuildChoice, BuildError, Design, Manifest};
use binade_golden::Codec;
use binade_spec::{Class, Format, Operation, Sign, Unit, alias, known_formats};
use numpy::{Element, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// The settings of a unit as words, by their keys on the command line.
type Settings = BTreeMap<String, String>;

/// A message for the user as a `ValueError`.
fn invalid(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn parsed(name: &str) -> PyResult<Format> {
    name.parse().map_err(invalid)
}

/// Codes from NumPy.
enum Codes<'py> {
    U8(PyReadonlyArray1<'py, u8>),
    U16(PyReadonlyArray1<'py, u16>),
    U32(PyReadonlyArray1<'py, u32>),
    U64(PyReadonlyArray1<'py, u64>),
}

impl<'py> Codes<'py> {
    fn of(array: &Bound<'py, PyAny>) -> PyResult<Codes<'py>> {
        let codes = array.extract().map(Codes::U8);
        let codes = codes.or_else(|_| array.extract().map(Codes::U16));
        let codes = codes.or_else(|_| array.extract().map(Codes::U32));
        let codes = codes.or_else(|_| array.extract().map(Codes::U64));
        codes.map_err(|_| PyTypeError::new_err("an array of one dimension with unsigned elements is expected"))
    }

    fn words(&self) -> PyResult<Words<'_>> {
        Ok(match self {
            Codes::U8(array) => Words::U8(array.as_slice()?),
            Codes::U16(array) => Words::U16(array.as_slice()?),
            Codes::U32(array) => Words::U32(array.as_slice()?),
            Codes::U64(array) => Words::U64(array.as_slice()?),
        })
    }
}

/// Refuses codes with bits above the format's width.
fn check_codes(words: Words, format: &Format) -> PyResult<()> {
    fn largest<C: Code + Ord>(codes: &[C]) -> u64 {
        codes.iter().max().map_or(0, |code| code.word())
    }
    let width = format.width();
    let largest = match words {
        Words::U8(codes) if width < 8 => largest(codes),
        Words::U16(codes) if width < 16 => largest(codes),
        Words::U32(codes) if width < 32 => largest(codes),
        Words::U64(codes) if width < 64 => largest(codes),
        _ => return Ok(()),
    };
    if largest >> width == 0 {
        return Ok(());
    }
    Err(invalid(format!("{largest:#x} is no code of {format}, which has {width} bits")))
}

/// Runs `work` on the array for the results, with the interpreter lock released.
fn with_results<F: Fill>(py: Python, results: &Bound<PyAny>, work: F) -> PyResult<()> {
    fn run<Y: Code + Element, F: Fill>(py: Python, array: PyReadwriteArray1<Y>, work: F) -> PyResult<()> {
        let mut array = array;
        let results = array.as_slice_mut()?;
        py.detach(|| work.fill(results));
        Ok(())
    }
    if let Ok(array) = results.extract::<PyReadwriteArray1<u8>>() {
        run(py, array, work)
    } else if let Ok(array) = results.extract::<PyReadwriteArray1<u16>>() {
        run(py, array, work)
    } else if let Ok(array) = results.extract::<PyReadwriteArray1<u32>>() {
        run(py, array, work)
    } else if let Ok(array) = results.extract::<PyReadwriteArray1<u64>>() {
        run(py, array, work)
    } else {
        Err(PyTypeError::new_err("an array of one dimension with unsigned elements is expected for results"))
    }
}

/// Fills an array of results.
trait Fill: Send {
    fn fill<Y: Code>(self, results: &mut [Y]);
}

struct Converting<'a>(&'a Conversion, Words<'a>, Random<'a>);

impl Fill for Converting<'_> {
    fn fill<Y: Code>(self, results: &mut [Y]) {
        let Converting(conversion, words, random) = self;
        match words {
            Words::U8(codes) => conversion.convert(codes, random, results),
            Words::U16(codes) => conversion.convert(codes, random, results),
            Words::U32(codes) => conversion.convert(codes, random, results),
            Words::U64(codes) => conversion.convert(codes, random, results),
        }
    }
}

struct Evaluating<'a>(&'a Arithmetic, &'a [Words<'a>], Random<'a>);

impl Fill for Evaluating<'_> {
    fn fill<Y: Code>(self, results: &mut [Y]) {
        let Evaluating(arithmetic, operands, random) = self;
        arithmetic.evaluate(operands, random, results);
    }
}

/// The random words, from an array or a seed; the Python side ensures that one is given if needed.
fn random<'a>(words: &'a Option<PyReadonlyArray1<u64>>, seed: Option<u64>) -> PyResult<Random<'a>> {
    Ok(match (words, seed) {
        (Some(words), _) => Random::Words(words.as_slice()?),
        (None, Some(seed)) => Random::Seed(seed),
        (None, None) => Random::Unused,
    })
}

/// A unit: tables for a conversion, else the golden model.
#[pyclass(frozen)]
struct Evaluator {
    operation: Operation,
    way: Way,
}

enum Way {
    Conversion(Box<Conversion>),
    Arithmetic(Box<Arithmetic>),
}

#[pymethods]
impl Evaluator {
    /// The unit, whose results are those of the output with this number.
    #[new]
    fn new(py: Python, unit: &str, format: &str, settings: Settings, output: usize) -> PyResult<Evaluator> {
        let operation = operation(unit, Some(format), &settings).map_err(invalid)?;
        let way = match operation.unit {
            Unit::Convert => py.detach(|| Conversion::new(&operation)).map(|made| Way::Conversion(made.into())),
            _ => Arithmetic::of_output(&operation, output).map(|made| Way::Arithmetic(made.into())),
        };
        Ok(Evaluator { operation, way: way.map_err(invalid)? })
    }

    /// The name of the result's format.
    #[getter]
    fn result(&self) -> String {
        let of_output = match &self.way {
            Way::Conversion(_) => None,
            Way::Arithmetic(arithmetic) => arithmetic.output().format(),
        };
        of_output.unwrap_or(self.operation.result).to_string()
    }

    /// The number of random bits per element.
    #[getter]
    fn random_bits(&self) -> u32 {
        self.operation.random_bits()
    }

    /// For each operand its format, and how many codes one result takes.
    #[getter]
    fn operands(&self) -> Vec<(String, u32)> {
        let ports = self.operation.inputs();
        ports.iter().filter_map(|port| Some((port.format()?.to_string(), port.lanes))).collect()
    }

    fn run(
        &self,
        py: Python,
        operands: Vec<Bound<PyAny>>,
        results: &Bound<PyAny>,
        words: Option<PyReadonlyArray1<u64>>,
        seed: Option<u64>,
    ) -> PyResult<()> {
        let arrays = operands.iter().map(Codes::of).collect::<PyResult<Vec<Codes>>>()?;
        let operands = arrays.iter().map(Codes::words).collect::<PyResult<Vec<Words>>>()?;
        let formats = self.operation.inputs().into_iter().filter_map(|port| port.format());
        for (words, format) in operands.iter().zip(formats) {
            check_codes(*words, &format)?;
        }
        let random = random(&words, seed)?;
        match &self.way {
            Way::Conversion(conversion) => with_results(py, results, Converting(conversion, operands[0], random)),
            Way::Arithmetic(arithmetic) => with_results(py, results, Evaluating(arithmetic, &operands, random)),
        }
    }
}

/// The properties of a format as Python numbers.
#[pyclass(frozen, get_all)]
struct Description {
    name: String,
    summary: String,
    aliases: Vec<String>,
    bits: u32,
    precision: u32,
    /// Whether `overflow` can be chosen.
    takes_overflow: bool,
    exponent_bits: u32,
    trailing_bits: u32,
    is_signed: bool,
    smallest: u64,
    smallest_normal: u64,
    largest: u64,
    min_exponent: i64,
    max_exponent: i64,
    infinity: Option<u64>,
    nan: Option<u64>,
    has_zero: bool,
    has_minus_zero: bool,
    /// Whether binary32 holds every value.
    fits_float32: bool,
    classes: Vec<(String, u64, u64)>,
}

/// The names of the formats that have one of their own, as `binade formats` lists them.
#[pyfunction]
fn format_names() -> Vec<String> {
    let known = known_formats().into_iter().map(|(format, _)| format);
    known.filter(|format| format.width() <= u64::BITS).map(|format| format.to_string()).collect()
}

/// The units, and what each computes.
#[pyfunction]
fn unit_names() -> Vec<(&'static str, &'static str)> {
    Unit::ALL.iter().map(|unit| (unit.name(), unit.summary())).collect()
}

/// Describes the format with this name.
#[pyfunction]
fn describe(name: &str) -> PyResult<Description> {
    let format = parsed(name)?;
    if format.width() > u64::BITS {
        return Err(invalid(format!("{format} has {} bits; arrays have formats of up to 64", format.width())));
    }
    let code = |class: Class, code: u128| if class.is_nan() { code } else { format.code(false, code) };
    let class = |class: Class| format.class_codes(class).map(|codes| codes.map(|it| code(class, it) as u64));
    let classes = format.family_classes().iter().filter_map(|&kind| {
        let [first, last] = class(kind)?;
        Some((kind.name().to_string(), first, last))
    });
    let canonical = format.to_string();
    let aliases = alias::FORMAT_ALIASES.iter().find(|(name, _)| *name == canonical).map_or(&[][..], |(_, all)| all);
    Ok(Description {
        summary: format.summary(),
        aliases: aliases.iter().map(|alias| alias.to_string()).collect(),
        bits: format.width(),
        precision: format.precision(),
        exponent_bits: match &format {
            Format::Float(float) => float.exponent_bits,
            Format::Posit(posit) => posit.exponent_bits(),
            Format::Fixed(_) | Format::Codebook(_) => 0,
        },
        trailing_bits: format.precision() - 1,
        is_signed: format.sign() == Sign::Signed,
        smallest: format.smallest_code() as u64,
        takes_overflow: format.takes_overflow(),
        smallest_normal: class(Class::Normal).map_or(format.smallest_code() as u64, |[first, _]| first),
        largest: format.largest_code() as u64,
        min_exponent: format.min_exponent(),
        max_exponent: format.max_exponent(),
        infinity: format.infinity_code().map(|code| code as u64),
        nan: format.nan_code().map(|code| code as u64),
        has_zero: format.decode(0) == binade_golden::Value::Zero { negative: false },
        has_minus_zero: format.has_minus_zero(),
        fits_float32: fits_binary32(&format),
        classes: classes.collect(),
        name: canonical,
    })
}

/// Whether binary32 holds every value of the format: it needs enough significand bits, fine enough, and a large enough exponent.
fn fits_binary32(format: &Format) -> bool {
    let finest = match format {
        Format::Float(float) if float.underflows_gradually() => format.min_exponent(),
        Format::Float(float) => format
            .min_exponent()
            .min(i64::from(float.binades_below) - i64::from(float.bias) - i64::from(float.trailing_bits)),
        Format::Posit(posit) => posit.least_place(),
        Format::Fixed(_) | Format::Codebook(_) => format.min_exponent(),
    };
    format.precision() <= 24 && format.max_exponent() <= 127 && finest >= -149
}

/// The unit of these words, which are those of its settings and of the choices of how it is built.
fn design(unit: &str, format: Option<&str>, words: &Settings) -> Result<Design, String> {
    let mut settings = words.clone();
    let chosen = BuildChoice::ALL.map(|choice| (choice, settings.remove(choice.key())));
    let operation = operation(unit, format, &settings).map_err(|error| error.to_string())?;
    let choose = |design: Design, (choice, word): (BuildChoice, String)| {
        design.choose(choice, &word).map_err(|error| match error {
            BuildError::Word(expected) => format!("{}={word:?}: {expected}", choice.key().replace('-', "_")),
            BuildError::Design(error) => error.to_string(),
        })
    };
    let mut chosen = chosen.into_iter().filter_map(|(choice, word)| Some((choice, word?)));
    chosen.try_fold(Design::from(operation), choose)
}

/// The module's name, its text in a language and the manifest in JSON.
#[pyfunction]
fn generate(
    py: Python,
    unit: &str,
    format: Option<&str>,
    words: Settings,
    language: &str,
) -> PyResult<(String, String, String)> {
    let design = design(unit, format, &words).map_err(invalid)?;
    let language: Language =
        language.parse().map_err(|error: String| invalid(format!("language={language:?}: {error}")))?;
    py.detach(|| {
        let generated = binade_generator::generate(design);
        for module in [Some(&generated.module), generated.within_shell.as_ref()].into_iter().flatten() {
            let checked = language.check_name(module);
            checked.map_err(|why| invalid(format!("module: `{module}` is {why}; choose another name")))?;
        }
        let manifest = Manifest::in_language(&generated, vec![], language);
        let manifest = serde_json::to_string(&manifest).map_err(invalid)?;
        let text = generated.text(language);
        Ok((generated.module, text, manifest))
    })
}

/// Does what a command line of `binade` says, and returns the exit code. `words` are those behind the program's name.
#[pyfunction]
fn command(py: Python, words: Vec<OsString>) -> u8 {
    py.detach(|| binade_cli::main(words))
}

/// Hears which file this module is, and which words start the command `binade` in it.
#[pyfunction]
fn loaded_from(file: PathBuf, start: Vec<OsString>) {
    binade_tools::loaded_from(file, start);
}

/// The module `binade._binade`.
#[pymodule]
fn _binade(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_class::<Evaluator>()?;
    module.add_class::<Description>()?;
    module.add_class::<matrices::MatrixEvaluator>()?;
    module.add_class::<running_sums::Accumulator>()?;
    module.add_function(wrap_pyfunction!(describe, module)?)?;
    module.add_function(wrap_pyfunction!(format_names, module)?)?;
    module.add_function(wrap_pyfunction!(unit_names, module)?)?;
    module.add_function(wrap_pyfunction!(generate, module)?)?;
    module.add_function(wrap_pyfunction!(judged::judge, module)?)?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(loaded_from, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
