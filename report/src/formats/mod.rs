//! The page of formats: ranges, spacing, accuracy, values by code.

mod facts;
mod regions;
mod stretches;

pub use facts::{Facts, short};
pub use regions::{Region, RegionKind, full_precision, regions};
pub use stretches::{Midpoint, Stretch, most_digits, stretches};

use crate::{Axis, Datum, Figure, Mark, Page, Plot, Section, Series, Table};
use binade_golden::{Codec, Codes, Value};
use binade_spec::{Format, Overflow, Rounding};
use stretches::most_digits_of;
pub(crate) use stretches::{log2, value};

/// The widest formats that are shown code by code.
const NARROW: u32 = 8;

/// Of a format with more stretches than this, only every second (or third ..) is drawn, since the teeth would be invisible.
const MOST_STRETCHES: usize = 600;

/// The page about these formats.
pub fn page(formats: &[Format], command: &str) -> Page {
    let names: Vec<String> = formats.iter().map(Format::to_string).collect();
    let mut sections = vec![overview(formats), ranges(formats), accuracy(formats)];
    sections.extend(values(formats));
    sections.push(specials(formats));
    Page {
        title: format!("Formats: {}", names.join(", ")),
        lead: "The range of these number formats, the distances between their values, and the decimal digits that survive rounding. \
               All values are those of the golden model."
            .into(),
        command: command.into(),
        sections,
    }
}

fn overview(formats: &[Format]) -> Section {
    let columns = [
        "format",
        "bits",
        "precision",
        "smallest",
        "full precision from",
        "to",
        "largest",
        "decades",
        "most digits",
        "finite codes",
        "infinities",
        "NaNs",
    ];
    let row = |format: &Format| {
        let Facts {
            name, bits, precision, smallest, full_precision, largest, decades, finite, infinities, nans, ..
        } = Facts::new(format);
        let [from, to] = full_precision;
        vec![
            name,
            bits.to_string(),
            precision.to_string(),
            smallest,
            from,
            to,
            largest,
            format!("{decades:.1}"),
            format!("{:.2}", most_digits(format)),
            finite.to_string(),
            infinities.to_string(),
            nans.to_string(),
        ]
    };
    let caption = "Formats: precision in significand bits, decades from the smallest value to the largest";
    let table = Table::new(caption, &columns, formats.iter().map(row).collect());
    let mut text = vec![
        "Values of full precision have all significand bits. Below them, floating-point formats have subnormals, supernormal formats \
         powers of two, and posits longer regimes; all but ordinary floating-point formats have the same above them."
            .into(),
    ];
    text.extend(formats.iter().map(|format| format!("{format}: {}.", format.summary())));
    Section { title: "Overview".into(), text, tables: vec![table], figures: vec![] }
}

/// The rows of a plot with one row per format.
fn rows(formats: &[Format]) -> Axis {
    Axis::names("format", formats.iter().map(Format::to_string).collect())
}

fn ranges(formats: &[Format]) -> Section {
    let mut series: Vec<Series> = vec![];
    for kind in RegionKind::ALL {
        let data: Vec<Datum> = each_region(formats)
            .filter(|(_, _, region)| region.kind == kind)
            .map(|(row, format, region)| bar(row, format, &region))
            .collect();
        if !data.is_empty() {
            series.push(Series { name: kind.to_string(), mark: Mark::Ranges, data });
        }
    }
    let plot = Plot {
        title: "Range by region".into(),
        description: format!("A bar for each format from its smallest to its largest magnitude. {}", reaches(formats)),
        x: Axis::powers_of_two("magnitude"),
        y: rows(formats),
        height: 40 * formats.len() as u32 + 30,
        series,
    };
    let columns = ["format", "region", "significand bits", "from", "to", "codes"];
    let row = |(_, format, region): (usize, &Format, Region)| {
        let [from, to] = region.codes.map(|code| short(format.decode(format.code(false, code))));
        let [first, last] = region.codes.map(|code| format.hex(format.code(false, code)));
        let bits = if region.kind == RegionKind::Subnormal {
            format!("1 to {}", region.precision)
        } else {
            region.precision.to_string()
        };
        vec![format.to_string(), region.kind.to_string(), bits, from, to, format!("{first} to {last}")]
    };
    let table = Table::new("Regions of each format", &columns, each_region(formats).map(row).collect());
    Section {
        title: "Range".into(),
        text: vec!["Magnitudes above zero; signed formats have the same values below zero.".into()],
        tables: vec![],
        figures: vec![Figure { plot, table }],
    }
}

fn reaches(formats: &[Format]) -> String {
    let reach = |format: &Format| {
        let [low, high] = [format.smallest_code(), format.largest_code()].map(|code| short(format.decode(code)));
        format!("{format} from {low} to {high}")
    };
    formats.iter().map(reach).collect::<Vec<_>>().join("; ") + "."
}

fn each_region(formats: &[Format]) -> impl Iterator<Item = (usize, &Format, Region)> {
    let of = |(row, format)| regions(format).into_iter().map(move |region| (row, format, region));
    formats.iter().enumerate().flat_map(of)
}

fn bar(row: usize, format: &Format, region: &Region) -> Datum {
    let [low, high] = region.reach(format);
    // A region is drawn up to the next region's first value, and the last one to the largest value.
    let next = region.codes[1] + 1;
    let end = if next <= format.max_code() { log2(value(&Codes::new(*format), next)) } else { high };
    let [from, to] = region.codes.map(|code| short(format.decode(format.code(false, code))));
    let bits = if region.precision == 1 { "1 bit".into() } else { format!("{} bits", region.precision) };
    Datum::bar(low, end, row as f64).with_note(format!("{bits}, {from} to {to}"))
}

pub(crate) fn accuracy(formats: &[Format]) -> Section {
    let all: Vec<(String, Vec<Stretch>)> =
        formats.iter().map(|format| (format.to_string(), stretches(format))).collect();
    let line = |name: &str, data| Series { name: name.into(), mark: Mark::Line, data };
    let digits = all.iter().map(|(name, stretches)| line(name, digits(&drawn(stretches)))).collect();
    let spacing = all.iter().map(|(name, stretches)| line(name, spacing(&drawn(stretches)))).collect();
    let most = |(name, stretches): &(String, Vec<Stretch>)| format!("{name} {:.2}", most_digits_of(stretches));
    let most: Vec<String> = all.iter().map(most).collect();
    let plot = |title: &str, description: String, y, series| Plot {
        title: title.into(),
        description,
        x: Axis::powers_of_two("magnitude"),
        y,
        height: 320,
        series,
    };
    let figures = vec![
        Figure {
            plot: plot(
                "Relative decimal accuracy over magnitude",
                format!("Correct decimal digits in the worst case over the magnitude; at most {}.", most.join(", ")),
                Axis::linear("decimal digits"),
                digits,
            ),
            table: accuracy_table(formats, &all),
        },
        Figure {
            plot: plot(
                "Spacing over magnitude (ulp)",
                "The distance from a value to the next larger one, over the magnitude: lower is finer.".into(),
                Axis::powers_of_two("distance to the next value"),
                spacing,
            ),
            table: spacing_table(&all),
        },
    ];
    let mut text = vec![
        "Relative decimal accuracy is log10(x / (d/2)) for a number x halfway between two neighbours that are d apart: the decimal digits \
         that survive rounding to nearest in the worst case. Defined at a value, with an error of d, it is lower by 0.30."
            .into(),
        "Where neighbours are equidistant it is a straight line over log10(x), so two points draw each stretch exactly. It is 0 \
         at half the smallest value, below which numbers become zero."
            .into(),
    ];
    let thinned = all.iter().filter(|(_, stretches)| stretches.len() > MOST_STRETCHES);
    text.extend(thinned.map(|(name, stretches)| {
        format!(
            "For {name}, one stretch in {} is drawn; the others are similar to their neighbours.",
            each_drawn(stretches)
        )
    }));
    Section { title: "Accuracy".into(), text, tables: vec![], figures }
}

/// At most [`MOST_STRETCHES`] of the stretches, evenly selected.
fn drawn(stretches: &[Stretch]) -> Vec<Stretch> {
    stretches.iter().copied().step_by(each_drawn(stretches)).collect()
}

fn each_drawn(stretches: &[Stretch]) -> usize {
    stretches.len().div_ceil(MOST_STRETCHES)
}

fn digits(stretches: &[Stretch]) -> Vec<Datum> {
    let ends = stretches.iter().flat_map(|stretch| {
        let [first, last] = stretch.ends();
        let count = if first == last { 1 } else { 2 };
        [first, last].into_iter().take(count)
    });
    ends.map(|end| Datum::at(end.log2, end.digits).with_note(format!("{:.2} digits", end.digits))).collect()
}

fn spacing(stretches: &[Stretch]) -> Vec<Datum> {
    let corners = stretches.iter().flat_map(|stretch| stretch.reach().map(|at| (at, stretch.gap)));
    corners
        .map(|(at, gap)| Datum::at(at, log2(gap)).with_note(format!("{} apart", short(Value::Finite(gap)))))
        .collect()
}

/// One row per region: within it all binades are alike, except for subnormals.
fn accuracy_table(formats: &[Format], all: &[(String, Vec<Stretch>)]) -> Table {
    let row = |(row, format, region): (usize, &Format, Region)| {
        let codes = Codes::new(*format);
        let [from, to] = region.codes.map(|code| short(format.decode(format.code(false, code))));
        let [first, last] = region.codes;
        let is_inside = |stretch: &&Stretch| stretch.codes.is_some_and(|[code, _]| (first..=last).contains(&code));
        let digits: Vec<f64> =
            all[row].1.iter().filter(is_inside).flat_map(|stretch| stretch.ends().map(|end| end.digits)).collect();
        let [least, most] = [f64::min, f64::max].map(|of: fn(f64, f64) -> f64| digits.iter().copied().reduce(of));
        let shown = |digits: Option<f64>| digits.map_or(String::new(), |digits| format!("{digits:.2}"));
        let binades = log2(value(&codes, region.codes[1])).floor() - log2(value(&codes, region.codes[0])).floor() + 1.0;
        vec![format.to_string(), region.kind.to_string(), from, to, binades.to_string(), shown(least), shown(most)]
    };
    let columns = ["format", "region", "from", "to", "binades", "least digits", "most digits"];
    Table::new("Relative decimal accuracy by region", &columns, each_region(formats).map(row).collect())
}

/// The most rows per format in a table of stretches.
const MOST_ROWS: usize = 40;

fn spacing_table(all: &[(String, Vec<Stretch>)]) -> Table {
    let mut rows = vec![];
    for (name, stretches) in all {
        let count = stretches.len();
        for (at, stretch) in stretches.iter().enumerate() {
            let [from, to] = stretch.reach();
            if count <= MOST_ROWS || at < MOST_ROWS / 2 || at >= count - MOST_ROWS / 2 {
                let ends = [from, to].map(|log2| format!("2^{}", (log2 * 100.0).round() / 100.0));
                let [from, to] = ends;
                rows.push(vec![name.clone(), from, to, short(Value::Finite(stretch.gap))]);
            } else if at == MOST_ROWS / 2 {
                rows.push(vec![
                    name.clone(),
                    format!("{} more,", count - MOST_ROWS),
                    "one a binade".into(),
                    String::new(),
                ]);
            }
        }
    }
    Table::new("Distance of neighbours", &["format", "from", "to", "apart"], rows)
}

/// Values by code, for narrow formats.
pub(crate) fn values(formats: &[Format]) -> Option<Section> {
    let narrow: Vec<Format> = formats.iter().copied().filter(|format| format.width() <= NARROW).collect();
    if narrow.is_empty() {
        return None;
    }
    let line = Plot {
        title: "Number line".into(),
        description: "Every value above zero of each format of up to 8 bits, as a line at its magnitude.".into(),
        x: Axis::powers_of_two("magnitude"),
        y: rows(&narrow),
        height: 40 * narrow.len() as u32 + 30,
        series: by_kind(&narrow, Mark::Ticks),
    };
    let by_code = Plot {
        title: "Value by code".into(),
        description: "Magnitude over magnitude code, for each format of up to 8 bits. Ordinary binades bend slightly upwards; supernormal \
                      binades are straight and steep, since each of their codes is a power of two."
            .into(),
        x: Axis::linear("magnitude code"),
        y: Axis::powers_of_two("magnitude"),
        height: 360,
        series: curves(&narrow),
    };
    let (first, second) = (codes_table(&narrow), codes_table(&narrow));
    Some(Section {
        title: "Values".into(),
        text: vec![
            "Formats of up to 8 bits, code by code. Supernormal binades are marked with points on the curves.".into(),
        ],
        tables: vec![],
        figures: vec![Figure { plot: line, table: first }, Figure { plot: by_code, table: second }],
    })
}

/// All values, by region.
fn by_kind(formats: &[Format], mark: Mark) -> Vec<Series> {
    let mut series = vec![];
    for kind in RegionKind::ALL {
        let of = |(row, format, region): (usize, &Format, Region)| {
            let format = *format;
            let codes = Codes::new(format);
            (region.codes[0]..=region.codes[1]).map(move |magnitude| {
                let code = format.code(false, magnitude);
                let note = format!("{} is {}", format.hex(code), format.decode(code));
                Datum::at(log2(value(&codes, magnitude)), row as f64).with_note(note)
            })
        };
        let data: Vec<Datum> = each_region(formats).filter(|(_, _, region)| region.kind == kind).flat_map(of).collect();
        if !data.is_empty() {
            series.push(Series { name: kind.to_string(), mark, data });
        }
    }
    series
}

/// A curve for each format, with points at powers of two.
fn curves(formats: &[Format]) -> Vec<Series> {
    let mut series = vec![];
    for format in formats {
        let codes = Codes::new(*format);
        let point = |magnitude: u128| {
            let code = format.code(false, magnitude);
            let note = format!("{} is {}", format.hex(code), format.decode(code));
            Datum::at(magnitude as f64, log2(value(&codes, magnitude))).with_note(note)
        };
        let name = format.to_string();
        let data = (format.min_code()..=format.max_code()).map(point).collect();
        series.push(Series { name: name.clone(), mark: Mark::Line, data });
        let supernormal = regions(format).into_iter().filter(|region| region.kind == RegionKind::PowersOfTwo);
        let data: Vec<Datum> = supernormal.flat_map(|region| (region.codes[0]..=region.codes[1]).map(point)).collect();
        if !data.is_empty() {
            series.push(Series { name, mark: Mark::Points, data });
        }
    }
    series
}

fn codes_table(formats: &[Format]) -> Table {
    let names: Vec<String> = formats.iter().map(Format::to_string).collect();
    let columns: Vec<&str> = ["code"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let most = formats.iter().map(Format::width).max().unwrap_or(0);
    let row = |code: u128| {
        let cell =
            |format: &Format| if code >> format.width() == 0 { format.decode(code).to_string() } else { String::new() };
        let code = format!("0x{code:02x}");
        [code].into_iter().chain(formats.iter().map(cell)).collect()
    };
    Table::new("The value of every code", &columns, (0..1 << most).map(row).collect())
}

fn specials(formats: &[Format]) -> Section {
    let columns = [
        "format",
        "zero",
        "-0",
        "smallest",
        "1",
        "largest",
        "infinity",
        "NaN",
        "below half the smallest",
        "beyond the largest",
    ];
    let row = |format: &Format| {
        let Facts { name, smallest_code, largest_code, .. } = Facts::new(format);
        let one = binade_golden::Exact { negative: false, n: 1, k: 0 };
        let one_code = format.encode(Value::Finite(one), Rounding::Rnu, Overflow::Inf);
        let has_one = format.decode(one_code) == Value::Finite(one);
        let none = || "none".to_string();
        let code = |code: Option<u128>| code.map_or_else(none, |code| format.hex(code));
        let zero = format.zero_code(false);
        let has_zero = matches!(format.decode(zero), Value::Zero { .. });
        vec![
            name,
            code(has_zero.then_some(zero)),
            code(format.has_minus_zero().then(|| format.zero_code(true))),
            smallest_code,
            code(has_one.then_some(one_code)),
            largest_code,
            code(format.infinity_code()),
            code(format.nan_code()),
            edge(format, format.min_code(), -3),
            edge(format, format.max_code(), 1),
        ]
    };
    let table = Table::new(
        "Codes of special values, and the results for numbers beyond the range",
        &columns,
        formats.iter().map(row).collect(),
    );
    Section {
        title: "Special values".into(),
        text: vec![
            "The last two columns show the results of rounding an eighth of the smallest value and twice the largest one, with the \
             format's default rounding and overflow to infinity if the format has one."
                .into(),
        ],
        tables: vec![table],
        figures: vec![],
    }
}

/// The result of rounding the value of a magnitude code times a power of two.
fn edge(format: &Format, magnitude: u128, power: i32) -> String {
    let exact = value(&Codes::new(*format), magnitude);
    let far = Value::Finite(binade_golden::Exact { k: exact.k + power, ..exact });
    short(format.decode(format.encode(far, format.default_rounding(), Overflow::Inf)))
}
