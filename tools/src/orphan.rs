//! Programs end with the process that started them, even if it is killed: where the system has it, through PR_SET_PDEATHSIG.

#[cfg(target_os = "linux")]
pub(crate) use linux::{ask_with_us, kill_with_us};
#[cfg(not(target_os = "linux"))]
pub(crate) use other::{ask_with_us, kill_with_us};

/// Systems on which a program cannot be told that its parent has ended.
#[cfg(not(target_os = "linux"))]
mod other {
    pub(crate) fn ask_with_us(_: &mut std::process::Command) {}
    pub(crate) fn kill_with_us(_: &mut std::process::Command) {}
}

#[cfg(target_os = "linux")]
mod linux {
    use nix::errno::Errno;
    use nix::libc;
    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::signal::{SigHandler, Signal, kill, raise, signal};
    use nix::sys::wait::{WaitStatus, waitpid};
    use nix::unistd::{ForkResult, Pid, fork, getppid};
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    /// Makes the program get SIGTERM when the calling thread or its process ends.
    pub(crate) fn ask_with_us(command: &mut Command) {
        let parent = Pid::this();
        // SAFETY: between fork and exec, only system calls are made.
        unsafe { command.pre_exec(move || end_with(parent)) };
    }

    /// Makes the program, and all programs that it starts, be killed when the calling thread or its process ends. A signal reaches only the
    /// first of them, so that one is a guard: a copy of us that waits for the program, and kills the group of processes on the signal. The
    /// command must have a group of its own.
    pub(crate) fn kill_with_us(command: &mut Command) {
        let parent = Pid::this();
        // SAFETY: between fork and exec, only system calls are made, also in the guard.
        unsafe {
            command.pre_exec(move || {
                signal(Signal::SIGTERM, SigHandler::Handler(kill_group))?;
                end_with(parent)?;
                match fork()? {
                    ForkResult::Child => signal(Signal::SIGTERM, SigHandler::SigDfl).map(|_| ()).map_err(Into::into),
                    ForkResult::Parent { child } => guard(child),
                }
            });
        }
    }

    fn end_with(parent: Pid) -> io::Result<()> {
        set_pdeathsig(Signal::SIGTERM)?;
        // The parent may have ended before that.
        if getppid() == parent { Ok(()) } else { Err(Errno::ESRCH.into()) }
    }

    extern "C" fn kill_group(_: libc::c_int) {
        let _ = kill(Pid::from_raw(0), Signal::SIGKILL);
    }

    /// Waits for the program, and ends as it does.
    fn guard(program: Pid) -> ! {
        // The guard holds no pipe open, neither the program's nor the one that tells that the program has started.
        // SAFETY: nothing here uses an open file.
        unsafe { libc::close_range(0, libc::c_uint::MAX, 0) };
        let code = loop {
            match waitpid(program, None) {
                Err(Errno::EINTR) => {}
                Ok(WaitStatus::Exited(_, code)) => break code,
                Ok(WaitStatus::Signaled(_, by, _)) => {
                    // SAFETY: the default action runs no code of ours.
                    let _ = unsafe { signal(by, SigHandler::SigDfl) };
                    let _ = raise(by);
                    break 128 + by as i32;
                }
                _ => break 1,
            }
        };
        // SAFETY: this ends the copy without running what the original has to run at its end.
        unsafe { libc::_exit(code) }
    }
}
