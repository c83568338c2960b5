//! Analysis by WebSocket: the lines of `barrow analysis`, one in each message (docs/analysis.md).

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::client::Client;
use super::outbox::{AnswersTo, Outbox};
use super::searches::WAITING_OF_CLIENT;
use super::shared::Shared;
use super::sockets::Conversation;
use crate::analysis::{Caps, Service, Settings};
use crate::engine::Engine;

/// Conversation about positions.
pub(super) struct AnalysisConversation {
    shared: Arc<Shared>,
    client: Client,
    service: Arc<Service<AnswersTo>>,
}

impl AnalysisConversation {
    /// Conversation whose answers go to an outbox.
    pub(super) fn new(shared: Arc<Shared>, client: Client, outbox: Arc<Outbox>) -> AnalysisConversation {
        let searches = shared.settings.searches;
        let settings = Settings {
            workers: searches.workers,
            threads: searches.threads,
            hash: searches.hash,
            movetime: shared.settings.movetime,
            network: searches.network,
            caps: Caps {
                waiting: WAITING_OF_CLIENT,
                positions: WAITING_OF_CLIENT,
                time: shared.settings.longest,
            },
        };
        AnalysisConversation { shared, client, service: Arc::new(Service::new(settings, AnswersTo(outbox))) }
    }

    /// Number of the conversation: the place of its service, which no other one has at the same time.
    fn number(&self) -> usize {
        Arc::as_ptr(&self.service).addr()
    }
}

impl Conversation for AnalysisConversation {
    fn receive(&self, text: &str) {
        let searches = &self.shared.searches;
        for _ in 0..self.service.handle(text, searches.room(self.client)) {
            let (service, shared) = (self.service.clone(), self.shared.clone());
            let search = move |engine: &mut Engine| {
                if service.work_once(engine) {
                    shared.metrics.searches.fetch_add(1, Relaxed);
                }
            };
            searches.add_of(self.number(), self.client, Box::new(search));
        }
        // Of what was cancelled nothing waits any more.
        searches.keep(self.number(), self.client, self.service.waiting());
    }

    fn close(&self) {
        self.service.cancel(None);
        self.shared.searches.keep(self.number(), self.client, 0);
    }
}
