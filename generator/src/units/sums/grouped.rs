//! Sums as in matrix units of AMD's CDNA 3: products are truncated below the largest exponent of their group and added, and the sums of
//! the groups and a code are rounded down where they are added.
//!
//! ```text
//!   | sign | carries | integer bits | F fraction bits |              the sum of a group, or of two
//!   | sign | carries | integer bits | F fraction bits | G more |     the same beside the addend
//!              | sign | integer bit | F fraction bits |              the addend
//! ```
//!
//! A number in two's complement that is shifted right loses what rounding down loses.

use super::aligned::{Cut, aligned_magnitude, exponent_or_least, larger};
use super::fixed::carries_in;
use super::number::Number;
use super::total::{Total, rounded};
use crate::units::{class::Class, coded::Coded, target::Target};
use binade_circuit::{Bits, Circuit, Int, Part, concat};
use binade_spec::{Alignment, Format, Grouping, Rounding};

/// The bits of the sum of all groups, above the section that aligns it with the addend.
const PICTURE: &str = "| sign | carries | integer bits | fraction bits of the addend | more fraction bits |";

const ALIGN: Part =
    Part::repeated("align", "A product shifted right to the largest exponent of its group; bits shifted out are lost.");

/// The sum of products of a group, in two's complement.
struct Group<'c> {
    sum: Bits<'c>,
    exponent: Int<'c>,
    /// Whether all products are zero: then the exponent does not count.
    is_zero: Bits<'c>,
}

/// A product, and whether a digit below its integer bits can be the first: if it has a subnormal factor with a large exponent.
pub struct GroupedProduct<'c> {
    pub number: Number<'c>,
    pub may_begin_low: bool,
}

/// Whether a product of two codes of these formats can be at least two to the power `limit` although a factor is subnormal. Formats of other
/// families may be unpacked without a leading 1, too.
pub fn may_begin_low(formats: [Format; 2], limit: i32) -> bool {
    let has_leading_one = |format: Format| matches!(format, Format::Posit(_)) || !format.underflows_gradually();
    let [a, b] = formats;
    match formats {
        [Format::Codebook(_), _] | [_, Format::Codebook(_)] => true,
        _ if formats.into_iter().all(has_leading_one) => false,
        _ => {
            // The exponent that a product with a subnormal factor has at most, plus the place of its first digit.
            let smallest =
                |format: Format| format.float().map_or(format.min_exponent(), |float| 1 - i64::from(float.bias));
            (smallest(a) + b.max_exponent()).max(smallest(b) + a.max_exponent()) + 2 > i64::from(limit)
        }
    }
}

/// The sum of the groups and the addend, rounded.
pub fn sum<'c>(
    target: &Target,
    grouping: &Grouping,
    groups: Vec<Vec<GroupedProduct<'c>>>,
    addend: &Number<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let circuit = addend.digits.circuit();
    let products = || groups.iter().flatten();
    let mut classes: Vec<Class> = products().map(|product| product.number.class).collect();
    classes.push(addend.class);
    circuit.section("Products beyond the largest power of two are infinite");
    let beyond: Vec<[Bits; 2]> = products().map(|product| beyond(product, grouping.limit)).collect();
    let names: &[&str] = if groups.len() == 1 { &[""] } else { &["even_", "odd_"] };
    let sums: Vec<Group> = groups
        .iter()
        .zip(names)
        .map(|(products, name)| {
            let numbers: Vec<&Number> = products.iter().map(|product| &product.number).collect();
            circuit.prefixed(name.trim_end_matches('_'), || group(grouping, &numbers))
        })
        .collect();
    let all = together(grouping, sums, names);
    circuit.section_with("Round the sum of the products and the addend down where they meet", &[PICTURE]);
    let floor = Int::constant(circuit, grouping.floor.into());
    let exponent = Int::select(all.is_zero, floor, all.exponent).named("products_exponent_or_least");
    let of_addend = exponent_or_least(addend, addend.class.is_zero, grouping.floor.into());
    let largest = larger(larger(exponent, of_addend), floor).named("largest_exponent");
    let more = grouping.sum_bits - grouping.fraction_bits;
    // The exponent of a sum of zeros may be above the largest one, but a shifted zero is zero anyway.
    let distance = distance(largest, all.exponent).named("products_distance");
    let (products, _) = all.sum.zeros_below(more).shift_right_filled(distance, all.sum.msb(), "products_aligned");
    let [addend, one] = addend_down(grouping, addend, largest);
    circuit.section_with("Add", &[carries_in(circuit)]);
    // Below the last place of the addend, the sum is that of the products.
    let (high, below) = (products.high(products.width() - more), products.low(more));
    let sum = concat(&[Bits::sum_of_signed(&[high, addend], &[one], "sum_above"), below]).named("sum");
    let top = largest.plus(i64::from(sum.width()) - 2 - i64::from(grouping.sum_bits));
    let class = |negative, is_zero| class_of(circuit, &classes, &beyond, negative, is_zero);
    rounded(target, Total::new(sum, top), class, random)
}

/// Whether a product is at least two to the power `limit`, and positive; and whether it is negative.
fn beyond<'c>(GroupedProduct { number, may_begin_low }: &GroupedProduct<'c>, limit: i32) -> [Bits<'c>; 2] {
    let (name, magnitude) = (&number.name, number.magnitude());
    let first = if *may_begin_low { 0 } else { number.fraction_bits };
    let of_digit = |at: u32| {
        let least = i64::from(limit) + i64::from(number.fraction_bits) - i64::from(at);
        magnitude.bit(at) & number.exponent.at_least(least)
    };
    let digits: Vec<Bits> = (first..magnitude.width()).map(of_digit).collect();
    let is_beyond = concat(&digits).any().named(format!("{name}_is_beyond"));
    [is_beyond & !number.class.sign, is_beyond & number.class.sign]
}

/// The sum of the truncated products of a group.
fn group<'c>(grouping: &Grouping, numbers: &[&Number<'c>]) -> Group<'c> {
    let circuit = numbers[0].digits.circuit();
    circuit.section("The largest exponent of the products that are not zero");
    let least = numbers.iter().map(|number| number.exponent.min()).min().expect("a group has products");
    let exponents = numbers.iter().map(|number| exponent_or_least(number, number.class.is_zero, least));
    let largest = exponents
        .enumerate()
        .reduce(|(_, x), (at, y)| (at, larger(x, y).named(format!("largest_product_exponent_{at}"))));
    let (_, largest) = largest.expect("a group has products");
    let alignment = Alignment { fraction_bits: grouping.fraction_bits, floor: None, result_bits: None };
    let cut = Cut { alignment: &alignment, rounding: Rounding::Rtz };
    let integer_bits = numbers.iter().map(|number| number.integer_bits()).max().expect("a group has products");
    let width = integer_bits + grouping.fraction_bits;
    circuit.section("Align: bits below the last fraction bit are dropped");
    let aligned =
        |number: &&Number<'c>| circuit.part(ALIGN, &number.name, || aligned_magnitude(number, cut, largest, width));
    let aligned: Vec<Bits> = numbers.iter().map(aligned).collect();
    circuit
        .section_with("Add: the complement of each negative term, and a 1 for each complement", &[carries_in(circuit)]);
    let complements = numbers.iter().zip(&aligned).map(|(number, aligned)| {
        let digits = aligned.zext(width + 1) ^ number.class.sign.repeat(width + 1);
        digits.named(format!("{}_digits", number.name))
    });
    let complements: Vec<Bits> = complements.collect();
    let signs: Vec<Bits> = numbers.iter().map(|number| number.class.sign).collect();
    let sum = Bits::sum_of_signed(&complements, &signs, "group_sum").named("group_sum");
    let zeros: Vec<Bits> = numbers.iter().map(|number| number.class.is_zero).collect();
    Group { sum, exponent: largest, is_zero: concat(&zeros).all().named("group_is_zero") }
}

/// The sum of the groups, of which each is rounded down below the larger exponent.
fn together<'c>(grouping: &Grouping, groups: Vec<Group<'c>>, names: &[&str]) -> Group<'c> {
    let circuit = groups[0].sum.circuit();
    let mut groups = groups.into_iter();
    let (first, second) = match (groups.next(), groups.next()) {
        (Some(only), None) => return only,
        (first, second) => first.zip(second).expect("one group or two"),
    };
    circuit.section("Round the sums of the two groups down where they meet");
    let least = first.exponent.min().min(second.exponent.min());
    let of_nonzero = |group: &Group<'c>| Int::select(group.is_zero, Int::constant(circuit, least), group.exponent);
    let exponent = larger(of_nonzero(&first), of_nonzero(&second)).named("larger_exponent");
    let aligned = |group: &Group<'c>, name: &str| {
        let distance = distance(exponent, group.exponent).named(format!("{name}distance"));
        group.sum.shift_right_filled(distance, group.sum.msb(), &format!("{name}aligned")).0
    };
    let rows = [aligned(&first, names[0]), aligned(&second, names[1])];
    debug_assert!(rows.iter().all(|row| row.width() >= grouping.fraction_bits), "rows have all fraction bits");
    let sum = Bits::sum_of_signed(&rows, &[], "products_sum").named("products_sum");
    Group { sum, exponent, is_zero: (first.is_zero & second.is_zero).named("products_are_zero") }
}

/// How far a term is below the largest exponent; a term that does not count may be above it.
fn distance<'c>(largest: Int<'c>, exponent: Int<'c>) -> Bits<'c> {
    let distance = largest.sub(exponent);
    distance.within(0, distance.max().max(0)).to_unsigned()
}

/// The addend, rounded down below the largest exponent: its complement if it is negative, and the 1 that this complement lacks unless
/// digits were lost.
fn addend_down<'c>(grouping: &Grouping, addend: &Number<'c>, largest: Int<'c>) -> [Bits<'c>; 2] {
    let Number { name, class, exponent, fraction_bits, .. } = addend;
    let magnitude = addend.magnitude().zeros_below(grouping.fraction_bits - fraction_bits);
    let distance = distance(largest, *exponent).named(format!("{name}_distance"));
    let is_dropped = match grouping.is_interleaved {
        true => class.is_zero | distance.greater_than_constant((grouping.fraction_bits + 1).into()),
        false => class.is_zero,
    };
    let is_dropped = is_dropped.named(format!("{name}_is_dropped"));
    let (shifted, lost) = (!is_dropped).gate(magnitude).shift_right_sticky(distance, &format!("{name}_aligned"));
    let is_negative = (class.sign & !is_dropped).named(format!("{name}_is_subtracted"));
    let digits = shifted.zext(shifted.width() + 1) ^ is_negative.repeat(shifted.width() + 1);
    [digits.named(format!("{name}_digits")), (is_negative & !lost).named(format!("{name}_is_exact"))]
}

/// The class of the sum. Infinities and NaN of operands come before products that are too large; a sum of zero is +0.
fn class_of<'c>(
    circuit: &'c Circuit,
    classes: &[Class<'c>],
    beyond: &[[Bits<'c>; 2]],
    negative: Bits<'c>,
    is_zero: Bits<'c>,
) -> Class<'c> {
    let zero = circuit.zero();
    let plus_zero = Class { sign: zero, is_zero: circuit.ones(1), is_infinite: zero, is_nan: zero, is_invalid: zero };
    let class = Class::of_terms(zero, &[classes, &[plus_zero]].concat(), negative, is_zero);
    let is_special = (class.is_infinite | class.is_nan).named("has_special_operand");
    let [above, below] = [0, 1].map(|sign: usize| {
        let any = concat(&beyond.iter().map(|signs| signs[sign]).collect::<Vec<_>>()).any();
        (any & !is_special).named(["any_is_far_above", "any_is_far_below"][sign])
    });
    Class {
        sign: (above | below).select(below, class.sign).named("sign_of_all"),
        is_infinite: (class.is_infinite | above | below).named("is_infinite"),
        is_nan: (class.is_nan | (above & below)).named("is_nan"),
        ..class
    }
}
