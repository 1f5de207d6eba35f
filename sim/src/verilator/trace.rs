//! Waves of a single vector.

use askama::Template;
use binade_tools::{Error, Tools, scratch_dir};
use std::fs;
use std::path::Path;

use super::Design;
use super::compile::Recipe;

/// What the traced program writes.
const WAVES: &str = "waves.vcd";

#[derive(Template)]
#[template(path = "verilator/trace.cpp", escape = "none")]
struct Driver<'a> {
    waves: &'a str,
    operands: &'a [u64],
    latency: u32,
}

/// Evaluates a module on one vector with waves, and writes them to `path` (VCD).
pub fn trace(tools: &Tools, design: &Design, operands: &[u64], path: &Path) -> Result<(), Error> {
    let recipe = Recipe::new(tools, design)?;
    let scratch = scratch_dir()?;
    let driver = Driver { waves: WAVES, operands, latency: design.latency };
    let driver = driver.render().expect("a template of plain values");
    recipe.run_traced(scratch.path(), &driver)?;

    let action = || format!("write `{}`", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Error::io(action()))?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(Error::io(action()))?;
    let mut waves = fs::File::open(scratch.path().join(WAVES)).map_err(Error::io(action()))?;
    std::io::copy(&mut waves, &mut file).map_err(Error::io(action()))?;
    file.persist(path).map_err(|error| Error::io(action())(error.error))?;
    Ok(())
}
