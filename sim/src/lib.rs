//! Runs a generated unit and checks it against the golden model.

pub mod verilator;
