//! Operations given by words, for bindings to other languages.

use binade_spec::{Formats, Operation, Selection, Setting, Unit};
use std::collections::BTreeMap;

/// The operation given by a unit, a format (if the unit has one) and settings by key, with the same words as on the command line.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let settings = BTreeMap::from([("round".to_string(), "rtz".to_string())]);
/// let operation = binade_arrays::operation("mul", Some("e5m2"), &settings)?;
/// assert_eq!(operation.module_name(), "mul_e5m2_rtz");
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// A message for the user that says what is expected.
pub fn operation(unit: &str, format: Option<&str>, settings: &BTreeMap<String, String>) -> Result<Operation, String> {
    selection(unit, format, settings)?.operation().map_err(to_string)
}

/// The dot product of `products` products that these settings of `dot` choose. A unit has up to 64; in arrays there may be more.
///
/// # Errors
/// A message for the user that says what is expected.
pub fn dot_of(products: u32, format: &str, settings: &BTreeMap<String, String>) -> Result<Operation, String> {
    if !(1..=MOST_PRODUCTS).contains(&products) {
        return Err(format!("an element is the sum of 1 to {MOST_PRODUCTS} products, not of {products}"));
    }
    if settings.contains_key("lanes") {
        return Err("lanes: the shapes of the arrays say how many products there are".to_string());
    }
    let selection = selection("dot", Some(format), settings)?;
    Selection { lanes: Some(products), ..selection }.operation().map_err(to_string)
}

/// The most products of an element of a matrix product.
const MOST_PRODUCTS: u32 = 1 << 16;

fn selection(unit: &str, format: Option<&str>, settings: &BTreeMap<String, String>) -> Result<Selection, String> {
    let unit: Unit = unit.parse().map_err(|error| format!("unit {unit:?}: {error}"))?;
    let format: Option<Formats> = format.map(str::parse).transpose().map_err(to_string)?;
    let mut selection = Selection::with_formats(unit, unit.format_or_none(format).map_err(to_string)?);
    for (key, word) in settings {
        let setting = Setting::ALL.into_iter().find(|setting| setting.key() == key);
        let setting = setting.ok_or_else(|| format!("there is no setting {key}; settings are {}", keys()))?;
        selection.set(setting, word).map_err(|error| format!("{key}={word:?}: {error}"))?;
    }
    Ok(selection)
}

fn to_string(error: impl ToString) -> String {
    error.to_string()
}

fn keys() -> String {
    Setting::ALL.map(Setting::key).join(", ")
}
