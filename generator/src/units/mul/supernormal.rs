//! Products in supernormal formats: rounded before the exponents are added.
//!
//! The rounding of a product depends only on its fraction, except in the outer binades, where it is rounded to a power of
//! two. So one adder sums the exponents and the carry of the rounding; after it, only powers of two are incremented. A
//! fraction that is rounded up to the next binade becomes 0 there. With few trailing bits, a table gives every bit of the
//! rounded product.

use super::normalize;
use crate::units::{
    assemble::Origin,
    class::Class,
    coded::Coded,
    exact::{ExactResult, Magnitude},
    listed,
    product::significand_product,
    round::decide::{Tail, rounds_up},
    supernormal::{self, Between},
    target::FloatTarget,
    unpack::Unpacked,
};
use binade_circuit::{Bits, Circuit, concat};
use binade_spec::Rounding;

/// The most bits of two trailing significands whose product comes from a table.
const MAX_TABLE_BITS: u32 = 6;

/// A rounding that this module knows: a number that is rounded up to the next binade is rounded like the first number of that
/// binade. This fails if ties go away from zero: half of the smallest number is a tie, but a number just below it is not.
#[derive(Clone, Copy)]
pub enum Direction {
    ToEven,
    TowardZero,
    Up,
    Down,
    ToOdd,
}

impl Direction {
    fn of(rounding: Rounding) -> Option<Direction> {
        match rounding {
            Rounding::Rne => Some(Direction::ToEven),
            Rounding::Rtz => Some(Direction::TowardZero),
            Rounding::Rup => Some(Direction::Up),
            Rounding::Rdn => Some(Direction::Down),
            Rounding::Rto => Some(Direction::ToOdd),
            Rounding::Rna | Rounding::Rnu | Rounding::Mptorch | Rounding::Any => None,
            Rounding::Sr(_) | Rounding::Srb(_) | Rounding::Src(_) => None,
        }
    }
}

/// How this module rounds the product, if it does. The next binade must not be that of 4: operands that are at most as precise as
/// the result have no product next to 4.
pub fn direction(target: &FloatTarget, operands: &[Unpacked; 2]) -> Option<Direction> {
    let is_below_4 = operands.iter().all(|operand| operand.significand.width() <= target.format.precision());
    let applies = is_below_4 && target.format.trailing_bits > 0 && supernormal::applies(target);
    Direction::of(target.rounding).filter(|_| applies)
}

/// The product of normalized operands, rounded.
pub fn mul<'c>(target: &FloatTarget, direction: Direction, [a, b]: &[Unpacked<'c>; 2]) -> Coded<'c> {
    let circuit = a.significand.circuit();
    let class = Class::of_product(&a.class, &b.class, "product");
    let significands = [a.significand_of_nonzero(), b.significand_of_nonzero()];
    let trailing_bits = significands.iter().map(|significand| significand.width() - 1).sum::<u32>();
    let product = if trailing_bits <= MAX_TABLE_BITS {
        tabulated(target.format.trailing_bits, direction, class.sign, significands)
    } else {
        calculated(target, class.sign, significands)
    };

    circuit.section("Exponent");
    let carry = product.carry.named("exponent_carry");
    let exponent = a.exponent.add_with_carry(b.exponent, carry, "exponent").named("exponent");
    let between = Between {
        exponent: exponent.plus(target.format.bias.into()),
        trailing: Some(product.trailing.named("rounded_trailing")),
        rounds_up: circuit.zero(),
        tail: product.tail,
    };
    let magnitude = Magnitude { exponent, significand: circuit.constant(1, 1) };
    let exact = ExactResult { class, magnitude, payload: None };
    let code = supernormal::encode_between(target, Origin::Arithmetic, &exact, &between, None);
    Coded { code, flags: None }
}

/// A product rounded as an ordinary number.
struct Product<'c> {
    trailing: Bits<'c>,
    /// Whether it is 2 or more.
    carry: Bits<'c>,
    /// The bits below the power of two.
    tail: Tail<'c>,
}

fn calculated<'c>(target: &FloatTarget, sign: Bits<'c>, [a, b]: [Bits<'c>; 2]) -> Product<'c> {
    let circuit = sign.circuit();
    let t = target.format.trailing_bits;
    circuit.section("Multiply");
    let product = significand_product([a, b]);
    circuit.section("Normalize: the product of two significands is in [1, 4)");
    let (fraction, carry) = normalize(product);
    circuit.section("Round as an ordinary number, before the exponents are added");
    let fraction = fraction.zeros_below((t + 2).saturating_sub(fraction.width()));
    let (trailing, rest) = (fraction.high(t), fraction.low(fraction.width() - t));
    let up = rounds_up(target.rounding, sign, trailing.bit(0), &Tail::new(rest, 1), None);
    let rounded = trailing.zext(t + 1).plus_bit_in_logic(up.named("ordinary_rounds_up"));
    let reaches_next = rounded.msb().named("reaches_next_binade");
    Product {
        trailing: rounded.low(t),
        carry: carry | reaches_next,
        tail: Tail::new((!reaches_next).gate(fraction).named("above_power"), 1),
    }
}

/// The same from tables: each bit of the result is a function of few bits.
fn tabulated<'c>(t: u32, direction: Direction, sign: Bits<'c>, significands: [Bits<'c>; 2]) -> Product<'c> {
    let widths = significands.map(|significand| significand.width() - 1);
    sign.circuit().section("Multiply and round as an ordinary number, by tables of the trailing significands");
    print_products(sign.circuit(), t, direction, widths);
    // The bits of both operands at one place are adjacent.
    let places: Vec<(usize, u32)> = (0..widths[0].max(widths[1]))
        .rev()
        .flat_map(|place| [(0, place), (1, place)])
        .filter(|&(operand, place)| place < widths[operand])
        .collect();
    let trailing = places.iter().map(|&(operand, place)| significands[operand].bit(place));
    let inputs = concat(&[sign].into_iter().chain(trailing).collect::<Vec<_>>());
    let table = |name: &str, bit: &dyn Fn(&Rounded) -> bool| {
        let of = |input: u128| {
            let mut numbers = widths.map(|width| 1 << width);
            for (number, &(operand, place)) in places.iter().rev().enumerate() {
                numbers[operand] |= (input >> number & 1) << place;
            }
            Rounded::new(direction, t, input >> places.len() == 1, numbers, widths[0] + widths[1])
        };
        inputs.decide(name, |input| bit(&of(input)))
    };
    let trailing =
        (0..t).rev().map(|place| table(&format!("rounded_{place}"), &|product| product.trailing >> place & 1 == 1));
    Product {
        trailing: concat(&trailing.collect::<Vec<_>>()),
        carry: table("is_2_or_more", &|product| product.carry),
        tail: Tail {
            bits: table("half_of_power", &|product| product.guard),
            sticky: table("less_of_power", &|product| product.sticky),
        },
    }
}

/// Prints the table of products. Where a product and its negative are rounded alike, only the former is printed.
fn print_products(circuit: &Circuit, t: u32, direction: Direction, widths: [u32; 2]) {
    let signs = match direction {
        Direction::Up | Direction::Down => vec![false, true],
        Direction::ToEven | Direction::TowardZero | Direction::ToOdd => vec![false],
    };
    let [all_a, all_b] = widths.map(|width| 1_u128 << width..2 << width);
    let pairs = || all_a.clone().flat_map(|a| all_b.clone().map(move |b| [a, b]));
    let rows: Vec<(bool, [u128; 2])> =
        signs.iter().flat_map(|&negative| pairs().map(move |pair| (negative, pair))).collect();
    let about = "Each pair of significands; their product as a power of two and a significand, rounded as an ordinary number; and how far the \
                 product is above that power of two, if it is, for results that are powers of two:";
    circuit.table(about, rows.len(), || {
        let of =
            |&(negative, pair): &(bool, [u128; 2])| Rounded::new(direction, t, negative, pair, widths[0] + widths[1]);
        let significand = |of_operand: usize| {
            let text = |(_, pair): &(bool, [u128; 2])| listed::binary(pair[of_operand], widths[of_operand]);
            rows.iter().map(text).collect::<Vec<_>>()
        };
        let sign = |(negative, _): &(bool, [u128; 2])| if *negative { "-" } else { "+" }.to_string();
        let signs = (signs.len() > 1).then(|| ("sign", rows.iter().map(sign).collect()));
        let rounded = |row| {
            let Rounded { trailing, carry, .. } = of(row);
            format!("{}*2^{}", listed::binary(1 << t | trailing, t), u32::from(carry))
        };
        let beyond = |row| match of(row) {
            Rounded { guard: false, sticky: false, .. } => "0",
            Rounded { guard: false, .. } => "< 1/2",
            Rounded { sticky: false, .. } => "1/2",
            Rounded { .. } => "> 1/2",
        };
        let columns = [
            ("a", significand(0)),
            ("b", significand(1)),
            ("product", rows.iter().map(rounded).collect()),
            ("beyond", rows.iter().map(|row| beyond(row).to_string()).collect()),
        ];
        signs.into_iter().chain(columns).collect()
    });
}

/// An entry of the tables.
struct Rounded {
    trailing: u128,
    carry: bool,
    guard: bool,
    sticky: bool,
}

impl Rounded {
    /// The product of two significands that together have `places` bits after the binary point.
    fn new(direction: Direction, t: u32, is_negative: bool, [a, b]: [u128; 2], places: u32) -> Rounded {
        let product = a * b;
        let carry = product >> (places + 1);
        let below = (places + 2).max(t + 2);
        let fraction = (product << (below - places - carry as u32)) % (1 << below);
        let (trailing, rest) = (fraction >> (below - t), fraction % (1 << (below - t)));
        let half = 1 << (below - t - 1);
        let is_odd = trailing % 2 == 1;
        let up = match direction {
            Direction::ToEven => rest > half || (rest == half && is_odd),
            Direction::TowardZero => false,
            Direction::Up => rest > 0 && !is_negative,
            Direction::Down => rest > 0 && is_negative,
            Direction::ToOdd => rest > 0 && !is_odd,
        };
        let trailing = trailing + u128::from(up);
        let reaches_next = trailing >> t == 1;
        let above_power = if reaches_next { 0 } else { fraction };
        Rounded {
            trailing: trailing % (1 << t),
            carry: carry == 1 || reaches_next,
            guard: above_power >> (below - 1) == 1,
            sticky: above_power % (1 << (below - 1)) > 0,
        }
    }
}
