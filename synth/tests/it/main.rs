//! Tests of the pinned Yosys, ABC and nextpnr, in one program: it links once.

mod liberty;
mod pinned;
mod routed;
