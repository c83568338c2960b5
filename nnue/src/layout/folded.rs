//! The layout of small chips, in which rare features share rows or have none.

use barrow_core::hex::Hex;
use barrow_core::minions::tables::map::MAP_COUNT;
use barrow_core::minions::tables::spell::SPELL_COUNT;
use barrow_core::minions::{BoardState, SideArray, TechStatus};

use super::group::Group;
use super::numbering::{Layout, MOST_SITES, Row};
use super::perspective::PerspectivePair;
use super::table::Table;
use crate::features::{self, BoardFeature, GlobalFeature, SITES, Scale, Stage};
use crate::shape::{BASE_UNITS, later_unit};

/// Layout in which rare features share rows or have none: 6,800 wide rows, at most 1,900 others.
///
/// Differences from [`super::Full`], by group:
/// - Modifiers: only how many of a side's pieces are strengthened and how many are hampered.
/// - Damage: on a hex, below 3 or from 3 on, for pieces of both sides.
/// - Turn records: whether a piece has walked, has attacked, is exhausted; no numbers, no hex where the piece began the
///   turn, no target.
/// - Sites: number of each kind that a side holds, without the hexes.
/// - Movable tiles: the hex, not the kind.
/// - Reinforcements: 0, 1, 2, or more of a type. Candidates: none at all. Hands: whether a spell is there.
/// - Pending souls and mana: the step of their scale. Debt: whether there is one. Picks: 0, 1, or more.
/// - The general: the spell row as a set of spells that are still there; souls, tech points and turns by the step
///   of their scale; points as what is missing; techs by kind, a repeated one by its first place. Nothing of
///   separate switches, the line, levels when the turn began, extra souls, spells bought, a sold point, taken
///   cards, queues and decks.
///
#[doc = include_str!("folded.md")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Folded;

const HEXES: u16 = Hex::COUNT as u16;
const UNITS: u16 = BASE_UNITS as u16;
const SPELLS: u16 = SPELL_COUNT as u16;
const TECHS: u16 = features::BASE_TECHS;

/// Number of levels of reinforcements that have rows: at least one, at least two, at least three.
const RESERVE_STEPS: u16 = 3;

const PIECE: Group = Group::new("piece", "(owner * 34 + unit), hex", 2 * UNITS, HEXES);
const LATER_PIECE: Group = Group::new("piece", "owner, hex", 2, HEXES);

const MODIFIED: Group = Group::new("modified", "owner; strengthened, hampered", 2, 2).repeated(HEXES);
const DAMAGE: Group = Group::new("damage", "below 3, from 3; hex", 2, HEXES).after(&MODIFIED);
const RECORD: Group =
    Group::new("record", "walked, attacked, exhausted; hex", 3, HEXES).all_at_once().after(&DAMAGE);
const SITE: Group = Group::new("site", "(owner * 5 + kind)", 10, 1).repeated(MOST_SITES).after(&RECORD);
const TILE: Group = Group::new("tile", "hex", HEXES, 1).repeated(4).after(&SITE);
const MAP: Group = Group::new("map", "map * 2 + turned", 2 * MAP_COUNT as u16, 1).after(&TILE);
const STATE: Group = Group::new("state", "first turn, reset 1, reset 2", 3, 1).after(&MAP);
const STAGE: Group = Group::new("stage", "after attack, after spawn", 2, 1).after(&STATE);
const MARK: Group = Group::new("mark", "mark", 1, 6).after(&STAGE);
const PICKS: Group = Group::new("picks", "step", Scale::FEW.steps(), 1).all_at_once().after(&MARK);
const RESERVE: Group =
    Group::new("reserve", "step, (owner * 34 + unit)", RESERVE_STEPS, 2 * UNITS).all_at_once().after(&PICKS);
const FREE: Group = Group::new("free", "owner", 1, 2).after(&RESERVE);
const HAND: Group = Group::new("hand", "(owner * 27 + spell)", 1, 2 * SPELLS).after(&FREE);
const PENDING: Group =
    Group::new("pending", "step, owner", Scale::SOME.steps(), 2).all_at_once().after(&HAND);
const MANA: Group = Group::new("mana", "step", Scale::MANA.steps(), 1).all_at_once().after(&PENDING);
const DEBT: Group = Group::new("debt", "", 1, 1).after(&MANA);

const LATER_RESERVE: Group = Group::new("reserve", "step, owner", RESERVE_STEPS, 2).all_at_once();

const BOARDS: Group = Group::new("boards", "boards - 1", 8, 1);
const RULES: Group = Group::new("rules", "spooky", 1, 1).after(&BOARDS);
const LEVEL: Group =
    Group::new("level", "unlocked, acquired; (owner * 37 + tech)", 2, 2 * TECHS).after(&RULES);
const SOULS: Group = Group::new("souls", "step, owner", Scale::SOULS.steps(), 2).all_at_once().after(&LEVEL);
const MISSING: Group = Group::new("missing", "points, owner", features::MISSING as u16 + 1, 2).after(&SOULS);
const TECH_POINTS: Group =
    Group::new("tech points", "step", Scale::FEW.steps(), 1).all_at_once().after(&MISSING);
const CARD: Group = Group::new("card", "spell", 1, SPELLS).after(&TECH_POINTS);
const TURN: Group = Group::new("turn", "step", Scale::TURN.steps(), 1).all_at_once().after(&CARD);
const ODD: Group = Group::new("odd", "", 1, 1).after(&TURN);
const OVER: Group = Group::new("over", "won, lost, drawn", 1, 3).after(&ODD);

const LATER_LEVEL: Group = Group::new("level", "unlocked, acquired; owner", 2, 2);

/// Row variant of a level that is one of the first steps of its scale; `None` for other levels.
fn step(level: u8, steps: u16) -> Option<u16> {
    Some(u16::from(level)).filter(|&level| level < steps)
}

/// Rows of a feature that is not [`BoardFeature::Piece`].
fn narrow_rows(feature: BoardFeature) -> Option<PerspectivePair> {
    use BoardFeature as F;
    let owner = PerspectivePair::owner;
    let at = PerspectivePair::place;
    match feature {
        F::Boosted(side, _) => MODIFIED.both(owner(side), 0),
        F::Hampered(side, _) => MODIFIED.both(owner(side), 1),
        // One step of the scale is true at a time, and the first is one point of damage.
        F::Damage(_, hex, step) => DAMAGE.both(u16::from(step >= 2), at(hex)),
        F::Walk(hex, _) => RECORD.both(0, at(hex)),
        F::Attacks(hex, level) => {
            step(level, Scale::ATTACKS.steps())?;
            RECORD.both(1, at(hex))
        }
        F::Exhausted(hex) => RECORD.both(2, at(hex)),
        F::Site(side, tile, _) => {
            let kind = SITES.iter().position(|&site| site == tile)? as u16;
            SITE.both(owner(side) * SITES.len() as u16 + kind, 0)
        }
        F::Tile(_, hex) => TILE.both(at(hex), 0),
        F::Map(map) => MAP.both(PerspectivePair::map(map), 0),
        F::State(state) => match state {
            BoardState::FirstTurn => STATE.both(0, 0),
            BoardState::Reset1 => STATE.both(1, 0),
            BoardState::Reset2 => STATE.both(2, 0),
            BoardState::Normal => None,
        },
        F::Stage(stage) => match stage {
            Stage::TurnStart => None,
            Stage::AfterAttack => STAGE.both(0, 0),
            Stage::AfterSpawn => STAGE.both(1, 0),
        },
        F::Mark(mark) => MARK.both(0, mark as u16),
        F::Picks(level) => PICKS.both(step(level, Scale::FEW.steps())?, 0),
        F::Reserve(side, unit, level) => {
            let step = step(level, RESERVE_STEPS)?;
            match later_unit(unit.into()) {
                None => RESERVE.both(step, owner(side) * UNITS + u16::from(unit)),
                Some(later) => Folded::NARROW.of_later(later, &LATER_RESERVE)?.both(step, owner(side)),
            }
        }
        F::Free(side) => FREE.both(0, owner(side)),
        F::Card(side, spell, level) => {
            step(level, 1)?;
            HAND.both(0, owner(side) * SPELLS + spell.index() as u16)
        }
        F::Pending(side, level) => PENDING.both(step(level, Scale::SOME.steps())?, owner(side)),
        F::Mana(level) => MANA.both(step(level, Scale::MANA.steps())?, 0),
        F::Debt(level) => {
            step(level, 1)?;
            DEBT.both(0, 0)
        }
        F::Piece(..)
        | F::Modifier(..)
        | F::Arrival(..)
        | F::DamageBit(..)
        | F::Newcomer(_)
        | F::Several(_)
        | F::OriginColumn(..)
        | F::OriginRow(..)
        | F::TargetColumn(..)
        | F::TargetRow(..)
        | F::Candidate(..) => None,
    }
}

impl Layout for Folded {
    const NAME: &'static str = "folded";
    const DETAILS: bool = false;
    const WIDE: Table = Table::new(&[PIECE], &[LATER_PIECE]);
    const NARROW: Table = Table::new(
        &[
            MODIFIED, DAMAGE, RECORD, SITE, TILE, MAP, STATE, STAGE, MARK, PICKS, RESERVE, FREE, HAND,
            PENDING, MANA, DEBT,
        ],
        &[LATER_RESERVE],
    );
    const GLOBAL: Table = Table::new(
        &[BOARDS, RULES, LEVEL, SOULS, MISSING, TECH_POINTS, CARD, TURN, ODD, OVER],
        &[LATER_LEVEL],
    );

    #[inline]
    fn rows(feature: BoardFeature) -> Option<SideArray<Row>> {
        if let BoardFeature::Piece(side, unit, hex) = feature {
            let (owner, place) = (PerspectivePair::owner(side), PerspectivePair::place(hex));
            let rows = match later_unit(unit.into()) {
                None => PIECE.both(owner * UNITS + u16::from(unit), place),
                Some(later) => Self::WIDE.of_later(later, &LATER_PIECE)?.both(owner, place),
            };
            rows.map(|rows| rows.by_side(Row::Wide))
        } else {
            narrow_rows(feature).map(|rows| rows.by_side(Row::Narrow))
        }
    }

    fn global_rows(feature: GlobalFeature) -> Option<SideArray<u16>> {
        use GlobalFeature as F;
        let owner = PerspectivePair::owner;
        let rows = match feature {
            F::Boards(boards) => BOARDS.both(u16::from(boards).wrapping_sub(1), 0),
            F::Spooky => RULES.both(0, 0),
            F::Level(side, tech, status) => {
                let level = match status {
                    TechStatus::Locked => return None,
                    TechStatus::Unlocked => 0,
                    TechStatus::Acquired => 1,
                };
                match features::later_tech(tech) {
                    None => LEVEL.both(level, owner(side) * TECHS + u16::from(tech)),
                    Some(later) => Self::GLOBAL.of_later(later, &LATER_LEVEL)?.both(level, owner(side)),
                }
            }
            F::Souls(side, level) => SOULS.both(step(level, Scale::SOULS.steps())?, owner(side)),
            F::Missing(side, points) => MISSING.both(u16::from(points), owner(side)),
            F::TechPoints(level) => TECH_POINTS.both(step(level, Scale::FEW.steps())?, 0),
            F::Card(spell, false, level) => {
                step(level, 1)?;
                CARD.both(0, spell.index() as u16)
            }
            F::Turn(level) => TURN.both(step(level, Scale::TURN.steps())?, 0),
            F::Odd => ODD.both(0, 0),
            F::Winner(side) => OVER.both(0, owner(side)),
            F::Drawn => OVER.both(0, 2),
            F::Card(_, true, _)
            | F::Switch(_)
            | F::StartReserve(_)
            | F::TurnLimit(_)
            | F::LevelAt(..)
            | F::Began(..)
            | F::BeganAt(..)
            | F::Line(..)
            | F::LineLength(_)
            | F::Points(..)
            | F::Needed(_)
            | F::Extra(..)
            | F::Bought(_)
            | F::Sold
            | F::Next(..)
            | F::Dealt(..) => None,
        };
        rows.map(|rows| rows.by_side(|row| row))
    }
}
