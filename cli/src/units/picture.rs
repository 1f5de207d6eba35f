//! The ports of a unit as a picture: operands, the unit, results.

use binade_spec::Port;

/// Operands on the left, results on the right, each with its width; ports with several lanes show lanes x bits.
pub fn picture(unit: &str, inputs: &[Port], outputs: &[Port]) -> String {
    let [inputs, outputs] = [inputs, outputs].map(|ports| ports.iter().map(label).collect::<Vec<_>>());
    let rows = inputs.len().max(outputs.len());
    let width = inputs.iter().map(String::len).max().unwrap_or(0);
    let edge = format!("{}+-{}-+", " ".repeat(width + 5), "-".repeat(unit.len()));
    let name = [unit.to_string()];
    let row = |row| {
        let input = placed(&inputs, rows, row).map_or(" ".repeat(width + 5), |label| format!(" {label:width$} -->"));
        let name = placed(&name, rows, row).map_or(" ".repeat(unit.len()), String::clone);
        let output = placed(&outputs, rows, row).map_or(String::new(), |label| format!("--> {label}"));
        format!("{input}| {name} |{output}")
    };
    let middle = (0..rows).map(row);
    [edge.clone()].into_iter().chain(middle).chain([edge]).collect::<Vec<_>>().join("\n")
}

fn label(port: &Port) -> String {
    match port.lanes {
        1 => format!("{} {}", port.name, port.width()),
        lanes => format!("{} {lanes}x{}", port.name, port.lane_width()),
    }
}

/// The label for a row; labels are centred vertically.
fn placed(labels: &[String], rows: usize, row: usize) -> Option<&String> {
    let above = (rows - labels.len()) / 2;
    row.checked_sub(above).and_then(|at| labels.get(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::{Format, WordKind};

    #[test]
    fn ports_stand_beside_the_unit() {
        let lanes = Port { lanes: 4, ..Port::code("a", Format::binary16()) };
        let inputs = [
            lanes,
            Port::word("clear", 1, WordKind::Bit("the old sum is ignored")),
            Port::code("c", Format::binary32()),
        ];
        let text = picture("sum", &inputs, &[Port::code("y", Format::binary32())]);
        let lines = [
            "            +-----+",
            " a 4x16  -->|     |",
            " clear 1 -->| sum |--> y 32",
            " c 32    -->|     |",
            "            +-----+",
        ];
        assert_eq!(text, lines.join("\n"));
    }
}
