//! Reports as pages: each is one self-contained HTML file that works offline.
//!
//! A [`Page`] has sections; a section has text, plots and tables. Each [`Plot`] is drawn twice from the same data: as a Vega-Lite
//! specification, which scripts in the page make interactive, and as SVG, which is shown without scripts. The numbers of a plot follow
//! below it as a [`Table`].
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
//! | `page.rs` | [`Page`]: sections with text, plots and tables |
//! | `html.rs`, `templates/page.html` | a page as one HTML file |
//! | `plot.rs` | [`Plot`]: what a plot shows |
//! | `vega.rs`, `svg.rs` | the two ways to draw it |
//! | `formats/` | values, regions and accuracy of formats, and their page |
//! | `tensor/` | arrays of numbers in files, the errors of formats on them, and their page |
//! | `papers/` | figures printed in papers compared with the golden model, and their page |
//! | `units.rs` | the page of the cost of units |
//! | `function.rs` | the page of a function |
//! | `errors.rs` | [`ErrorFigures`]: the errors of numbers in a format |

#[cfg(not(target_family = "wasm"))]
mod errors;
pub mod formats;
pub mod function;
#[cfg(not(target_family = "wasm"))]
mod html;
mod page;
pub mod papers;
mod plot;
#[cfg(not(target_family = "wasm"))]
mod svg;
pub mod tensor;
pub mod units;
mod vega;

#[cfg(not(target_family = "wasm"))]
pub use errors::ErrorFigures;
#[cfg(not(target_family = "wasm"))]
pub use html::closed;
pub use page::{Data, Figure, Page, Section, Table};
pub use plot::{Axis, AxisKind, Datum, Mark, Plot, Series};

/// The style of pages, light and dark.
#[cfg(not(target_family = "wasm"))]
pub const STYLE: &str = include_str!("../templates/style.css");

/// The script that draws plots. It sets `plots`; `plots.draw(figure)` uses Vega-Embed (`window.vegaEmbed`).
#[cfg(not(target_family = "wasm"))]
pub const PLOTS: &str = include_str!("../templates/plots.js");
