//! `binade conform`: checks published vectors against golden model and RTL.
//!
//! | file | what it holds |
//! |---|---|
//! | `source.rs` | files and standard input: syntax by file name, text piece by piece |
//! | `bench.rs` | checks the vectors of a source on all cores |
//! | `report.rs` | the table of results, and the differences |
//! | `mutate.rs` | whether the vectors would catch a bug |

mod bench;
mod mutate;
mod report;
mod source;

use crate::failure::Failure;
use crate::names::named;
use crate::output;
use crate::selection::{BuildOptions, ToolOptions, UnitOptions};
use crate::settings::{GROUP, refused};
use crate::stages::StageOptions;
use crate::verify::mutate::check_most;
use crate::verify::{DutOptions, seconds, whole};
use bench::{Bench, Engines, UserModule};
use binade_sim::conform::{ConformCase, Fptest, P3109Table, Table, TestFloat, TestFloatFunction, table_format};
use binade_spec::{Format, Formats, Operation, Rounding, Setting, Tininess, Unit};
use binade_tools::Tools;
use clap::{ArgGroup, Args, ValueEnum};
use report::{ConformReport, Row};
use source::{Source, SyntaxName};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new(GROUP).multiple(true),
    override_usage = "binade conform [OPTIONS] --function <NAME> [FILE]...\n       \
                      binade conform [OPTIONS] --format <FORMAT> --unit <UNIT> [FILE]...\n       \
                      binade conform [OPTIONS] <FILE>...",
    after_help = "\
A vector gives the result of some operands, and with --flags the exceptions. Golden model and unit
are checked against it; the unit as its gates, its Verilog (--engine verilator), or a module of
yours (--verilog). Any NaN matches any other. The result of an invalid conversion to an integer is
not compared.

Examples:
  testfloat_gen -rmin f16_mulAdd | binade conform --function f16_mulAdd --round rdn
  testfloat_gen -rnear_even f16_add | binade conform --format binary16 --unit add --round rne --flags
  binade conform *.fptest
  binade conform Binary8p3se.csv
  binade conform --as csv --format e5m2 --unit mul products.csv"
)]
pub struct Arguments {
    /// Vector files; - is standard input, and the default
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Syntax of the files: testfloat_gen lines, FPgen test cases, P3109 value tables, or comma-separated codes [default: by the file's
    /// name, else testfloat]
    #[arg(long = "as", value_enum, ignore_case = true, value_name = "SYNTAX")]
    syntax: Option<SyntaxName>,
    /// The testfloat_gen function that wrote the lines, such as f16_mulAdd; it determines format and unit, and implies flags. With --unit
    /// function, which function of x
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Number format of the unit that the vectors test (see `binade formats`)
    #[arg(long, value_name = "FORMAT", group = GROUP)]
    format: Option<Format>,
    /// What the unit computes; with FPgen files, only the test cases of this unit are checked
    #[arg(long, group = GROUP, requires = "format", value_parser = named::<Unit>(&Unit::ALL.map(Unit::name)))]
    unit: Option<Unit>,
    /// What port rm has in all lines of testfloat_gen, with --round any or a profile: 0 rne, 1 rtz, 2 rdn, 3 rup, 4 to 7 rna
    #[arg(long, value_name = "CODE", value_parser = clap::value_parser!(u64).range(..8))]
    rm: Option<u64>,
    #[command(flatten)]
    build: BuildOptions,
    /// How the RTL is evaluated: its gates, without external tools (lanes), or its compiled Verilog (verilator) [default: lanes, with
    /// --verilog verilator]
    #[arg(long, value_enum, ignore_case = true, value_name = "ENGINE")]
    engine: Option<EngineName>,
    #[command(flatten)]
    dut: DutOptions,
    /// Break up to this many gates, constants, operators and flip-flops of the unit, or gates and flip-flops of your module, one at a time,
    /// and report whether the vectors of the files notice
    #[arg(long, value_name = "N", value_parser = whole)]
    mutate: Option<u64>,
    /// Time limit for one vector in your module; no answer until then counts as a hang
    #[arg(long, value_name = "SECONDS", default_value_t = 10, allow_negative_numbers = true, value_parser = seconds::<1>)]
    timeout: u32,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Lanes,
    Verilator,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tools = arguments.tools.tools();
    arguments.mutate.map_or(Ok(()), check_most)?;
    let sources = arguments.sources()?;
    let engines = arguments.engines(&tools)?;
    let mut report = ConformReport::new(engines.describe()?);
    let mut shared: Vec<(SyntaxName, Bench)> = vec![];
    let mut operands = vec![];
    for source in &sources {
        let syntax = source.syntax;
        if syntax == SyntaxName::P3109 {
            let bench = arguments.bench(source, &engines)?;
            operands.extend(report.add(source, bench.judge(source)?));
            continue;
        }
        if !shared.iter().any(|(other, _)| *other == syntax) {
            shared.push((syntax, arguments.bench(source, &engines)?));
        }
        let (_, bench) = shared.iter().find(|(other, _)| *other == syntax).expect("it was just made");
        operands.extend(report.add(source, bench.judge(source)?));
    }
    if let (Some(most), true) = (arguments.mutate, report.agrees()) {
        return mutate::run(&engines, operands, most, arguments.json);
    }
    report.say_what_differs();
    output::print(&if arguments.json { output::json(&report) } else { report.text() })?;
    report.conclude()
}

impl Arguments {
    /// The files in the given order, or standard input if there are none.
    fn sources(&self) -> Result<Vec<Source>, Failure> {
        let names_unit = self.unit.is_some() || self.function.is_some();
        if self.files.is_empty() {
            return Ok(vec![Source::new("-".into(), self.syntax, names_unit)?]);
        }
        if self.files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
            return Err(Failure::Usage("- is standard input, and can be read only once".into()));
        }
        self.files.iter().map(|file| Source::new(file.clone(), self.syntax, names_unit)).collect()
    }

    fn engines<'a>(&'a self, tools: &'a Tools) -> Result<Engines<'a>, Failure> {
        let options = self.dut.module();
        let user_module =
            options.is_given().then(|| UserModule { options, limit: Duration::from_secs(self.timeout.into()) });
        if user_module.is_some() && self.engine == Some(EngineName::Lanes) {
            return Err(Failure::Usage(
                "--engine lanes cannot evaluate --verilog: your module runs in Verilator".into(),
            ));
        }
        let needs_verilator = user_module.is_some() || self.engine == Some(EngineName::Verilator);
        Ok(Engines { tools, needs_verilator, user_module, keeps_operands: self.mutate.is_some() })
    }

    /// The reader of a source, and the units that its vectors test.
    fn bench<'a>(&'a self, source: &Source, engines: &'a Engines) -> Result<Bench<'a>, Failure> {
        match source.syntax {
            SyntaxName::Testfloat => {
                let case = self.case(false)?;
                self.check_rm(&case.operation)?;
                Ok(Bench::new(Box::new(TestFloat::new(case, self.rm)), None, engines))
            }
            SyntaxName::Csv => {
                let case = self.case(true)?;
                Ok(Bench::new(Box::new(Table::new(case)), None, engines))
            }
            SyntaxName::Fptest => {
                let wanted = self.unit.map(|_| self.operation()).transpose()?;
                if engines.user_module.is_some() && wanted.is_none() {
                    let message =
                        "--verilog: choose the test cases that your module computes with --format, --unit and --round";
                    return Err(Failure::Usage(message.into()));
                }
                // The suite's flags assume tininess before rounding.
                let tininess = self.build.tininess()?.unwrap_or(Tininess::Before);
                Ok(Bench::new(Box::new(Fptest::new(tininess)), wanted, engines))
            }
            SyntaxName::P3109 => {
                let format = source.file_name().and_then(|name| table_format(&name)).or(self.format);
                let format = format.ok_or_else(|| {
                    Failure::Usage(format!(
                        "{source}: the name is not that of a P3109 format, such as Binary8p3se.csv; give --format"
                    ))
                })?;
                Ok(Bench::new(Box::new(P3109Table::new(format)), None, engines))
            }
        }
    }

    /// Refuses `--rm` for a unit without that port.
    fn check_rm(&self, operation: &Operation) -> Result<(), Failure> {
        if self.rm.is_none() || operation.rounding == Rounding::Any {
            return Ok(());
        }
        Err(Failure::Usage("--rm: the unit has no port rm; add --round any, or leave --rm out".into()))
    }

    /// The vectors that the options describe; `has_lanes` says whether the file can have several lanes of a port.
    fn case(&self, has_lanes: bool) -> Result<ConformCase, Failure> {
        let usage = |text: String| Failure::Usage(text);
        let case = match self.testfloat_function()? {
            Some(name) => {
                let function =
                    TestFloatFunction::new(name).map_err(|why| usage(format!("--function {name}: {why}")))?;
                let selection = self.build.applied(function.selection)?;
                function.with(selection).case().map_err(refused)?
            }
            None => {
                let operation = self.operation()?;
                ConformCase::new(described(&operation), operation)
            }
        };
        case.check(has_lanes).map_err(|error| usage(error.to_string()))?;
        Ok(case)
    }

    /// The function of TestFloat that wrote the lines, if the options name one.
    fn testfloat_function(&self) -> Result<Option<&str>, Failure> {
        match (&self.function, self.format, self.unit) {
            (None, ..) | (Some(_), _, Some(Unit::Function)) => Ok(None),
            (Some(name), None, None) => Ok(Some(name)),
            (Some(name), ..) => Err(Failure::Usage(format!(
                "--function {name} cannot be used with --format and --unit, which it determines"
            ))),
        }
    }

    /// The operation that the options describe.
    fn operation(&self) -> Result<Operation, Failure> {
        let missing = || {
            Failure::Usage(
                "name the unit that the vectors test: --function f16_add, or --format and --unit, with --flags if there are flags".into(),
            )
        };
        let unit = self.unit.ok_or_else(missing)?;
        let build = match &self.function {
            Some(function) => self.build.clone().with(Setting::Function, function)?,
            None => self.build.clone(),
        };
        let options = UnitOptions { format: self.format.map(Formats::from), unit, build };
        Ok(options.design_without_files(&StageOptions::default())?.operation)
    }
}

/// A unit and its formats, in words.
fn described(operation: &Operation) -> String {
    let Operation { unit, operand, result, .. } = operation;
    if operand == result { format!("{unit} {operand}") } else { format!("{unit} {operand} to {result}") }
}

/// Whether the unit has flags, and how it detects tininess.
fn flags_word(tininess: Option<Tininess>, unit: Unit) -> String {
    match (tininess, unit) {
        (None, _) => "-".into(),
        (Some(_), unit) if !unit.takes(Setting::Tininess) => "yes".into(),
        (Some(tininess), _) => format!("tiny {tininess}"),
    }
}

/// The rounding of an operation, if it rounds.
fn rounding_word(operation: &Operation) -> String {
    if operation.unit.takes(Setting::Round) { operation.rounding.to_string() } else { "-".into() }
}

impl Row {
    fn of(source: &Source, case: &ConformCase) -> Row {
        let operation = &case.operation;
        Row {
            sources: vec![source.to_string()],
            operation: case.name.clone(),
            unit: described(operation),
            rounding: rounding_word(operation),
            flags: flags_word(operation.flags, operation.unit),
            ..Row::default()
        }
    }
}
