//! Published test vectors: reads their files and checks golden model and RTL against them.
//!
//! | file | what it holds |
//! |---|---|
//! | `case.rs` | [`ConformCase`]: the operation that a file's vectors test, and how its columns map to the unit's ports |
//! | `claim.rs` | [`Claim`]: one vector of a file; [`Syntax`]: how a line is read |
//! | `flags.rs` | [`Flags`]: the five exception flags of IEEE 754 |
//! | `testfloat.rs` | lines of Berkeley TestFloat's `testfloat_gen`, read and written, and the names of its functions |
//! | `fptest.rs` | the test cases of IBM's FPgen |
//! | `p3109.rs` | the value tables of IEEE P3109 |
//! | `table.rs` | tables of codes separated by commas |
//! | `responder.rs` | [`Responder`]: the RTL, in some engine |
//! | `response.rs` | results and flags of golden model or RTL, as they appear in a file |
//! | `judge.rs` | [`JudgedCase`]: compares golden model and RTL with the claims of a file |
//! | `difference.rs` | [`Difference`]: a claim that one of the two does not meet, explained |

mod case;
mod claim;
mod difference;
mod flags;
mod fptest;
mod judge;
mod p3109;
mod responder;
mod response;
mod table;
mod testfloat;

pub use case::{Answer, CaseError, ConformCase};
pub use claim::{Claim, ClaimLine, Codes, Syntax};
pub use difference::Difference;
pub use flags::Flags;
pub use fptest::Fptest;
pub use judge::{JudgedCase, Tally};
pub use p3109::{P3109Table, table_format};
pub use responder::Responder;
pub use table::Table;
pub use testfloat::{TestFloat, TestFloatFunction, testfloat_line};
