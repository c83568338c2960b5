//! Place of the configuration file.

use std::ffi::OsString;
use std::path::PathBuf;

/// Configuration file in an environment, and whether it must exist: that of `BARROW_CONFIG`, which is none if the variable is
/// empty, otherwise `barrow/config.toml` in the user's folder for such files (on Unix that of the XDG Base Directory
/// Specification).
pub(super) fn config_file(variable: &dyn Fn(&str) -> Option<OsString>) -> (Option<PathBuf>, bool) {
    if let Some(name) = variable("BARROW_CONFIG") {
        let named = (!name.is_empty()).then(|| PathBuf::from(name));
        return (named, true);
    }
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    (base.map(|base| base.join("barrow/config.toml")), false)
}

#[cfg(test)]
#[cfg(all(unix, not(target_os = "macos")))]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_where_the_environment_says() {
        let place = |variables: &'static [(&str, &str)]| {
            config_file(&|name| {
                let found = variables.iter().find(|(variable, _)| *variable == name);
                found.map(|(_, value)| OsString::from(value))
            })
        };
        let expected = |path: &str| Some(PathBuf::from(path));
        assert_eq!(place(&[("HOME", "/h")]), (expected("/h/.config/barrow/config.toml"), false));
        assert_eq!(
            place(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")]),
            (expected("/x/barrow/config.toml"), false)
        );
        // A path that is not absolute is ignored, as the specification says.
        assert_eq!(place(&[("XDG_CONFIG_HOME", "x")]), (None, false));
        assert_eq!(place(&[("HOME", "/h"), ("BARROW_CONFIG", "my.toml")]), (expected("my.toml"), true));
        assert_eq!(place(&[("HOME", "/h"), ("BARROW_CONFIG", "")]), (None, true));
    }
}
