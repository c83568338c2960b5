//! The `barrow` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    barrow::cpu::require();
    barrow::cli::run()
}
