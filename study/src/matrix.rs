//! Matrices of binary32 numbers, row by row.

/// Rows of one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Numbers of a row.
    pub columns: usize,
    /// Row after row.
    pub numbers: Vec<f32>,
}

impl Matrix {
    /// These rows, of which there is one at least.
    pub fn of_rows(rows: impl Iterator<Item = Vec<f32>>) -> Matrix {
        let rows: Vec<Vec<f32>> = rows.collect();
        Matrix { columns: rows[0].len(), numbers: rows.concat() }
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.numbers.chunks(self.columns)
    }

    /// Other numbers in the same places.
    pub fn with(&self, numbers: Vec<f32>) -> Matrix {
        Matrix { columns: self.columns, numbers }
    }

    /// Columns as rows.
    pub fn transposed(&self) -> Matrix {
        Matrix::of_rows((0..self.columns).map(|column| self.rows().map(|row| row[column]).collect()))
    }
}
