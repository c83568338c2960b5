//! Files named on the command line: `-` is standard input or output, and a name that ends in `.gz` is a compressed file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write, stdin, stdout};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use indicatif::ProgressBar;

/// Bytes of a reader's buffer.
const BUFFER: usize = 1 << 16;

/// Whether the name is that of a compressed file: it ends in `.gz`, in whatever case.
fn is_gzip(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Opens a file for reading.
pub fn open(name: &str) -> io::Result<Box<dyn BufRead>> {
    open_watched(name, &ProgressBar::hidden())
}

/// Opens a file for reading; the bar's position is the number of bytes read, before decompression.
pub fn open_watched(name: &str, bar: &ProgressBar) -> io::Result<Box<dyn BufRead>> {
    let reader: Box<dyn Read> = if name == "-" {
        Box::new(bar.wrap_read(stdin()))
    } else {
        let file = bar.wrap_read(File::open(name)?);
        if is_gzip(name) { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) }
    };
    Ok(Box::new(BufReader::with_capacity(BUFFER, reader)))
}

/// The whole of a text file.
pub fn read_text(name: &str) -> io::Result<String> {
    io::read_to_string(open(name)?)
}

/// Creates a file, or empties one that exists.
pub fn create(name: &str) -> io::Result<Output> {
    Ok(match name {
        "-" => Output::Plain(Box::new(BufWriter::new(stdout()))),
        name if is_gzip(name) => {
            Output::Gzip(GzEncoder::new(BufWriter::new(File::create(name)?), Compression::default()))
        }
        name => Output::Plain(Box::new(BufWriter::new(File::create(name)?))),
    })
}

/// A file being written. [`Output::finish`] ends it; an output that is dropped instead loses its last errors.
pub enum Output {
    /// Standard output, or a file that is not compressed.
    Plain(Box<dyn Write>),
    /// A compressed file.
    Gzip(GzEncoder<BufWriter<File>>),
}

impl Output {
    /// Writes the end of the file, and returns errors of writing that a drop would hide.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Output::Plain(mut plain) => plain.flush(),
            Output::Gzip(gzip) => gzip.finish()?.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Plain(plain) => plain.write(bytes),
            Output::Gzip(gzip) => gzip.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(plain) => plain.flush(),
            Output::Gzip(gzip) => gzip.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_compressed_files_are_read_as_they_were_written() {
        let folder = std::env::temp_dir().join(format!("barrow-io-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, is_text) in [("plain.txt", true), ("packed.gz", false), ("packed.GZ", false)] {
            let path = folder.join(name).display().to_string();
            let mut output = create(&path).unwrap();
            output.write_all(b"one\ntwo\n").unwrap();
            output.finish().unwrap();
            assert_eq!(read_text(&path).unwrap(), "one\ntwo\n");
            assert_eq!(std::fs::read(&path).unwrap() == b"one\ntwo\n", is_text, "{name}");
        }
        assert!(open(&folder.join("missing").display().to_string()).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
