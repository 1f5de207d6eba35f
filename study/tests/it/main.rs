//! Studies, beside trainings that are done with the machine's own arithmetic, and what the papers say of them.

mod digits;
mod least_squares;
