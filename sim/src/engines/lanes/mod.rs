//! A unit as gates (`binade-gates`) against the golden model, many vectors at a time. No external tool is needed.
//!
//! | file | what it holds |
//! |---|---|
//! | `operand_planes.rs` | the vectors of a plan as planes |
//! | `result_planes.rs` | the right answers as planes |
//! | `check.rs`, `clocked.rs` | the gates against the golden model, without and with registers |
//! | `sequences.rs` | those of a unit with state |
//! | `driver.rs` | what drives clocked gates |

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
