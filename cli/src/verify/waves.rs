//! The options that choose waves.

use binade_verdict::Waves;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Clone, Debug, Default)]
pub struct WaveOptions {
    /// Write waves into this file (FST): of the --replay vector, of a mismatch, or of the first vectors of a right unit
    #[arg(long, value_name = "FILE", conflicts_with = "no_waves")]
    pub waves: Option<PathBuf>,
    /// Skip the waves of a mismatch, which take some seconds
    #[arg(long)]
    pub no_waves: bool,
}

impl WaveOptions {
    pub fn waves(&self) -> Waves {
        Waves { file: self.waves.clone(), none: self.no_waves }
    }
}
