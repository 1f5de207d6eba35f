//! Merges the parts of `binade synth` and `binade sweep`.

use super::Arguments;
use crate::failure::Failure;
use crate::output;
use crate::synth::liberty;
use crate::synth::pnr;
use binade_campaign::MeasuredPart;
use binade_synth::liberty::{self as delays, Curve};
use binade_synth::pnr::RoutedReport;
use binade_synth::{MappedReport, csv, pnr as routed, table};

/// Refuses figures of different tools, which cannot be compared.
fn check_tools<Measured>(reports: &[Measured], tools: impl Fn(&Measured) -> Vec<&str>) -> Result<(), Failure> {
    let mut seen: Vec<&str> = reports.iter().flat_map(&tools).collect();
    seen.sort();
    seen.dedup();
    let name = |tool: &str| tool.split(' ').next().unwrap_or_default().to_string();
    match seen.windows(2).find(|pair| name(pair[0]) == name(pair[1])) {
        None => Ok(()),
        Some(pair) => Err(Failure::Usage(format!(
            "some parts were measured with {}, others with {}; only figures of one version can be compared",
            pair[0], pair[1]
        ))),
    }
}

pub fn conclude(whole: &MeasuredPart<MappedReport>, arguments: &Arguments) -> Result<(), Failure> {
    let reports = &whole.reports;
    check_tools(reports, |report| vec![report.tool.as_str()])?;
    output::print(&arguments.text(|| output::plain_json(reports), || csv(reports), || table(reports)))?;
    let (measured, parts) = (output::counted(reports.len(), "measurement"), arguments.files.len());
    output::say(format_args!("{measured} in {}", output::counted(parts, "part")));
    Ok(())
}

pub fn conclude_routed(whole: &MeasuredPart<RoutedReport>, arguments: &Arguments) -> Result<(), Failure> {
    let reports = &whole.reports;
    check_tools(reports, |report| vec![&report.yosys, &report.nextpnr])?;
    output::print(&arguments.text(
        || output::plain_json(reports),
        || routed::csv(reports),
        || routed::tables(reports),
    ))?;
    pnr::conclude(reports);
    Ok(())
}

pub fn conclude_curves(whole: &MeasuredPart<Curve>, arguments: &Arguments) -> Result<(), Failure> {
    let curves = &whole.reports;
    check_tools(curves, |curve| vec![&curve.tool])?;
    output::print(&arguments.text(|| output::plain_json(curves), || delays::csv(curves), || delays::table(curves)))?;
    liberty::conclude(curves);
    Ok(())
}
