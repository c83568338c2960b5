//! Files of one command that must not be the same.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// Argument with the file that it names, if it is given.
pub type FileArgument<'a> = (&'a str, Option<&'a str>);

/// Fails when two outputs are one file, or when an output is a file that the command reads: one of them would be lost. `-` is
/// standard output, devices and pipes may be shared. Names are compared as the files that they lead to.
pub fn refuse_shared_files(outputs: &[FileArgument<'_>], inputs: &[FileArgument<'_>]) -> Result<()> {
    let mut written: Vec<(&str, &str)> = Vec::new();
    for &(argument, name) in outputs {
        let Some(name) = name.filter(|name| !is_device(name)) else { continue };
        for &(other, earlier) in &written {
            if name == "-" && earlier == "-" {
                bail!("{other} and {argument} are both standard output");
            }
            if are_one(name, earlier) {
                bail!("{other} and {argument} are the same file: {name}");
            }
        }
        let read = inputs.iter().find(|(_, input)| input.is_some_and(|input| are_one(name, input)));
        if let Some((read, _)) = read {
            bail!("{argument} is a file that {read} reads: {name}");
        }
        written.push((argument, name));
    }
    Ok(())
}

/// Whether two names lead to one file.
fn are_one(name: &str, other: &str) -> bool {
    target(name).is_some_and(|file| target(other) == Some(file))
}

/// Whether a name is that of a device or a pipe, which loses nothing.
fn is_device(name: &str) -> bool {
    fs::metadata(name).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The file that a name leads to, whether it exists or not; `None` for standard input and output, and for a file in a folder
/// that does not exist.
fn target(name: &str) -> Option<PathBuf> {
    if name == "-" {
        return None;
    }
    let path = Path::new(name);
    if let Ok(target) = fs::canonicalize(path) {
        return Some(target);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_compared_by_what_their_names_lead_to() {
        let folder = tempfile::tempdir().unwrap();
        let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::create_dir(name("in")).unwrap();
        fs::write(name("old"), "old").unwrap();
        let (old, new, around) = (name("old"), name("new"), name("in/../new"));
        let refused = |out: &str, svg: &str, data: &str| {
            let outputs = [("--out", Some(out)), ("--csv", None), ("--svg", Some(svg))];
            let refused = refuse_shared_files(&outputs, &[("--net", None), ("--data", Some(data))]);
            refused.err().map(|error| error.to_string())
        };
        let same = format!("--out and --svg are the same file: {around}");
        assert_eq!(refused(&new, &around, "-"), Some(same));
        let read = format!("--svg is a file that --data reads: {old}");
        assert_eq!(refused(&new, &old, &old), Some(read));
        let both = "--out and --svg are both standard output";
        assert_eq!(refused("-", "-", "-").as_deref(), Some(both));
        for (out, svg, data) in [
            (&*new, &*old, "-"),
            ("-", &old, "-"),
            (&new, &old, &name("in")),
            (&name("no/new"), &name("none/new"), &old),
        ] {
            assert_eq!(refused(out, svg, data), None, "{out} {svg} {data}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_their_file_and_devices_may_be_shared() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        let names = [&file, &link].map(|path| path.to_str().unwrap());
        assert!(refuse_shared_files(&[("--out", Some(names[0])), ("--svg", Some(names[1]))], &[]).is_err());
        assert!(
            refuse_shared_files(&[("--out", Some("/dev/null")), ("--svg", Some("/dev/null"))], &[]).is_ok()
        );
    }
}
