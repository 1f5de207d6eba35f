//! The page of arrays.

use super::survey::Survey;
use super::{Analysis, BLOCK, Errors, Judgement, Measured};
use crate::formats::{RegionKind, regions};
use crate::{Axis, Datum, Figure, Mark, Page, Plot, Section, Series, Table};
use binade_spec::Format;

/// The three ways to scale, as named on the page.
const WAYS: [&str; 3] = ["as it is", "best scale", "scale per block (OCP)"];

/// The most arrays in a table.
const MOST_ARRAYS: usize = 200;

/// The page about the arrays of a file.
pub fn page(analysis: &Analysis, file: &str, command: &str) -> Page {
    let mut sections = vec![accuracy(analysis), exponents(analysis), losses(analysis)];
    if analysis.arrays.len() > 1 {
        sections.push(each_array(analysis));
    }
    Page { title: format!("Formats for {file}"), lead: lead(analysis), command: command.into(), sections }
}

fn lead(analysis: &Analysis) -> String {
    let Survey { elements, zeros, nans, infinities, largest, smallest, .. } = &analysis.survey;
    let what = match analysis.arrays.as_slice() {
        [only] => format!("`{}` ({}, {})", only.array.name, shape(&only.array.shape), only.array.element),
        several => format!("{} arrays", several.len()),
    };
    let magnitudes = match zeros + nans + infinities {
        others if others == *elements => String::new(),
        _ => format!("; magnitudes from {smallest:.4e} to {largest:.4e}"),
    };
    format!(
        "{what}: {elements} elements, {zeros} of them zero, {nans} NaN, {infinities} infinite{magnitudes}. {}",
        verdict(analysis)
    )
}

/// Which narrow format preserves the numbers best.
fn verdict(analysis: &Analysis) -> String {
    let best = |errors: fn(&Judgement) -> &Errors| {
        let decibels = |judgement: &&Judgement| errors(judgement).sqnr_db().unwrap_or(f64::INFINITY);
        let best = analysis.judgements.iter().max_by(|a, b| decibels(a).total_cmp(&decibels(b)))?;
        Some((best.format, errors(best)))
    };
    match best(|of| &of.plain).zip(best(|of| &of.scaled)) {
        None => String::new(),
        Some(((_, plain), _)) if plain.numbers == 0 => {
            "No element is a finite number, so no format has an error.".into()
        }
        Some(((plain, a), (scaled, b))) => format!(
            "Of these formats {plain} keeps most of it as it is ({}), and {scaled} with a scale ({}).",
            a.sqnr_text(),
            b.sqnr_text()
        ),
    }
}

fn shape(axes: &[u64]) -> String {
    if axes.is_empty() { "one number".into() } else { axes.iter().map(u64::to_string).collect::<Vec<_>>().join(" x ") }
}

fn decibels(errors: &Errors) -> String {
    errors.sqnr_text().trim_end_matches(" dB").into()
}

fn percent(share: f64) -> String {
    match share {
        0.0 => "0".into(),
        share if share < 1e-4 => format!("{:.1e} %", 100.0 * share),
        share => format!("{:.2} %", 100.0 * share),
    }
}

fn ways(judgement: &Judgement) -> [&Errors; 3] {
    [&judgement.plain, &judgement.scaled, &judgement.blocks]
}

fn accuracy(analysis: &Analysis) -> Section {
    let point = |way: usize| {
        let datum = move |(row, judgement): (usize, &Judgement)| {
            let sqnr = ways(judgement)[way].sqnr_db()?;
            Some(Datum::at(sqnr, row as f64).with_note(format!("{sqnr:.2} dB")))
        };
        let data: Vec<Datum> = analysis.judgements.iter().enumerate().filter_map(datum).collect();
        Series { name: WAYS[way].into(), mark: Mark::Points, data }
    };
    let said = |judgement: &Judgement| format!("{} {}", judgement.format, ways(judgement).map(decibels).join(", "));
    let all: Vec<String> = analysis.judgements.iter().map(said).collect();
    let plot = Plot {
        title: "Signal to quantization noise".into(),
        description: format!(
            "Signal-to-quantization-noise ratio in dB unscaled, with the best scale, and with a scale per block: {}.",
            all.join("; ")
        ),
        x: Axis::linear("SQNR in dB: more is better"),
        y: Axis::names("format", analysis.judgements.iter().map(|judgement| judgement.format.to_string()).collect()),
        height: 36 * analysis.judgements.len() as u32 + 40,
        series: (0..3).map(point).collect(),
    };
    let rows = analysis.judgements.iter().flat_map(|judgement| {
        WAYS.iter().zip(ways(judgement)).enumerate().map(|(way, (name, errors))| {
            vec![
                judgement.format.to_string(),
                judgement.format.width().to_string(),
                (*name).into(),
                scale_of(judgement, way),
                decibels(errors),
                format!("{:.4e}", errors.mse()),
                format!("{:.4}", errors.max_relative_error),
            ]
        })
    });
    let columns = ["format", "bits", "scaled", "scale", "SQNR in dB", "MSE", "max relative error"];
    let table = Table::new("Errors of each format", &columns, rows.collect());
    let text = vec![
        "Each number is rounded to the nearest value of the format; numbers beyond the largest value become that value. SQNR is the sum of \
         the squared numbers divided by the sum of the squared errors. A relative error of 1 belongs to a number that became zero."
            .into(),
        format!(
            "The best scale is the power of two with the smallest squared error over a sample of up to 512 numbers per binade; numbers are \
             multiplied by it, rounded, and divided again. A block is {BLOCK} consecutive numbers of the file, which share a scale of OCP's \
             rule (`mx-quantize --scale e8m0 --scale-rule floor`): a power of two that moves the largest of them to the highest binade of the \
             format. In tapered formats that binade has the fewest significand bits."
        ),
    ];
    Section { title: "Which format".into(), text, tables: vec![], figures: vec![Figure { plot, table }] }
}

fn scale_of(judgement: &Judgement, way: usize) -> String {
    match (way, judgement.scale) {
        (0, _) => "1".into(),
        (1, Some(scale)) => format!("2^{scale}"),
        (1, None) => "of each array".into(),
        (_, _) => format!("of each {BLOCK}"),
    }
}

fn exponents(analysis: &Analysis) -> Section {
    let filled = analysis.survey.filled();
    let finite = analysis.survey.elements - analysis.survey.nans - analysis.survey.infinities;
    let share = |count: u64| 100.0 * count as f64 / finite.max(1) as f64;
    let (first, last) = match (filled.first(), filled.last()) {
        (Some((first, _)), Some((last, _))) => (*first, *last),
        (_, _) => (0, 0),
    };
    let domain = Some([f64::from(first - 2), f64::from(last + 3)]);
    let x = Axis { domain, ..Axis::powers_of_two("magnitude") };
    let bar = |&(exponent, count): &(i32, u64)| {
        let from = f64::from(exponent);
        Datum { y: share(count), ..Datum::bar(from, from + 1.0, 0.0) }
            .with_note(format!("2^{exponent}: {:.3} %", share(count)))
    };
    let most = filled.iter().max_by_key(|(_, count)| *count).map_or(0, |(exponent, _)| *exponent);
    let data: Vec<Datum> = filled.iter().filter(|(_, count)| *count > 0).map(bar).collect();
    let highest = data.iter().map(|datum| datum.y).fold(1e-9, f64::max);
    let histogram = Plot {
        title: "Numbers in each binade".into(),
        description: format!(
            "Share of the finite numbers in each binade from 2^{first} to 2^{last}; the fullest binade is that of 2^{most}."
        ),
        x: x.clone(),
        y: Axis { domain: Some([0.0, 1.05 * highest]), ..Axis::linear("% of finite numbers") },
        height: 220,
        series: vec![Series { name: "numbers".into(), mark: Mark::Columns, data }],
    };
    let rows = filled
        .iter()
        .map(|(exponent, count)| vec![format!("2^{exponent}"), count.to_string(), format!("{:.4}", share(*count))]);
    let table = Table::new("Numbers in each binade", &["from", "numbers", "% of finite"], rows.collect());
    let formats: Vec<Format> = analysis.judgements.iter().map(|judgement| judgement.format).collect();
    let text = vec![
        "Below the histogram are the magnitudes that each format covers without a scale; a scale moves its bar to the left or right.".into(),
    ];
    let figures = vec![Figure { plot: histogram, table }, covered(&formats, x)];
    Section { title: "Magnitudes".into(), text, tables: vec![], figures }
}

/// The regions of the formats within the magnitudes that occur.
fn covered(formats: &[Format], x: Axis) -> Figure {
    let [low, high] = x.domain.expect("the axis has a domain");
    let empty = |kind: RegionKind| Series { name: kind.to_string(), mark: Mark::Ranges, data: vec![] };
    let mut series = RegionKind::ALL.map(empty);
    let mut rows = vec![];
    for (row, format) in formats.iter().enumerate() {
        for region in regions(format) {
            let [from, to] = region.reach(format);
            rows.push(vec![format.to_string(), region.kind.to_string(), format!("2^{from:.2}"), format!("2^{to:.2}")]);
            let (from, to) = (from.clamp(low, high), next_reach(format, region.codes[1], to).clamp(low, high));
            if from < to {
                let bar = Datum::bar(from, to, row as f64).with_note(bits(region.precision, region.kind));
                series[region.kind as usize].data.push(bar);
            }
        }
    }
    let plot = Plot {
        title: "The magnitudes that each format covers".into(),
        description: "A bar for each format over the magnitudes that it covers, by region.".into(),
        x,
        y: Axis::names("format", formats.iter().map(Format::to_string).collect()),
        height: 36 * formats.len() as u32 + 30,
        series: series.into_iter().filter(|series| !series.data.is_empty()).collect(),
    };
    Figure { plot, table: Table::new("Regions of each format", &["format", "region", "from", "to"], rows) }
}

fn bits(precision: u32, kind: RegionKind) -> String {
    format!("{kind}, {precision} significand bit{}", if precision == 1 { "" } else { "s" })
}

/// log2 of the value after a code, if there is one.
fn next_reach(format: &Format, code: u128, otherwise: f64) -> f64 {
    let next = regions(format).into_iter().find(|region| region.codes[0] == code + 1);
    next.map_or(otherwise, |region| region.reach(format)[0])
}

fn losses(analysis: &Analysis) -> Section {
    let zeros = analysis.survey.zeros;
    let rows = analysis.judgements.iter().flat_map(|judgement| {
        WAYS.iter().zip(ways(judgement)).map(move |(name, errors)| {
            let Errors { flushed, below_full_precision, overflows, .. } = *errors;
            let [zero, flushed, below, beyond] =
                [zeros, flushed, below_full_precision, overflows].map(|count| percent(errors.share(count)));
            let format = judgement.format;
            vec![format.to_string(), (*name).into(), zero, flushed, below, kind_below(&format), beyond]
        })
    });
    let columns =
        ["format", "scaled", "zero", "flushed to zero", "below full precision", "which are", "beyond the largest"];
    let table = Table::new("Shares of the finite numbers", &columns, rows.collect());
    let text = vec![
        "Below full precision are nonzero results that are smaller than all values with as many significand bits as the format has.".into(),
    ];
    Section { title: "Losses".into(), text, tables: vec![table], figures: vec![] }
}

/// What a format has below its values of full precision.
fn kind_below(format: &Format) -> String {
    match regions(format).first() {
        Some(region) if region.kind != RegionKind::Full => region.kind.to_string(),
        _ => "none".into(),
    }
}

fn each_array(analysis: &Analysis) -> Section {
    let names: Vec<String> = analysis.judgements.iter().map(|judgement| judgement.format.to_string()).collect();
    let columns: Vec<&str> =
        ["array", "shape", "elements are", "largest"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let row = |measured: &Measured| {
        let array = &measured.array;
        let first = [
            array.name.clone(),
            shape(&array.shape),
            array.element.to_string(),
            format!("{:.4e}", measured.survey.largest),
        ];
        let cell = |judgement: &Judgement| {
            let scale = judgement.scale.map_or(String::new(), |scale| format!(" at 2^{scale}"));
            format!("{} dB{scale}", decibels(&judgement.scaled))
        };
        first.into_iter().chain(measured.judgements.iter().map(cell)).collect()
    };
    let rows = analysis.arrays.iter().take(MOST_ARRAYS).map(row).collect();
    let caption = "SQNR of each array with its best scale";
    let more = analysis.arrays.len().saturating_sub(MOST_ARRAYS);
    let text =
        if more > 0 { vec![format!("{more} more arrays are not shown; --json has all of them.")] } else { vec![] };
    Section { title: "Each array".into(), text, tables: vec![Table::new(caption, &columns, rows)], figures: vec![] }
}
