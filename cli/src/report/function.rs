//! `binade report function`.

use super::units::cost;
use crate::failure::Failure;
use crate::names::named;
use crate::page::{DataOptions, PageOptions, command};
use crate::selection::ToolOptions;
use crate::synth::{TargetOptions, measure};
use crate::verify;
use binade_circuit::Optimize;
use binade_generator::{Design, GeneratedUnit, generate};
use binade_report::function::{FunctionUnit, page};
use binade_sim::{Choice, Engine, Gates, Plan, Run};
use binade_spec::{Format, Function, Rounding, Selection, Unit};
use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  binade report function tanh bfloat16
  binade report function exp e5m2 e4m3 posit8_1 --to binary16 --html exp.html")]
pub struct Arguments {
    /// The function
    #[arg(value_name = "FUNCTION", value_parser = named::<Function>(&Function::ALL.map(Function::name)))]
    function: Function,
    /// The formats of the operand, of up to 16 bits, by any name that `binade formats` takes
    #[arg(value_name = "NAME", required = true)]
    names: Vec<Format>,
    /// Format of the result [default: that of the operand]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Rounding of the result, such as rtz [default: rne]
    #[arg(long, value_name = "ROUND")]
    round: Option<Rounding>,
    #[command(flatten)]
    targets: TargetOptions,
    #[command(flatten)]
    page: PageOptions,
    #[command(flatten)]
    data: DataOptions,
    #[command(flatten)]
    tools: ToolOptions,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.page.check()?;
    if arguments.round.is_some_and(|rounding| rounding.random_bits() > 0) {
        return Err(Failure::Usage(
            "--round: a page of a function shows one result for each code, not a random one".into(),
        ));
    }
    let formats = super::each_once(arguments.names.iter().copied())?;
    let units = formats.into_iter().map(|format| arguments.unit(format)).collect::<Result<Vec<_>, _>>()?;
    let targets = arguments.targets.or(&[]);
    let tools = arguments.tools.tools();
    let reports = measure(&tools, &units, &targets)?;
    let mut figures = vec![];
    for (unit, reports) in units.iter().zip(reports.chunks(targets.len())) {
        let plan = Plan::new(&unit.design.operation, Choice::Exhaustive, 1).expect("a function has few operands");
        let gates = Gates::of_circuit(unit);
        let verification = verify::check(&tools, Run { engine: Engine::Lanes(&gates), ..Run::new(unit, &plan) })?;
        if !verification.is_right() {
            return Err(Failure::Mismatch);
        }
        let (operation, costs) = (unit.design.operation, reports.iter().map(cost).collect());
        figures.push(FunctionUnit { operation, module: unit.module.clone(), costs, verified: verification.scope });
    }
    arguments.data.write(&page(&figures, &command()), &arguments.page)
}

impl Arguments {
    fn unit(&self, format: Format) -> Result<GeneratedUnit, Failure> {
        let selection = Selection {
            function: Some(self.function),
            target: self.to,
            rounding: self.round,
            ..Selection::new(Unit::Function, format)
        };
        let usage = |error: binade_spec::OperationError| Failure::Usage(binade_spec::as_options(&error.to_string()));
        let design = Design::new(selection.operation().map_err(usage)?, 0, Optimize::Area).expect("a design");
        Ok(generate(design))
    }
}
