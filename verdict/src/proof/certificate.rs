//! The files of a proof's certificate. They stand in a folder that gets its name when the certificate is complete.

use super::{ProofReport, Task};
use crate::{NoVerdict, counted};
use binade_generator::description::computes;
use binade_prove::{Certified, CertifiedPart, CertifiedRegisters, Evidence, Files, Instance, certifiable};
use binade_spec::Port;
use binade_tools::Error;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The version of the layout.
const LAYOUT: u32 = 3;

const MANIFEST: &str = "manifest.json";

const PAGE: &str = "README.md";

/// A certificate that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The folder.
    pub folder: PathBuf,
    /// The cases, parts of divided cases among them.
    pub cases: usize,
    /// The clauses of all refutations.
    pub steps: usize,
    /// The bytes of all files.
    pub bytes: u64,
    /// Whether it was checked, and only its manifests and pages were kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_checked: bool,
}

impl Certificate {
    /// The certificate in words.
    pub fn sentence(&self) -> String {
        let Certificate { folder, cases, steps, .. } = self;
        let kept = if self.is_checked { "; checked, and only the manifests are kept" } else { "" };
        let (folder, cases) = (folder.display(), counted(*cases, "case"));
        format!("certificate: {folder} ({cases}, {steps} steps, {}{kept})", self.size())
    }

    /// Why `binade check` refuses it, if it does.
    pub fn refusal(&self) -> Option<String> {
        binade_check::check(&self.folder).err().map(|fault| fault.to_string())
    }

    /// The certificate, without the files that its manifests name if it was checked.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn kept(self, is_checked: bool) -> Result<Certificate, NoVerdict> {
        if is_checked {
            remove_checked(&self.folder)?;
        }
        Ok(Certificate { is_checked, ..self })
    }

    /// The size of all files.
    pub fn size(&self) -> String {
        format!("{} kB", (self.bytes + 500) / 1000)
    }
}

/// Writes the certificate of one unit. What was written is removed unless [`Folder::complete`] is called.
pub struct Folder {
    target: PathBuf,
    partial: PathBuf,
    written: Mutex<Written>,
}

/// What was written.
#[derive(Default)]
struct Written {
    /// The SHA-256 and the bytes of each file.
    files: BTreeMap<String, (String, u64)>,
    /// Why a file could not be written.
    failure: Option<Error>,
}

impl Folder {
    /// A folder for the certificate of a module, below another folder.
    ///
    /// # Errors
    /// When the folder cannot be made, or something stands there that is no certificate.
    pub fn new(below: &Path, module: &str) -> Result<Folder, NoVerdict> {
        let target = below.join(module);
        if target.exists() && !target.join(MANIFEST).is_file() {
            return Err(NoVerdict::Usage(format!(
                "--certificate: {} holds something else than a certificate; name another folder",
                target.display()
            )));
        }
        let partial = below.join(format!(".{module}.partial"));
        remove(&partial)?;
        fs::create_dir_all(&partial).map_err(|error| Error::file("create", &partial, error))?;
        Ok(Folder { target, partial, written: Mutex::default() })
    }

    fn take(&self, name: String, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let path = self.partial.join(&name);
        let folder = path.parent().expect("a folder below");
        let written = fs::create_dir_all(folder).and_then(|()| self.written(&path, content));
        let mut all = self.written.lock().expect("no thread panics with the lock");
        match written {
            Ok(entry) => _ = all.files.insert(name, entry),
            Err(error) => _ = all.failure.get_or_insert(Error::file("write", &path, error)),
        }
    }

    /// Writes a file, compressed if its name ends in `.gz`; returns its hash and its bytes.
    fn written(
        &self,
        path: &Path,
        content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<(String, u64)> {
        let mut file = Hashed { file: File::create(path)?, hash: Sha256::new(), bytes: 0 };
        if path.extension().is_some_and(|extension| extension == "gz") {
            let mut compressed = BufWriter::with_capacity(1 << 16, GzEncoder::new(&mut file, Compression::fast()));
            content(&mut compressed)?;
            compressed.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
        } else {
            let mut buffered = BufWriter::new(&mut file);
            content(&mut buffered)?;
            buffered.flush()?;
        }
        let digits = file.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok((digits, file.bytes))
    }

    /// Writes manifests and pages, and gives the folder its name.
    ///
    /// # Errors
    /// When a file could not be written, or the folder cannot be renamed.
    pub fn complete(self, task: &Task, report: &ProofReport, certified: &Certified) -> Result<Certificate, NoVerdict> {
        self.describe(&Described { task, report, certified, folder: String::new() });
        let Written { files, failure } =
            std::mem::take(&mut *self.written.lock().expect("no thread panics with the lock"));
        if let Some(error) = failure {
            return Err(error.into());
        }
        remove(&self.target)?;
        fs::rename(&self.partial, &self.target).map_err(|error| Error::file("write", &self.target, error))?;
        let (cases, steps) = certified.size();
        let is_counted = |(name, _): &(&String, &(String, u64))| !name.ends_with(MANIFEST);
        let bytes = files.iter().filter(is_counted).map(|(_, (_, bytes))| bytes).sum();
        Ok(Certificate { folder: self.target.clone(), cases, steps, bytes, is_checked: false })
    }

    /// Writes manifest and page of a certificate, after those of its parts.
    fn describe(&self, described: &Described) {
        for part in described.parts() {
            let folder = format!("{}{}/", described.folder, part.name);
            self.describe(&Described { certified: &part.certified, folder, ..*described });
        }
        let page = described.page();
        self.take(described.file(PAGE), &mut |to| to.write_all(page.as_bytes()));
        let manifest = described.manifest(&self.written.lock().expect("no thread panics with the lock").files);
        self.take(described.file(MANIFEST), &mut |to| to.write_all(manifest.as_bytes()));
    }
}

impl Files for Folder {
    fn write(&self, name: &str, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let suffix = if name.ends_with(".aig") { "" } else { ".gz" };
        self.take(format!("{name}{suffix}"), content);
    }

    fn remove(&self, folder: &str) {
        let mut all = self.written.lock().expect("no thread panics with the lock");
        all.files.retain(|name, _| !name.starts_with(&format!("{folder}/")));
        if let Err(error) = remove(&self.partial.join(folder)) {
            all.failure.get_or_insert(error);
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left does no harm: its name says that it is a part, and the next certificate removes it.
        let _ = remove(&self.partial);
    }
}

/// Removes all files of a certificate but manifests and pages.
fn remove_checked(folder: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(|error| Error::file("read", folder, error))? {
        let path = entry.map_err(|error| Error::file("read", folder, error))?.path();
        match () {
            () if path.is_dir() => remove_checked(&path)?,
            () if path.ends_with(MANIFEST) || path.ends_with(PAGE) => {}
            () => fs::remove_file(&path).map_err(|error| Error::file("remove", &path, error))?,
        }
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if ![io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => {
            Err(Error::file("remove", folder, error))
        }
        _ => Ok(()),
    }
}

/// Hashes what is written to a file.
struct Hashed {
    file: File,
    hash: Sha256,
    bytes: u64,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Requires that a proof of this task can have a certificate.
///
/// # Errors
/// When it cannot, and why.
pub fn check_certifiable(task: &Task) -> Result<(), NoVerdict> {
    let operation = &task.unit.design.operation;
    let why = if task.shell.is_some() {
        "a unit with valid and ready has no certificate yet"
    } else if operation.has_state() {
        "a unit with state has no certificate yet"
    } else {
        match certifiable(operation) {
            Ok(()) => return Ok(()),
            Err(why) => why.0,
        }
    };
    Err(NoVerdict::Usage(format!("--certificate: {}: {why}; prove it without --certificate", task.module())))
}

/// A certificate, or one of a part, and what its manifest and its page say.
struct Described<'a> {
    task: &'a Task,
    report: &'a ProofReport,
    certified: &'a Certified,
    /// The folder below that of the unit, with a slash at its end; empty for the unit.
    folder: String,
}

impl Described<'_> {
    fn parts(&self) -> &[CertifiedPart] {
        match &self.certified.evidence {
            Evidence::Cases(..) => &[],
            Evidence::Parts { parts, .. } => parts,
        }
    }

    fn file(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }

    fn module(&self) -> String {
        format!("{}/{}", self.report.module, self.folder).trim_end_matches('/').into()
    }

    /// What the certificate does not show.
    fn not_shown(&self) -> Vec<String> {
        let registers = "that the unit's registers do not change its results (unit.aig is the unit without them)";
        let subject = &self.report.subject;
        let source = match (self.folder.is_empty(), &self.certified.registers) {
            (true, Some(_)) => format!("that step.aig is a clock of {subject}"),
            (true, None) => format!("that unit.aig is {subject}"),
            (false, _) => format!("that unit.aig is a part of {subject}"),
        };
        let parts = "that its parts, connected as manifest.json says, are the operation";
        let are_left = self.report.stages > 0 && self.certified.registers.is_none();
        let others = [(are_left, registers), (!self.parts().is_empty(), parts)];
        let others = others.into_iter().filter(|(applies, _)| *applies).map(|(_, what)| what.to_string());
        [source].into_iter().chain(others).collect()
    }

    fn manifest(&self, files: &BTreeMap<String, (String, u64)>) -> String {
        let Described { task, report, certified, .. } = self;
        let ports = |ports: &[Port]| -> Vec<Json> {
            ports.iter().map(|port| json!({ "name": port.name, "width": port.width() })).collect()
        };
        let digits = |text: &str| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let of_folder =
            |name: &str| name.strip_prefix(&self.folder).filter(|name| !name.contains('/')).map(String::from);
        let hashes: BTreeMap<String, &String> =
            files.iter().filter_map(|(name, (hash, _))| Some((of_folder(name)?, hash))).collect();
        let mut manifest = json!({
            "layout": LAYOUT,
            "module": self.module(),
            "program": concat!("binade ", env!("CARGO_PKG_VERSION")),
            "command": format!("binade prove {}", task.command()),
            "subject": report.subject,
            "verilog_sha256": task.verilog().map(digits),
            "allowed": report.allowed,
            "not_shown": self.not_shown(),
            "inputs": ports(&certified.inputs),
            "outputs": ports(&certified.outputs),
            "files": hashes,
        });
        match &certified.evidence {
            Evidence::Cases(cases, _) => {
                let cases = cases.iter().map(|case| json!({ "stem": case.stem, "case": case.name }));
                manifest["cases"] = cases.collect();
            }
            Evidence::Parts { parts, instances, outputs } => {
                let of_part = |part: &CertifiedPart| {
                    let (hash, _) = &files[&self.file(&format!("{}/{MANIFEST}", part.name))];
                    (part.name.clone(), json!(hash))
                };
                let of_instance = |Instance { name, part, inputs }: &Instance| json!({ "name": name, "part": part, "inputs": inputs });
                manifest["parts"] = parts.iter().map(of_part).collect();
                manifest["instances"] = instances.iter().map(of_instance).collect();
                manifest["outputs_from"] = json!(outputs);
            }
        }
        if let Some(CertifiedRegisters { latency, controls, .. }) = &certified.registers {
            manifest["registers"] = json!({ "latency": latency, "controls": controls });
        }
        serde_json::to_string_pretty(&manifest).expect("JSON of strings and numbers") + "\n"
    }

    /// What the certificate shows, in words.
    fn page(&self) -> String {
        let Described { task, report, certified, .. } = self;
        let allowed = report.allowed.as_ref().map_or(String::new(), |allowed| {
            format!("Equivalent results count as one: {allowed}. `unit.aig` and the expected outputs have one representative of each.\n\n")
        });
        let not_shown: String = self.not_shown().iter().map(|what| format!("- {what}\n")).collect();
        let input_bits: u32 = certified.inputs.iter().map(Port::width).sum();
        let (claim, body) = match &certified.evidence {
            Evidence::Cases(cases, _) => {
                let cases: String = cases.iter().map(|case| format!("- `{}`: {}\n", case.stem, case.name)).collect();
                let claim = "the outputs of `unit.aig` are those that the specification of some case states.";
                (
                    claim,
                    format!(
                        "{ABOUT_CASES}## What is not shown\n\n{not_shown}- that the specification of each case is the operation that its name says\n\n## Cases\n\n{cases}"
                    ),
                )
            }
            Evidence::Parts { parts, instances, outputs } => {
                let of_part = |part: &CertifiedPart| {
                    format!("- [`{0}`]({0}/README.md): {1}\n", part.name, computes(&part.operation).join(" "))
                };
                let parts: String = parts.iter().map(of_part).collect();
                let instances: String = instances.iter().map(wiring).collect();
                let outputs = runs(outputs);
                let claim = "the outputs of `unit.aig` are those that the specifications of its parts state, connected as below.";
                (
                    claim,
                    format!(
                        "{ABOUT_PARTS}## What is not shown\n\n{not_shown}\n## Parts\n\n{parts}\n## Connections\n\n{instances}- outputs: {outputs}\n"
                    ),
                )
            }
        };
        let registers = certified.registers.as_ref().map_or(String::new(), about_registers);
        format!(
            "# Certificate of {module}\n\n\
             For each of the 2^{input_bits} inputs, {claim}\n\n{registers}\
             Written by `binade prove {command} --certificate FOLDER`.\n\n{allowed}{body}",
            module = self.module(),
            command = task.command(),
        )
    }
}

/// What is shown of registers.
fn about_registers(CertifiedRegisters { latency, controls, .. }: &CertifiedRegisters) -> String {
    let has = |name: &str| controls.contains(&name);
    let stall = if has("en") {
        "- `registers-stall`: a clock with `rst_n` = 1 and `en` = 0 changes no register. A clock with `rst_n` = `en` = 1 is a step.\n"
    } else {
        ""
    };
    let reset = if has("rst_n") && has("out_valid") && *latency > 0 {
        format!(
            "- `registers-reset`: after a clock with `rst_n` = 0, `out_valid` is 0 until {latency} steps have been made.\n"
        )
    } else {
        String::new()
    };
    let valid = match [has("in_valid"), has("out_valid")] {
        [true, true] => ", `out_valid` is what `in_valid` was with these operands; if it was 1,",
        [true, false] => ", if `in_valid` was 1 with these operands,",
        [false, true] => ", `out_valid` is 1, and",
        [false, false] => ",",
    };
    format!(
        "`step.aig` is one clock of the unit with its registers. Whatever these hold at first, and whatever the other inputs are:\n\n\
         {stall}{reset}- `registers-results`: {latency} steps after operands{valid} the outputs are those of `unit.aig` for them.\n\n"
    )
}

/// The bits that an instance reads, in words.
fn wiring(Instance { name, part, inputs }: &Instance) -> String {
    let of = if name == part { String::new() } else { format!(" (as `{part}`)") };
    format!("- `{name}`{of} reads {}\n", runs(inputs))
}

/// Names of bits, with those that follow each other as one: `a[7:0]`.
fn runs(names: &[String]) -> String {
    let mut runs: Vec<(&str, u32, u32)> = vec![];
    for name in names {
        let (port, bit) = name.rsplit_once('[').expect("a name with a bit");
        let bit = bit.trim_end_matches(']').parse().expect("a bit");
        match runs.last_mut() {
            Some((last, _, high)) if *last == port && *high + 1 == bit => *high = bit,
            _ => runs.push((port, bit, bit)),
        }
    }
    runs.iter().map(|(port, low, high)| format!("`{port}[{high}:{low}]`")).collect::<Vec<_>>().join(", ")
}

/// The files of a certificate with cases, and how to check them.
const ABOUT_CASES: &str = "\
## Files

| file | what it holds |
|---|---|
| `unit.aig` | the unit, in binary AIGER |
| `CASE.aig` | the specification of a case. Inputs: the free bits of the case. Outputs: `valid`, the inputs of the unit, the expected outputs |
| `CASE.cnf.gz` | clauses: `valid` is 1, and the unit's outputs for these inputs are not the expected ones |
| `CASE.lrat.gz` | a refutation of the clauses, in LRAT |
| `cover.aig` | for given inputs of the unit, the free bits of all cases |
| `cover.cnf.gz`, `cover.lrat.gz` | clauses: no case has these inputs; and their refutation |
| `step.aig`, `registers-*` | one clock of a unit with registers; clauses and refutations for their properties |
| `manifest.json` | ports, cases, and the SHA-256 of each file |

Variable `v` of AIGER is variable `v + 1` of the clauses; variable 1 is the constant 0. The clauses of a case are those of the AND
gates of `CASE.aig`, of `unit.aig`, of an XOR for each bit of the outputs, and of the disjunction of these.

## Check it

`binade check FOLDER`, or programs of others: see `examples/certificates/check.sh` and `docs/certificates.md` of Binade.
By hand: `gzip -d *.gz`, then `cake_lpr CASE.cnf CASE.lrat` or `lrat-trim CASE.cnf CASE.lrat` for each case and for `cover`.

";

/// The files of a certificate with parts, and how to check them.
const ABOUT_PARTS: &str = "\
## Files

| file | what it holds |
|---|---|
| `unit.aig` | the gates of the parts, one part after the other, connected as below, in binary AIGER |
| `PART/` | the certificate of a part |
| `manifest.json` | ports, parts, connections, and the SHA-256 of each file |

## Check it

`binade check FOLDER`, or programs of others: see `examples/certificates/check.sh` and `docs/certificates.md` of Binade.

";
