//! Words of literals, lowest bit first, and the arithmetic that the specification is written in. It is designed to be
//! read and compared, not to be small.

use binade_gates::{Graph, Literal};

/// A word, the lowest bit first.
pub type Word = Vec<Literal>;

/// The constant literal.
pub fn literal(value: bool) -> Literal {
    if value { Literal::TRUE } else { Literal::FALSE }
}

/// A number in two's complement.
pub fn constant(value: i128, width: usize) -> Word {
    (0..width).map(|place| literal(value >> place.min(127) & 1 == 1)).collect()
}

/// An unsigned number, truncated or zero-extended.
pub fn resized(word: &[Literal], width: usize) -> Word {
    resized_with(word, width, Literal::FALSE)
}

/// A number in two's complement, truncated or sign-extended.
pub fn sign_extended(word: &[Literal], width: usize) -> Word {
    resized_with(word, width, word.last().copied().unwrap_or(Literal::FALSE))
}

fn resized_with(word: &[Literal], width: usize, above: Literal) -> Word {
    let mut word = word.to_vec();
    word.resize(width, above);
    word
}

/// `word * 2^places`.
pub fn raised(word: &[Literal], places: usize) -> Word {
    [vec![Literal::FALSE; places], word.to_vec()].concat()
}

/// Every bit inverted.
pub fn inverted(word: &[Literal]) -> Word {
    word.iter().map(|&bit| !bit).collect()
}

/// `a + b` in the width of the wider one.
pub fn sum(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Word {
    let width = a.len().max(b.len());
    graph.add(&resized(a, width), &resized(b, width), Literal::FALSE).0
}

/// `a - b` of numbers in two's complement, in the width of the wider one.
pub fn difference(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Word {
    let width = a.len().max(b.len());
    graph.add(&sign_extended(a, width), &inverted(&sign_extended(b, width)), Literal::TRUE).0
}

/// `word + value` in two's complement.
pub fn plus(graph: &mut Graph, word: &[Literal], value: i128) -> Word {
    graph.add(word, &constant(value, word.len()), Literal::FALSE).0
}

/// `-word` in two's complement if `condition` is 1.
pub fn negated_if(graph: &mut Graph, condition: Literal, word: &[Literal]) -> Word {
    let inverted: Word = word.iter().map(|&bit| graph.xor(bit, condition)).collect();
    graph.add(&inverted, &constant(0, word.len()), condition).0
}

/// `one` if `select` is 1, else `zero`, as unsigned numbers.
pub fn choose(graph: &mut Graph, select: Literal, one: &[Literal], zero: &[Literal]) -> Word {
    let width = one.len().max(zero.len());
    let pairs = resized(one, width).into_iter().zip(resized(zero, width));
    pairs.map(|(one, zero)| graph.mux(select, one, zero)).collect()
}

/// `a < b` for unsigned numbers.
pub fn is_less(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Literal {
    let width = a.len().max(b.len());
    !graph.add(&resized(a, width), &inverted(&resized(b, width)), Literal::TRUE).1
}

/// `a < b` for numbers in two's complement.
pub fn is_less_signed(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Literal {
    let width = a.len().max(b.len()) + 1;
    let [a, b] = [a, b].map(|word| sign_extended(word, width));
    difference(graph, &a, &b)[width - 1]
}

/// `word < value` for a number in two's complement.
pub fn is_below(graph: &mut Graph, word: &[Literal], value: i128) -> Literal {
    is_less_signed(graph, word, &constant(value, bits_of(value).max(word.len())))
}

/// `low <= word <= high` for a number in two's complement.
pub fn is_within(graph: &mut Graph, word: &[Literal], low: i128, high: i128) -> Literal {
    let (below, up_to_high) = (is_below(graph, word, low), is_below(graph, word, high + 1));
    graph.and(!below, up_to_high)
}

/// `word == value` for a number in two's complement or an unsigned one.
pub fn is_equal(graph: &mut Graph, word: &[Literal], value: i128) -> Literal {
    let wanted = constant(value, word.len());
    let equal: Word = word.iter().zip(wanted).map(|(&bit, wanted)| !graph.xor(bit, wanted)).collect();
    graph.all(&equal)
}

/// 1 where two words of the same width differ.
pub fn differ(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Literal {
    assert_eq!(a.len(), b.len(), "words of one width");
    let differing: Word = a.iter().zip(b).map(|(&a, &b)| graph.xor(a, b)).collect();
    graph.any(&differing)
}

/// The width of a number in two's complement.
pub fn bits_of(value: i128) -> usize {
    (129 - value.max(!value).leading_zeros()) as usize
}

/// How a product is computed. The product does not depend on it; which intermediate gates can be matched does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplier {
    /// One row for every two bits of the second factor, added one after the other.
    Rows,
    /// The same with the factors exchanged.
    RowsExchanged,
    /// One row for every two bits of the second factor, added in pairs.
    Pairs,
    /// One row for each bit of the second factor; three rows are reduced to two (Wallace, 1964).
    Tree,
}

impl Multiplier {
    /// This way, with rows one after the other and `first` exchanged.
    pub fn exchanged(self, first: Multiplier) -> Multiplier {
        match self {
            Multiplier::Rows => first,
            _ if self == first => Multiplier::Rows,
            _ => self,
        }
    }
}

/// The machine word of these bits.
pub fn word_of(bits: &[Literal], value: impl Fn(Literal) -> bool) -> binade_spec::Word {
    let mut word = binade_spec::Word::ZERO;
    bits.iter().zip(0..).for_each(|(&bit, place)| word.set_bit(place, value(bit)));
    word
}

/// The product.
pub fn product(graph: &mut Graph, multiplier: Multiplier, a: &[Literal], b: &[Literal]) -> Word {
    match multiplier {
        Multiplier::Rows => product_in_rows(graph, a, b),
        Multiplier::RowsExchanged => product_in_rows(graph, b, a),
        Multiplier::Pairs => product_in_pairs(graph, a, b),
        Multiplier::Tree => product_in_tree(graph, a, b),
    }
}

fn product_in_rows(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Word {
    let (mut low, mut high) = (vec![], vec![]);
    for (row, digit) in rows(graph, a, b).iter().zip(b.chunks(2)) {
        high = sum(graph, row, &high);
        low.extend(high.drain(..digit.len()));
    }
    resized(&[low, high].concat(), a.len() + b.len())
}

/// The multiples of `a` that each two bits of `b` choose.
fn rows(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Vec<Word> {
    let width = a.len() + 2;
    let (single, double) = (resized(a, width), resized(&raised(a, 1), width));
    let triple = sum(graph, &double, &single);
    let row = |digit: &[Literal]| {
        let one = choose(graph, digit[0], &single, &[]);
        match digit.get(1) {
            None => one,
            Some(&two) => {
                let more = choose(graph, digit[0], &triple, &double);
                choose(graph, two, &more, &one)
            }
        }
    };
    b.chunks(2).map(row).collect()
}

/// Neighbouring rows are added, then their sums, and so on. The low bits of the lower one are those of the sum.
fn product_in_pairs(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Word {
    let mut sums: Vec<Word> = rows(graph, a, b);
    let mut gap = 2;
    while sums.len() > 1 {
        let pair = |pair: &[Word]| match pair {
            [lower, above] => {
                let (low, high) = lower.split_at(gap);
                [low, &sum(graph, above, high)].concat()
            }
            _ => pair[0].clone(),
        };
        sums = sums.chunks(2).map(pair).collect();
        gap *= 2;
    }
    resized(&sums.concat(), a.len() + b.len())
}

/// The product of two numbers in two's complement; an unsigned product if both sign bits are the constant 0.
pub fn signed_product(graph: &mut Graph, multiplier: Multiplier, a: &[Literal], b: &[Literal]) -> Word {
    if let ([a @ .., Literal::FALSE], [b @ .., Literal::FALSE]) = (a, b) {
        return resized(&product(graph, multiplier, a, b), a.len() + b.len() + 2);
    }
    match multiplier {
        Multiplier::Rows | Multiplier::Pairs => signed_product_in_rows(graph, a, b),
        Multiplier::RowsExchanged => signed_product_in_rows(graph, b, a),
        Multiplier::Tree => signed_product_in_tree(graph, a, b),
    }
}

/// Rows of two-bit digits, the highest of them negative.
fn signed_product_in_rows(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Word {
    let width = a.len() + 3;
    let (single, double) = (sign_extended(a, width), sign_extended(&raised(a, 1), width));
    let triple = sum(graph, &double, &single);
    let (mut low, mut high) = (vec![], vec![Literal::FALSE; width]);
    let digits: Vec<&[Literal]> = b.chunks(2).collect();
    for (at, digit) in digits.iter().enumerate() {
        let one = choose(graph, digit[0], &single, &[Literal::FALSE].repeat(width));
        let is_last = at + 1 == digits.len();
        let (row, is_negative) = match digit.get(1) {
            None => (one.iter().map(|&bit| graph.xor(bit, digit[0])).collect(), digit[0]),
            Some(&two) => {
                // -2 or -1 in the highest place, else 2 or 3.
                let more = if is_last { &single } else { &triple };
                let more = choose(graph, digit[0], more, &double);
                let row = choose(graph, two, &more, &one);
                let is_negative = if is_last { two } else { Literal::FALSE };
                (row.iter().map(|&bit| graph.xor(bit, is_negative)).collect::<Word>(), is_negative)
            }
        };
        high = graph.add(&row, &high, is_negative).0;
        low.extend(high.drain(..digit.len()));
        high = sign_extended(&high, width);
    }
    sign_extended(&[low, high].concat(), a.len() + b.len())[..a.len() + b.len()].to_vec()
}

/// Rows of single bits; products with exactly one sign bit are inverted, so that no row is negative (Baugh and Wooley,
/// 1973).
fn signed_product_in_tree(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Word {
    let width = a.len() + b.len();
    let mut rows = vec![];
    for (place, &digit) in b.iter().enumerate() {
        let is_last = place + 1 == b.len();
        let mut row: Word = a.iter().map(|&bit| graph.and(bit, digit)).collect();
        for (at, bit) in row.iter_mut().enumerate() {
            if (at + 1 == a.len()) != is_last {
                *bit = !*bit;
            }
        }
        rows.push(resized(&raised(&row, place), width));
    }
    let powers = [width - 1, a.len() - 1, b.len() - 1].map(|place| raised(&[Literal::TRUE], place));
    let correction = powers.iter().fold(constant(0, width), |total, power| sum(graph, &total, &resized(power, width)));
    rows.push(correction);
    sum_in_tree(graph, rows, &[])
}

fn product_in_tree(graph: &mut Graph, a: &[Literal], b: &[Literal]) -> Word {
    let width = a.len() + b.len();
    let row = |graph: &mut Graph, place: usize| {
        let row: Word = a.iter().map(|&bit| graph.and(bit, b[place])).collect();
        resized(&raised(&row, place), width)
    };
    let rows: Vec<Word> = (0..b.len()).map(|place| row(graph, place)).collect();
    if rows.is_empty() { vec![] } else { sum_in_tree(graph, rows, &[]) }
}

/// The sum of rows of equal width in that width: three rows are reduced to two until an adder takes the last two. Each
/// of `ones` is the carry into a row of carries, the last one into the adder.
pub fn sum_in_tree(graph: &mut Graph, mut rows: Vec<Word>, ones: &[Literal]) -> Word {
    let mut ones = ones.iter().copied();
    while rows.len() > 2 {
        let threes: Vec<Vec<Word>> = rows.chunks(3).map(<[Word]>::to_vec).collect();
        rows = threes.into_iter().flat_map(|three| two_of_three(graph, three, &mut ones)).collect();
    }
    added(graph, rows, &mut ones)
}

/// The sum of rows of equal width in that width, as a balanced tree of adders. Each of `ones` is the carry into an
/// adder.
pub fn sum_in_pairs(graph: &mut Graph, mut rows: Vec<Word>, ones: &[Literal]) -> Word {
    let mut ones = ones.iter().copied();
    while rows.len() > 1 {
        let pairs: Vec<Vec<Word>> = rows.chunks(2).map(<[Word]>::to_vec).collect();
        rows = pairs.into_iter().map(|pair| added(graph, pair, &mut ones)).collect();
    }
    rows.remove(0)
}

/// The sum of two rows and the next carry; a single row unchanged.
fn added(graph: &mut Graph, mut rows: Vec<Word>, ones: &mut impl Iterator<Item = Literal>) -> Word {
    match rows.as_slice() {
        [one, other] => graph.add(one, other, ones.next().unwrap_or(Literal::FALSE)).0,
        _ => rows.remove(0),
    }
}

/// Two rows with the sum of three rows and the next carry: the sum without carries, and the carries. Fewer rows are
/// returned unchanged.
fn two_of_three(graph: &mut Graph, rows: Vec<Word>, ones: &mut impl Iterator<Item = Literal>) -> Vec<Word> {
    let [x, y, z] = rows.as_slice() else { return rows };
    let (mut sums, mut carries) = (vec![], vec![ones.next().unwrap_or(Literal::FALSE)]);
    for ((&x, &y), &z) in x.iter().zip(y).zip(z) {
        let half = graph.xor(x, y);
        sums.push(graph.xor(half, z));
        carries.push(graph.mux(half, z, x));
    }
    carries.truncate(sums.len());
    vec![sums, carries]
}

/// The position of the highest 1; 0 if there is none.
pub fn highest_one(graph: &mut Graph, word: &[Literal]) -> Word {
    if word.len() <= 1 {
        return vec![];
    }
    let half = word.len().next_power_of_two() / 2;
    let (low, high) = word.split_at(half);
    let in_high = graph.any(high);
    let [low, high] = [low, high].map(|part| highest_one(graph, part));
    let mut place = choose(graph, in_high, &high, &low);
    place.resize(half.ilog2() as usize, Literal::FALSE);
    place.push(in_high);
    place
}

/// `word >> places` in `width` bits, and whether a 1 was shifted out. The bits above `width` must be 0.
pub fn shifted_right(graph: &mut Graph, word: &[Literal], places: &[Literal], width: usize) -> (Word, Literal) {
    let (word, sticky) = shifted_down(graph, word, places, Literal::FALSE);
    (resized(&word, width), sticky)
}

/// `word >> places` in the same width, with `fill` shifted in, and whether a 1 was shifted out.
pub fn shifted_down(graph: &mut Graph, word: &[Literal], places: &[Literal], fill: Literal) -> (Word, Literal) {
    let (mut word, mut sticky) = (word.to_vec(), Literal::FALSE);
    // Each higher bit of `places` alone shifts everything out.
    let bits = places.len().min(word.len().next_power_of_two().ilog2() as usize);
    let (near, far) = places.split_at(bits);
    let far = graph.any(far);
    for (bit, &shifts) in near.iter().chain([&far]).enumerate() {
        let by = 1_usize.checked_shl(bit as u32).unwrap_or(usize::MAX).min(word.len());
        let lost = graph.any(&word[..by]);
        let lost = graph.and(lost, shifts);
        sticky = graph.or(sticky, lost);
        let shifted = [word[by..].to_vec(), vec![fill; by]].concat();
        word = choose(graph, shifts, &shifted, &word);
    }
    (word, sticky)
}

/// `word << places` in the same width.
pub fn shifted_left(graph: &mut Graph, word: &[Literal], places: &[Literal]) -> Word {
    let mut word = word.to_vec();
    for (bit, &shifts) in places.iter().enumerate() {
        let shifted = raised(&word, (1 << bit).min(word.len()))[..word.len()].to_vec();
        word = choose(graph, shifts, &shifted, &word);
    }
    word
}
