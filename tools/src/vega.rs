//! Vega-Lite: the scripts that draw the plots of a page, taken from a wheel.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

use crate::install::{Package, python};
use crate::{Cache, Error, cache_used, run};

pub(crate) const PACKAGE: Package = Package { name: "vl-convert-python", tied_to_python: false };

/// Prints Vega, Vega-Lite and Vega-Embed as one script, which sets `window.vegaEmbed`.
const PRINT_BUNDLE: &str = "import sys, vl_convert; sys.stdout.write(vl_convert.javascript_bundle())";

/// The SHA-256 of the script in the pinned wheel; no other script is put into a page.
const SHA256: &str = "3425bd951a44d478d0505c6b5d1e8d57656b6e9a4da7bfe88a718ce61d76e572";

/// The script. It is extracted from the wheel once, which takes seconds, and cached; a cached text with another hash is extracted again.
pub(crate) fn script(home: &Path, cache: &Cache) -> Result<String, Error> {
    let kept = cache.pages().join(format!("vega-{}.js", PACKAGE.version()));
    if let Ok(script) = fs::read_to_string(&kept)
        && is_pinned(&script)
    {
        cache_used(&kept);
        return Ok(script);
    }
    let wheel = PACKAGE.ensure(home)?;
    let script =
        run(python()?.args(["-c", PRINT_BUNDLE]).env("PYTHONPATH", wheel), "taking Vega-Lite out of its wheel")?.stdout;
    if !is_pinned(&script) {
        let tool = format!("{} {}", PACKAGE.name, PACKAGE.version());
        return Err(Error::Unparsed {
            tool,
            expected: "the script of the pinned version".into(),
            output: "another one".into(),
        });
    }
    cache.keep(&kept, script.as_bytes())?;
    Ok(script)
}

fn is_pinned(script: &str) -> bool {
    let digits: String = Sha256::digest(script).iter().map(|byte| format!("{byte:02x}")).collect();
    digits == SHA256
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script is where the cache counts and removes it.
    #[test]
    fn a_script_that_is_kept_belongs_to_the_cache() {
        let home = tempfile::tempdir().unwrap();
        let cache = Cache::new(home.path().join("cache"));
        cache.keep(&cache.pages().join(format!("vega-{}.js", PACKAGE.version())), b"script").unwrap();
        assert_eq!(cache.size().files, 1);
        assert!(!is_pinned("script"), "what somebody else has put there is not taken");
    }
}
