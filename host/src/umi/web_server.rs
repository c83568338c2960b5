//! The Minions web server as a host (UMI §7, §17): what is different for it.

use std::io::Write;
use std::time::Duration;

use barrow_core::minions::Ruleset;

use super::options::Host;
use super::recognition::Recognition;
use super::session::Session;

/// Time of a search without limits.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// Time of a search for the web server, which never names limits; its clock has 120 s for a turn, and a person waits.
const WEB_SERVER_MOVE_TIME: Duration = Duration::from_secs(5);

impl<W: Write> Session<W> {
    /// Whether the host is the web server, as far as the options and its lines tell.
    pub(super) fn faces_web_server(&self) -> bool {
        match self.options.host {
            Host::Auto => self.options.ruleset.is_none() && self.recognition == Recognition::Certain,
            Host::WebServer => true,
            Host::Other => false,
        }
    }

    /// The ruleset of a position for which the option `Ruleset` names none.
    pub(super) fn auto_ruleset(&self, extended: bool, recognition: Recognition) -> Ruleset {
        let web_server = match self.options.host {
            Host::Auto => recognition == Recognition::Certain,
            Host::WebServer => true,
            Host::Other => false,
        };
        if extended || web_server { Ruleset::Server } else { Ruleset::Spooky }
    }

    /// Offset that is subtracted from the tech positions printed.
    pub(super) fn tech_offset(&self) -> u8 {
        self.options.tech_offset.unwrap_or(u8::from(self.faces_web_server()))
    }

    /// Time of a search without limits.
    pub(super) fn move_time(&self) -> Duration {
        let default = if self.faces_web_server() { WEB_SERVER_MOVE_TIME } else { MOVE_TIME };
        self.options.move_time.unwrap_or(default)
    }
}
