//! The common part of the names of one thing in several places: `product_0_sign` and `product_1_sign` give `product_sign`.

/// The name if there is no common part.
pub const ANY: &str = "x";

/// The words that all names have at the same place; for names of different lengths, those at the beginning and at the
/// end.
pub fn common_name<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<Vec<&str>> = names.into_iter().map(|name| name.split('_').collect()).collect();
    let first = &names[0];
    if names.len() == 1 {
        return first.join("_");
    }
    let mut kept: Vec<&str> = if names.iter().all(|name| name.len() == first.len()) {
        let is_common = |at: &usize| names.iter().all(|name| name[*at] == first[*at]);
        (0..first.len()).filter(is_common).map(|at| first[at]).collect()
    } else {
        let shortest = names.iter().map(Vec::len).min().unwrap_or(0);
        let begin = (0..shortest).take_while(|&at| names.iter().all(|name| name[at] == first[at])).count();
        let back = |name: &[&'a str], at: usize| name[name.len() - 1 - at];
        let is_common_back = |at: &usize| names.iter().all(|name| back(name, *at) == back(first, *at));
        let end = (0..shortest - begin).take_while(is_common_back).count();
        [&first[..begin], &first[first.len() - end..]].concat()
    };
    kept.dedup();
    let begins_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    match kept.iter().position(begins_name) {
        Some(begin) => kept[begin..].join("_"),
        None => ANY.into(),
    }
}

/// The same for titles and comments, word by word; the first text if they differ in the number of words.
pub fn common_text(texts: &[&str]) -> String {
    let split: Vec<Vec<&str>> = texts.iter().map(|text| text.split(' ').collect()).collect();
    if split.iter().any(|words| words.len() != split[0].len()) {
        return texts[0].into();
    }
    let word = |at: usize| {
        let is_same = split.iter().all(|words| words[at] == split[0][at]);
        if is_same { split[0][at].to_string() } else { common_name(split.iter().map(|words| words[at])) }
    };
    (0..split[0].len()).map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_pieces_apart_is_left_out() {
        assert_eq!(common_name(["product_0_sign", "product_1_sign"]), "product_sign");
        assert_eq!(common_name(["a_0_is_above_3", "b_0_is_above_3"]), "is_above_3");
        assert_eq!(common_name(["c_sign", "a_2_sign"]), "sign");
        assert_eq!(common_name(["product_0_product_is_nan", "product_11_product_is_nan"]), "product_is_nan");
        assert_eq!(common_name(["product_0_exponent", "product_1_2_exponent"]), "product_exponent");
        assert_eq!(common_name(["guard", "guard_2", "guard_3"]), "guard");
        assert_eq!(common_name(["guard_s1", "guard_2_s1"]), "guard_s1");
        assert_eq!(common_name(["a_0", "b_0"]), "x");
        assert_eq!(common_name(["sum_1"]), "sum_1");
        assert_eq!(common_text(&["Unpack a_0 (e5m2)", "Unpack a_1 (e5m2)"]), "Unpack a (e5m2)");
        assert_eq!(common_text(&["Align", "Align the second"]), "Align");
    }
}
