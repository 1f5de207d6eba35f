//! The loop over a plan's vectors: on all cores, in parts, resumable.
//!
//! | file | what it holds |
//! |---|---|
//! | `verify.rs` | [`verify`]: one unit against the golden model |
//! | `portion.rs` | [`Portion`] and [`Shard`]: which part of a plan a run checks, in which chunks |
//! | `chunks.rs` | the loop over the chunks, on all cores |
//! | `ledger.rs`, `campaign.rs` | what a run has checked so far, and how a later run resumes it |

pub(crate) mod campaign;
pub(crate) mod chunks;
pub(crate) mod ledger;
pub(crate) mod portion;
mod verify;

pub use campaign::{circuit_identity, identity, joint_identity};
pub use portion::{Portion, PortionError, Shard};
pub(crate) use verify::describe;
pub use verify::{Hang, Run, Watchdog, identity_of, resumable, verify};
