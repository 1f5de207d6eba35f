//! A figure of a unit, drawn from its circuit: a box for each section, in the order of the text, and lines for the signals between
//! them.
//!
//! ```text
//!   netlists between ranks of registers -> Diagram: blocks and nets -> Layout: places -> SVG
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `diagram.rs` | blocks, and the nets between them |
//! | `blocks.rs` | the blocks of a circuit |
//! | `rows.rs` | the blocks in rows, and their sizes |
//! | `wires.rs` | the vertical lines of the nets |
//! | `tracks.rs` | the horizontal lines of the nets, in the space between two rows |
//! | `svg.rs` | the picture |

mod blocks;
mod diagram;
mod rows;
mod svg;
mod tracks;
mod wires;

use super::shell::Within;
use crate::{Language, Netlist};

/// A picture of the sections of a unit, and of what they hand on, in SVG. `name` is that of its module.
///
/// A block reads the nets that enter it at the top, and hands on those that leave it at the bottom. Signals with the same readers are one
/// net.
pub fn figure(netlist: &Netlist, within: Within, name: &str, language: Language) -> String {
    let diagram = blocks::diagram(netlist, within, name, language);
    let rows = rows::Rows::new(&diagram);
    let wires = wires::Wires::new(&diagram, &rows);
    let tracks = tracks::Tracks::new(&diagram, &rows, &wires);
    svg::drawn(&svg::Drawing { diagram: &diagram, rows: &rows, wires: &wires, tracks: &tracks, name })
}
