//! Matrices of binary32 numbers, row by row.

/// A matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Numbers per row.
    pub columns: usize,
    /// The numbers, row by row.
    pub numbers: Vec<f32>,
}

impl Matrix {
    /// A matrix of these rows; at least one.
    pub fn of_rows(rows: impl Iterator<Item = Vec<f32>>) -> Matrix {
        let rows: Vec<Vec<f32>> = rows.collect();
        Matrix { columns: rows[0].len(), numbers: rows.concat() }
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.numbers.chunks(self.columns)
    }

    /// A matrix of the same shape with other numbers.
    pub fn with(&self, numbers: Vec<f32>) -> Matrix {
        Matrix { columns: self.columns, numbers }
    }

    /// The transposed matrix.
    pub fn transposed(&self) -> Matrix {
        Matrix::of_rows((0..self.columns).map(|column| self.rows().map(|row| row[column]).collect()))
    }
}
