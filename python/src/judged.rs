//! A unit, or a user's module in its place, judged by vectors or by proof.

use crate::{Settings, design, invalid};
use binade_generator::{Design, generate};
use binade_sim::{Choice, Hang, NanRule, Plan, Policy, Portion, Tolerance, verify};
use binade_synth::Netlist;
use binade_tools::{Error, Source, Tools, forget_interrupt, interrupt};
use binade_verdict::proof::{Budget, Prover, Task};
use binade_verdict::{Checker, Hanging, Means, ModuleOptions, NoVerdict, Report, Vectors, Waves, WithSchema};
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::thread;
use std::time::Duration;

/// What is judged, and how.
#[derive(Deserialize)]
struct Request {
    question: Question,
    unit: String,
    format: Option<String>,
    words: Settings,
    module: Module,
    nan: String,
    zero_sign: String,
    policies: Vec<String>,
    netlist: Option<String>,
    lanes: bool,
    vectors: Option<u64>,
    seed: u64,
    /// Seconds for one vector in a user's module.
    timeout: u64,
    /// Seconds of processor time for a proof.
    within: Option<f64>,
    /// The folder for files that show what is wrong.
    out: Option<PathBuf>,
    /// Whether waves are among them.
    waves: bool,
}

/// By vectors or by proof.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Question {
    Verify,
    Prove,
}

/// A user's module; no files for a generated unit.
#[derive(Deserialize)]
struct Module {
    files: Vec<PathBuf>,
    top: Option<String>,
    ports: Vec<String>,
    ties: Vec<String>,
    besides: Vec<String>,
    parameters: Vec<(String, String)>,
    includes: Vec<PathBuf>,
    defines: Vec<String>,
    reset: Option<String>,
    latency: Option<String>,
    startup: u32,
    flag_order: String,
    allow_system_tasks: bool,
}

/// The answer: the report, and what the command prints about it.
#[derive(Serialize)]
struct Answer<'r, R> {
    report: WithSchema<'r, R>,
    text: String,
}

/// The answer to a request, both in JSON. A module that does not answer ends the process, after the answer is printed.
#[pyfunction]
pub fn judge(py: Python, request: &str) -> PyResult<String> {
    let request: Request = serde_json::from_str(request).map_err(invalid)?;
    let design = design(&request.unit, request.format.as_deref(), &request.words).map_err(invalid)?;
    let module = request.module.options().map_err(invalid)?;
    watched(py, move || request.answer(design, &module))?.map_err(|why| match why {
        NoVerdict::Usage(why) => invalid(why),
        NoVerdict::Tool(Error::Interrupted) => PyKeyboardInterrupt::new_err(()),
        NoVerdict::Tool(error) => PyOSError::new_err(error.to_string()),
    })
}

/// The answer in JSON.
fn answer<R: Serialize>(report: &R, text: String) -> String {
    let report = WithSchema::new(report);
    serde_json::to_string(&Answer { report, text }).expect("reports are plain data")
}

impl Request {
    fn answer(&self, design: Design, module: &ModuleOptions) -> Result<String, NoVerdict> {
        let tolerance = tolerance(&self.nan, &self.zero_sign, &self.policies).map_err(NoVerdict::Usage)?;
        let netlist = self.netlist.as_deref().map(str::parse::<Netlist>).transpose();
        let netlist = netlist.map_err(|error| NoVerdict::Usage(format!("netlist: {error}")))?;
        if !tolerance.is_none() && !module.is_given() {
            return Err(NoVerdict::Usage(
                "nan, zero_sign and policies allow other answers of your module; give verilog".into(),
            ));
        }
        let tools = Tools::new(Source::Pinned);
        match self.question {
            Question::Verify => self.verified(&tools, design, module, (tolerance, netlist)),
            Question::Prove => self.proven(&tools, design, module, (tolerance, netlist)),
        }
    }

    fn verified(
        &self,
        tools: &Tools,
        design: Design,
        module: &ModuleOptions,
        (tolerance, netlist): (Tolerance, Option<Netlist>),
    ) -> Result<String, NoVerdict> {
        let unit = generate(design);
        let choice = self.vectors.map_or(Choice::Default, Choice::Sample);
        let plan = Plan::new(&design.operation, choice, self.seed);
        let plan = plan.map_err(|error| NoVerdict::Usage(error.to_string()))?;
        let waves = self.waves();
        let checker = Checker {
            tools,
            means: Means { lanes: self.lanes, netlist, against_specification: false },
            tolerance,
            evidence: (self.out.as_deref().unwrap_or(Path::new("")), &waves),
            limit: Duration::from_secs(self.timeout),
            bark: &end,
        };
        let case = checker.case(unit, module)?;
        let vectors = Vectors { plan: &plan, portion: Portion::WHOLE, against: None, coverage: false };
        let (case, verification) = checker.check(case, vectors, &|run| verify(tools, run, &|_| {}))?;
        let setting = checker.setting(&case);
        let mut report = Report::new(&setting, verification);
        if self.out.is_some() {
            report.write_artefacts(&setting)?;
        }
        let text = report.shown().unwrap_or_else(|| report.rest());
        Ok(answer(&report, text))
    }

    fn proven(
        &self,
        tools: &Tools,
        design: Design,
        module: &ModuleOptions,
        (tolerance, netlist): (Tolerance, Option<Netlist>),
    ) -> Result<String, NoVerdict> {
        let (unit, waves) = (generate(design), self.waves());
        let task = match (module.is_given(), netlist) {
            (true, netlist) => Task::of_module(tools, unit, module, netlist.unwrap_or(Netlist::Printed), tolerance)?,
            (false, Some(netlist)) => Task::of_netlist(unit, netlist),
            (false, None) => Task::of_circuit(unit),
        };
        let budget = self.within.map(|seconds| Budget::new(Duration::from_secs_f64(seconds)));
        let evidence = self.out.as_deref().map(|out| (out, &waves));
        let report = Prover { evidence, budget, ..Prover::silent(tools) }.prove(&task)?;
        if binade_tools::interrupted() {
            return Err(Error::Interrupted.into());
        }
        let text = report.shown();
        Ok(answer(&report, text))
    }

    fn waves(&self) -> Waves {
        Waves { file: None, none: !self.waves }
    }
}

impl Module {
    fn options(&self) -> Result<ModuleOptions, String> {
        fn read<T: std::str::FromStr<Err = String>>(name: &str, words: &[String]) -> Result<Vec<T>, String> {
            let one = |word: &String| word.parse().map_err(|why| format!("{name}: `{word}`: {why}"));
            words.iter().map(one).collect()
        }
        let one = |word: &Option<String>| word.iter().cloned().collect::<Vec<_>>();
        let flag_order = self.flag_order.parse().map_err(|why| format!("flag_order={:?}: {why}", self.flag_order))?;
        Ok(ModuleOptions {
            files: self.files.clone(),
            top: self.top.clone(),
            ports: read("ports", &self.ports)?,
            ties: read("ties", &self.ties)?,
            besides: read("besides", &self.besides)?,
            parameters: self.parameters.clone(),
            includes: self.includes.clone(),
            defines: self.defines.clone(),
            reset: read("reset", &one(&self.reset))?.pop(),
            latency: read("latency", &one(&self.latency))?.pop(),
            startup: self.startup,
            flag_order,
            allow_system_tasks: self.allow_system_tasks,
            lint: false,
        })
    }
}

/// Which results are right beside those of the golden model.
fn tolerance(nan: &str, zero_sign: &str, policies: &[String]) -> Result<Tolerance, String> {
    let nan = match nan {
        "canonical" => NanRule::Canonical,
        "any" => NanRule::Any,
        "payload" => NanRule::Payload,
        other => return Err(format!("nan={other:?}: \"canonical\", \"any\" or \"payload\" is expected")),
    };
    let named = |name: &String| name.parse::<Policy>().map_err(|why| format!("policies: {name:?}: {why}"));
    let policies = policies.iter().map(named).collect::<Result<_, _>>()?;
    match zero_sign {
        "exact" | "any" => Ok(Tolerance { nan, any_zero_sign: zero_sign == "any", policies }),
        other => Err(format!("zero_sign={other:?}: \"exact\" or \"any\" is expected")),
    }
}

/// Ends the process, which simulates a module that does not answer.
fn end(hang: &Hang, report: Hanging) {
    if !hang.is_interrupted {
        println!("{}", answer(&report, report.shown()));
    }
    exit(1);
}

/// Does work in a thread of its own, so that this one hears Ctrl-C.
fn watched<T: Send + 'static>(py: Python, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let worker = thread::spawn(work);
    while !worker.is_finished() {
        py.detach(|| thread::sleep(Duration::from_millis(10)));
        if let Err(signal) = py.check_signals() {
            interrupt();
            let _ = py.detach(|| worker.join());
            forget_interrupt();
            return Err(signal);
        }
    }
    Ok(worker.join().expect("the thread that judges units does not panic"))
}
