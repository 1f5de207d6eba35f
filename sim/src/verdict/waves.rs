//! Converts waves from VCD, which Verilator writes without any library, to FST, which is much smaller and best supported by viewers.

use super::evidence::Evidence;
use crate::Subject;
use crate::engines::PortWidth;
use crate::engines::verilator::{self, VerilogModule};
use binade_tools::{Error, Tools};
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection,
    FstVarType, FstWriteError,
};
use std::collections::HashMap;
use std::io::{self, Cursor};
use vcd::{Command, IdCode, Parser, ScopeItem, ScopeType, TimescaleUnit, Var};

/// Runs the module again on the vectors that reproduce the failure and records waves; returns the content of an FST file.
///
/// # Errors
/// When Verilator or the C++ compiler is missing or fails, or what they write is not VCD.
pub fn waves<'s>(tools: &Tools, subject: impl Into<Subject<'s>>, evidence: &Evidence) -> Result<Vec<u8>, Error> {
    let subject = subject.into();
    let [inputs, outputs] = PortWidth::of_operation(subject.operation);
    let module = VerilogModule::of(subject, &inputs, &outputs);
    let vcd = verilator::trace(tools, &module, &evidence.traced)?;
    fst_from_vcd(&vcd)
}

/// Converts a VCD file to FST.
fn fst_from_vcd(vcd: &[u8]) -> Result<Vec<u8>, Error> {
    convert(vcd).map_err(|error| Error::io("turn the waves into FST")(error))
}

fn convert(vcd: &[u8]) -> io::Result<Vec<u8>> {
    let mut parser = Parser::new(vcd);
    let header = parser.parse_header()?;
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: timescale_exponent(header.timescale)?,
        version: format!("Binade {}", env!("CARGO_PKG_VERSION")),
        // No date, so that the same run gives the same bytes.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut writer = FstHeaderWriter::write_to_mem(&info).map_err(io_error)?;
    let mut signals = HashMap::new();
    declare(&header.items, &mut writer, &mut signals)?;
    let body = writer.finish().map_err(io_error)?;
    Ok(copy_changes(parser, body, &signals)?.into_inner())
}

fn io_error(error: FstWriteError) -> io::Error {
    io::Error::other(error)
}

/// The time unit as a power of ten of seconds.
fn timescale_exponent(timescale: Option<(u32, TimescaleUnit)>) -> io::Result<i8> {
    let (count, unit) = timescale.unwrap_or((1, TimescaleUnit::NS));
    let seconds = unit.divisor().ilog10() as i8;
    match count {
        1 | 10 | 100 => Ok(count.ilog10() as i8 - seconds),
        _ => Err(io::Error::other(format!("{count} is not a count of time units"))),
    }
}

type Writer = FstHeaderWriter<Cursor<Vec<u8>>>;

/// Declares scopes and variables. Variables with the same code are one signal.
fn declare(items: &[ScopeItem], writer: &mut Writer, signals: &mut HashMap<IdCode, FstSignalId>) -> io::Result<()> {
    for item in items {
        match item {
            ScopeItem::Scope(scope) => {
                writer.scope(&scope.identifier, "", scope_type(scope.scope_type)).map_err(io_error)?;
                declare(&scope.items, writer, signals)?;
                writer.up_scope().map_err(io_error)?;
            }
            ScopeItem::Var(var) => {
                let known = signals.get(&var.code).copied();
                let width = FstSignalType::bit_vec(var.size);
                let signal = writer.var(name(var), width, FstVarType::Wire, FstVarDirection::Implicit, known);
                signals.insert(var.code, signal.map_err(io_error)?);
            }
            _ => {}
        }
    }
    Ok(())
}

fn scope_type(scope: ScopeType) -> FstScopeType {
    match scope {
        ScopeType::Task => FstScopeType::Task,
        ScopeType::Function => FstScopeType::Function,
        ScopeType::Begin => FstScopeType::Begin,
        ScopeType::Fork => FstScopeType::Fork,
        _ => FstScopeType::Module,
    }
}

/// The name with its range, as viewers expect it.
fn name(var: &Var) -> String {
    match var.index {
        Some(index) => format!("{} {index}", var.reference),
        None => var.reference.clone(),
    }
}

fn copy_changes(
    parser: Parser<&[u8]>,
    mut body: FstBodyWriter<Cursor<Vec<u8>>>,
    signals: &HashMap<IdCode, FstSignalId>,
) -> io::Result<Cursor<Vec<u8>>> {
    let change = |code: IdCode, value: String, body: &mut FstBodyWriter<_>| match signals.get(&code) {
        Some(signal) => body.signal_change(*signal, value.as_bytes()).map_err(io_error),
        None => Ok(()),
    };
    for command in parser {
        match command? {
            Command::Timestamp(time) => body.time_change(time).map_err(io_error)?,
            Command::ChangeScalar(code, value) => change(code, value.to_string(), &mut body)?,
            Command::ChangeVector(code, value) => change(code, value.to_string(), &mut body)?,
            _ => {}
        }
    }
    body.finish().map_err(io_error)
}
