//! Pictures of words in comments.

/// The widths of the parts of a pictured word such as `| carry | fraction |`, each below its part; 0 for one that is not said.
pub fn widths(picture: &str, bits: &[u32]) -> String {
    let parts = picture.trim_matches('|').split('|');
    let cells = parts.zip(bits).map(|(part, &bits)| {
        let text = if bits == 0 { String::new() } else { bits.to_string() };
        format!("{text:^width$}", width = part.len())
    });
    format!("|{}| bits", cells.collect::<Vec<_>>().join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_stand_below_the_parts() {
        assert_eq!(widths("| carry | fraction | sticky |", &[1, 0, 12]), "|   1   |          |   12   | bits");
    }
}
