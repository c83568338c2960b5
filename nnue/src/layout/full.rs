//! The layout of desktops and handhelds, which distinguishes all positions that the rules distinguish.

use barrow_core::hex::Hex;
use barrow_core::minions::tables::capacities::{HAND_CAP, MODIFIER_CAP, QUEUE_CAP};
use barrow_core::minions::tables::map::MAP_COUNT;
use barrow_core::minions::tables::spell::SPELL_COUNT;
use barrow_core::minions::{BoardState, SideArray, TechStatus};

use super::group::Group;
use super::numbering::{Layout, MOST_SITES, Row};
use super::perspective::PerspectivePair;
use super::table::Table;
use crate::features::{self, BoardFeature, GlobalFeature, SITES, Scale, Stage};
use crate::shape::{BASE_LINE_PLACES, BASE_UNITS, later_unit};

/// Layout in which every feature has a row of its own, except `Boosted` and `Hampered`, which follow from the
/// modifiers.
///
#[doc = include_str!("full.md")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Full;

const HEXES: u16 = Hex::COUNT as u16;
const UNITS: u16 = BASE_UNITS as u16;
const SPELLS: u16 = SPELL_COUNT as u16;
const TECHS: u16 = features::BASE_TECHS;
const LINE_PLACES: u16 = BASE_LINE_PLACES as u16;
const QUEUE: u16 = QUEUE_CAP as u16;

const PIECE: Group = Group::new("piece", "(owner * 34 + unit), hex", 2 * UNITS, HEXES);
const LATER_PIECE: Group = Group::new("piece", "owner, hex", 2, HEXES);

const MODIFIER: Group = Group::new("modifier", "(owner * 26 + kind * 2 + counter - 1), hex", 52, HEXES)
    .per_cell(MODIFIER_CAP as u16);
const ARRIVAL: Group = Group::new("arrival", "bit, hex", 40, HEXES).all_at_once().after(&MODIFIER);
const DAMAGE: Group =
    Group::new("damage", "(owner * 7 + step), hex", 2 * Scale::DAMAGE.steps(), HEXES).after(&ARRIVAL);
const DAMAGE_BITS: Group =
    Group::new("damage bits", "bit, hex", Scale::DAMAGE.bits(), HEXES).all_at_once().after(&DAMAGE);
const WALK: Group = Group::new("walk", "steps, hex", 7, HEXES).after(&DAMAGE_BITS);
const ATTACKS: Group = Group::new("attacks", "step, hex", Scale::ATTACKS.steps(), HEXES).after(&WALK);
const ATTACK_BITS: Group =
    Group::new("attack bits", "bit, hex", Scale::ATTACKS.bits(), HEXES).all_at_once().after(&ATTACKS);
const RECORD: Group =
    Group::new("record", "exhausted, newcomer, several; hex", 3, HEXES).all_at_once().after(&ATTACK_BITS);
const ORIGIN: Group = Group::new("origin", "(column or 10 + row), hex", 20, HEXES).per_cell(2).after(&RECORD);
const TARGET: Group = Group::new("target", "(column or 10 + row), hex", 20, HEXES).per_cell(2).after(&ORIGIN);
const SITE: Group =
    Group::new("site", "(owner * 5 + kind), hex", 10, HEXES).places(MOST_SITES).after(&TARGET);
const TILE: Group = Group::new("tile", "hex, kind", HEXES, 4).after(&SITE);
const MAP: Group = Group::new("map", "map * 2 + turned", 2 * MAP_COUNT as u16, 1).after(&TILE);
const STATE: Group = Group::new("state", "first turn, reset 1, reset 2", 3, 1).after(&MAP);
const STAGE: Group = Group::new("stage", "after attack, after spawn", 2, 1).after(&STATE);
const MARK: Group = Group::new("mark", "mark", 1, 6).after(&STAGE);
const PICKS: Group = Group::new("picks", "level", Scale::FEW.levels(), 1).all_at_once().after(&MARK);
const RESERVE: Group =
    Group::new("reserve", "level, (owner * 34 + unit)", Scale::RESERVE.levels(), 2 * UNITS)
        .all_at_once()
        .after(&PICKS);
const FREE: Group = Group::new("free", "owner", 1, 2).after(&RESERVE);
const CANDIDATE: Group = Group::new("candidate", "(owner * 34 + unit)", 1, 2 * UNITS).after(&FREE);
const HAND: Group = Group::new("hand", "level, (owner * 27 + spell)", Scale::CARDS.levels(), 2 * SPELLS)
    .all_at_once()
    .after(&CANDIDATE);
const PENDING: Group =
    Group::new("pending", "level, owner", Scale::SOME.levels(), 2).all_at_once().after(&HAND);
const MANA: Group = Group::new("mana", "level", Scale::MANA.levels(), 1).all_at_once().after(&PENDING);
const DEBT: Group = Group::new("debt", "level", Scale::MANA.levels(), 1).all_at_once().after(&MANA);

// A hand's counts fit their scale.
const _: () = assert!((HAND_CAP as u64) < Scale::CARDS.end());

const LATER_RESERVE: Group = Group::new("reserve", "level, owner", Scale::RESERVE.levels(), 2).all_at_once();
const LATER_CANDIDATE: Group = Group::new("candidate", "owner", 1, 2).after(&LATER_RESERVE);

const BOARDS: Group = Group::new("boards", "boards - 1", 8, 1);
const RULES: Group =
    Group::new("rules", "spooky, then the switches", 1, 1 + features::SWITCHES as u16).after(&BOARDS);
const START: Group = Group::new("start", "unit", UNITS, 1).after(&RULES);
const LIMIT: Group = Group::new("limit", "is there one, then its bits", 1, 17).after(&START);
const LEVEL: Group =
    Group::new("level", "unlocked, acquired; (owner * 37 + tech)", 2, 2 * TECHS).after(&LIMIT);
const LEVEL_AT: Group =
    Group::new("level at", "unlocked, acquired; (owner * 25 + place)", 2, 2 * LINE_PLACES).after(&LEVEL);
const BEGAN: Group =
    Group::new("began", "locked, unlocked; (owner * 37 + tech)", 2, 2 * TECHS).after(&LEVEL_AT);
const BEGAN_AT: Group =
    Group::new("began at", "locked, unlocked; (owner * 25 + place)", 2, 2 * LINE_PLACES).after(&BEGAN);
const LINE: Group = Group::new("line", "tech, place", TECHS, LINE_PLACES).after(&BEGAN_AT);
const LENGTH: Group = Group::new("length", "techs - 1", 24, 1).after(&LINE);
const SOULS: Group =
    Group::new("souls", "level, owner", Scale::SOULS.levels(), 2).all_at_once().after(&LENGTH);
const POINTS: Group =
    Group::new("points", "level, owner", Scale::POINTS.levels(), 2).all_at_once().after(&SOULS);
const NEEDED: Group = Group::new("needed", "level", Scale::POINTS.levels(), 1).all_at_once().after(&POINTS);
const MISSING: Group = Group::new("missing", "points, owner", features::MISSING as u16 + 1, 2).after(&NEEDED);
const EXTRA: Group =
    Group::new("extra", "level, owner", Scale::SOME.levels(), 2).all_at_once().after(&MISSING);
const TECH_POINTS: Group =
    Group::new("tech points", "level", Scale::FEW.levels(), 1).all_at_once().after(&EXTRA);
const BOUGHT: Group = Group::new("bought", "level", Scale::FEW.levels(), 1).all_at_once().after(&TECH_POINTS);
const SOLD: Group = Group::new("sold", "", 1, 1).after(&BOUGHT);
const CARD: Group = Group::new("card", "level, (taken * 27 + spell)", Scale::CARDS.levels(), 2 * SPELLS)
    .all_at_once()
    .after(&SOLD);
const NEXT: Group = Group::new("next", "spell, (owner * 24 + place)", SPELLS, 2 * QUEUE).after(&CARD);
const DEALT: Group = Group::new("dealt", "copies - 1, (owner * 27 + spell)", 10, 2 * SPELLS).after(&NEXT);
const TURN: Group = Group::new("turn", "level", Scale::TURN.levels(), 1).all_at_once().after(&DEALT);
const ODD: Group = Group::new("odd", "", 1, 1).after(&TURN);
const OVER: Group = Group::new("over", "won, lost, drawn", 1, 3).after(&ODD);

const LATER_START: Group = Group::new("start", "", 1, 1);
const LATER_LEVEL: Group = Group::new("level", "unlocked, acquired; owner", 2, 2).after(&LATER_START);
const LATER_BEGAN: Group = Group::new("began", "locked, unlocked; owner", 2, 2).after(&LATER_LEVEL);
const LATER_LINE: Group = Group::new("line", "place", 1, LINE_PLACES).after(&LATER_BEGAN);

/// Rows of a feature that is not [`BoardFeature::Piece`].
fn narrow_rows(feature: BoardFeature) -> Option<PerspectivePair> {
    use BoardFeature as F;
    let owner = PerspectivePair::owner;
    let at = PerspectivePair::place;
    let number = PerspectivePair::coordinate;
    match feature {
        F::Modifier(side, modifier, counter, hex) => {
            let kind = (modifier as u16 - 1) * 2 + u16::from(counter.saturating_sub(1) & 1);
            MODIFIER.both(owner(side) * 26 + kind, at(hex))
        }
        F::Arrival(hex, bit) => ARRIVAL.both(u16::from(bit), at(hex)),
        F::Piece(..) | F::Boosted(..) | F::Hampered(..) => None,
        F::Damage(side, hex, step) => {
            let step = u16::from(step).min(Scale::DAMAGE.steps() - 1);
            DAMAGE.both(owner(side) * Scale::DAMAGE.steps() + step, at(hex))
        }
        F::DamageBit(hex, bit) => DAMAGE_BITS.both(u16::from(bit), at(hex)),
        F::Walk(hex, steps) => WALK.both(u16::from(steps), at(hex)),
        F::Attacks(hex, level) => match u16::from(level).checked_sub(Scale::ATTACKS.steps()) {
            Some(bit) => ATTACK_BITS.both(bit, at(hex)),
            None => ATTACKS.both(u16::from(level), at(hex)),
        },
        F::Exhausted(hex) => RECORD.both(0, at(hex)),
        F::Newcomer(hex) => RECORD.both(1, at(hex)),
        F::Several(hex) => RECORD.both(2, at(hex)),
        F::OriginColumn(hex, column) => ORIGIN.both(number(column), at(hex)),
        F::OriginRow(hex, row) => ORIGIN.both(number(row) + 10, at(hex)),
        F::TargetColumn(hex, column) => TARGET.both(number(column), at(hex)),
        F::TargetRow(hex, row) => TARGET.both(number(row) + 10, at(hex)),
        F::Site(side, tile, hex) => {
            let kind = SITES.iter().position(|&site| site == tile)? as u16;
            SITE.both(owner(side) * SITES.len() as u16 + kind, at(hex))
        }
        F::Tile(kind, hex) => TILE.both(at(hex), kind.index() as u16),
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
        F::Picks(level) => PICKS.both(u16::from(level), 0),
        F::Reserve(side, unit, level) => match later_unit(unit.into()) {
            None => RESERVE.both(u16::from(level), owner(side) * UNITS + u16::from(unit)),
            Some(later) => Full::NARROW.of_later(later, &LATER_RESERVE)?.both(u16::from(level), owner(side)),
        },
        F::Free(side) => FREE.both(0, owner(side)),
        F::Candidate(side, unit) => match later_unit(unit.into()) {
            None => CANDIDATE.both(0, owner(side) * UNITS + u16::from(unit)),
            Some(later) => Full::NARROW.of_later(later, &LATER_CANDIDATE)?.both(0, owner(side)),
        },
        F::Card(side, spell, level) => {
            HAND.both(u16::from(level), owner(side) * SPELLS + spell.index() as u16)
        }
        F::Pending(side, level) => PENDING.both(u16::from(level), owner(side)),
        F::Mana(level) => MANA.both(u16::from(level), 0),
        F::Debt(level) => DEBT.both(u16::from(level), 0),
    }
}

impl Layout for Full {
    const NAME: &'static str = "full";
    const DETAILS: bool = true;
    const WIDE: Table = Table::new(&[PIECE], &[LATER_PIECE]);
    const NARROW: Table = Table::new(
        &[
            MODIFIER,
            ARRIVAL,
            DAMAGE,
            DAMAGE_BITS,
            WALK,
            ATTACKS,
            ATTACK_BITS,
            RECORD,
            ORIGIN,
            TARGET,
            SITE,
            TILE,
            MAP,
            STATE,
            STAGE,
            MARK,
            PICKS,
            RESERVE,
            FREE,
            CANDIDATE,
            HAND,
            PENDING,
            MANA,
            DEBT,
        ],
        &[LATER_RESERVE, LATER_CANDIDATE],
    );
    const GLOBAL: Table = Table::new(
        &[
            BOARDS,
            RULES,
            START,
            LIMIT,
            LEVEL,
            LEVEL_AT,
            BEGAN,
            BEGAN_AT,
            LINE,
            LENGTH,
            SOULS,
            POINTS,
            NEEDED,
            MISSING,
            EXTRA,
            TECH_POINTS,
            BOUGHT,
            SOLD,
            CARD,
            NEXT,
            DEALT,
            TURN,
            ODD,
            OVER,
        ],
        &[LATER_START, LATER_LEVEL, LATER_BEGAN, LATER_LINE],
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
        let level = |status| match status {
            TechStatus::Locked => None,
            TechStatus::Unlocked => Some(0),
            TechStatus::Acquired => Some(1),
        };
        let began = |status| match status {
            TechStatus::Locked => Some(0),
            TechStatus::Unlocked => Some(1),
            TechStatus::Acquired => None,
        };
        let in_tree = |[base, later]: [&Group; 2], level, side, tech| match features::later_tech(tech) {
            None => base.both(level, owner(side) * TECHS + u16::from(tech)),
            Some(place) => Self::GLOBAL.of_later(place, later)?.both(level, owner(side)),
        };
        let known = |place: u8| Some(u16::from(place)).filter(|&place| place < LINE_PLACES);
        let in_line = |side, place| Some(owner(side) * LINE_PLACES + known(place)?);
        let rows = match feature {
            F::Boards(boards) => BOARDS.both(u16::from(boards).wrapping_sub(1), 0),
            F::Spooky => RULES.both(0, 0),
            F::Switch(switch) => RULES.both(0, 1 + u16::from(switch)),
            F::StartReserve(unit) => match later_unit(unit.into()) {
                None => START.both(u16::from(unit), 0),
                Some(later) => Self::GLOBAL.of_later(later, &LATER_START)?.both(0, 0),
            },
            F::TurnLimit(bit) => LIMIT.both(0, u16::from(bit)),
            F::Level(side, tech, status) => in_tree([&LEVEL, &LATER_LEVEL], level(status)?, side, tech),
            F::LevelAt(side, place, status) => LEVEL_AT.both(level(status)?, in_line(side, place)?),
            F::Began(side, tech, status) => in_tree([&BEGAN, &LATER_BEGAN], began(status)?, side, tech),
            F::BeganAt(side, place, status) => BEGAN_AT.both(began(status)?, in_line(side, place)?),
            F::Line(place, tech) => match features::later_tech(tech) {
                None => LINE.both(u16::from(tech), known(place)?),
                Some(later) => Self::GLOBAL.of_later(later, &LATER_LINE)?.both(0, known(place)?),
            },
            F::LineLength(techs) => LENGTH.both(u16::from(techs).wrapping_sub(1), 0),
            F::Souls(side, level) => SOULS.both(u16::from(level), owner(side)),
            F::Points(side, level) => POINTS.both(u16::from(level), owner(side)),
            F::Needed(level) => NEEDED.both(u16::from(level), 0),
            F::Missing(side, points) => MISSING.both(u16::from(points), owner(side)),
            F::Extra(side, level) => EXTRA.both(u16::from(level), owner(side)),
            F::TechPoints(level) => TECH_POINTS.both(u16::from(level), 0),
            F::Bought(level) => BOUGHT.both(u16::from(level), 0),
            F::Sold => SOLD.both(0, 0),
            F::Card(spell, taken, level) => {
                CARD.both(u16::from(level), u16::from(taken) * SPELLS + spell.index() as u16)
            }
            F::Next(side, place, spell) => {
                NEXT.both(spell.index() as u16, owner(side) * QUEUE + u16::from(place))
            }
            F::Dealt(side, spell, copies) => {
                DEALT.both(u16::from(copies).wrapping_sub(1), owner(side) * SPELLS + spell.index() as u16)
            }
            F::Turn(level) => TURN.both(u16::from(level), 0),
            F::Odd => ODD.both(0, 0),
            F::Winner(side) => OVER.both(0, owner(side)),
            F::Drawn => OVER.both(0, 2),
        };
        rows.map(|rows| rows.by_side(|row| row))
    }
}
