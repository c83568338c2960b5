//! Tells the linker where the memory layout is.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::rustc-link-arg=-T{folder}/image.ld");
    println!("cargo::rerun-if-changed=image.ld");
}
