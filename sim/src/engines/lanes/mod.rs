//! A unit as gates (`binade-gates`) against the golden model, many vectors at a time. No external tool is needed.
//!
//! | file | what it holds |
//! |---|---|
//! | `feed.rs` | the vectors of a plan as planes |
//! | `wanted.rs` | the right answers as planes |
//! | `check.rs`, `clocked.rs` | the gates against the golden model, without and with registers |
//! | `sequences.rs` | those of a unit with state |
//! | `driver.rs` | what drives clocked gates |

mod check;
mod clocked;
mod driver;
mod feed;
mod sequences;
mod wanted;

pub(crate) use check::Lanes;
pub(crate) use clocked::ClockedLanes;
pub(crate) use feed::Feed;
pub(crate) use sequences::{LaneDevice, SequenceLanes};
pub(crate) use wanted::SAMPLED;
