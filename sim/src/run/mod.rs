//! The loop over a plan's vectors: on all cores, in parts, resumable.
//!
//! | file | what it holds |
//! |---|---|
//! | `setup.rs` | [`Run`]: what a run checks, and how |
//! | `identity.rs` | [`identity`]: what tells runs apart |
//! | `watchdog.rs` | [`Watchdog`]: watches a compiled model |
//! | `verify.rs` | [`verify`]: one unit against the golden model |
//! | `portion.rs` | [`Portion`] and [`Shard`]: which part of a plan a run checks, in which chunks |
//! | `chunks.rs` | the loop over the chunks, on all cores |
//! | `ledger.rs`, `campaign.rs` | what a run has checked so far, and how a later run resumes it |

pub(crate) mod campaign;
pub(crate) mod chunks;
mod identity;
pub(crate) mod ledger;
pub(crate) mod portion;
mod setup;
mod verify;
mod watchdog;

pub use identity::{circuit_identity, identity, identity_of, joint_identity};
pub use portion::{Portion, PortionError, Shard};
pub use setup::Run;
pub(crate) use verify::describe;
pub use verify::{resumable, verify};
pub use watchdog::{Hang, Watchdog};
