//! Random formats of each family.

use crate::draw::Draw;
use binade_spec::known_formats;

/// The names of each family's formats.
const FAMILIES: [fn(&mut Draw) -> String; 14] = [
    |draw| encoding(draw, ""),
    |draw| encoding(draw, "n"),
    |draw| encoding(draw, "ns"),
    |draw| encoding(draw, "fn"),
    |draw| encoding(draw, "f"),
    supernormal,
    p3109,
    posit,
    bounded_posit,
    |draw| format!("takum_linear{}", draw.between(6, 14)),
    fixed,
    integer,
    |_| "dlfloat16".into(),
    |_| "e8m0".into(),
];

/// Listed formats are drawn up to this width.
const MOST_BITS: u32 = 32;

impl Draw {
    /// A random format name: mostly a small format of any family, possibly scaled, else one that `binade formats` lists. Sometimes no such
    /// format exists.
    pub fn format(&mut self) -> String {
        if self.is_one_in(6) {
            let known = known_formats().into_iter().map(|(format, _)| format);
            let known: Vec<String> =
                known.filter(|format| format.width() <= MOST_BITS).map(|format| format.to_string()).collect();
            return self.one_of(&known).clone();
        }
        let family = *self.one_of(&FAMILIES);
        let name = family(self);
        if self.is_one_in(10) { format!("{name},scale=2^{}", self.between(0, 18) as i32 - 9) } else { name }
    }
}

fn encoding(draw: &mut Draw, suffix: &str) -> String {
    format!("e{}m{}{suffix}", draw.between(2, 6), draw.between(0, 5))
}

fn supernormal(draw: &mut Draw) -> String {
    let below = format!("b{}", draw.between(1, 4));
    let above = if draw.is_one_in(3) { format!("u{}", draw.between(0, 4)) } else { String::new() };
    let saturating = if draw.is_one_in(4) { ",sat" } else { "" };
    encoding(draw, &format!("{below}{above}{saturating}"))
}

fn p3109(draw: &mut Draw) -> String {
    let bits = draw.between(3, 9);
    let domain = draw.one_of(&["se", "sf", "ue", "uf"]);
    let subnormals = if draw.is_one_in(4) { "ns" } else { "" };
    format!("k{bits}p{}{domain}{subnormals}", draw.between(1, bits - 1))
}

fn posit(draw: &mut Draw) -> String {
    format!("posit{}_{}", draw.between(3, 10), draw.between(0, 3))
}

fn bounded_posit(draw: &mut Draw) -> String {
    let bits = draw.between(4, 12);
    format!("bposit{bits}_{}_{}", draw.between(2, bits - 2), draw.between(0, 5))
}

fn fixed(draw: &mut Draw) -> String {
    let bits = draw.between(2, 12);
    format!("{}fixed{bits}_{}", sign(draw), draw.between(0, bits))
}

fn integer(draw: &mut Draw) -> String {
    format!("{}int{}", sign(draw), draw.between(2, 12))
}

/// Randomly the prefix `u` of an unsigned format, or no prefix.
fn sign(draw: &mut Draw) -> &'static str {
    if draw.is_one_in(2) { "u" } else { "" }
}
