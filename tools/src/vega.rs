//! Vega-Lite: the scripts that draw the plots of a page, from the wheel that carries them.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::install::{Package, python};
use crate::{Error, run};

const PACKAGE: Package = Package { name: "vl-convert-python", tied_to_python: false };

/// Prints Vega, Vega-Lite and Vega-Embed as one script, which sets `window.vegaEmbed`.
const PRINT_BUNDLE: &str = "import sys, vl_convert; sys.stdout.write(vl_convert.javascript_bundle())";

/// The script, made once from the wheel, which takes seconds, and kept in `cache`.
pub(crate) fn script(home: &Path, cache: &Path) -> Result<String, Error> {
    let kept = cache.join(format!("vega-{}.js", PACKAGE.version()));
    if let Ok(script) = fs::read_to_string(&kept) {
        return Ok(script);
    }
    let wheel = PACKAGE.ensure(home)?;
    let script =
        run(python()?.args(["-c", PRINT_BUNDLE]).env("PYTHONPATH", wheel), "taking Vega-Lite out of its wheel")?.stdout;
    keep(cache, &kept, &script)?;
    Ok(script)
}

/// Written aside and renamed, so that what is kept is complete.
fn keep(cache: &Path, kept: &Path, script: &str) -> Result<(), Error> {
    let failed = || Error::io(format!("write `{}`", kept.display()));
    fs::create_dir_all(cache).map_err(failed())?;
    let mut aside = tempfile::NamedTempFile::new_in(cache).map_err(failed())?;
    aside.write_all(script.as_bytes()).map_err(failed())?;
    aside.persist(kept).map_err(|error| failed()(error.error))?;
    Ok(())
}
