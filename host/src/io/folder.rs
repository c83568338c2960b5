//! Folders that the command line names.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Makes a folder with those above it, unless it exists. An error says so where something that is no folder has its name.
pub fn make_folder(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    fs::create_dir_all(path).map_err(|error| match fs::metadata(path) {
        Ok(found) if !found.is_dir() => {
            io::Error::new(ErrorKind::NotADirectory, "not a folder, which is expected here")
        }
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (file, below) = (folder.path().join("file"), folder.path().join("a/b"));
        fs::write(&file, "").unwrap();
        assert_eq!(make_folder(&file).unwrap_err().to_string(), "not a folder, which is expected here");
        assert!(make_folder(&below).is_ok() && make_folder(&below).is_ok() && below.is_dir());
        assert!(make_folder(file.join("below")).unwrap_err().raw_os_error().is_some());
    }
}
