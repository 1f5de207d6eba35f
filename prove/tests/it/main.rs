//! Right units are proven, and broken ones are not.

mod broken;
mod families;
mod iterated;
mod registers;
#[cfg(feature = "second-solver")]
mod second;
mod smt;
mod state;
mod whole;
