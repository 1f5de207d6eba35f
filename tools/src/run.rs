//! Runs a program to its end, captures its output, and kills it on Ctrl-C.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use crate::scratch::full_folder;
use crate::{Error, interrupted, orphan};

/// How often a running program is polled.
const POLL: Duration = Duration::from_millis(2);

/// How many lines of a failed program's output are shown.
const SHOWN_LINES: usize = 20;

/// How many characters of a line are shown.
const SHOWN_WIDTH: usize = 300;

/// The output of a program.
#[derive(Clone, Debug)]
pub struct Output {
    /// All of its standard output; what is not UTF-8 is replaced by U+FFFD.
    pub stdout: String,
    /// All of its standard error; what is not UTF-8 is replaced by U+FFFD.
    pub stderr: String,
}

/// Runs `command` to its end; `what` names it in errors, as in "Verilator on `fmac.v`".
///
/// On Ctrl-C (see [`interrupted`]) the program and all of its children are killed.
///
/// # Errors
/// [`Error::Io`] when the program cannot be started, [`Error::Failed`] when it does not exit with 0, and [`Error::Interrupted`] after
/// Ctrl-C.
pub fn run(command: &mut Command, what: &str) -> Result<Output, Error> {
    let (status, output) = run_to_end(command, what)?;
    if status.success() { Ok(output) } else { Err(failed(what, status, &output)) }
}

/// Like [`run`], for a program that may fail: returns its exit status and all of its output.
///
/// # Errors
/// When it cannot be started, or on Ctrl-C.
pub fn run_to_end(command: &mut Command, what: &str) -> Result<(ExitStatus, Output), Error> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // In its own process group, so that all of it can be killed, and the terminal sends Ctrl-C only to us.
    command.process_group(0);
    orphan::kill_with_us(command);
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(Error::io(format!("start `{program}` for {what}")))?;
    let (stdout, stderr) = (read_in_background(child.stdout.take()), read_in_background(child.stderr.take()));
    let status = wait(&mut child, what, kill_group)?;
    let output = Output { stdout: join(stdout), stderr: join(stderr) };
    Ok((status, output))
}

/// Like [`run_to_end`], for a program that cleans up on SIGTERM, such as this one: Ctrl-C sends it SIGTERM and waits for it. Its standard
/// error is copied to ours immediately; returns its exit status and its standard output.
///
/// # Errors
/// When it cannot be started, or on Ctrl-C.
pub fn run_asking(command: &mut Command, what: &str) -> Result<(ExitStatus, String), Error> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    orphan::ask_with_us(command);
    let mut child = command.spawn().map_err(Error::io(format!("start {what}")))?;
    let stdout = read_in_background(child.stdout.take());
    let passed_on = pass_on(child.stderr.take());
    let status = wait(&mut child, what, ask_to_end)?;
    join(passed_on);
    Ok((status, join(stdout)))
}

/// Like [`run_asking`], for a program that uses our standard input and outputs. After Ctrl-C, returns the exit status with which it ends.
///
/// # Errors
/// When it cannot be started.
pub fn run_beside(command: &mut Command, what: &str) -> Result<ExitStatus, Error> {
    command.process_group(0);
    orphan::ask_with_us(command);
    let mut child = command.spawn().map_err(Error::io(format!("start {what}")))?;
    match wait(&mut child, what, ask_to_end) {
        Err(Error::Interrupted) => child.wait().map_err(Error::io(format!("wait for {what}"))),
        ended => ended,
    }
}

fn read_in_background(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    let mut pipe = pipe.expect("both streams of the child are pipes");
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // Output read before an error is still worth showing.
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

/// Copies a pipe to our standard error; nothing is kept.
fn pass_on(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    let mut pipe = pipe.expect("both streams of the child are pipes");
    thread::spawn(move || {
        // A failure to print does not change the result.
        let _ = io::copy(&mut pipe, &mut io::stderr());
        Vec::new()
    })
}

fn join(reader: JoinHandle<Vec<u8>>) -> String {
    let bytes = reader.join().expect("reading a pipe does not panic");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn wait(child: &mut Child, what: &str, stop: fn(&mut Child)) -> Result<ExitStatus, Error> {
    loop {
        if interrupted() {
            stop(child);
            return Err(Error::Interrupted);
        }
        if let Some(status) = child.try_wait().map_err(Error::io(format!("wait for {what}")))? {
            return Ok(status);
        }
        thread::sleep(POLL);
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id().try_into().expect("a process id"))
}

fn ask_to_end(child: &mut Child) {
    // Both can fail only if the program has just ended.
    let _ = kill(pid(child), Signal::SIGTERM);
    let _ = child.wait();
}

fn kill_group(child: &mut Child) {
    let group = pid(child);
    // Both can fail only if the program has just ended.
    let _ = killpg(group, Signal::SIGKILL);
    let _ = child.wait();
}

pub(crate) fn failed(what: &str, status: ExitStatus, output: &Output) -> Error {
    let (what, output) = (what.to_string(), format!("{}\n{}", output.stdout.trim_end(), output.stderr.trim_end()));
    match full_folder(&output) {
        Some(folder) => Error::Full { what, folder },
        None => Error::Failed { what, status: status.to_string(), output: last_lines(&output) },
    }
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().collect();
    if lines.is_empty() {
        return "(it said nothing)".to_string();
    }
    let shown = lines[lines.len().saturating_sub(SHOWN_LINES)..].iter();
    shown.map(|line| shortened(line)).collect::<Vec<_>>().join("\n")
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(SHOWN_WIDTH) {
        Some((end, _)) => format!("{} ..", &line[..end]),
        None => line.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_streams_are_captured() {
        let output = run(&mut shell("echo out; echo err >&2"), "a shell").unwrap();
        assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("out\n", "err\n"));
    }

    #[test]
    fn a_failure_shows_the_last_lines() {
        let error = run(&mut shell("seq 100; echo oops >&2; exit 3"), "a shell").unwrap_err().to_string();
        assert!(error.starts_with("a shell failed (exit status: 3)"), "{error}");
        assert!(error.contains("\n82\n") && !error.contains("\n81\n") && error.ends_with("\noops"), "{error}");
    }

    #[test]
    fn a_full_disk_is_named() {
        let script = "echo 'ERROR: write: No space left on device' >&2; exit 1";
        let error = run(&mut shell(script), "a shell").unwrap_err().to_string();
        assert!(error.starts_with("a shell failed, because the file system of `"), "{error}");
        let error = Error::unparsed("Yosys".into(), "cells".into(), "No space left on device".into()).to_string();
        assert!(error.ends_with("is full; free space there, or set TMPDIR to a folder with more"), "{error}");
    }

    #[test]
    fn much_output_on_both_streams_does_not_block() {
        let output = run(&mut shell("seq 100000; seq 100000 >&2"), "a shell").unwrap();
        assert_eq!(output.stdout, output.stderr);
    }
}
