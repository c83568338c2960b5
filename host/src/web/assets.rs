//! Files of the page: those in the program, and over them those of a folder `site` beside the games, where `just site` puts a
//! built page with its WebAssembly. All are read at the start, so a request can only name what is in the table.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use axum::body::Bytes;
use hashbrown::HashMap;
use sha2::{Digest, Sha256};

/// Files of `host/web/page` by their paths there.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// Sign by which the page learns that a server is behind it, written into its heads.
const SERVER: &str = "<head>\n<meta name=\"barrow-server\" content=\"api/game\">";

/// Positions of the page's lessons.
const TACTICS: &[u8] = include_bytes!("../../data/tactics.fen");

/// Bytes of all files of a folder `site`.
const SITE_BYTES: u64 = 64 << 20;

/// File of the page.
#[derive(Clone, Debug)]
pub(super) struct Asset {
    /// Content.
    pub(super) bytes: Bytes,
    /// Media type.
    pub(super) media_type: &'static str,
    /// Hash of the content in quotes, as the header `ETag` has it.
    pub(super) tag: String,
}

/// Files of the page by their paths, without a slash at the front.
pub(super) struct Assets(HashMap<String, Asset>);

impl Assets {
    /// Files in the program, and over them those of a folder, if there is one.
    pub(super) fn read(site: &Path) -> Result<Assets> {
        let mut assets = Assets(HashMap::new());
        for &(path, bytes) in EMBEDDED {
            assets.add(path.to_owned(), Bytes::from_static(bytes));
        }
        assets.add("tactics.fen".to_owned(), Bytes::from_static(TACTICS));
        assets.name_files();
        if site.is_dir() {
            let mut left = SITE_BYTES;
            assets.read_folder(site, "", &mut left)?;
        }
        Ok(assets)
    }

    /// File of a path; the page itself for an empty one.
    pub(super) fn get(&self, path: &str) -> Option<&Asset> {
        self.0.get(if path.is_empty() { "index.html" } else { path })
    }

    /// Writes the files to be kept, and a version of them, into the service worker, as the build of a static site does.
    fn name_files(&mut self) {
        let Some(worker) = self.0.get("sw.js") else { return };
        let mut paths: Vec<&str> =
            self.0.keys().map(String::as_str).filter(|&path| path != "sw.js").collect();
        paths.sort_unstable();
        let all = paths.iter().filter_map(|path| self.get(path));
        let version: String = all.map(|asset| &asset.tag[1..9]).collect();
        let version = Sha256::digest(version);
        let version = version[..8].iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        let list = format!("\"./\", \"{}\"", paths.join("\", \""));
        let text = String::from_utf8_lossy(&worker.bytes);
        let text = text.replace("@VERSION@", &version).replace("\"@FILES@\"", &list);
        self.add("sw.js".to_owned(), text.into());
    }

    fn add(&mut self, path: String, mut bytes: Bytes) {
        if media_type(&path).starts_with("text/html") {
            bytes = String::from_utf8_lossy(&bytes).replacen("<head>", SERVER, 1).into();
        }
        let hash = Sha256::digest(&bytes);
        let tag = hash[..12].iter().fold("\"".to_owned(), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
        let media_type = media_type(&path);
        self.0.insert(path, Asset { bytes, media_type, tag });
    }

    fn read_folder(&mut self, folder: &Path, before: &str, left: &mut u64) -> Result<()> {
        let place = || folder.display().to_string();
        for entry in std::fs::read_dir(folder).with_context(place)? {
            let entry = entry.with_context(place)?;
            // A name that is no text cannot be asked for, and a link may lead anywhere.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let (path, kind) = (format!("{before}{name}"), entry.file_type().with_context(place)?);
            if kind.is_dir() {
                self.read_folder(&entry.path(), &format!("{path}/"), left)?;
            } else if kind.is_file() {
                let bytes =
                    std::fs::read(entry.path()).with_context(|| entry.path().display().to_string())?;
                let rest = left.checked_sub(bytes.len() as u64);
                ensure!(rest.is_some(), "{}: more than {} MiB", place(), SITE_BYTES >> 20);
                *left = rest.unwrap_or_default();
                self.add(path, bytes.into());
            }
        }
        Ok(())
    }
}

/// Media type by the end of the name.
fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, end)| end) {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" | "md" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_in_the_program_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let assets = Assets::read(&folder.path().join("site")).unwrap();
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/page");
        let mut files = Assets(HashMap::new());
        files.read_folder(&page, "", &mut SITE_BYTES.clone()).unwrap();
        // The script that builds the page is no part of it.
        files.0.retain(|path, _| path.contains('.'));
        assert_eq!(assets.0.len(), files.0.len() + 1);
        for (path, file) in files.0.iter().filter(|(path, _)| *path != "sw.js") {
            assert_eq!(assets.get(path).map(|asset| &asset.tag), Some(&file.tag), "{path}");
        }
        assert_eq!(assets.get("").unwrap().media_type, "text/html; charset=utf-8");
    }

    #[test]
    fn the_page_is_told_of_the_server_and_the_service_worker_of_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let assets = Assets::read(&folder.path().join("site")).unwrap();
        let text = |path| String::from_utf8(assets.get(path).unwrap().bytes.to_vec()).unwrap();
        assert!(text("").contains("<meta name=\"barrow-server\" content=\"api/game\">"));
        let worker = text("sw.js");
        assert!(!worker.contains("@VERSION@") && !worker.contains("@FILES@"), "{worker}");
        assert!(worker.contains("\"./\", ") && worker.contains("\"js/app.js\""), "{worker}");
    }

    #[test]
    fn files_of_the_site_come_first_and_nothing_outside_it_comes_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        std::fs::create_dir_all(site.join("pkg")).unwrap();
        std::fs::write(folder.path().join("games.sqlite"), "secret").unwrap();
        std::fs::write(site.join("index.html"), "another <head> page").unwrap();
        std::fs::write(site.join("pkg/engine.wasm"), [0, 97, 115, 109]).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path().join("games.sqlite"), site.join("link")).unwrap();
        let assets = Assets::read(&site).unwrap();
        let page = String::from_utf8(assets.get("").unwrap().bytes.to_vec()).unwrap();
        assert!(page.starts_with("another <head>") && page.contains("barrow-server"), "{page}");
        assert_eq!(assets.get("pkg/engine.wasm").unwrap().media_type, "application/wasm");
        for path in ["link", "../games.sqlite", "pkg/../index.html", "pkg", "/index.html", "pkg//engine.wasm"]
        {
            assert!(assets.get(path).is_none(), "{path}");
        }
    }
}
