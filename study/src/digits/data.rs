//! Images of handwritten digits: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository (1998).

use super::{BATCH, IMAGES_TO_LEARN};
use crate::matrix::Matrix;
use flate2::read::GzDecoder;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::Read;

/// The pixels of an image, and the number of outputs of the network; the target is 1 for the digit shown, else 0.
pub const PIXELS: usize = 64;
pub const DIGITS: usize = 10;

/// The value of a black pixel.
const BLACK: f32 = 16.0;

static FILE: &[u8] = include_bytes!("../../data/digits.csv.gz");

/// An image and its digit.
#[derive(Clone, Debug)]
pub struct Image {
    /// From 0 to 1, in multiples of 1/16.
    pub pixels: [f32; PIXELS],
    /// From 0 to 9.
    pub digit: usize,
}

/// Training images and test images.
#[derive(Debug)]
pub struct Images {
    pub learned: Vec<Image>,
    pub others: Vec<Image>,
}

/// All images, in the order of the file.
fn all() -> Vec<Image> {
    let mut text = String::new();
    GzDecoder::new(FILE).read_to_string(&mut text).expect("the file is whole");
    text.lines().map(image).collect()
}

fn image(line: &str) -> Image {
    let numbers: Vec<u8> = line.split(',').map(|number| number.parse().expect("a number")).collect();
    let (digit, pixels) = numbers.split_last().expect("a digit");
    Image { pixels: std::array::from_fn(|at| f32::from(pixels[at]) / BLACK), digit: (*digit).into() }
}

impl Images {
    /// All images, split in two at random with this seed.
    pub fn new(seed: u64) -> Images {
        let mut learned = all();
        learned.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let others = learned.split_off(IMAGES_TO_LEARN);
        Images { learned, others }
    }
}

/// Images as rows of pixels.
pub fn pixels(images: &[&Image]) -> Matrix {
    Matrix::of_rows(images.iter().map(|image| image.pixels.to_vec()))
}

/// The targets with inverted sign, one row per image.
pub fn minus_wanted(images: &[&Image]) -> Matrix {
    let row = |image: &&Image| (0..DIGITS).map(|digit| if digit == image.digit { -1.0 } else { 0.0 }).collect();
    Matrix::of_rows(images.iter().map(row))
}

/// Batches of images, in a new order for each epoch.
pub fn batches<'i>(images: &'i [Image], order: &mut Xoshiro256PlusPlus) -> Vec<Vec<&'i Image>> {
    let mut all: Vec<&Image> = images.iter().collect();
    all.shuffle(order);
    all.chunks_exact(BATCH).map(<[&Image]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_what_it_is_said_to_be() {
        let all = all();
        assert_eq!(all.len(), 1797);
        // The counts given in the description of the data set.
        let counts = (0..DIGITS).map(|digit| all.iter().filter(|image| image.digit == digit).count());
        assert_eq!(counts.collect::<Vec<_>>(), [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]);
        assert!(all.iter().flat_map(|image| image.pixels).all(|pixel| (0.0..=1.0).contains(&pixel)));
        assert_eq!(IMAGES_TO_LEARN % BATCH, 0);
    }

    #[test]
    fn a_seed_cuts_in_one_way() {
        let digits = |seed| Images::new(seed).others.iter().map(|image| image.digit).collect::<Vec<_>>();
        assert_eq!(digits(1), digits(1));
        assert_ne!(digits(1), digits(2));
        assert_eq!(digits(1).len(), 1797 - IMAGES_TO_LEARN);
    }
}
