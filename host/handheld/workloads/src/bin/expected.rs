//! Prints the results that every machine must print.

use std::fmt;

use barrow_workloads::{Machine, Memory, run};

/// The host, which measures nothing.
struct Host;

impl Machine for Host {
    fn print(&mut self, line: fmt::Arguments<'_>) {
        println!("{line}");
    }

    fn measure<R>(&mut self, _: &'static str, _: usize, _: usize, run: impl FnOnce() -> R) -> R {
        run()
    }
}

fn main() {
    run(&mut Host, &mut Box::default());
}
