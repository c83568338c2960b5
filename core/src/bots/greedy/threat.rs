//! Where a side can strike in its next turn, and how hard.

use heapless::Vec;

use crate::hex::{Hex, HexSet, flood};
use crate::minions::{Attack, Piece, Side, Unit, View};

/// Hexes of a board with one number each.
pub(in crate::bots) type Numbers = [u16; Hex::COUNT];

/// What one piece can do to others next turn.
#[derive(Clone, Copy)]
pub(in crate::bots) struct Strike {
    /// Where it stands.
    pub(in crate::bots) from: Hex,
    /// Hexes it can hit.
    pub(in crate::bots) zone: HexSet,
    /// Damage with all its attacks; unsummoning counts as damage to what cannot be unsummoned.
    pub(in crate::bots) damage: u16,
    /// Removes most pieces at one blow.
    pub(in crate::bots) removes: bool,
}

/// All strikes of one side, and their sums by hex.
pub(in crate::bots) struct Threats {
    damage: Numbers,
    removers: Numbers,
    strikes: Vec<Strike, { Hex::COUNT }, u8>,
}

impl Threats {
    /// The strikes of a side as if it were to move with fresh pieces. `piercing` ignores that pieces block each
    /// other's way, for those who must expect that the way is cleared first.
    pub(in crate::bots) fn new(view: &View<'_>, side: Side, piercing: bool) -> Threats {
        let mut threats = Threats { damage: [0; Hex::COUNT], removers: [0; Hex::COUNT], strikes: Vec::new() };
        for (from, piece) in view.board.iter(side) {
            if let Some(strike) = strike(view, from, piece, piercing) {
                threats.add(strike);
            }
        }
        threats
    }

    fn add(&mut self, strike: Strike) {
        add_within(&mut self.damage, strike.zone, strike.damage);
        if strike.removes {
            add_within(&mut self.removers, strike.zone, 1);
        }
        // There are never more strikes than hexes.
        let _ = self.strikes.push(strike);
    }

    /// Damage that the side could deal to a piece on this hex.
    pub(in crate::bots) fn damage(&self, hex: Hex) -> u16 {
        self.damage.get(hex.index()).copied().unwrap_or(0)
    }

    /// Whether a minion with this defense on this hex could be removed, once `gone` no longer takes part.
    pub(in crate::bots) fn removes(&self, hex: Hex, defense: u16, gone: Option<&Strike>) -> bool {
        let mut damage = self.damage(hex);
        let mut removers = self.removers.get(hex.index()).copied().unwrap_or(0);
        if let Some(strike) = gone
            && strike.zone.contains(hex)
        {
            damage = damage.saturating_sub(strike.damage);
            removers = removers.saturating_sub(u16::from(strike.removes));
        }
        removers > 0 || damage >= defense
    }

    /// The strike of the piece on this hex, if it has one.
    pub(in crate::bots) fn of(&self, from: Hex) -> Option<&Strike> {
        self.strikes.iter().find(|strike| strike.from == from)
    }
}

/// Adds an amount to the numbers of some hexes. All hexes are gone through, sixteen at a time, since that is a few
/// instructions on machines with wide registers, and zones are large.
fn add_within(numbers: &mut Numbers, zone: HexSet, amount: u16) {
    const LANES: usize = u16::BITS as usize;
    let bits = zone.bits();
    for (chunk, lanes) in numbers.chunks_mut(LANES).enumerate() {
        let mask = (bits >> (chunk * LANES)) as u16;
        for (lane, number) in lanes.iter_mut().enumerate() {
            let here = mask & (1 << lane) != 0;
            *number = number.wrapping_add(if here { amount } else { 0 });
        }
    }
}

fn strike(view: &View<'_>, from: Hex, piece: Piece, piercing: bool) -> Option<Strike> {
    let now = view.current(piece);
    let each = match now.attack {
        Attack::None => return None,
        Attack::Damage(amount) => u16::from(amount),
        Attack::Unsummon => 1,
        Attack::Deathtouch => 0,
    };
    if now.range == 0 {
        return None;
    }
    let unit = view.unit(piece);
    let stands = if now.lumbering {
        from.to_set()
    } else {
        let open =
            if piercing { view.board.walkable(view.map, unit) } else { view.passable(piece.side(), unit) };
        let reach = flood(from, now.speed, open);
        if piercing { reach } else { (reach - view.board.all_pieces()).with(from) }
    };
    let zone = (0..now.range).fold(stands, |zone, _| zone.grown());
    let removes = matches!(now.attack, Attack::Unsummon | Attack::Deathtouch);
    Some(Strike { from, zone, damage: each * u16::from(now.num_attacks), removes })
}

/// What a unit is worth in hundredths of a soul: its price less most of the rebate, which its owner gets back.
pub(in crate::bots) fn worth(unit: &Unit) -> i32 {
    if unit.necromancer { 0 } else { i32::from(unit.cost) * 100 - i32::from(unit.rebate) * 60 }
}

/// What it costs to have a piece on a hex at the end of the turn, in hundredths of a soul.
pub(in crate::bots) struct Exposure {
    walking: Threats,
    piercing: Threats,
    /// Percentage of a minion's worth that being exposed costs.
    caution: i32,
}

impl Exposure {
    /// Seen from the side to move; `caution` is the percentage of its worth that an exposed minion costs.
    pub(in crate::bots) fn new(view: &View<'_>, caution: i32) -> Exposure {
        let enemy = view.side.opponent();
        Exposure {
            walking: Threats::new(view, enemy, false),
            piercing: Threats::new(view, enemy, true),
            caution,
        }
    }

    /// The cost for a piece of this type and defense on this hex, once the enemy on `gone` is removed.
    pub(in crate::bots) fn cost(&self, hex: Hex, unit: &Unit, defense: u16, gone: Option<Hex>) -> i32 {
        if unit.necromancer {
            let spared =
                gone.and_then(|from| self.piercing.of(from)).filter(|strike| strike.zone.contains(hex));
            let spared = spared.map_or(0, |strike| strike.damage);
            let damage = self.piercing.damage(hex).saturating_sub(spared);
            return self.necromancer(damage, defense);
        }
        let gone = gone.and_then(|from| self.walking.of(from));
        if self.walking.removes(hex, defense, gone) { worth(unit) * self.caution / 100 } else { 0 }
    }

    fn necromancer(&self, damage: u16, defense: u16) -> i32 {
        let damage = i32::from(damage);
        let defense = i32::from(defense);
        // Being one attacker short of dead is uncomfortable too.
        let lethal = if damage >= defense { 4000 + 100 * (damage - defense).min(30) } else { 0 };
        lethal + damage * (60 + self.caution)
    }

    /// How much the enemy on `from` contributes to the danger of a necromancer on `home`.
    pub(in crate::bots) fn menace(&self, from: Hex, home: Hex, defense: u16) -> i32 {
        match self.piercing.of(from) {
            Some(strike) if strike.zone.contains(home) => {
                let before = self.necromancer(self.piercing.damage(home), defense);
                before - self.necromancer(self.piercing.damage(home).saturating_sub(strike.damage), defense)
            }
            _ => 0,
        }
    }

    /// Whether the enemy could kill a necromancer with this defense here if its way were free.
    pub(in crate::bots) fn is_lethal(&self, hex: Hex, defense: u16) -> bool {
        self.piercing.damage(hex) >= defense
    }
}
