//! Ctrl-C ends a running tool and all that it started. (A program of its own: the signal is for the whole process.)

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use binade_tools::{Error, catch_interrupts, interrupted, run, scratch_dir};
use nix::sys::signal::{Signal, raise};

#[test]
fn an_interrupt_kills_the_tool_and_its_children() {
    catch_interrupts();
    assert!(!interrupted());
    let scratch = scratch_dir().unwrap();
    let start = Instant::now();
    let mut command = Command::new("sh");
    command.args(["-c", "(sleep 3; touch alive) & wait"]).current_dir(scratch.path());
    thread::spawn(|| {
        thread::sleep(Duration::from_millis(300));
        raise(Signal::SIGINT).unwrap();
    });
    assert!(matches!(run(&mut command, "a shell"), Err(Error::Interrupted)));
    assert!(interrupted() && start.elapsed() < Duration::from_secs(2));
    thread::sleep(Duration::from_secs(4));
    assert!(!scratch.path().join("alive").exists(), "the child of the tool lives on");
}
