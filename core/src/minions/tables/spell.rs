//! Spells: class, mana, phase, target shape and copies in the deck (rules §7, §14).
//!
//! Each spell is one row of a table, from which the label, the name and the properties of the card are derived. A new
//! spell is a row at the end, so that the numbers of the others stay, and its effect in `rules::casting`.

/// Mana class of a spell (rules §7.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpellClass {
    /// Costs no mana.
    Normal,
    /// Gives one mana when played.
    Cantrip,
    /// Gives two mana, played or discarded.
    DoubleCantrip,
    /// Costs one mana.
    Sorcery,
}

/// Shape of a spell's target, which is also the order of its arguments in traces and UMI lines.
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

/// Phases of a row: played in the attack phase, which it may also open, or in the spawn phase only.
const ATTACK: bool = false;
const SPAWN: bool = true;

/// The spell label and the properties of cards, from the rows in their order.
macro_rules! spell_table {
    ($($label:ident, $name:literal, $class:ident, copies $copies:literal, $phase:ident, $shape:ident;)*) => {
        /// A spell card. The discriminant is the row of the data table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Spell {
            $(#[doc = concat!("`", $name, "`.")] $label,)*
        }

        /// Number of spell types.
        pub const SPELL_COUNT: usize = [$(Spell::$label),*].len();

        /// Cards in a full deck: the copies of all spells (rules §7).
        pub const DECK_SIZE: u16 = 0 $(+ $copies)*;

        const ALL: [Spell; SPELL_COUNT] = [$(Spell::$label),*];

        impl Spell {
            // Matches, as an index of a table could have no row.

            /// Name of the spell in data files, such as `raise_zombie`.
            pub const fn name(self) -> &'static str {
                match self { $(Spell::$label => $name,)* }
            }

            /// Mana class of the spell.
            pub const fn class(self) -> SpellClass {
                match self { $(Spell::$label => SpellClass::$class,)* }
            }

            /// Copies in a full deck of [`DECK_SIZE`] cards; 0 for the four spells that are never dealt.
            pub const fn copies(self) -> u8 {
                match self { $(Spell::$label => $copies,)* }
            }

            /// Whether the spell may be played in the spawn phase only.
            pub const fn is_spawn_phase(self) -> bool {
                match self { $(Spell::$label => $phase,)* }
            }

            /// Shape of the spell's target.
            pub const fn shape(self) -> TargetShape {
                match self { $(Spell::$label => TargetShape::$shape,)* }
            }
        }
    };
}

// Label, name in the data files, mana class, copies in a full deck (0 for spells that are never dealt), phase, target.
spell_table! {
    Fester, "fester", Normal, copies 10, ATTACK, Piece;
    Unsummon, "unsummon", Normal, copies 10, ATTACK, Piece;
    Reposition, "reposition", Normal, copies 10, SPAWN, PieceHex;
    Shield, "shield", Normal, copies 10, ATTACK, Piece;
    Stumble, "stumble", Normal, copies 10, ATTACK, PieceHex;
    Dismember, "dismember", Sorcery, copies 2, ATTACK, Piece;
    UnholyMight, "unholy_might", Normal, copies 2, ATTACK, Piece;
    Protection, "protection", Cantrip, copies 2, ATTACK, Piece;
    FreezeRay, "freeze_ray", Sorcery, copies 2, ATTACK, Piece;
    Weaken, "weaken", Cantrip, copies 2, ATTACK, Piece;
    Lumbering, "lumbering", Normal, copies 2, ATTACK, Piece;
    Shackle, "shackle", Normal, copies 2, ATTACK, Piece;
    Spawn, "spawn", Sorcery, copies 2, ATTACK, Piece;
    RaiseZombie, "raise_zombie", Cantrip, copies 2, ATTACK, Hex;
    DoubleCantrip, "doubleCantrip", DoubleCantrip, copies 2, ATTACK, None;
    Earthquake, "earthquake", Normal, copies 2, SPAWN, Hex;
    Firestorm, "firestorm", Normal, copies 2, SPAWN, Hex;
    Flood, "flood", Normal, copies 2, SPAWN, Hex;
    Whirlwind, "whirlwind", Normal, copies 2, SPAWN, Hex;
    Normalize, "normalize", Cantrip, copies 2, SPAWN, Hex;
    Terraform, "terraform", Sorcery, copies 2, SPAWN, TerrainHex;
    Cleave, "cleave", Normal, copies 2, ATTACK, Piece;
    Sunder, "sunder", Sorcery, copies 2, ATTACK, Piece;
    LightningBolt, "lightning_bolt", Sorcery, copies 0, ATTACK, Piece;
    Displace, "displace", Normal, copies 0, SPAWN, PieceHex;
    RisingHorde, "rising_horde", Sorcery, copies 0, ATTACK, None;
    Blink, "blink", Normal, copies 0, SPAWN, Piece;
}

impl Spell {
    /// Every spell in data-table order.
    pub const ALL: [Spell; SPELL_COUNT] = ALL;

    /// Index of the spell in the data table, `0..SPELL_COUNT`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The spell with this index.
    pub const fn from_index(index: u8) -> Option<Spell> {
        if (index as usize) < SPELL_COUNT { Some(ALL[index as usize]) } else { None }
    }

    /// The spell with this data-file name.
    pub fn from_name(name: &str) -> Option<Spell> {
        ALL.into_iter().find(|spell| spell.name() == name)
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
}
