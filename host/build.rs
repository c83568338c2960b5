//! Lists the files of the page (`web/page`), which `serve` has inside the program.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    if env::var_os("CARGO_FEATURE_SERVE").is_none() {
        return;
    }
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let page = root.join("web/page");
    println!("cargo:rerun-if-changed={}", page.display());
    let mut files = Vec::new();
    collect(&page, "", &mut files);
    files.sort();
    let mut table = "&[\n".to_owned();
    for (name, path) in files {
        let path = path.to_str().expect("the sources are in a folder whose name is text");
        writeln!(table, "    ({name:?}, include_bytes!({path:?})),").expect("a String takes any text");
    }
    table += "]\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    fs::write(out.join("page_files.rs"), table).expect("the folder of build outputs can be written");
}

/// Files of a folder and those below it, with their paths in it.
fn collect(folder: &Path, before: &str, files: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) =
            (entry.path(), entry.file_name().into_string().expect("names of the page are text"));
        let name = format!("{before}{name}");
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files);
        } else if path.extension().is_some() {
            // What has no extension is the script that builds a static site.
            files.push((name, path));
        }
    }
}
