//! Tiles of a product: some rows and columns, whose elements are computed together.

use std::hint::black_box;

/// Rows of a tile.
pub const ROWS: usize = 4;

/// Columns of a tile: the lanes of the vectors in which elements are computed.
pub const LANES: usize = 8;

/// One number of each column.
pub type Lanes<T> = [T; LANES];

/// One number of each element of a tile.
pub type Sheet<T> = [Lanes<T>; ROWS];

/// The values of the columns of a tile, row by row.
pub type Panel = Vec<Lanes<f64>>;

/// A tile. Columns beyond the matrix are zeros, rows beyond it the last one.
pub struct Tile {
    /// The number of its first row, and of its panel.
    pub row: usize,
    pub panel: usize,
    /// The values that are added to the products.
    pub addends: Sheet<f64>,
}

/// A way to compute sums of products.
pub trait Sums: Sync {
    /// The sums of a tile, to be rounded to the result's format if they are not yet; NaN where this way does not find the sum.
    fn of(&self, tile: &Tile) -> Sheet<f64>;
}

/// `ROWS` lines of a matrix from one on. The last one stands for those beyond it.
pub fn lines<T>(matrix: &[T], length: usize, first: usize) -> [&[T]; ROWS] {
    let last = matrix.len() / length - 1;
    std::array::from_fn(|line| &matrix[(first + line).min(last) * length..][..length])
}

/// The results of a function for each lane.
#[inline(always)]
pub fn each<T: Copy + Default>(of: impl Fn(usize) -> T) -> Lanes<T> {
    let mut lanes = [T::default(); LANES];
    for (at, lane) in lanes.iter_mut().enumerate() {
        *lane = of(at);
    }
    lanes
}

/// The results of a function for each row.
#[inline(always)]
pub fn each_row<T: Copy + Default>(of: impl Fn(usize) -> Lanes<T>) -> Sheet<T> {
    let mut rows = [[T::default(); LANES]; ROWS];
    for (at, row) in rows.iter_mut().enumerate() {
        *row = of(at);
    }
    rows
}

/// The numbers of the rows, one after the other. Otherwise compilers put one lane of several rows into a vector.
#[inline(always)]
pub fn rows_apart() -> impl Iterator<Item = usize> {
    (0..ROWS).map(black_box)
}
