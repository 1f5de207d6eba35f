//! The vertical lines of the nets: through rows without readers, and into the blocks that read them.

use super::diagram::{Diagram, Net};
use super::rows::Rows;

/// The least distance between two vertical lines, and between one and a block that it passes.
const APART: i32 = 12;
const BESIDE_BLOCK: i32 = 12;

/// The least distance between the end of a line and the corner of its block.
const CORNER: i32 = 8;

/// The vertical lines of the nets. Space `n` is that below row `n`.
pub struct Wires {
    /// For each net, the line through rows that do not read it, if there are any.
    pub trunks: Vec<Option<i32>>,
    /// In each space the ends of the nets at the blocks below it: net, reader, place.
    pub ends: Vec<Vec<(usize, usize, i32)>>,
}

impl Wires {
    pub fn new(diagram: &Diagram, rows: &Rows) -> Wires {
        let mut taken = Taken::new(diagram, rows);
        let trunks = trunks(diagram, rows, &mut taken);
        let ends = (0..rows.rows.len() - 1).map(|space| ends(diagram, rows, space, &trunks, &mut taken)).collect();
        Wires { trunks, ends }
    }

    /// Where a net enters a space from above.
    pub fn enters(&self, rows: &Rows, nets: &[Net], net: usize, space: usize) -> i32 {
        entering(rows, &nets[net], net, space, &self.trunks)
    }
}

fn entering(rows: &Rows, net: &Net, number: usize, space: usize, trunks: &[Option<i32>]) -> i32 {
    match trunks[number] {
        Some(trunk) if rows.row_of(net) < space => trunk,
        _ => rows.leaves[number],
    }
}

/// The vertical lines in each space, each with its net.
struct Taken(Vec<Vec<(i32, usize)>>);

impl Taken {
    /// The lines that leave the blocks above.
    fn new(diagram: &Diagram, rows: &Rows) -> Taken {
        let mut taken = Taken(vec![vec![]; rows.rows.len()]);
        for (number, net) in diagram.nets.iter().enumerate() {
            taken.0[rows.row_of(net)].push((rows.leaves[number], number));
        }
        taken
    }

    /// Whether a net can have a line here: other lines are away, and its own are away or at the same place.
    fn is_free(&self, space: usize, x: i32, net: usize) -> bool {
        let is_away = |&(other, of): &(i32, usize)| (other - x).abs() >= APART || (of == net && other == x);
        self.0[space].iter().all(is_away)
    }
}

/// The lines through rows without readers, those through few rows first.
fn trunks(diagram: &Diagram, rows: &Rows, taken: &mut Taken) -> Vec<Option<i32>> {
    let span = |net: &Net| {
        let last = rows.rows_read(net).into_iter().max().unwrap_or(0);
        rows.row_of(net)..last
    };
    let mut long: Vec<usize> = (0..diagram.nets.len()).filter(|&net| span(&diagram.nets[net]).len() > 1).collect();
    long.sort_by_key(|&net| span(&diagram.nets[net]).len());
    let mut trunks = vec![None; diagram.nets.len()];
    for number in long {
        let net = &diagram.nets[number];
        let is_free = |x: i32| {
            let passed = span(net).skip(1).flat_map(|row| &rows.rows[row]).map(|&block| &rows.places[block]);
            let is_beside = |left: i32, right: i32| x <= left - BESIDE_BLOCK || x >= right + BESIDE_BLOCK;
            let mut passed = passed.map(|place| is_beside(place.left, place.right()));
            passed.all(|is_beside| is_beside) && span(net).all(|space| taken.is_free(space, x, number))
        };
        let to_readers =
            |x: i32| net.readers.iter().map(|&reader| (x - rows.places[reader].middle()).abs()).sum::<i32>();
        let cost = |x: &i32| (x - rows.leaves[number]).abs() * 2 + to_readers(*x) / net.readers.len() as i32;
        let [left, right] = rows.ends();
        let far = APART * diagram.nets.len() as i32 + 2 * BESIDE_BLOCK;
        let trunk = (left - far..=right + far).filter(|&x| is_free(x)).min_by_key(cost).expect("far away it is free");
        span(net).for_each(|space| taken.0[space].push((trunk, number)));
        trunks[number] = Some(trunk);
    }
    trunks
}

/// The ends of the nets at the blocks below a space, in the order in which they come.
fn ends(
    diagram: &Diagram,
    rows: &Rows,
    space: usize,
    trunks: &[Option<i32>],
    taken: &mut Taken,
) -> Vec<(usize, usize, i32)> {
    let mut ends = vec![];
    for &block in &rows.rows[space + 1] {
        let place = &rows.places[block];
        let reads = |&number: &usize| diagram.nets[number].readers.contains(&block);
        let comes = |&number: &usize| entering(rows, &diagram.nets[number], number, space, trunks);
        let mut read: Vec<usize> = (0..diagram.nets.len()).filter(reads).collect();
        read.sort_by_key(comes);
        let inside = place.left + CORNER..=place.right() - CORNER;
        let (above, beside): (Vec<usize>, Vec<usize>) = read.iter().partition(|net| inside.contains(&comes(net)));
        let share = |at: usize| place.left + place.width * (at as i32 + 1) / (read.len() as i32 + 1);
        for net in above.into_iter().chain(beside) {
            let at = read.iter().position(|other| *other == net).expect("a net that is read");
            let wanted = if inside.contains(&comes(&net)) { comes(&net) } else { share(at) };
            let free = inside.clone().filter(|&x| taken.is_free(space, x, net));
            let x = free.min_by_key(|x| (x - wanted).abs()).unwrap_or(wanted);
            taken.0[space].push((x, net));
            ends.push((net, block, x));
        }
    }
    ends
}
