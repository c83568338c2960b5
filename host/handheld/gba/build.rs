//! Tells the linker where the memory map lies.
#![allow(missing_docs)]

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rustc-link-search={folder}");
    println!("cargo::rerun-if-changed=cartridge.ld");
}
