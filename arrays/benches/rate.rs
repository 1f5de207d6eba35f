//! Million elements per second that one core converts, compared with the crate `half` and the golden model.
//!
//! `cargo bench -p binade-arrays` prints the rates of encoding (binary32 to codes) and of decoding (codes to binary32), and the
//! time to make the tables. The numbers are approximately normally distributed around zero, like weights; the best of several
//! turns counts.

use binade_arrays::{Arithmetic, Conversion, Random, Words};
use binade_spec::{Format, Operation, Selection, Unit};
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Instant;

const COUNT: usize = 1 << 22;
const TURNS: usize = 7;

const FORMATS: [&str; 14] = [
    "e5m2",
    "e4m3fn",
    "e5m2b1",
    "k8p3se",
    "e2m1f",
    "e8m0",
    "posit8_2",
    "binary16",
    "bfloat16",
    "e6m9n",
    "dlfloat16",
    "k16p8se",
    "posit16_1",
    "posit16_2",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let numbers = numbers();
    println!("{:<12} {:>10} {:>10} {:>10} {:>10}", "M/s, a core", "encode", "decode", "golden", "tables, ms");
    for name in FORMATS {
        let format: Format = name.parse()?;
        if format.width() <= 8 { row::<u8>(format, &numbers)? } else { row::<u16>(format, &numbers)? }
    }
    beside_half(&numbers);
    Ok(())
}

fn row<C: binade_arrays::Code + Default>(format: Format, numbers: &[f32]) -> Result<(), Box<dyn std::error::Error>> {
    let operation = |unit: Unit| -> Result<Operation, _> { Selection::new(unit, format).operation() };
    let start = Instant::now();
    let encode = Conversion::new(&operation(Unit::Encode)?)?;
    let decode = Conversion::new(&operation(Unit::Decode)?)?;
    let tables = start.elapsed().as_secs_f64() * 1000.0;
    let mut codes = vec![C::default(); COUNT];
    let mut values = vec![0_f32; COUNT];
    let encoding = rate(|| encode.convert(numbers, Random::Unused, &mut codes));
    let decoding = rate(|| decode.convert(&codes, Random::Unused, &mut values));
    let golden = Arithmetic::new(&operation(Unit::Encode)?)?;
    let bits: Vec<u32> = numbers.iter().map(|number| number.to_bits()).collect();
    let plain = rate(|| golden.evaluate(&[Words::U32(&bits)], Random::Unused, &mut codes));
    println!("{:<12} {encoding:>10.0} {decoding:>10.0} {plain:>10.1} {tables:>10.1}", format.to_string());
    Ok(())
}

fn beside_half(numbers: &[f32]) {
    let mut halves = vec![f16::ZERO; COUNT];
    let mut brains = vec![bf16::ZERO; COUNT];
    let mut values = vec![0_f32; COUNT];
    let encoding = rate(|| halves.convert_from_f32_slice(numbers));
    let decoding = rate(|| halves.convert_to_f32_slice(&mut values));
    println!("{:<12} {encoding:>10.0} {decoding:>10.0}", "half's f16");
    let encoding = rate(|| brains.convert_from_f32_slice(numbers));
    let decoding = rate(|| brains.convert_to_f32_slice(&mut values));
    println!("{:<12} {encoding:>10.0} {decoding:>10.0}", "half's bf16");
}

/// Million elements per second.
fn rate(mut work: impl FnMut()) -> f64 {
    let turns = (0..TURNS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    COUNT as f64 / turns.fold(f64::INFINITY, f64::min) / 1e6
}

/// Sums of uniform numbers: approximately normal, with standard deviation 1.
fn numbers() -> Vec<f32> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut uniform = || random.next_u32() as f32 / 2_f32.powi(32);
    (0..COUNT).map(|_| (0..12).map(|_| uniform()).sum::<f32>() - 6.0).collect()
}
