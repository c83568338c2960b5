//! Numbering: which variable and which clock stands for what of a model. They come in the order enemies, friends, modes,
//! hits; those that an encoding needs beyond them follow.

use barrow_core::hex::Hex;

use super::elements::{Friend, Hit, Mode};
use super::lits::{FoeLits, FriendLits, Numbers};
use super::model::{AttackModel, OverkillPolicy, ROOMY_CLOCKS};

/// Numbers the literals and clocks of a friend.
fn number_friend(numbers: &mut Numbers, friend: &Friend) -> FriendLits {
    let passive = numbers.var();
    let stays = if friend.num_asides > 0 { numbers.var() } else { passive };
    let blinks = if friend.blink { Some(numbers.var()) } else { None };
    let arrives_at = numbers.clock();
    let attacks_at = if friend.attacks > 0 { numbers.clock() } else { arrives_at };
    let blinks_at = if friend.blink { numbers.clock() } else { arrives_at };
    let (first_stopover, leaves_at) = numbers.stopover(friend.first_stopovers, arrives_at);
    let (second_stopover, continues_at) = numbers.stopover(friend.second_stopovers, arrives_at);
    FriendLits {
        passive,
        stays,
        blinks,
        first_stopover,
        second_stopover,
        leaves_at,
        continues_at,
        arrives_at,
        attacks_at,
        blinks_at,
    }
}

impl AttackModel<'_> {
    /// Numbers variables and clocks of everything in the model.
    pub(super) fn number(&mut self) {
        let mut numbers = Numbers::default();
        let mut unsummonable = 0_u128;
        for pair in self.pairs.iter().filter(|pair| pair.hit == Hit::Unsummon) {
            unsummonable |= 1 << (pair.foe % 128);
        }
        for (index, foe) in self.foes.iter_mut().enumerate() {
            let removed = numbers.var();
            let (dies, hit_by_unsummon) = if unsummonable >> (index % 128) & 1 != 0 {
                (numbers.var(), Some(numbers.var()))
            } else {
                (removed, None)
            };
            let (killed, unsummoned) =
                if foe.soulbound { (None, Some(removed)) } else { (Some(dies), hit_by_unsummon) };
            let removed_at = numbers.clock();
            foe.lits = FoeLits { removed, dies, hit_by_unsummon, killed, unsummoned, removed_at };
        }
        for friend in self.friends.iter_mut() {
            friend.lits = number_friend(&mut numbers, friend);
        }
        for mode in self.modes.iter_mut() {
            mode.lit = numbers.var();
        }
        self.link_modes();
        for pair in self.pairs.iter_mut() {
            pair.first = numbers.var();
            numbers.vars += usize::from(pair.hits).saturating_sub(1);
            let Some(friend) = self.friends.get(usize::from(pair.friend)) else { continue };
            // Hits that must find their target alive may have to be made at different times; hits that only have to
            // come in time may all be made as early as the earliest.
            let apart = self.policy == OverkillPolicy::AllHitsLand
                && friend.attacks > 1
                && numbers.clocks < ROOMY_CLOCKS;
            pair.at = if apart { numbers.clock() } else { friend.lits.attacks_at };
        }
        self.numbers = numbers;
    }

    /// Links the modes in which a friend comes to a hex from another, by hex.
    fn link_modes(&mut self) {
        self.comes_to.fill(END);
        // From the last mode to the first, so that lists are in the order of the modes.
        for (index, mode) in self.modes.iter_mut().enumerate().rev() {
            let friend = self.friends.get(usize::from(mode.friend));
            if friend.is_some_and(|friend| friend.at != mode.hex)
                && let Some(first) = self.comes_to.get_mut(mode.hex.index())
            {
                mode.next = core::mem::replace(first, index as u16);
            }
        }
    }

    /// Whether a friend may come to a hex from another.
    pub(super) fn is_come_to(&self, hex: Hex) -> bool {
        self.comes_to.get(hex.index()).is_some_and(|&index| index != END)
    }

    /// Modes in which a friend comes to a hex from another.
    pub(super) fn modes_to(&self, hex: Hex) -> impl Iterator<Item = &Mode> {
        let first = self.comes_to.get(hex.index()).and_then(|&index| self.modes.get(usize::from(index)));
        core::iter::successors(first, |mode| self.modes.get(usize::from(mode.next)))
    }
}

/// End of a linked list.
const END: u16 = u16::MAX;
