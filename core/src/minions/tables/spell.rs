//! The 27 spells: class, mana, phase, target shape and copies in the deck (rules §7, §14).

/// Number of spell types.
pub const SPELL_COUNT: usize = 27;

/// Cards in a full deck (rules §7).
pub const DECK_SIZE: u16 = 86;

/// A spell card. The discriminant is the row of the data table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Spell {
    /// Fester.
    Fester = 0,
    /// Unsummon.
    Unsummon = 1,
    /// Reposition.
    Reposition = 2,
    /// Shield.
    Shield = 3,
    /// Stumble.
    Stumble = 4,
    /// Dismember.
    Dismember = 5,
    /// Unholy Might.
    UnholyMight = 6,
    /// Protection.
    Protection = 7,
    /// Freeze Ray.
    FreezeRay = 8,
    /// Weaken.
    Weaken = 9,
    /// Lumbering.
    Lumbering = 10,
    /// Shackle.
    Shackle = 11,
    /// Spawn.
    Spawn = 12,
    /// Raise Zombie.
    RaiseZombie = 13,
    /// Double Cantrip.
    DoubleCantrip = 14,
    /// Earthquake.
    Earthquake = 15,
    /// Firestorm.
    Firestorm = 16,
    /// Flood.
    Flood = 17,
    /// Whirlwind.
    Whirlwind = 18,
    /// Normalize.
    Normalize = 19,
    /// Terraform.
    Terraform = 20,
    /// Cleave.
    Cleave = 21,
    /// Sunder.
    Sunder = 22,
    /// Lightning Bolt.
    LightningBolt = 23,
    /// Displace.
    Displace = 24,
    /// Rising Horde.
    RisingHorde = 25,
    /// Blink.
    Blink = 26,
}

/// Mana class of a spell (rules §7.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpellClass {
    /// Free to play.
    Normal,
    /// Gives one mana when played.
    Cantrip,
    /// Gives two mana, played or discarded.
    DoubleCantrip,
    /// Costs one mana.
    Sorcery,
}

/// What a spell is pointed at; the order of its arguments in traces and UMI lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TargetShape {
    /// No target.
    None,
    /// The hex of a piece.
    Piece,
    /// The hex of a piece, then where it goes.
    PieceHex,
    /// A hex.
    Hex,
    /// A movable terrain kind, then a hex.
    TerrainHex,
}

struct Card {
    name: &'static str,
    class: SpellClass,
    copies: u8,
    spawn_phase: bool,
    shape: TargetShape,
}

const fn card(
    name: &'static str,
    class: SpellClass,
    copies: u8,
    spawn_phase: bool,
    shape: TargetShape,
) -> Card {
    Card { name, class, copies, spawn_phase, shape }
}

static CARDS: [Card; SPELL_COUNT] = {
    use SpellClass::{Cantrip, DoubleCantrip, Normal, Sorcery};
    use TargetShape as T;
    [
        card("fester", Normal, 10, false, T::Piece),
        card("unsummon", Normal, 10, false, T::Piece),
        card("reposition", Normal, 10, true, T::PieceHex),
        card("shield", Normal, 10, false, T::Piece),
        card("stumble", Normal, 10, false, T::PieceHex),
        card("dismember", Sorcery, 2, false, T::Piece),
        card("unholy_might", Normal, 2, false, T::Piece),
        card("protection", Cantrip, 2, false, T::Piece),
        card("freeze_ray", Sorcery, 2, false, T::Piece),
        card("weaken", Cantrip, 2, false, T::Piece),
        card("lumbering", Normal, 2, false, T::Piece),
        card("shackle", Normal, 2, false, T::Piece),
        card("spawn", Sorcery, 2, false, T::Piece),
        card("raise_zombie", Cantrip, 2, false, T::Hex),
        card("doubleCantrip", DoubleCantrip, 2, false, T::None),
        card("earthquake", Normal, 2, true, T::Hex),
        card("firestorm", Normal, 2, true, T::Hex),
        card("flood", Normal, 2, true, T::Hex),
        card("whirlwind", Normal, 2, true, T::Hex),
        card("normalize", Cantrip, 2, true, T::Hex),
        card("terraform", Sorcery, 2, true, T::TerrainHex),
        card("cleave", Normal, 2, false, T::Piece),
        card("sunder", Sorcery, 2, false, T::Piece),
        card("lightning_bolt", Sorcery, 0, false, T::Piece),
        card("displace", Normal, 0, true, T::PieceHex),
        card("rising_horde", Sorcery, 0, false, T::None),
        card("blink", Normal, 0, true, T::Piece),
    ]
};

const ALL: [Spell; SPELL_COUNT] = {
    use Spell::*;
    [
        Fester,
        Unsummon,
        Reposition,
        Shield,
        Stumble,
        Dismember,
        UnholyMight,
        Protection,
        FreezeRay,
        Weaken,
        Lumbering,
        Shackle,
        Spawn,
        RaiseZombie,
        DoubleCantrip,
        Earthquake,
        Firestorm,
        Flood,
        Whirlwind,
        Normalize,
        Terraform,
        Cleave,
        Sunder,
        LightningBolt,
        Displace,
        RisingHorde,
        Blink,
    ]
};

impl Spell {
    /// Every spell in data-table order.
    pub const ALL: [Spell; SPELL_COUNT] = ALL;

    /// Row of the data table, `0..SPELL_COUNT`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The spell of this row.
    pub const fn from_index(index: u8) -> Option<Spell> {
        if (index as usize) < SPELL_COUNT { Some(ALL[index as usize]) } else { None }
    }

    /// The data-file name, such as `raise_zombie`.
    pub fn name(self) -> &'static str {
        CARDS[self as usize].name
    }

    /// The spell with this data-file name.
    pub fn from_name(name: &str) -> Option<Spell> {
        ALL.into_iter().find(|spell| spell.name() == name)
    }

    /// Mana class.
    pub fn class(self) -> SpellClass {
        CARDS[self as usize].class
    }

    /// Change of mana when played, -1..=2.
    pub fn mana_on_play(self) -> i16 {
        match self.class() {
            SpellClass::Normal => 0,
            SpellClass::Cantrip => 1,
            SpellClass::DoubleCantrip => 2,
            SpellClass::Sorcery => -1,
        }
    }

    /// Change of mana when discarded, 1 or 2.
    pub fn mana_on_discard(self) -> i16 {
        if self.class() == SpellClass::DoubleCantrip { 2 } else { 1 }
    }

    /// Copies in a full deck of [`DECK_SIZE`] cards; 0 for the four spells that are never dealt.
    pub fn copies(self) -> u8 {
        CARDS[self as usize].copies
    }

    /// Whether it may be played in the spawn phase only.
    pub fn is_spawn_phase(self) -> bool {
        CARDS[self as usize].spawn_phase
    }

    /// What it is pointed at.
    pub fn shape(self) -> TargetShape {
        CARDS[self as usize].shape
    }
}
