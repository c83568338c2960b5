//! Files that are written: opened before the work begins, and named when they are whole.
//!
//! Output goes to a temporary file beside the target, which takes the target's name at the end. So a command
//! that cannot write says so at once, and neither a crash nor a full disk leaves half a file or costs the old one.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Error, ErrorKind, Read, Seek, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{error, fmt};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::{Builder, NamedTempFile};

use super::is_gzip;
use crate::text::output::{go_on_unread, keep_stdout_for_file, stdout_is_for_json};

/// Beginning of the name of a temporary file.
const PREFIX: &str = ".barrow-";
/// End of the name of a temporary file.
const SUFFIX: &str = ".part";

/// Temporary files that may still be there; one that has got its name is not found under the old one.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all temporary files, for a program that is about to end without unwinding. No output can be opened any more:
/// who tries to waits for the end.
pub fn remove_temporary_files() {
    let paths = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    for path in &*paths {
        // It may have got its name meanwhile.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(paths);
}

/// File that a command is going to write, or standard output.
pub struct OutputFile {
    place: Place,
    /// Whether an existing file may be replaced.
    force: bool,
    /// Whether text is compressed.
    compressed: bool,
}

/// Refusal of `-` as the name of an output file where standard output is for JSON (`--json`): the arguments do not go together.
#[derive(Debug)]
pub struct StdoutIsTaken;

impl fmt::Display for StdoutIsTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard output is for the JSON object")
    }
}

impl error::Error for StdoutIsTaken {}

/// Destination of the bytes.
enum Place {
    /// Standard output.
    Stdout,
    /// Device or pipe, which has a name already and keeps it.
    Device(File),
    /// Target, and the temporary file that takes its name; `None` after the first [`OutputFile::save`].
    File(PathBuf, Option<NamedTempFile>),
}

impl OutputFile {
    /// Opens a file for writing; `-` is standard output, unless that is kept for JSON. Fails when it cannot be written, and when
    /// a file of this name exists, unless `force` says that it is to be replaced.
    pub fn create(name: &str, force: bool) -> io::Result<OutputFile> {
        tracing::info!("writing {name}");
        if name == "-" && stdout_is_for_json() {
            return Err(Error::new(ErrorKind::InvalidInput, StdoutIsTaken));
        }
        let compressed = is_gzip(name);
        if name == "-" {
            keep_stdout_for_file();
            return Ok(OutputFile { place: Place::Stdout, force, compressed });
        }
        if fs::metadata(name).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let device = OpenOptions::new().write(true).open(name)?;
            go_on_unread();
            return Ok(OutputFile { place: Place::Device(device), force, compressed });
        }
        let path = Path::new(name);
        let exists = match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(_) => true,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        if name.ends_with('/') {
            return Err(Error::new(ErrorKind::InvalidInput, "not the name of a file"));
        }
        if exists && !force {
            return Err(Error::new(ErrorKind::AlreadyExists, "exists already; --force replaces it"));
        }
        // A link keeps pointing to where the new file is.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let temporary = temporary_beside(&target).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Error::new(error.kind(), "there is no such folder"),
            _ => error,
        })?;
        go_on_unread();
        Ok(OutputFile { place: Place::File(target, Some(temporary)), force, compressed })
    }

    /// Whether a file has the name of a temporary one, as a program that was killed leaves it.
    pub fn is_temporary(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
    }

    /// Takes this many bytes of the disk for what [`OutputFile::save`] will write, so that long work does not end on a full
    /// one. Devices and pipes have nothing to take.
    pub fn reserve(&mut self, bytes: usize) -> io::Result<()> {
        let Place::File(_, Some(temporary)) = &mut self.place else { return Ok(()) };
        let file = temporary.as_file_mut();
        // Zeros that are written take their room everywhere; a length alone does not.
        io::copy(&mut io::repeat(0).take(bytes as u64), file)?;
        file.sync_all()?;
        file.rewind()
    }

    /// Writes a part of a file that [`OutputFile::save`] will give its name.
    pub fn write_part(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.place {
            Place::Stdout => stdout().lock().write_all(bytes),
            Place::Device(file) => file.write_all(bytes),
            Place::File(target, temporary) => {
                let file = match temporary.take() {
                    Some(file) => file,
                    None => temporary_beside(target)?,
                };
                // Errors of the temporary file itself would say its name.
                temporary.insert(file).as_file_mut().write_all(bytes)
            }
        }
    }

    /// Writes a part of a text file that [`OutputFile::save`] will give its name; where that ends in `.gz`, as a gzip member.
    pub fn write_text_part(&mut self, text: &str) -> io::Result<()> {
        let bytes = self.packed(text)?;
        self.write_part(&bytes)
    }

    /// Writes a whole text file and gives it its name; where that ends in `.gz`, the text is compressed.
    pub fn save_text(&mut self, text: &str) -> io::Result<()> {
        let bytes = self.packed(text)?;
        self.save(&bytes)
    }

    /// Bytes of a text as the file has them.
    fn packed<'a>(&self, text: &'a str) -> io::Result<Cow<'a, [u8]>> {
        if !self.compressed {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes())?;
        Ok(Cow::Owned(encoder.finish()?))
    }

    /// Writes the whole file, or what is left of it, and gives it its name. A second call replaces what the first has written. When the file
    /// cannot get its name, the error says what the temporary file is called, and that one is kept.
    pub fn save(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.place {
            Place::Stdout => {
                let mut output = stdout().lock();
                output.write_all(bytes)?;
                output.flush()
            }
            Place::Device(file) => file.write_all(bytes),
            Place::File(target, temporary) => {
                let mut file = match temporary.take() {
                    Some(file) => file,
                    None => temporary_beside(target)?,
                };
                let whole = file.as_file_mut();
                whole.write_all(bytes)?;
                let end = whole.stream_position()?;
                whole.set_len(end)?;
                whole.sync_all()?;
                rename(file, target, self.force)?;
                self.force = true;
                Ok(())
            }
        }
    }
}

/// Creates a temporary file in the folder of a target, with the permissions that the target has or would get.
fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if target.file_name().is_none() {
        return Err(Error::new(ErrorKind::InvalidInput, "not the name of a file"));
    }
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut known = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    // Errors name the target, not a file that nobody asked for.
    let file = builder.tempfile_in(folder).map_err(|error| Error::from(error.kind()))?;
    known.retain(|path| path.exists());
    known.push(file.path().to_owned());
    drop(known);
    if let Ok(existing) = fs::metadata(target) {
        fs::set_permissions(file.path(), existing.permissions())?;
    }
    Ok(file)
}

/// Gives a temporary file its name. If that fails, the file keeps its temporary name, and the error says so.
fn rename(file: NamedTempFile, target: &Path, force: bool) -> io::Result<()> {
    let renamed = if force { file.persist(target) } else { file.persist_noclobber(target) };
    let Err(failure) = renamed else { return Ok(()) };
    let kind = failure.error.kind();
    match failure.file.keep() {
        Ok((_, kept)) => {
            TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != kept);
            Err(Error::new(
                kind,
                format!("{}; what was to be written is in {}", failure.error, kept.display()),
            ))
        }
        Err(_) => Err(failure.error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_that_is_not_there_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let name = format!("{}/new/", folder.path().display());
        let refused = OutputFile::create(&name, false).err().unwrap();
        assert_eq!(refused.to_string(), "not the name of a file");
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_file_gets_its_name_when_it_is_whole_and_may_be_saved_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut output = OutputFile::create(path.to_str().unwrap(), false).unwrap();
        assert!(!path.exists());
        output.save(b"one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        output.save(b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        output.write_part(b"th").unwrap();
        output.write_part(b"re").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        output.save(b"e").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn room_that_was_reserved_and_is_not_needed_is_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut output = OutputFile::create(path.to_str().unwrap(), false).unwrap();
        output.reserve(100_000).unwrap();
        let reserved = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
        assert_eq!(reserved.metadata().unwrap().len(), 100_000);
        output.write_part(b"o").unwrap();
        output.save(b"ne").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        // A file that has its name has all its room.
        output.reserve(5).unwrap();
        assert_eq!(
            (fs::read(&path).unwrap(), names(folder.path())),
            (b"one".to_vec(), vec!["out".to_owned()])
        );
    }

    #[test]
    fn text_is_compressed_where_the_name_says_so() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["out", "out.gz", "out.mgn.GZ"] {
            let name = folder.path().join(name).display().to_string();
            let mut output = OutputFile::create(&name, false).unwrap();
            output.write_text_part("one\n").unwrap();
            output.save_text("two\n").unwrap();
            assert_eq!(fs::read(&name).unwrap().starts_with(&[0x1f, 0x8b]), is_gzip(&name));
            assert_eq!(crate::io::read_text(&name).unwrap(), "one\ntwo\n", "{name}");
        }
    }

    #[test]
    fn an_existing_file_is_replaced_by_force_only_and_stays_until_then() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(&path, "old").unwrap();
        let name = path.to_str().unwrap();
        assert_eq!(OutputFile::create(name, false).err().unwrap().kind(), ErrorKind::AlreadyExists);
        drop(OutputFile::create(name, true).unwrap());
        assert_eq!(
            (fs::read(&path).unwrap(), names(folder.path())),
            (b"old".to_vec(), vec!["out".to_owned()])
        );
        OutputFile::create(name, true).unwrap().save(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn what_cannot_be_written_fails_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["no/such/folder", "", "..", "/"] {
            let path = if name.len() > 2 { folder.path().join(name) } else { PathBuf::from(name) };
            assert!(OutputFile::create(path.to_str().unwrap(), true).is_err(), "{name}");
        }
    }

    #[test]
    fn a_result_whose_name_was_taken_meanwhile_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut output = OutputFile::create(path.to_str().unwrap(), false).unwrap();
        fs::write(&path, "another program's").unwrap();
        let error = output.save(b"mine").unwrap_err().to_string();
        let kept = error.rsplit(' ').next().unwrap();
        assert_eq!(fs::read(kept).unwrap(), b"mine", "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"another program's");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_links_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        symlink("out", &link).unwrap();
        OutputFile::create(link.to_str().unwrap(), true).unwrap().save(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        OutputFile::create("/dev/null", false).unwrap().save(b"gone").unwrap();
    }
}
