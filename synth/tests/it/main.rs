//! Tests of the pinned Yosys and nextpnr, in one program: it links once.

mod pinned;
mod routed;
