//! The engine of a page: a session, and searches by slices of work. Texts go in and out, so that what carries them can be
//! thin.

use serde_json::from_str;

use crate::analysis::{Standing, analysis};
use crate::messages::{Answer, Ask, Refusal, Reply, Request, SearchAsk};
use crate::network::SessionNetwork;
use crate::search::{SlicedSearch, SpareMemory};
use crate::session::Session;
use crate::text::quoted::shortened;

/// Search under way, with the request that it answers.
struct Running {
    id: u64,
    ask: SearchAsk,
    after: Option<usize>,
    search: SlicedSearch,
}

/// Engine of a page.
pub struct PageEngine {
    session: Session,
    network: Option<SessionNetwork>,
    running: Option<Running>,
    spare: Option<SpareMemory>,
}

impl PageEngine {
    /// An engine with a new game, and with this network.
    pub fn new(network: Option<SessionNetwork>) -> Result<PageEngine, Refusal> {
        Ok(PageEngine { session: Session::new()?, network, running: None, spare: None })
    }

    /// Changes the network of the searches that are begun from now on.
    pub fn set_network(&mut self, network: SessionNetwork) {
        self.network = Some(network);
    }

    /// Answer to the text of a request. A search is only begun, and then the text is empty; what is wrong with it is answered.
    pub fn obey(&mut self, text: &str) -> String {
        let request: Request = match from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let error = Some(shortened(&format!("no request: {error}")));
                return text_of(&Answer { id: None, reply: None, error });
            }
        };
        let result = match &request.ask {
            Ask::Search(ask) => match self.begin(request.id, ask) {
                Ok(()) => return String::new(),
                Err(refusal) => Err(refusal),
            },
            Ask::Stop => Ok(Reply::Done),
            ask => self.session.obey(ask),
        };
        text_of(&Answer::new(request.id, result))
    }

    fn begin(&mut self, id: u64, ask: &SearchAsk) -> Result<(), Refusal> {
        if ask.nodes == Some(0) {
            return Err("nodes must be at least 1".into());
        }
        let searched = self.session.searched(&ask.place)?;
        self.end();
        let memory = self.spare.take().unwrap_or_default();
        let limits = (ask.seed, ask.nodes.unwrap_or(u64::MAX));
        let search = SlicedSearch::new(&searched.game, self.network, limits, memory)?;
        self.running = Some(Running { id, ask: ask.clone(), after: searched.after, search });
        Ok(())
    }

    /// Ends the search that runs, without an answer.
    pub fn end(&mut self) {
        if let Some(running) = self.running.take() {
            self.spare = Some(running.search.into_memory());
        }
    }

    /// Searches so many nodes more. False when there is nothing more to do.
    pub fn step(&mut self, nodes: u64) -> bool {
        let Some(running) = &mut self.running else { return false };
        running.search.step(nodes);
        !running.search.is_over()
    }

    /// Answer with what the search has found, after so many seconds. The last answer ends the search; empty without one.
    pub fn result(&mut self, is_final: bool, seconds: f64) -> String {
        let Some(running) = &mut self.running else { return String::new() };
        let found = running.search.found(running.ask.stages);
        let standing =
            Standing { is_final, after: running.after, seconds, candidates: running.ask.candidates };
        let network = running.search.network();
        let analysis = analysis(running.search.game(), &found, network.as_ref(), standing);
        let id = running.id;
        if is_final {
            self.end();
        }
        text_of(&Answer::new(id, Ok(Reply::Analysis(Box::new(analysis)))))
    }
}

fn text_of(answer: &Answer) -> String {
    serde_json::to_string(answer)
        .unwrap_or_else(|_| r#"{"id":null,"error":"an answer that cannot be written"}"#.to_owned())
}
