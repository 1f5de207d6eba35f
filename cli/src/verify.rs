//! `binade verify`: the Verilog against the golden model.

use crate::failure::Failure;
use crate::output;
use crate::selection::{ToolOptions, UnitOptions};
use binade_generator::GeneratedUnit;
use binade_generator::description::arguments as selection_words;
use binade_golden::Operation;
use binade_sim::{Choice, Plan, Verification};
use binade_tools::{Source, Tools};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
#[command(after_help = "Example: binade verify --format e5m2b1 --unit fmac --vectors 100000000")]
pub struct Arguments {
    #[command(flatten)]
    unit: UnitOptions,
    #[command(flatten)]
    vectors: VectorOptions,
    /// Check this file in place of the generated Verilog; its module is named as the generated one
    #[arg(long, value_name = "FILE")]
    verilog: Option<PathBuf>,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Clone, Debug)]
pub struct VectorOptions {
    /// Check all input combinations (the default up to 2^24 of them; else directed and random vectors)
    #[arg(long, conflicts_with_all = ["vectors", "replay"])]
    exhaustive: bool,
    /// Check so many vectors, up to half of them directed, the others random
    #[arg(long, value_name = "N", conflicts_with = "replay", value_parser = whole)]
    vectors: Option<u64>,
    /// Seed of the random vectors
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Check one vector: the operands' codes, such as 0x7d,0x3c,0x1234
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = code)]
    replay: Vec<u64>,
}

/// A whole number.
fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a whole number up to {} is expected, such as 1000000", u64::MAX))
}

/// A code in hexadecimal (0x..), binary (0b..) or decimal.
fn code(text: &str) -> Result<u64, String> {
    let parsed = match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
        (Some(digits), _) => u64::from_str_radix(digits, 16),
        (_, Some(digits)) => u64::from_str_radix(digits, 2),
        _ => text.parse(),
    };
    parsed.map_err(|_| "a code is a number such as 0x3c, 0b00111100 or 60".into())
}

impl VectorOptions {
    pub fn plan(&self, operation: &Operation) -> Result<Plan, Failure> {
        let choice = match (self.exhaustive, self.vectors, self.replay.as_slice()) {
            (true, _, _) => Choice::Exhaustive,
            (_, Some(count), _) => Choice::Sample(count),
            (_, _, []) => Choice::Default,
            (_, _, codes) => Choice::Replay(codes.to_vec()),
        };
        Plan::new(operation, choice, self.seed).map_err(|error| Failure::Usage(error.to_string()))
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (operation, mut unit) = arguments.unit.generate()?;
    let plan = arguments.vectors.plan(&operation)?;
    if let Some(file) = &arguments.verilog {
        unit.verilog = fs::read_to_string(file).map_err(|error| Failure::file("read", file, error))?;
    }
    let tools = arguments.tools.tools();
    let verification = check(&tools, &unit, &operation, &plan)?;
    if arguments.json {
        output::print(&output::json(&verification))?;
    } else {
        output::print(&summary(&verification))?;
    }
    conclude(&tools, &unit, &operation, &verification, arguments.verilog.as_deref())
}

/// Verifies with a progress bar.
pub fn check(tools: &Tools, unit: &GeneratedUnit, operation: &Operation, plan: &Plan) -> Result<Verification, Failure> {
    let bar = progress_bar(plan.total());
    let (started, done) = (Instant::now(), AtomicU64::new(0));
    let progress = |count| {
        let done = done.fetch_add(count, Ordering::Relaxed) + count;
        // Short runs show nothing.
        if started.elapsed() > Duration::from_secs(1) {
            bar.set_position(done);
        }
    };
    let verification = binade_sim::verify(tools, unit, operation, plan, &progress);
    bar.finish_and_clear();
    Ok(verification?)
}

fn progress_bar(total: u64) -> ProgressBar {
    let style = "{bar:40} {percent:>3} %  {human_pos} of {human_len} vectors, {per_sec}, {eta} left";
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
    bar.with_style(ProgressStyle::with_template(style).expect("the template is valid"))
}

fn summary(verification: &Verification) -> String {
    let Verification { module, scope, seconds, rate, tool, build_seconds, cached, .. } = verification;
    let verdict = if verification.mismatch.is_some() { "WRONG" } else { "right" };
    let model = if *cached { "model from the cache".into() } else { format!("model built in {build_seconds:.1} s") };
    format!(
        "{module}: {verdict}\n  checked  {scope}\n  rate     {:.1} million vectors/s ({seconds:.2} s)\n  with     {tool}, {model}",
        rate / 1e6
    )
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map(String::from).unwrap_or(text.to_string())
}

/// Shows a mismatch with what it takes to look into it; the last line says what was checked.
pub fn conclude(
    tools: &Tools,
    unit: &GeneratedUnit,
    operation: &Operation,
    verification: &Verification,
    file: Option<&Path>,
) -> Result<(), Failure> {
    let Verification { module, scope, seconds, mismatch, .. } = verification;
    let Some(mismatch) = mismatch else {
        output::say(format_args!("{module} agrees with the golden model on {scope} ({seconds:.1} s)"));
        return Ok(());
    };
    let waves = PathBuf::from("rtl_out").join(format!("{module}_mismatch.vcd"));
    let traced = binade_sim::trace(tools, unit, mismatch, &waves);
    let file = file.map(|file| format!(" --verilog {}", quoted(file))).unwrap_or_default();
    let source = match tools.source() {
        Source::Pinned => "",
        Source::System => " --tools system",
    };
    output::say(format_args!("mismatch in {module}, {mismatch}"));
    output::say(format_args!("  seed   {}", verification.seed));
    output::say(format_args!(
        "  replay binade verify {}{file}{source} --replay {}",
        selection_words(operation).join(" "),
        mismatch.replay()
    ));
    match traced {
        Ok(()) => output::say(format_args!("  waves  {}", waves.display())),
        Err(error) => output::say(format_args!("  waves  none: {error}")),
    }
    output::say(format_args!("{module} differs from the golden model; looked for in {scope} ({seconds:.1} s)"));
    Err(Failure::Mismatch)
}
