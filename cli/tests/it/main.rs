//! Tests of the program `binade`, in one program: it links once.

mod against;
mod cache;
mod campaigns;
mod common;
mod coverage;
mod docs;
mod dut;
mod explain;
mod explore;
mod faults;
mod formats;
mod fuzz;
mod generate;
mod known;
mod liberty;
mod measurements;
mod numbers;
mod prove;
mod quality;
mod report;
mod routed;
mod suites;
mod texts;
mod transcripts;
mod units;
mod vectors;
