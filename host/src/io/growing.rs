//! Files that grow while the work goes on, so that what is finished can be read at any time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Error, ErrorKind, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::text::output::go_on_unread;

/// Time for which a lock may be held by a process that is just being started.
const MOMENT: Duration = Duration::from_millis(500);

/// Tries to take a lock within [`MOMENT`].
const TRIES: u32 = 50;

/// File that grows at its end. One that it replaces stays as it is until the first write, and one that was made for it
/// and never written to is removed again: work that does not begin leaves everything as it was. Where the system has
/// locks, one process at a time holds a file: two that wrote at places of their own would overwrite each other's work. Only
/// those that write behind whatever the file holds may share one.
#[derive(Debug)]
pub struct GrowingFile {
    file: File,
    before: Before,
}

/// State of the file before the first write.
#[derive(PartialEq, Eq, Debug)]
enum Before {
    /// Empty, made for this work under this name.
    Made(PathBuf),
    /// Holds what is to be replaced.
    Old,
    /// Written to, or gone on with.
    Begun,
}

impl GrowingFile {
    /// Opens a file to be written from its start. Fails when it cannot be written, and when a file of this name exists,
    /// unless `force` says that it is to be replaced, or while another process writes it; devices and pipes have nothing to
    /// lose.
    pub fn create(name: &str, force: bool) -> io::Result<GrowingFile> {
        let found = fs::metadata(name).ok();
        let device = found.as_ref().is_some_and(|found| !found.is_file());
        let before = match found {
            Some(_) if device => Before::Begun,
            Some(_) if force => Before::Old,
            _ => Before::Made(name.into()),
        };
        let mut options = OpenOptions::new();
        options.write(true).create(force && !device).create_new(!force && !device);
        let file = options.open(name)?;
        if !device {
            lock(&file)?;
        }
        Ok(GrowingFile::new(file, before))
    }

    /// Opens a file that exists, to be read and then gone on with by [`GrowingFile::cut`]; until then it stays as it is. Fails
    /// while another process writes it, whose work would be read in part and cut off.
    pub fn claim(name: &str) -> io::Result<GrowingFile> {
        let file = OpenOptions::new().write(true).open(name)?;
        lock(&file)?;
        Ok(file.into())
    }

    /// Opens a file to write behind what it holds then, whoever wrote that; one that does not exist is made, and a pipe or a
    /// device has no end to mend. Where nobody else writes the file, `mend` puts its end in order first. Fails while another
    /// process writes it, but for one that opened it like this, if both have it `shared`.
    pub fn append(
        name: &str,
        shared: bool,
        mend: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<GrowingFile> {
        let mut file = OpenOptions::new().append(true).read(true).create(true).open(name)?;
        if file.metadata()?.is_file() {
            match lock(&file) {
                // Who shares it has put the end in order, and writes behind it.
                Err(_) if shared => share(&file)?,
                alone => {
                    alone?;
                    mend(&mut file)?;
                    if shared {
                        share(&file)?;
                    }
                }
            }
        }
        Ok(file.into())
    }

    fn new(file: File, before: Before) -> GrowingFile {
        go_on_unread();
        GrowingFile { file, before }
    }

    /// Keeps the first `length` bytes, behind which it is written from now on.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

/// Locks a file until it is closed. Fails when another process has locked it.
fn lock(file: &File) -> io::Result<()> {
    told(|| file.try_lock())
}

/// Locks a file until it is closed, together with others that share it. Fails when another process has it alone.
fn share(file: &File) -> io::Result<()> {
    told(|| file.try_lock_shared())
}

/// Result of taking a lock, in words.
fn told(take: impl FnMut() -> Result<(), TryLockError>) -> io::Result<()> {
    // Elsewhere a lock would keep readers away, too.
    if cfg!(not(unix)) {
        return Ok(());
    }
    match take_soon(take) {
        Err(TryLockError::WouldBlock) => Err(Error::new(ErrorKind::WouldBlock, "in use by another process")),
        // Some file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Takes a lock that is free within a moment. What this process starts holds its locks until it is the other program, so that
/// one may be held for some milliseconds after its file was closed.
pub(crate) fn take_soon(mut take: impl FnMut() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    for _ in 0..TRIES {
        match take() {
            Err(TryLockError::WouldBlock) => thread::sleep(MOMENT / TRIES),
            taken => return taken,
        }
    }
    take()
}

impl From<File> for GrowingFile {
    /// File that is written where it stands.
    fn from(file: File) -> GrowingFile {
        GrowingFile::new(file, Before::Begun)
    }
}

impl Write for GrowingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.before == Before::Old {
            self.file.set_len(0)?;
        }
        self.before = Before::Begun;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for GrowingFile {
    fn drop(&mut self) {
        if let Before::Made(path) = &self.before
            && fs::metadata(path).is_ok_and(|found| found.len() == 0)
        {
            // What cannot be removed is empty.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_never_written_to_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let name = path.to_str().unwrap();
        for force in [false, true] {
            let file = GrowingFile::create(name, force).unwrap();
            assert!(path.exists());
            drop(file);
            assert!(!path.exists());
        }
        fs::write(name, "a long old text").unwrap();
        assert_eq!(GrowingFile::create(name, false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(GrowingFile::create(name, true).unwrap());
        assert_eq!(fs::read(name).unwrap(), b"a long old text");
        let mut file = GrowingFile::create(name, true).unwrap();
        file.write_all(b"new").unwrap();
        file.write_all(b"er").unwrap();
        drop(file);
        assert_eq!(fs::read(name).unwrap(), b"newer");
        let mut file = GrowingFile::claim(name).unwrap();
        assert_eq!(fs::read(name).unwrap(), b"newer");
        file.cut(3).unwrap();
        file.write_all(b"t").unwrap();
        assert_eq!(fs::read(name).unwrap(), b"newt");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_written_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let name = path.to_str().unwrap();
        let refused = || {
            [GrowingFile::create(name, true), GrowingFile::claim(name)]
                .map(|opened| opened.err().map(|error| error.to_string()))
        };
        let in_use = || Some("in use by another process".to_owned());
        let mut file = GrowingFile::create(name, false).unwrap();
        assert_eq!(refused(), [in_use(), in_use()]);
        file.write_all(b"first").unwrap();
        assert_eq!(refused(), [in_use(), in_use()]);
        drop(file);
        assert!(GrowingFile::create(name, true).is_ok());
        let mut file = GrowingFile::claim(name).unwrap();
        assert_eq!(refused(), [in_use(), in_use()]);
        file.write_all(b"f").unwrap();
        assert_eq!(fs::read(name).unwrap(), b"first");
    }

    #[test]
    fn a_lock_that_is_free_after_a_moment_is_taken() {
        let mut tries = 0;
        let taken = take_soon(|| {
            tries += 1;
            if tries < 4 { Err(TryLockError::WouldBlock) } else { Ok(()) }
        });
        assert!(taken.is_ok() && tries == 4);
        assert!(take_soon(|| Err(TryLockError::WouldBlock)).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn who_writes_at_the_end_may_share_a_file_with_his_like_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let name = path.to_str().unwrap();
        let append = |shared, end: &str| {
            GrowingFile::append(name, shared, |file| file.write_all(end.as_bytes()))
                .map_err(|e| e.to_string())
        };
        let in_use = |opened: Result<GrowingFile, String>| {
            assert_eq!(opened.err().as_deref(), Some("in use by another process"));
        };
        let mut first = append(true, "mended ").unwrap();
        let mut second = append(true, "by one only").unwrap();
        first.write_all(b"1").unwrap();
        second.write_all(b"2").unwrap();
        first.write_all(b"3").unwrap();
        assert_eq!(fs::read(name).unwrap(), b"mended 123");
        in_use(append(false, ""));
        in_use(GrowingFile::create(name, true).map_err(|error| error.to_string()));
        drop(first);
        in_use(append(false, ""));
        drop(second);
        let mut alone = append(false, " again").unwrap();
        alone.write_all(b"4").unwrap();
        in_use(append(true, ""));
        in_use(append(false, ""));
        drop(alone);
        let made = GrowingFile::create(name, true).unwrap();
        in_use(append(true, ""));
        drop(made);
        assert_eq!(fs::read(name).unwrap(), b"mended 123 again4");
    }
}
