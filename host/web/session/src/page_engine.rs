//! The engine of a page: a session, and searches by slices of work. Texts go in and out, so that what carries them can be
//! thin.

use std::sync::Arc;

use barrow_core::minions::Game;
use serde_json::{Value, from_str};

use crate::analysis::{Standing, analysis};
use crate::contests::{self, LiveContest};
use crate::messages::{Answer, Ask, Refusal, Reply, Request, ReviewAsk, SearchAsk};
use crate::network::SessionNetwork;
use crate::review::GameUnderReview;
use crate::search::{Found, SlicedSearch, SpareMemory};
use crate::session::{Session, under_review};
use crate::shared_search::{SharedSearch, ThreadMemory, offer};
use crate::text::quoted::shortened;

/// Purpose of a search.
enum Purpose {
    /// A position.
    Position { ask: SearchAsk, after: Option<usize> },
    /// A game: the position of this place at the moment.
    Review { ask: ReviewAsk, game: Box<GameUnderReview>, place: usize },
}

/// Searches of a page: in slices on one thread, or with threads that help.
enum Work {
    Sliced(Box<SlicedSearch>),
    Shared(Arc<SharedSearch>, ThreadMemory),
}

impl Work {
    fn step(&mut self, nodes: u64) {
        match self {
            Work::Sliced(search) => search.step(nodes),
            Work::Shared(search, memory) => {
                search.work(0, memory, nodes);
            }
        }
    }

    fn is_over(&self) -> bool {
        match self {
            Work::Sliced(search) => search.is_over(),
            Work::Shared(search, _) => search.is_over(),
        }
    }

    fn found(&mut self, explains: bool) -> Found {
        match self {
            Work::Sliced(search) => search.found(explains),
            Work::Shared(search, _) => search.found(explains),
        }
    }

    fn game(&self) -> &Game {
        match self {
            Work::Sliced(search) => search.game(),
            Work::Shared(search, _) => search.game(),
        }
    }

    fn network(&self) -> Option<SessionNetwork> {
        match self {
            Work::Sliced(search) => search.network(),
            Work::Shared(search, _) => search.network(),
        }
    }

    /// Ends the search. Returns memory for the next one, where there is any to give.
    fn end(self) -> Option<SpareMemory> {
        match self {
            Work::Sliced(search) => Some(search.into_memory()),
            Work::Shared(search, _) => {
                search.end();
                offer(None);
                None
            }
        }
    }
}

/// Search under way, with the number of the request that it answers.
struct Running {
    id: u64,
    purpose: Purpose,
    search: Work,
}

/// Engine of a page.
pub struct PageEngine {
    session: Session,
    contest: LiveContest,
    network: Option<SessionNetwork>,
    running: Option<Running>,
    spare: Option<SpareMemory>,
}

impl PageEngine {
    /// An engine with a new game, and with this network.
    pub fn new(network: Option<SessionNetwork>) -> Result<PageEngine, Refusal> {
        let (session, contest) = (Session::new()?, LiveContest::default());
        Ok(PageEngine { session, contest, network, running: None, spare: None })
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
                // Who waits for an answer knows it by its number only.
                let value: Option<Value> = from_str(text).ok();
                let id = value.and_then(|value| value.get("id")?.as_u64());
                let error = Some(shortened(&format!("no request: {error}")));
                return text_of(&Answer { id, reply: None, error });
            }
        };
        let begun = match &request.ask {
            Ask::Search(ask) => Some(self.begin(request.id, ask)),
            Ask::Review(ask) => Some(self.begin_review(request.id, ask)),
            _ => None,
        };
        let result = match (begun, &request.ask) {
            (Some(Ok(())), _) => return String::new(),
            (Some(Err(refusal)), _) => Err(refusal),
            (None, Ask::Stop) => Ok(Reply::Done),
            (None, ask) => {
                contests::obey(&mut self.contest, ask).unwrap_or_else(|| self.session.answer(&request))
            }
        };
        text_of(&Answer::new(request.id, result))
    }

    fn begin(&mut self, id: u64, ask: &SearchAsk) -> Result<(), Refusal> {
        if ask.nodes == Some(0) {
            return Err("nodes must be at least 1".into());
        }
        let searched = self.session.searched(&ask.place)?;
        self.end();
        let limits = (ask.seed, ask.nodes.unwrap_or(u64::MAX));
        let search = if ask.together {
            let search = SharedSearch::new(&searched.game, self.network, limits)?.watched(ask.progress);
            let search = Arc::new(search);
            offer(Some(search.clone()));
            Work::Shared(search, ThreadMemory::default())
        } else {
            let memory = self.spare.take().unwrap_or_default();
            let search = SlicedSearch::new(&searched.game, self.network, limits, memory)?;
            Work::Sliced(Box::new(search.watched(ask.progress)))
        };
        let purpose = Purpose::Position { ask: ask.clone(), after: searched.after };
        self.running = Some(Running { id, purpose, search });
        Ok(())
    }

    fn begin_review(&mut self, id: u64, ask: &ReviewAsk) -> Result<(), Refusal> {
        let game = under_review(self.session.table().record(), ask)?;
        let Some((place, position)) = game.next() else { return Err("there is nothing to review".into()) };
        self.end();
        let memory = self.spare.take().unwrap_or_default();
        let search =
            Work::Sliced(Box::new(SlicedSearch::new(position, self.network, (0, ask.nodes), memory)?));
        let purpose = Purpose::Review { ask: ask.clone(), place, game: Box::new(game) };
        self.running = Some(Running { id, purpose, search });
        Ok(())
    }

    /// Ends the search that runs, without an answer.
    pub fn end(&mut self) {
        if let Some(running) = self.running.take() {
            self.spare = running.search.end().or(self.spare.take());
        }
    }

    /// Searches so many nodes more. False when there is nothing more to do.
    pub fn step(&mut self, nodes: u64) -> bool {
        let Some(mut running) = self.running.take() else { return false };
        running.search.step(nodes);
        let mut goes_on = !running.search.is_over();
        if let Purpose::Review { ask, game, place } = &mut running.purpose
            && !goes_on
        {
            game.set_by_search(*place, &running.search.found(false));
            if let Some((next, position)) = game.next() {
                let (limits, memory) = ((0, ask.nodes), running.search.end().unwrap_or_default());
                match SlicedSearch::new(position, self.network, limits, memory) {
                    Ok(search) => running.search = Work::Sliced(Box::new(search)),
                    // The answer then has what was reviewed so far.
                    Err(_) => return false,
                }
                *place = next;
                goes_on = true;
            }
        }
        self.running = Some(running);
        goes_on
    }

    /// Answer with what the search has found, after so many seconds. The last answer ends the search; empty without one.
    pub fn result(&mut self, is_final: bool, seconds: f64) -> String {
        let Some(running) = &mut self.running else { return String::new() };
        let id = running.id;
        let reply = match &running.purpose {
            Purpose::Position { ask, after } => {
                let found = running.search.found(ask.stages);
                let standing = Standing { is_final, after: *after, seconds, candidates: ask.candidates };
                let network = running.search.network();
                let shown = analysis(running.search.game(), &found, network.as_ref(), standing);
                Reply::Analysis(Box::new(shown))
            }
            Purpose::Review { game, .. } => Reply::Review(Box::new(game.message(is_final))),
        };
        if is_final {
            self.end();
        }
        text_of(&Answer::new(id, Ok(reply)))
    }
}

fn text_of(answer: &Answer) -> String {
    serde_json::to_string(answer)
        .unwrap_or_else(|_| r#"{"id":null,"error":"an answer that cannot be written"}"#.to_owned())
}
