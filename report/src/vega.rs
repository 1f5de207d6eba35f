//! Plots as Vega-Lite specifications. Colors come from the page, which knows whether it is in dark mode.

use crate::{Axis, AxisKind, Datum, Mark, Plot, Series};
use serde_json::{Map, Value, json};

const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v6.json";

/// The opacity of series that are not selected in the legend.
const FADED: f64 = 0.12;

/// The specification of a plot, with its data inside.
pub(crate) fn specification(plot: &Plot) -> Value {
    let mut layers: Vec<Value> = vec![];
    for mark in [Mark::Columns, Mark::Ranges, Mark::Ticks, Mark::Line, Mark::Points, Mark::Labeled] {
        let series: Vec<&Series> = plot.series.iter().filter(|series| series.mark == mark).collect();
        if !series.is_empty() {
            layers.extend(layers_of(plot, mark, &series));
        }
    }
    if let Some(first) = layers.first_mut() {
        first["params"] = params(plot);
    }
    json!({
        "$schema": SCHEMA,
        "description": plot.description,
        "width": "container",
        "height": plot.height,
        "layer": layers,
    })
}

/// The interactions: select in the legend, move along the axes, and zoom with the wheel and the shift key, so that the wheel alone scrolls
/// the page.
fn params(plot: &Plot) -> Value {
    let mut params = vec![];
    if plot.names().len() > 1 {
        params.push(json!({"name": "chosen", "select": {"type": "point", "fields": ["s"]}, "bind": "legend"}));
    }
    let is_named = |axis: &Axis| matches!(axis.kind, AxisKind::Names(_));
    let encodings: Vec<&str> =
        [("x", &plot.x), ("y", &plot.y)].iter().filter(|(_, axis)| !is_named(axis)).map(|(name, _)| *name).collect();
    if !encodings.is_empty() {
        let select = json!({"type": "interval", "encodings": encodings, "zoom": "wheel![event.shiftKey]"});
        params.push(json!({"name": "view", "select": select, "bind": "scales"}));
    }
    params.into()
}

fn layers_of(plot: &Plot, mark: Mark, series: &[&Series]) -> Vec<Value> {
    let values: Vec<Value> =
        series.iter().flat_map(|series| series.data.iter().map(|datum| value(plot, series, datum))).collect();
    let mut encoding = encoding(plot, mark);
    let data = json!({"values": values});
    let layer = |mark: Value, encoding: &Map<String, Value>| json!({"data": data, "mark": mark, "encoding": encoding});
    match mark {
        Mark::Columns => vec![layer(json!({"type": "rect", "aria": false, "tooltip": true}), &encoding)],
        Mark::Ranges => vec![layer(json!({"type": "bar", "aria": false, "height": {"band": 0.55}}), &encoding)],
        Mark::Ticks => vec![layer(json!({"type": "tick", "aria": false, "thickness": 1, "size": 24}), &encoding)],
        Mark::Line => {
            let line = layer(json!({"type": "line", "aria": false, "strokeWidth": 1.5}), &encoding);
            // Invisible points for the pointer to find, hidden from screen readers.
            let found = json!({"type": "point", "aria": false, "opacity": 0, "size": 50});
            encoding.retain(|name, _| !["strokeDash", "order", "opacity"].contains(&name.as_str()));
            vec![line, layer(found, &encoding)]
        }
        Mark::Points => vec![layer(
            json!({"type": "point", "aria": false, "filled": false, "size": 50, "strokeWidth": 2}),
            &encoding,
        )],
        Mark::Labeled => {
            let points = layer(json!({"type": "point", "aria": false, "filled": true, "size": 90}), &encoding);
            encoding.retain(|name, _| ["x", "y", "opacity"].contains(&name.as_str()));
            encoding.insert("text".into(), json!({"field": "n"}));
            let text = json!({"type": "text", "aria": false, "align": "left", "dx": 9, "dy": -8});
            vec![points, layer(text, &encoding)]
        }
    }
}

/// The position, the series (`s`) and the note (`n`) of a datum.
fn value(plot: &Plot, series: &Series, datum: &Datum) -> Value {
    let mut value = Map::new();
    value.insert("s".into(), series.name.as_str().into());
    value.insert("x".into(), place(&plot.x, datum.x));
    if matches!(series.mark, Mark::Ranges | Mark::Columns) {
        value.insert("x2".into(), place(&plot.x, datum.x2));
    }
    value.insert("y".into(), place(&plot.y, datum.y));
    if !datum.note.is_empty() {
        value.insert("n".into(), datum.note.as_str().into());
    }
    Value::Object(value)
}

fn place(axis: &Axis, at: f64) -> Value {
    match &axis.kind {
        AxisKind::Names(names) => names[at as usize].as_str().into(),
        AxisKind::Linear | AxisKind::PowersOfTwo => rounded(at).into(),
    }
}

/// Six digits are more precise than a screen.
fn rounded(number: f64) -> f64 {
    format!("{number:.5e}").parse().expect("a number as it was written")
}

fn encoding(plot: &Plot, mark: Mark) -> Map<String, Value> {
    let names = plot.names();
    let mut encoding = Map::new();
    encoding.insert("x".into(), axis("x", &plot.x));
    encoding.insert("y".into(), axis("y", &plot.y));
    if matches!(mark, Mark::Ranges | Mark::Columns) {
        encoding.insert("x2".into(), json!({"field": "x2"}));
    }
    if mark == Mark::Columns {
        encoding.insert("y2".into(), json!({"datum": 0}));
    }
    let by_series = json!({"field": "s", "type": "nominal", "title": null, "scale": {"domain": names}});
    if names.len() > 1 {
        encoding.insert("opacity".into(), json!({"condition": {"param": "chosen", "value": 1}, "value": FADED}));
        // Lines and points differ in more than color. A legend that is disabled would disable the other too.
        match mark {
            Mark::Line => encoding.insert("strokeDash".into(), by_series.clone()),
            Mark::Points | Mark::Labeled => encoding.insert("shape".into(), by_series.clone()),
            Mark::Ranges | Mark::Ticks | Mark::Columns => None,
        };
        // Points of several series in one row stand one above the other, so that none hides another.
        if mark == Mark::Points && matches!(plot.y.kind, AxisKind::Names(_)) {
            encoding.insert("yOffset".into(), json!({"field": "s", "type": "nominal", "scale": {"domain": names}}));
        }
        encoding.insert("color".into(), by_series);
    }
    if mark == Mark::Line {
        encoding.insert("order".into(), json!({"field": "x", "type": "quantitative"}));
    }
    let tooltip = json!([{"field": "s", "title": "series"}, {"field": "n", "title": "here"}]);
    encoding.insert("tooltip".into(), tooltip);
    encoding
}

fn axis(field: &str, axis: &Axis) -> Value {
    let scale = match axis.domain {
        Some(domain) => json!({"domain": domain, "zero": false, "nice": false}),
        None => json!({"zero": false}),
    };
    match axis.kind {
        AxisKind::Linear => json!({"field": field, "type": "quantitative", "title": axis.title, "scale": scale}),
        AxisKind::PowersOfTwo => json!({
            "field": field, "type": "quantitative", "title": axis.title, "scale": scale,
            "axis": {"labelExpr": "'2^' + datum.value", "tickMinStep": 1},
        }),
        AxisKind::Names(ref names) => json!({
            "field": field, "type": "nominal", "title": null, "sort": null, "scale": {"domain": names},
            "axis": {"labelLimit": 240},
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of two series in a row of names are apart; on an axis of numbers each is at its place.
    #[test]
    fn points_in_one_row_do_not_hide_each_other() {
        let series = |name: &str| Series { name: name.into(), mark: Mark::Points, data: vec![Datum::at(1.0, 0.0)] };
        let plot = |y: Axis| Plot {
            title: String::new(),
            description: String::new(),
            x: Axis::linear("x"),
            y,
            height: 100,
            series: vec![series("one"), series("two")],
        };
        let named = encoding(&plot(Axis::names("y", vec!["row".into()])), Mark::Points);
        assert_eq!(named["yOffset"]["field"], "s");
        assert!(!encoding(&plot(Axis::linear("y")), Mark::Points).contains_key("yOffset"));
    }

    #[test]
    fn numbers_keep_six_digits() {
        assert_eq!(rounded(0.123456789), 0.123457);
        assert_eq!(rounded(-16.0), -16.0);
        assert_eq!(rounded(0.0), 0.0);
    }
}
