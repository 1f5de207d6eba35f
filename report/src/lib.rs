//! Reports as pages: one HTML file each, with everything inside, that works offline.
//!
//! A [`Page`] has sections; a section has text, plots and tables. Each [`Plot`] is drawn twice from the same data: as a Vega-Lite
//! specification, which scripts in the page make interactive, and as SVG, which is seen where there is no script. The numbers
//! behind a plot stand below it as a [`Table`].
//!
//! ```
//! use binade_report::formats;
//! use binade_spec::Format;
//!
//! let e5m2: Format = "e5m2".parse()?;
//! let page = formats::page(&[e5m2], "binade report formats e5m2");
//! let html = page.html("/* the script of Vega-Lite */");
//! assert!(html.contains("<title>Formats: e5m2</title>"));
//! # Ok::<(), binade_spec::NameError>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `page.rs`, `templates/page.html` | [`Page`]: sections, made into HTML |
//! | `plot.rs` | [`Plot`]: what a plot shows |
//! | `vega.rs`, `svg.rs` | the two ways to draw it |
//! | `formats/` | values, regions and accuracy of formats, and the page of them |
//! | `tensor/` | arrays of numbers in files, what formats make of them, and the page of it |
//! | `papers/` | what papers print beside what the golden model says, and the page of it |
//! | `units.rs` | what units cost, and the page of it |

pub mod formats;
mod page;
pub mod papers;
mod plot;
mod svg;
pub mod tensor;
pub mod units;
mod vega;

pub use page::{Data, Figure, Page, Section, Table};
pub use plot::{Axis, AxisKind, Datum, Mark, Plot, Series};
