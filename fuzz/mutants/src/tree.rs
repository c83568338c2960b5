//! Copy of the working tree, in which files are changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Copy of a working tree in a folder of its own.
pub struct Tree {
    /// Root of the repository.
    pub source: PathBuf,
    /// Root of the copy.
    pub copy: PathBuf,
}

impl Tree {
    /// Copy of what git tracks or would track. Files that are the same already keep their age, so that nothing is built
    /// again for them.
    pub fn copied(source: &Path, copy: &Path, changed: &[String]) -> Result<Tree, String> {
        let tree = Tree { source: source.to_owned(), copy: copy.to_owned() };
        let output = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(source)
            .output()
            .map_err(|error| format!("git: {error}"))?;
        let names = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
        for name in names.split('\0').filter(|name| !name.is_empty()) {
            // Those are written with mutants in them.
            if changed.iter().any(|file| file == name) || !source.join(name).is_file() {
                continue;
            }
            let bytes = fs::read(source.join(name)).map_err(|error| format!("{name}: {error}"))?;
            tree.write(name, &bytes)?;
        }
        Ok(tree)
    }

    /// Text of a file of the repository.
    pub fn read(&self, file: &str) -> Result<String, String> {
        fs::read_to_string(self.source.join(file)).map_err(|error| format!("{file}: {error}"))
    }

    /// Changes a file of the copy, unless it has these bytes already.
    pub fn write(&self, file: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.copy.join(file);
        if fs::read(&path).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        let folder = path.parent().ok_or("a file without a folder")?;
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|error| format!("{}: {error}", path.display()))
    }
}
