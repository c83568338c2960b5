//! Files that grow by blocks, each whole in the file once it is written, so that a killed program loses the block that it
//! was at and no more.

use std::fs::OpenOptions;
use std::io::{self, Error, ErrorKind, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::io::{GrowingFile, is_gzip};

/// File that grows at its end.
#[derive(Debug)]
pub(super) struct BlockFile {
    file: GrowingFile,
    compressed: bool,
}

impl BlockFile {
    /// Creates a file; a name that ends in `.gz` makes a compressed one. Fails when a file of this name exists, unless
    /// `force` says that it is to be replaced, which the first block does.
    pub(super) fn create(name: &str, force: bool) -> io::Result<BlockFile> {
        if name == "-" {
            return Err(Error::new(ErrorKind::InvalidInput, "games are recorded to files only"));
        }
        let file = GrowingFile::create(name, force).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Error::new(error.kind(), "exists already; --force replaces it"),
            _ => error,
        })?;
        Ok(BlockFile { file, compressed: is_gzip(name) })
    }

    /// Opens a file to write behind what it holds; one that does not exist is made. What breaks off at its end gets a line
    /// end, so that what follows is read. Fails for a name that ends in `.gz`, where that is not possible.
    pub(super) fn append(name: &str) -> io::Result<BlockFile> {
        if is_gzip(name) {
            return Err(Error::new(ErrorKind::InvalidInput, "cannot go on with a compressed file"));
        }
        let mut file = OpenOptions::new().append(true).read(true).create(true).open(name)?;
        let mut last = [b'\n'];
        if file.metadata()?.is_file() && file.seek(SeekFrom::End(0))? > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        if last != [b'\n'] {
            file.write_all(b"\n")?;
        }
        Ok(BlockFile { file: file.into(), compressed: false })
    }

    /// Writes a block of whole lines.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        if !self.compressed {
            return self.file.write_all(text.as_bytes());
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes())?;
        self.file.write_all(&encoder.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_existing_file_is_replaced_by_force_only_and_grows_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("games.mgn").display().to_string();
        fs::write(&name, "old").unwrap();
        let error = BlockFile::create(&name, false).unwrap_err();
        assert_eq!((error.kind(), fs::read(&name).unwrap()), (ErrorKind::AlreadyExists, b"old".to_vec()));
        BlockFile::append(&name).unwrap().write("new\n").unwrap();
        BlockFile::append(&name).unwrap().write("newer\n").unwrap();
        assert_eq!(fs::read(&name).unwrap(), b"old\nnew\nnewer\n");
        BlockFile::create(&name, true).unwrap().write("only\n").unwrap();
        assert_eq!(fs::read(&name).unwrap(), b"only\n");
        for name in ["-", "no/such/folder/file"] {
            assert!(BlockFile::create(name, true).is_err());
        }
        assert!(BlockFile::append("games.mgn.gz").is_err());
    }
}
