//! The speed of a unit on a real device: put between registers, mapped by Yosys, and placed and routed by nextpnr with several seeds.
//!
//! | file | what it holds |
//! |---|---|
//! | `board.rs` | the devices, each on a board with its constraints |
//! | `shell.rs` | the registers around a unit |
//! | `route.rs` | the runs of Yosys and nextpnr |
//! | `bitstream.rs` | a complete design for a board, as a bitstream |
//! | `report.rs` | the results, for people and for programs |
//! | `plot.rs` | the results of a sweep over pipeline depths, as a picture |

mod bitstream;
mod board;
mod plot;
mod report;
mod route;
mod shell;

pub use bitstream::{Bitstream, bitstream};
pub use board::{Board, Panel, UnknownBoard};
pub use plot::plot;
#[cfg(test)]
pub(crate) use report::tests::report as example;
pub use report::{Fmax, RoutedReport, Seed, ShellCells, Used, csv, tables, tools};
pub use route::{Mapped, RouteError, Routed, map};
pub use shell::shell;
