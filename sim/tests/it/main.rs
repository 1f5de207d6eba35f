//! Tests of circuits and engines as a whole, in one program: it links once.

mod accumulate;
mod cells;
mod clocked_mutations;
mod common;
mod coverage_plans;
mod coverage_rules;
mod dot;
mod failures;
mod functions;
mod issue_formats;
mod lanes;
mod lint;
mod mac;
mod machines;
mod mutate;
mod mutations;
mod outputs;
mod pipelines;
mod posits;
mod small_formats;
mod specified;
mod state;
mod update;
mod verilator;
mod whole_family;
mod wide_formats;
