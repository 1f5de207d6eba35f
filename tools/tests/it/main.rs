//! Tests of the pinned tools, in one program: it links once.

mod pinned;
