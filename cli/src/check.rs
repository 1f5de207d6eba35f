//! `binade check`: checks certificates of proofs.

use crate::failure::Failure;
use crate::heartbeat::with_heartbeat;
use crate::output;
use binade_check::Fault;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  binade prove --format e4m3fn --unit mul --certificate certificates\n  binade check certificates\n\n\
                  Exit codes: 0 everything is shown, 1 a certificate does not show what it claims, 2 there is none."
)]
pub struct Arguments {
    /// A certificate that `binade prove --certificate` wrote, or a folder that contains some
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    for folder in &arguments.folders {
        for certificate in binade_check::certificates(folder).map_err(failure)? {
            let state = || format!("{} is being checked", certificate.display());
            let checked = with_heartbeat(state, || binade_check::check(&certificate));
            output::print(&checked.map_err(failure)?.to_string())?;
        }
    }
    Ok(())
}

fn failure(fault: Fault) -> Failure {
    match fault.exit_code {
        2 => Failure::Usage(fault.to_string()),
        _ => Failure::Refused(fault.to_string()),
    }
}
