//! `binade conform --mutate`: checks whether the vectors of files would catch a bug.

use super::bench::{Engines, Vectors};
use crate::failure::Failure;
use crate::verify::mutate;
use binade_generator::{Design, generate};
use binade_sim::Plan;
use binade_verdict::ModuleOptions;

/// Breaks each unit that the vectors test, or the user's module, in up to `most` ways.
pub fn run(engines: &Engines, vectors: Vec<Vectors>, most: u64, json: bool) -> Result<(), Failure> {
    let mut reports = vec![];
    for (operation, vectors) in joined(vectors) {
        let unit = generate(Design::from(operation));
        let options = engines.user_module.as_ref().map_or_else(ModuleOptions::default, |module| module.options.clone());
        let plan = Plan::of_vectors(&operation, vectors).map_err(|error| Failure::Usage(error.to_string()))?;
        let report = mutate::mutants(engines.tools, (&unit, &options), &plan, most)?;
        report.say_missed();
        reports.push(report);
    }
    mutate::tell(&reports, json)
}

/// Vectors of the same unit from several files together.
fn joined(vectors: Vec<Vectors>) -> Vec<Vectors> {
    let mut joined: Vec<Vectors> = vec![];
    for (operation, vectors) in vectors {
        match joined.iter_mut().find(|(other, _)| *other == operation) {
            Some((_, others)) => others.extend(vectors),
            None => joined.push((operation, vectors)),
        }
    }
    joined
}
