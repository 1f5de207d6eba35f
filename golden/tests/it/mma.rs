//! `mma` element by element: each is the dot product of a row and a column.

use crate::common::{Random, format};
use binade_golden::Model;
use binade_spec::word::field;
use binade_spec::{Operation, Selection, Unit, Word};

fn operation(unit: Unit, sum: &str) -> Operation {
    let selection = Selection {
        second: Some(format("e4m3fn")),
        summation: Some(sum.parse().unwrap()),
        lanes: (unit == Unit::Dot).then_some(5),
        ..Selection::new(unit, format("e5m2b1"))
    };
    let sizes = [Some(2), Some(3), Some(5)].map(|size| size.filter(|_| unit == Unit::Mma));
    Selection { rows: sizes[0], columns: sizes[1], depth: sizes[2], ..selection }.operation().unwrap()
}

#[test]
fn elements_are_dot_products() {
    let mut random = Random(3);
    for sum in ["exact", "chain", "tree", "fmac8", "align:9"] {
        let [mma, dot] = [Unit::Mma, Unit::Dot].map(|unit| Model::new(&operation(unit, sum)));
        let word = |lanes: &[u64], width: u32| {
            lanes.iter().rev().fold(Word::ZERO, |word, &lane| word << width | Word::from(lane))
        };
        for _ in 0..2000 {
            // Small exponents more often than others, so that not every sum is infinite.
            let mut codes = |count: usize, ones: u64| -> Vec<u64> {
                (0..count)
                    .map(|_| if random.below(4) == 0 { random.bits() & ones } else { random.bits() & ones >> 2 })
                    .collect()
            };
            let (a, b, c) = (codes(10, 0xff), codes(15, 0xff), codes(6, 0xffff));
            let d = &mma.evaluate(&[word(&a, 8), word(&b, 8), word(&c, 16)])[0];
            for (row, column) in (0..2).flat_map(|row| (0..3).map(move |column| (row, column))) {
                let of_column: Vec<u64> = (0..5).map(|at| b[at * 3 + column]).collect();
                let element = row * 3 + column;
                let wanted = dot.evaluate(&[word(&a[row * 5..][..5], 8), word(&of_column, 8), Word::from(c[element])]);
                let got = field(d, element as u32 * 16, 16);
                assert_eq!(Word::from(got), wanted[0], "{sum} d[{row}][{column}] of {a:x?} {b:x?} {c:x?}");
            }
        }
    }
}
