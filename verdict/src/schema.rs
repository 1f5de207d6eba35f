//! Reports as JSON.

use binade_generator::SCHEMA;
use serde::Serialize;

/// A report with the number of its schema in front, as every door of Binade gives it.
#[derive(Serialize)]
pub struct WithSchema<'r, R> {
    schema: u32,
    #[serde(flatten)]
    report: &'r R,
}

impl<'r, R> WithSchema<'r, R> {
    /// The report, which must be an object.
    pub fn new(report: &'r R) -> WithSchema<'r, R> {
        WithSchema { schema: SCHEMA, report }
    }
}
