//! Code shared by the tests of the command.

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The program under test.
pub const BINADE: &str = env!("CARGO_BIN_EXE_binade");

/// A unit that is cheap to verify and to synthesize.
pub const SMALL_UNIT: [&str; 4] = ["--format", "e3m2f", "--unit", "mul"];

/// `binade` in `folder`, with the checkout's pinned tools and without a terminal.
pub fn binade_in(folder: &Path) -> Command {
    let mut command = Command::new(BINADE);
    command.current_dir(folder).env("BINADE_HOME", home()).env_remove("COLUMNS").write_stdin("");
    command
}

/// Runs `binade` with `arguments` in `folder`; returns exit code, stdout and stderr.
pub fn run_in(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    outcome(&binade_in(folder).args(arguments).output().expect("the program starts"))
}

/// Exit code, stdout and stderr.
pub fn outcome(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    (output.status.code().expect("not killed"), text(&output.stdout), text(&output.stderr))
}

/// The folder of the pinned tools: the user's, or else the checkout's.
pub fn home() -> PathBuf {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools");
    std::env::var_os("BINADE_HOME").map_or(checkout, PathBuf::from)
}

/// The names in a folder, including hidden ones, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// An empty folder.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// An empty home for Binade in `folder`, with only the installed tools and the compiled Verilator runtime.
pub fn fresh_home(folder: &Path) -> PathBuf {
    let (code, _, stderr) = run_in(folder, &["verify", "--format", "e2m1f", "--unit", "mul"]);
    assert_eq!(code, 0, "the tools are installed: {stderr}");
    let fresh = folder.join("home");
    std::fs::create_dir(&fresh).expect("a new folder");
    for entry in std::fs::read_dir(home()).expect("the home is there").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("verilator-") {
            let tool = std::fs::canonicalize(entry.path()).expect("the tool is there");
            std::os::unix::fs::symlink(tool, fresh.join(name)).expect("a link");
        }
    }
    let (compiled, kept) = (home().join("cache/runtime"), fresh.join("cache/runtime"));
    std::fs::create_dir_all(&kept).expect("a new folder");
    // Hidden files are still being written.
    for name in names(&compiled).iter().filter(|name| !name.starts_with('.')) {
        std::fs::copy(compiled.join(name), kept.join(name)).expect("a copy");
    }
    fresh
}

/// Starts `binade` as a user would who soon kills it.
pub fn start(folder: &Path, home: &Path, variables: &[(&str, &Path)], arguments: &[&str]) -> Child {
    let mut command = std::process::Command::new(BINADE);
    command.args(arguments).current_dir(folder).env("BINADE_HOME", home).envs(variables.iter().copied());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Presses Ctrl-C, once the program catches it: one that has just been started would be killed.
pub fn press_ctrl_c(child: &Child) {
    #[cfg(target_os = "linux")]
    wait_until("the program catches Ctrl-C", || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        // Bit 1 is SIGINT. A program that has ended (Z) catches nothing any more.
        status.contains("State:\tZ")
            || caught
                .is_none_or(|caught| u64::from_str_radix(caught.trim(), 16).is_ok_and(|caught| caught >> 1 & 1 == 1))
    });
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill").success());
}

pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < Duration::from_secs(120), "{what}: not within two minutes");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The files that note what runs have checked, without those that are being written.
pub fn notes(home: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home.join("cache/runs"));
    let paths = entries.into_iter().flatten().map(|entry| entry.expect("an entry").path());
    paths.filter(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))).collect()
}

/// Whether a process runs; one that has ended and nobody has waited for does not.
#[cfg(target_os = "linux")]
pub fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

/// The number of days since 1970, by which tests choose the share that they check; `BINADE_DAY` overrides it, to repeat a day's tests.
pub fn today() -> u64 {
    let day = match std::env::var("BINADE_DAY") {
        Ok(day) => day.parse().expect("BINADE_DAY is the number of a day since 1970"),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970").as_secs() / 86400,
    };
    println!("BINADE_DAY={day} repeats this share");
    day
}
