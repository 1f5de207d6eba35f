//! Products, sums, fused multiply-adds and conversions against exact integers rounded on the second definition of the
//! formats (`common/line.rs`): all pairs of 8-bit operands, all triples of 4-bit ones, the rest sampled, in all
//! roundings and overflow policies. For formats and combinations of formats that no crate supports.

use crate::common::line::{Line, Number};
use crate::common::{Random, Way, codes, format, ways, y};
use binade_spec::{Format, Operation, Overflow, Unit};

/// The number of ways tried with each triple of operands.
const TURNS: u32 = 4;

/// Operands, result and the operation, by both methods.
struct Bench {
    operand: Line,
    result: Line,
    formats: (Format, Format),
    decoded: Vec<Number>,
}

impl Bench {
    fn new(operand: Line, result: Line) -> Bench {
        let formats = (format(&operand.name), format(&result.name));
        let decoded = codes(formats.0).map(|code| operand.decode(code)).collect();
        Bench { operand, result, formats, decoded }
    }

    fn square(line: Line) -> Bench {
        Bench::new(line.clone(), line)
    }

    fn operation(&self, unit: Unit, (rounding, overflow): Way) -> Operation {
        Operation { rounding, overflow, ..Operation::new(unit, self.formats.0, self.formats.1) }
    }

    fn ways(&self) -> &'static [Way] {
        ways(self.result.free_sign)
    }

    /// `number` rounded must be what the golden model returns for `operands`.
    fn check(&self, operation: &Operation, operands: &[u64], number: &Number) {
        let got = y(operation, operands);
        let Operation { unit, rounding, overflow, .. } = operation;
        let want = self.result.encode(number, *rounding, *overflow);
        let name = || format!("{unit} {} -> {} {rounding} {overflow}", self.operand.name, self.result.name);
        assert!(self.result.same(got, want), "{} {operands:x?}: got {got:#x}, want {want:#x}", name());
        if self.result.free_sign {
            self.check_free_sign(operation, operands, got, name);
        }
    }

    /// DLFloat16: a conversion passes the operand's sign through, arithmetic gives a positive zero and NaN-infinity.
    fn check_free_sign(&self, operation: &Operation, operands: &[u64], got: u64, name: impl Fn() -> String) {
        let negative = got & self.result.sign_bit() != 0;
        if operation.unit == Unit::Convert {
            let operand_negative = operands[0] & self.operand.sign_bit() != 0;
            assert_eq!(negative, operand_negative, "{} {operands:x?}: the sign passes through", name());
        } else if got & !self.result.sign_bit() == 0 || self.formats.1.is_nan(got.into()) {
            assert!(!negative, "{} {operands:x?}: arithmetic gives the positive code", name());
        }
    }

    fn all_pairs(&self, way: Way) {
        let (mul, add) = (self.operation(Unit::Mul, way), self.operation(Unit::Add, way));
        for a in codes(self.formats.0) {
            for b in codes(self.formats.0) {
                let (x, y) = (&self.decoded[a as usize], &self.decoded[b as usize]);
                self.check(&mul, &[a, b], &x.times(y));
                self.check(&add, &[a, b], &x.plus(y, way.0));
            }
        }
    }

    /// All triples, each in a few of the ways, by turns.
    fn all_triples(&self) {
        let operations: Vec<Operation> = self.ways().iter().map(|way| self.operation(Unit::Fmac, *way)).collect();
        let mut turn = operations.iter().cycle();
        let accumulators: Vec<Number> = codes(self.formats.1).map(|code| self.result.decode(code)).collect();
        for a in codes(self.formats.0) {
            for b in codes(self.formats.0) {
                let product = self.decoded[a as usize].times(&self.decoded[b as usize]);
                for (c, addend) in accumulators.iter().enumerate() {
                    for _ in 0..TURNS {
                        let fmac = turn.next().unwrap();
                        self.check(fmac, &[a, b, c as u64], &product.plus(addend, fmac.rounding));
                    }
                }
            }
        }
    }

    /// Multiply-adds, fused and with a rounded product, half of them near cancellation; pairs, too, where operands are wide.
    fn sample(&self, count: u32, seed: u64) {
        let mut random = Random(seed);
        for _ in 0..count {
            let way = self.ways()[random.below(self.ways().len() as u64) as usize];
            let (a, b) = (random.code(self.formats.0), random.code(self.formats.0));
            let (x, y) = (&self.decoded[a as usize], &self.decoded[b as usize]);
            let product = x.times(y);
            let fmac = self.operation(Unit::Fmac, way);
            let near = self.result.encode(&product, way.0, way.1);
            let c = random.addend(self.formats.1, near);
            self.check(&fmac, &[a, b, c], &product.plus(&self.result.decode(c), way.0));
            let rounded = self.result.decode(near);
            self.check(&self.operation(Unit::Mac, way), &[a, b, c], &rounded.plus(&self.result.decode(c), way.0));
            if self.formats.0 == self.formats.1 {
                self.check(&self.operation(Unit::Mul, way), &[a, b], &product);
                self.check(&self.operation(Unit::Add, way), &[a, b], &x.plus(y, way.0));
            }
        }
    }

    fn conversions(&self) {
        let payload_kept = |number: &Number| *number == Number::Nan;
        for &way in self.ways() {
            let convert = self.operation(Unit::Convert, way);
            for x in codes(self.formats.0) {
                let number = &self.decoded[x as usize];
                if payload_kept(number) && self.formats.1.nan_code().is_some() {
                    assert!(
                        self.formats.1.is_nan(u128::from(y(&convert, &[x]))),
                        "{} -> {}",
                        self.operand.name,
                        self.result.name
                    );
                } else {
                    self.check(&convert, &[x], number);
                }
            }
        }
    }
}

fn float(w: u32, t: u32, suffix: &str) -> Line {
    Line::float(w, t, suffix, None)
}

fn supernormal(w: u32, t: u32, below: u32, above: u32) -> Line {
    Line::supernormal(w, t, below, above, false)
}

fn p3109(k: u32, p: u32, domain: &str) -> Line {
    Line::p3109(k, p, domain, false)
}

fn all_pairs(lines: impl IntoIterator<Item = Line>) {
    for line in lines {
        let bench = Bench::square(line);
        for &way in bench.ways() {
            // Eight bits: only the policy that the rounding matters to.
            if bench.operand.width < 8 || way.1 == Overflow::Inf {
                bench.all_pairs(way);
            }
        }
    }
}

#[test]
fn pairs_of_supernormals() {
    all_pairs(
        [(5, 2, 1, 1), (5, 2, 2, 2), (5, 2, 4, 4), (4, 3, 1, 1), (4, 3, 2, 2)]
            .map(|(w, t, l, u)| supernormal(w, t, l, u)),
    );
}

#[test]
fn pairs_of_uneven_and_finite_supernormals() {
    all_pairs([supernormal(5, 2, 1, 2), supernormal(5, 2, 2, 1), supernormal(3, 2, 1, 0), supernormal(2, 3, 1, 2)]);
    all_pairs([Line::supernormal(4, 3, 2, 2, true), Line::supernormal(3, 3, 1, 1, true)]);
}

#[test]
fn pairs_of_p3109() {
    all_pairs([p3109(8, 3, "se"), p3109(8, 4, "sf"), p3109(8, 4, "ue"), p3109(8, 1, "se")]);
    for domain in ["se", "sf", "ue", "uf"] {
        all_pairs((1..=4).map(|p| p3109(5, p, domain)));
        all_pairs((1..=4).map(|p| Line::p3109(5, p, domain, true)));
    }
    all_pairs([p3109(6, 6, "ue"), p3109(6, 6, "uf"), p3109(6, 5, "se"), p3109(6, 1, "uf")]);
}

#[test]
#[ignore = "long"]
fn pairs_of_floats() {
    all_pairs([float(4, 3, "n"), float(4, 3, "ns"), float(4, 3, "fn"), float(5, 2, "n")]);
    for suffix in ["", "n", "ns", "fn", "f"] {
        all_pairs([float(2, 1, suffix), float(3, 2, suffix), float(2, 3, suffix), float(4, 0, suffix)]);
        all_pairs([-9, 0, 12].map(|bias| Line::float(3, 2, suffix, Some(bias))));
    }
}

#[test]
#[ignore = "long"]
fn triples_of_tiny_formats() {
    let tiny = [float(2, 1, "f"), float(2, 1, "ns"), p3109(4, 2, "se"), p3109(4, 1, "uf"), supernormal(2, 1, 1, 1)];
    for operand in &tiny {
        for accumulator in tiny.iter().chain(&[float(3, 2, ""), float(3, 2, "n"), float(2, 3, "ns")]) {
            Bench::new(operand.clone(), accumulator.clone()).all_triples();
        }
    }
}

#[test]
fn sums_of_products_in_binary16() {
    let operands = [
        supernormal(5, 2, 1, 1),
        supernormal(5, 2, 4, 4),
        supernormal(4, 3, 2, 2),
        p3109(8, 3, "se"),
        p3109(8, 4, "uf"),
        p3109(8, 1, "se"),
        float(4, 3, "fn"),
        float(2, 1, "f"),
    ];
    for (seed, operand) in operands.into_iter().enumerate() {
        Bench::new(operand, Line { name: "binary16".into(), ..float(5, 10, "") }).sample(20_000, seed as u64);
    }
}

#[test]
#[ignore = "long"]
fn sums_of_products_in_the_operand_format() {
    let lines = [
        Line::dlfloat16(),
        float(6, 9, "n"),
        float(6, 9, "ns"),
        supernormal(5, 2, 2, 2),
        p3109(8, 4, "ue"),
        p3109(8, 8, "uf"),
        Line::p3109(12, 5, "se", true),
        Line::float(5, 6, "n", Some(40)),
    ];
    for (seed, line) in lines.into_iter().enumerate() {
        Bench::square(line).sample(30_000, 100 + seed as u64);
    }
}

#[test]
fn results_narrower_than_operands() {
    for (seed, result) in
        [supernormal(4, 3, 2, 2), float(4, 3, "n"), p3109(6, 3, "sf"), float(2, 1, "f")].into_iter().enumerate()
    {
        Bench::new(float(6, 9, ""), result.clone()).sample(10_000, 200 + seed as u64);
        Bench::new(Line::dlfloat16(), result).sample(10_000, 300 + seed as u64);
    }
}

#[test]
#[ignore = "long"]
fn conversions_between_all_kinds() {
    let lines = [
        Line::dlfloat16(),
        float(5, 3, ""),
        float(4, 3, "n"),
        float(4, 3, "ns"),
        float(4, 3, "fn"),
        float(3, 2, "f"),
        Line::float(4, 3, "", Some(11)),
        supernormal(5, 2, 4, 4),
        supernormal(4, 3, 1, 2),
        Line::supernormal(4, 3, 2, 2, true),
        p3109(8, 3, "se"),
        p3109(7, 1, "sf"),
        p3109(8, 4, "ue"),
        p3109(8, 8, "uf"),
    ];
    for operand in &lines {
        for result in &lines {
            Bench::new(operand.clone(), result.clone()).conversions();
        }
    }
}
