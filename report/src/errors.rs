//! Error figures of encoded numbers.

use serde::Serialize;
use std::fmt;

/// Error figures over all numbers, computed in binary64.
#[derive(Clone, Debug, Default)]
pub struct ErrorFigures {
    /// The largest finite value of the format.
    largest: f64,
    numbers: u64,
    /// The number of finite numbers with finite codes, which the errors cover.
    finite: u64,
    exact: u64,
    overflows: u64,
    underflows: u64,
    nans: u64,
    max_absolute: f64,
    max_relative: f64,
    squared_errors: f64,
    squares: f64,
}

/// The figures as reported.
#[derive(Serialize)]
struct Report {
    numbers: u64,
    exact: u64,
    /// The largest absolute error of a finite number.
    max_abs_error: f64,
    /// The largest relative error.
    max_rel_error: f64,
    /// Mean of the squared errors.
    mse: f64,
    /// Signal-to-noise ratio in dB; none if there is no noise.
    snr_db: Option<f64>,
    /// Finite numbers beyond the largest finite value.
    overflows: u64,
    /// Nonzero numbers that became zero.
    underflows: u64,
    /// NaN codes.
    nans: u64,
}

impl ErrorFigures {
    /// No numbers yet; `largest` is the largest finite value of the format.
    pub fn new(largest: f64) -> ErrorFigures {
        ErrorFigures { largest, ..ErrorFigures::default() }
    }

    /// Adds a number and the value of its code.
    pub fn add(&mut self, number: f64, value: f64) {
        self.numbers += 1;
        self.exact += u64::from(number == value);
        self.nans += u64::from(value.is_nan());
        self.underflows += u64::from(value == 0.0 && number != 0.0 && !number.is_nan());
        self.overflows += u64::from(number.is_finite() && number.abs() > self.largest);
        if !(number.is_finite() && value.is_finite()) {
            return;
        }
        let error = (value - number).abs();
        self.finite += 1;
        self.max_absolute = self.max_absolute.max(error);
        if number != 0.0 {
            self.max_relative = self.max_relative.max(error / number.abs());
        }
        self.squared_errors += error * error;
        self.squares += number * number;
    }

    fn report(&self) -> Report {
        let noise = self.squared_errors;
        Report {
            numbers: self.numbers,
            exact: self.exact,
            max_abs_error: self.max_absolute,
            max_rel_error: self.max_relative,
            mse: if self.finite == 0 { 0.0 } else { noise / self.finite as f64 },
            snr_db: (noise > 0.0).then(|| 10.0 * (self.squares / noise).log10()),
            overflows: self.overflows,
            underflows: self.underflows,
            nans: self.nans,
        }
    }

    /// One line of JSON.
    ///
    /// # Panics
    /// Never: figures are plain data.
    pub fn json(&self) -> String {
        serde_json::to_string(&self.report()).expect("figures are plain data")
    }
}

impl fmt::Display for ErrorFigures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Report { numbers, exact, max_abs_error, max_rel_error, mse, snr_db, overflows, underflows, nans } =
            self.report();
        let snr = snr_db.map_or("no noise".into(), |snr| format!("SNR {snr:.2} dB"));
        write!(
            f,
            "numbers {numbers}, exact {exact}; largest error {max_abs_error:.6e}, relative {max_rel_error:.6e}; \
             MSE {mse:.6e}, {snr}; overflows {overflows}, underflows to zero {underflows}, NaN {nans}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand, for a format whose largest value is 6.
    #[test]
    fn figures_are_those_of_their_definitions() {
        let mut figures = ErrorFigures::new(6.0);
        for (number, value) in
            [(1.0, 1.0), (2.5, 2.0), (-8.0, -6.0), (1e-9, 0.0), (f64::INFINITY, 6.0), (f64::NAN, f64::NAN), (-0.0, 0.0)]
        {
            figures.add(number, value);
        }
        let report = figures.report();
        assert_eq!((report.numbers, report.exact, report.overflows, report.underflows, report.nans), (7, 2, 1, 1, 1));
        assert_eq!((report.max_abs_error, report.max_rel_error), (2.0, 1.0));
        let (noise, signal): (f64, f64) = (0.25 + 4.0 + 1e-18, 1.0 + 6.25 + 64.0 + 1e-18);
        assert_eq!(report.mse, noise / 5.0);
        assert_eq!(report.snr_db, Some(10.0 * (signal / noise).log10()));
        assert_eq!(ErrorFigures::new(1.0).report().snr_db, None);
    }
}
