//! Faults around a run: two runs at once, a compiler that is killed or hangs, a full disk, a killed run.

use crate::common::{
    self, SMALL_UNIT, binade_in, folder, fresh_home, names, notes, outcome, run_in, runs, start, wait_until,
};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A C++ compiler that the variables make faulty. `FAULTY` names the module that it fails on.
const COMPILER: &str = r#"#!/bin/sh
if [ -n "$FAULTY" ] && ls */"$FAULTY.v" >/dev/null 2>&1; then
  if [ -n "$HANGS" ]; then : > "$HANGS"; while [ -e "$HANGS" ]; do sleep 0.05; done; fi
  kill -9 $$
fi
ulimit -S -f unlimited
exec c++ "$@"
"#;

/// Shared by all tests: a home of their own, and the compiler. Compiles Verilator's runtime once for it.
struct Site {
    folder: TempDir,
    home: PathBuf,
    compiler: PathBuf,
}

static SITE: LazyLock<Site> = LazyLock::new(|| {
    let folder = folder();
    let home = fresh_home(folder.path());
    let compiler = folder.path().join("compiler");
    fs::write(&compiler, COMPILER).unwrap();
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    let site = Site { folder, home, compiler };
    // Two runs at once on an empty cache: both are right, and leave no other files beside the models.
    let verify = [&["verify"], SMALL_UNIT.as_slice()].concat();
    let runs = [0, 1].map(|_| start(site.folder.path(), &site.home, &[("CXX", &site.compiler)], &verify));
    for run in runs {
        let (code, _, stderr) = outcome(&run.wait_with_output().unwrap());
        assert_eq!(code, 0, "{stderr}");
    }
    assert_eq!(site.models().len(), 1);
    site
});

impl Site {
    /// `binade`, with a fault in the compiler if given.
    fn run(&self, arguments: &[&str], faulty: &str) -> (i32, String, String) {
        let mut command = binade_in(self.folder.path());
        command.env("BINADE_HOME", &self.home).env("CXX", &self.compiler).env("FAULTY", faulty);
        outcome(&command.args(arguments).output().unwrap())
    }

    fn models(&self) -> Vec<String> {
        names(&self.home.join("cache/models"))
    }
}

fn suite(name: &str, formats: &str, units: &str) -> String {
    let path = SITE.folder.path().join(name);
    fs::write(&path, format!("[[unit]]\nformat = {formats}\nunit = {units}\n")).unwrap();
    path.to_str().unwrap().into()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
#[ignore = "long"]
fn a_compiler_that_is_killed_is_said_and_nothing_is_kept_of_it() {
    let unit = ["verify", "--format", "e2m3f", "--unit", "mul"];
    let (code, stdout, stderr) = SITE.run(&unit, "mul_e2m3f_rne");
    assert_eq!((code, stdout.as_str()), (3, ""));
    assert!(
        stderr.contains("the C++ compiler on what Verilator made of `mul_e2m3f_rne` failed (signal: 9"),
        "{stderr}"
    );
    let (code, stdout, stderr) = SITE.run(&unit, "");
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("model built in"), "{stdout}");
}

/// A unit that cannot be compiled does not stop the others from being checked, now or with `--resume`.
#[test]
fn a_tool_that_fails_on_one_unit_of_a_suite() {
    let suite = suite("fails.toml", "\"e2m1f\"", "[\"mul\", \"add\", \"encode\"]");
    let report = SITE.folder.path().join("fails.xml");
    let arguments = ["verify", "--vectors", "9999", "--json", "--suite", &suite, "--junit", report.to_str().unwrap()];
    let (code, stdout, stderr) = SITE.run(&arguments, "add_e2m1f_rne");
    assert_eq!(code, 3, "{stderr}");
    let totals = &json(&stdout)["totals"];
    assert_eq!(
        (&totals["right"], &totals["errors"], &totals["earlier"]),
        (&2.into(), &1.into(), &0.into()),
        "{stdout}"
    );
    assert!(totals["build_seconds"].as_f64().unwrap() > 0.1, "two models were compiled: {totals}");
    assert!(stderr.contains("error in add_e2m1f_rne: the C++ compiler"), "{stderr}");
    assert!(stderr.contains("3 units, 0 wrong, 1 without a verdict since a tool failed"), "{stderr}");
    let xml = fs::read_to_string(&report).unwrap();
    assert!(xml.contains(r#"tests="3" skipped="0" failures="0" errors="1""#), "{xml}");
    assert!(xml.contains("signal: 9"), "{xml}");

    let (code, stdout, stderr) = SITE.run(&[arguments.as_slice(), &["--resume"]].concat(), "");
    assert_eq!(code, 0, "{stderr}");
    let totals = &json(&stdout)["totals"];
    assert_eq!((&totals["right"], &totals["earlier"]), (&3.into(), &2.into()), "{stdout}");
    // A finished suite keeps no notes.
    let (_, stdout, _) = SITE.run(&[arguments.as_slice(), &["--resume"]].concat(), "");
    assert_eq!(json(&stdout)["totals"]["earlier"], 0);
}

/// Starts a suite of units for `format` whose last unit hangs in the compiler, applies an action to it, and resumes it.
fn with_hanging_suite(format: &str, act: impl Fn(&mut std::process::Child, &Path)) -> (Output, String, TempDir) {
    let suite = suite(&format!("{format}.toml"), &format!("\"{format}\""), "[\"mul\", \"decode\", \"add\"]");
    let (noted, faulty) = (["mul", "decode"].map(|unit| format!("{unit}_{format}_")), format!("add_{format}_rne"));
    let temporary = folder();
    let hangs = temporary.path().join("hangs");
    let variables: [(&str, &Path); 4] =
        [("CXX", &SITE.compiler), ("FAULTY", Path::new(&faulty)), ("HANGS", &hangs), ("TMPDIR", temporary.path())];
    let mut child = start(SITE.folder.path(), &SITE.home, &variables, &["verify", "--suite", &suite]);
    let is_noted =
        |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| noted.iter().all(|unit| text.contains(unit)));
    wait_until("the compiler to hang", || hangs.exists() && notes(&SITE.home).iter().any(is_noted));
    act(&mut child, temporary.path());
    let output = child.wait_with_output().unwrap();
    let _ = fs::remove_file(&hangs);
    let (code, stdout, stderr) = SITE.run(&["verify", "--suite", &suite, "--resume"], "");
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("3 units, 0 wrong, 2 right by an earlier run"), "{stderr}");
    (output, stdout, temporary)
}

#[test]
fn a_killed_suite_is_resumed_and_its_temporary_files_go() {
    let (_, table, temporary) = with_hanging_suite("e3m1", |child, _| child.kill().unwrap());
    assert_eq!(table.matches("right (earlier)").count(), 2, "{table}");
    let scratch = || names(temporary.path()).into_iter().filter(|name| name.starts_with("binade-")).collect::<Vec<_>>();
    assert_eq!(scratch().len(), 1, "what the killed run had at work");
    // Pretends that this happened long ago.
    let lock = temporary.path().join(&scratch()[0]).join(".lock");
    let lock = fs::File::options().write(true).open(lock).unwrap();
    lock.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
    let mut command = binade_in(SITE.folder.path());
    command.env("BINADE_HOME", &SITE.home).env("CXX", &SITE.compiler).env("TMPDIR", temporary.path());
    let output = command.args(["verify", "--format", "e3m2f", "--unit", "encode", "--vectors", "9"]).output().unwrap();
    assert_eq!(outcome(&output).0, 0);
    assert_eq!(scratch(), [""; 0], "a later run cleans up");
}

#[test]
fn ctrl_c_shows_what_a_suite_has_done() {
    let interrupt = |child: &mut std::process::Child, _: &Path| {
        common::press_ctrl_c(child);
    };
    let (output, _, temporary) = with_hanging_suite("e2m2", interrupt);
    let (code, stdout, stderr) = outcome(&output);
    assert_eq!(code, 130, "{stderr}");
    assert_eq!((stdout.matches("| right ").count(), stdout.matches("| not run ").count()), (2, 1), "{stdout}");
    assert!(stderr.contains("1 not run") && stderr.contains("--resume goes on from there"), "{stderr}");
    assert_eq!(names(temporary.path()), [""; 0]);
}

/// No file of the run may exceed 100 KiB, except the compiler's output: so the model does not fit into the cache.
#[test]
#[ignore = "long"]
fn a_disk_that_is_full_is_said_and_leaves_no_broken_model() {
    let unit = "verify --format e2m3f --unit decode";
    let before = SITE.models();
    let shell = format!("ulimit -S -f 200; exec '{}' {unit}", common::BINADE);
    let mut command = Command::new("sh");
    command.args(["-c", &shell]).current_dir(SITE.folder.path());
    let output = command.env("BINADE_HOME", &SITE.home).env("CXX", &SITE.compiler).output().unwrap();
    let (code, stdout, stderr) = outcome(&output);
    assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
    assert!(stderr.contains("error: cannot write `") && stderr.contains("File too large"), "{stderr}");
    let left: Vec<String> = SITE.models().into_iter().filter(|name| !before.contains(name)).collect();
    assert!(left.iter().all(|name| name.ends_with(".so")), "{left:?}");
    let (code, stdout, stderr) = SITE.run(&unit.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("model built in"), "{stdout}");
}

#[test]
fn a_report_that_cannot_be_written_is_said() {
    let suite = suite("full.toml", "\"e2m1f\"", "\"mul\"");
    let (code, _, stderr) = run_in(SITE.folder.path(), &["verify", "--suite", &suite, "--junit", "/dev/full/x.xml"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("cannot write `/dev/full/x.xml`: there is no such folder"), "{stderr}");
}

const QUICK: [&str; 7] = ["verify", "--format", "e2m1f", "--unit", "mul", "--engine", "lanes"];

/// A full device, and a pipe in place of a folder.
#[test]
fn what_takes_nothing_is_said() {
    let folder = folder();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut printing = std::process::Command::new(common::BINADE);
    let output = printing.args(QUICK).arg("--json").stdout(full).output().unwrap();
    let (code, _, stderr) = outcome(&output);
    assert!(code == 2 && stderr.contains("error: cannot write to standard output: No space left"), "{code} {stderr}");
    let (code, _, stderr) = run_in(folder.path(), &[&QUICK[..], &["--junit", "/dev/full"]].concat());
    assert!(
        code == 2 && stderr.contains("error: cannot write `/dev/full`: No space left on device"),
        "{code} {stderr}"
    );
    pipe_at(&folder.path().join("pipe"));
    for place in ["/dev/full", "pipe"] {
        let gen_into = ["gen", "--format", "e2m1f", "--unit", "mul", "--out", place];
        let (code, _, stderr) = run_in(folder.path(), &gen_into);
        let said = format!("error: --out `{place}` is a file; a folder is expected");
        assert!(code == 2 && stderr.contains(&said), "{code} {stderr}");
    }
    assert_eq!(names(folder.path()), ["pipe"]);
}

/// A baseline that is JSON, but not the output of `synth`.
#[test]
fn a_baseline_without_reports_is_refused() {
    let folder = folder();
    for content in ["{}", "3", "{\"reports\": 3}", "[{}]"] {
        fs::write(folder.path().join("earlier.json"), content).unwrap();
        let synth = ["synth", "--format", "e2m1f", "--unit", "mul", "--baseline", "earlier.json"];
        let (code, stdout, stderr) = run_in(folder.path(), &synth);
        let said = "error: --baseline `earlier.json`: not what `synth --json` prints: a list of reports is expected\n";
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (2, "", said), "{content}");
    }
}

/// A file size limit is an error, not a crash.
#[test]
fn a_limit_of_length_is_said() {
    let folder = folder();
    let shell = format!("ulimit -f 0; exec '{}' {} --junit report.xml", common::BINADE, QUICK.join(" "));
    let output = Command::new("sh").args(["-c", &shell]).current_dir(folder.path()).output().unwrap();
    let (code, _, stderr) = outcome(&output);
    assert!(code == 2 && stderr.contains("report.xml`: file too large"), "{code} {stderr}");
    assert_eq!(names(folder.path()), [""; 0]);
}

/// A run that waits for another says so.
#[test]
fn a_wait_for_another_run_is_said() {
    let folder = folder();
    let lock = fs::File::create(folder.path().join("lock-verilator")).unwrap();
    lock.lock().unwrap();
    let mut waiting = common::start(folder.path(), folder.path(), &[], &QUICK[..5]);
    hear(&mut waiting, "waiting for another run that installs verilator 5");
    stop(&mut waiting);
}

/// Reads a program's output until this text appears.
fn hear(program: &mut std::process::Child, said: &str) {
    let mut stderr = std::io::BufReader::new(program.stderr.take().unwrap());
    let mut heard = String::new();
    while !heard.contains(said) {
        assert!(std::io::BufRead::read_line(&mut stderr, &mut heard).unwrap() > 0, "{heard}");
    }
}

/// Interrupts a waiting program, as a user would.
fn stop(program: &mut std::process::Child) {
    common::press_ctrl_c(program);
    assert_eq!(program.wait().unwrap().code(), Some(130));
}

fn pipe_at(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A named pipe is written into and stays a pipe; while nobody reads or writes its other end, Ctrl-C ends the wait.
#[test]
fn a_named_pipe_is_written_and_waited_for() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    pipe_at(&pipe);
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    let (code, _, stderr) = run_in(folder.path(), &[&QUICK[..], &["--junit", "pipe"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(reader.join().unwrap().trim_end().ends_with("</testsuites>"));

    let waits: [(&[&str], &str); 2] =
        [(&["--junit", "pipe"], "waiting for a reader of `"), (&["--suite", "pipe"], "waiting for a writer of `pipe`")];
    for (more, said) in waits {
        let unit = if more[0] == "--suite" { &QUICK[..1] } else { &QUICK[..] };
        let mut waiting = common::start(folder.path(), &common::home(), &[], &[unit, more].concat());
        hear(&mut waiting, said);
        stop(&mut waiting);
    }
    assert_eq!(names(folder.path()), ["pipe"]);
}

/// For a user without a home, tools are installed below the temporary folder, with a note.
#[test]
fn a_user_without_a_home_is_told_where_tools_go() {
    let folder = folder();
    // Beside its checkout, the program would use the checkout's tools.
    let program = folder.path().join("binade");
    fs::copy(common::BINADE, &program).unwrap();
    let doctor = |home: Option<&str>| {
        let mut command = Command::new(&program);
        command.arg("doctor").current_dir(folder.path()).env("TMPDIR", folder.path());
        ["BINADE_HOME", "XDG_CACHE_HOME", "HOME"].iter().for_each(|name| _ = command.env_remove(name));
        let output = command.envs(home.map(|home| ("HOME", home))).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let temporary = folder.path().join("binade").display().to_string();
    assert!(
        doctor(Some("no/absolute/path")).contains(&format!("are kept in `{temporary}`; BINADE_HOME names another"))
    );
    // Then only the system's list of users can name a home, if it does.
    assert!(doctor(None).contains("are kept in `/"), "{}", doctor(None));
    assert!(doctor(Some("/home/somebody")).contains("are kept in `/home/somebody/.cache/binade`"));
}

/// A report does not overwrite the suite that it describes, nor a link.
#[test]
fn what_is_read_is_not_written() {
    let folder = folder();
    let suite = folder.path().join("suite.toml");
    let text = "[[unit]]\nformat = \"e2m1f\"\nunit = \"decode\"\n";
    fs::write(&suite, text).unwrap();
    let (code, _, stderr) = run_in(folder.path(), &["verify", "--suite", "suite.toml", "--junit", "./suite.toml"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("an input of this run; name another file"), "{stderr}");
    assert_eq!(fs::read_to_string(&suite).unwrap(), text);
}

/// A Yosys that starts a program of its own, and waits for it.
const YOSYS: &str = r#"#!/bin/sh
if [ "$1" = -V ]; then echo "Yosys 0.60"; exit; fi
sleep 1000 &
echo $! > "$PIDS/child.new" && mv "$PIDS/child.new" "$PIDS/child"
echo $$ > "$PIDS/own.new" && mv "$PIDS/own.new" "$PIDS/own"
wait
"#;

/// Tools end with Binade, also if it has no time to end them, and so do their own programs.
#[test]
#[cfg(target_os = "linux")]
fn tools_end_with_a_killed_run() {
    for signal in ["-KILL", "-ABRT"] {
        let folder = folder();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        fs::write(bin.join("yosys"), YOSYS).unwrap();
        fs::set_permissions(bin.join("yosys"), fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let variables = [("PATH", Path::new(&path)), ("PIDS", folder.path())];
        let unit = [&["synth", "--tools", "system"], SMALL_UNIT.as_slice()].concat();
        let mut run = start(folder.path(), &common::home(), &variables, &unit);
        let pids = ["child", "own"].map(|name| folder.path().join(name));
        wait_until("Yosys starts", || pids.iter().all(|pid| pid.exists()));
        let pids = pids.map(|pid| fs::read_to_string(pid).unwrap().trim().to_string());
        assert!(pids.iter().all(|pid| runs(pid)));
        assert!(Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap().success());
        run.wait().unwrap();
        wait_until("Yosys and its program end", || !pids.iter().any(|pid| runs(pid)));
    }
}
