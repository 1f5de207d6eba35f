//! Vectors that others publish: what their files say, and whether golden model and RTL agree with it.
//!
//! | file | what it holds |
//! |---|---|
//! | `case.rs` | [`Case`]: the operation that a file's vectors are of, and how its columns belong to the unit's ports |
//! | `claim.rs` | [`Claim`]: one vector of a file; [`Syntax`]: what reads one |
//! | `flags.rs` | [`Flags`]: the five exception flags of IEEE 754 |
//! | `testfloat.rs` | the lines of Berkeley TestFloat's `testfloat_gen`, read and written, and the names of its functions |
//! | `fptest.rs` | the test cases of IBM's FPgen |
//! | `p3109.rs` | the value tables of IEEE P3109 |
//! | `table.rs` | codes with commas between |
//! | `responder.rs` | [`Responder`]: the RTL, in some engine |
//! | `judge.rs` | [`Subject`]: golden model and RTL on the claims of a file, and what came out |
//! | `difference.rs` | [`Difference`]: a claim that one of the two does not meet, explained |

mod case;
mod claim;
mod difference;
mod flags;
mod fptest;
mod judge;
mod p3109;
mod responder;
mod table;
mod testfloat;

pub use case::{Answer, Case, CaseError};
pub use claim::{Claim, Line, MOST_PORTS, Syntax};
pub use difference::Difference;
pub use flags::Flags;
pub use fptest::Fptest;
pub use judge::{Subject, Tally};
pub use p3109::{P3109Table, table_format};
pub use responder::Responder;
pub use table::Table;
pub use testfloat::{Function, TestFloat, testfloat_line};
