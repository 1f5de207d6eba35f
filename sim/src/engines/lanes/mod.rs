//! Compares a unit as gates (`binade-gates`) with the golden model, many vectors at a time. It needs no external tool.
//!
//! | file | what it holds |
//! |---|---|
//! | `operand_planes.rs` | the vectors of a plan as planes |
//! | `result_planes.rs` | the right results as planes |
//! | `check.rs`, `clocked.rs` | compare gates with the golden model, without and with registers |
//! | `sequences.rs` | the same for units with state |
//! | `driver.rs` | drives clocked gates |

mod check;
mod clocked;
mod driver;
mod operand_planes;
mod result_planes;
mod sequences;

pub(crate) use check::Lanes;
pub(crate) use clocked::ClockedLanes;
pub(crate) use operand_planes::Feed;
pub(crate) use result_planes::SAMPLED;
pub(crate) use sequences::{LaneDevice, SequenceLanes};
