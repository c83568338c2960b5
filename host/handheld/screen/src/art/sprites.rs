//! Pictures of units and terrain, twelve pixels square, from the text `sprites.txt`.

use barrow_core::minions::{Tech, TileType, UnitLabel};

/// Width and height of a picture in pixels.
pub const SIZE: usize = 12;

/// Tone of a pixel: its colour comes from the palette of what is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Tone {
    /// Transparent: the picture below shows.
    Nothing = 0,
    /// Outline.
    Outline = 1,
    /// Colour itself.
    Main = 2,
    /// Light tone.
    Light = 3,
    /// Dark tone.
    Dark = 4,
}

/// Picture: the tone of each pixel, row by row.
pub type Picture = [[Tone; SIZE]; SIZE];

const TEXT: &[u8] = include_bytes!("sprites.txt");
const COUNT: usize = count();
static PICTURES: [Picture; COUNT] = read();

const fn line_end(mut at: usize) -> usize {
    while TEXT[at] != b'\n' {
        at += 1;
    }
    at
}

const fn count() -> usize {
    let (mut at, mut count) = (0, 0);
    while at < TEXT.len() {
        count += (TEXT[at] == b'=') as usize;
        at = line_end(at) + 1;
    }
    count
}

/// Pictures of the text in their order. A picture that is not square, or has another sign, does not compile.
const fn read() -> [Picture; COUNT] {
    let mut pictures = [[[Tone::Nothing; SIZE]; SIZE]; COUNT];
    let (mut at, mut picture, mut row) = (0, 0, SIZE);
    while at < TEXT.len() {
        let end = line_end(at);
        match TEXT[at] {
            b';' => {}
            b'=' => {
                assert!(row == SIZE, "a picture has twelve rows");
                picture += 1;
                row = 0;
            }
            _ => {
                assert!(end - at == SIZE && row < SIZE, "a picture is twelve pixels wide");
                let mut column = 0;
                while column < SIZE {
                    pictures[picture - 1][row][column] = match TEXT[at + column] {
                        b'.' => Tone::Nothing,
                        b'#' => Tone::Outline,
                        b'o' => Tone::Main,
                        b'+' => Tone::Light,
                        b'x' => Tone::Dark,
                        _ => panic!("no such tone"),
                    };
                    column += 1;
                }
                row += 1;
            }
        }
        at = end + 1;
    }
    assert!(row == SIZE, "a picture has twelve rows");
    pictures
}

/// Place of the picture with this name in the text. A name that is missing does not compile.
const fn place(name: &str) -> u8 {
    let name = name.as_bytes();
    let (mut at, mut picture) = (0, 0);
    while at < TEXT.len() {
        let end = line_end(at);
        if TEXT[at] == b'=' {
            let mut same = end - at - 2 == name.len();
            let mut index = 0;
            while same && index < name.len() {
                same = TEXT[at + 2 + index] == name[index];
                index += 1;
            }
            if same {
                return picture;
            }
            picture += 1;
        }
        at = end + 1;
    }
    panic!("no picture of this name")
}

/// Places of the units' pictures by position in the master list; all necromancers look alike.
static UNITS: [u8; UnitLabel::ALL.len()] = {
    let mut places = [0; UnitLabel::ALL.len()];
    let mut index = 0;
    while index < places.len() {
        let unit = UnitLabel::ALL[index];
        places[index] = place(if unit.is_necromancer() { "necromancer" } else { unit.name() });
        index += 1;
    }
    places
};

static TILES: [u8; 11] = [
    0,
    place("graveyard"),
    place("water"),
    place("earthquake"),
    place("firestorm"),
    place("whirlwind"),
    place("sorcery_node"),
    place("teleporter"),
    place("spawner"),
    place("mist"),
    place("wall"),
];

const SPECIAL_TECHS: [u8; 3] = [place("copycat"), place("thaumaturgy"), place("metamagic")];

fn picture(place: u8) -> &'static Picture {
    PICTURES.get(usize::from(place)).unwrap_or(&PICTURES[0])
}

/// Picture of a unit.
pub fn of_unit(unit: UnitLabel) -> &'static Picture {
    picture(UNITS.get(unit.index()).copied().unwrap_or(0))
}

/// Picture of a terrain; plain ground has none.
pub fn of_tile(tile: TileType) -> Option<&'static Picture> {
    match tile {
        TileType::Ground => None,
        _ => TILES.get(tile as usize).map(|&place| picture(place)),
    }
}

/// Picture of a tech: that of its unit, or its own.
pub fn of_tech(tech: Tech) -> &'static Picture {
    match tech {
        Tech::UnitTech(unit) => of_unit(unit),
        Tech::Copycat => picture(SPECIAL_TECHS[0]),
        Tech::Thaumaturgy => picture(SPECIAL_TECHS[1]),
        Tech::Metamagic => picture(SPECIAL_TECHS[2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_units_look_alike_but_necromancers() {
        for one in UnitLabel::ALL {
            for other in UnitLabel::ALL {
                let alike = of_unit(one) == of_unit(other);
                let expected = one == other || (one.is_necromancer() && other.is_necromancer());
                assert_eq!(alike, expected, "{} {}", one.name(), other.name());
            }
        }
    }

    #[test]
    fn every_terrain_has_its_picture_but_ground() {
        let tiles =
            [TileType::Graveyard, TileType::Water, TileType::Earthquake, TileType::Firestorm, TileType::Wall];
        for one in tiles {
            assert_eq!(tiles.iter().filter(|&&other| of_tile(one) == of_tile(other)).count(), 1);
        }
        assert_eq!(of_tile(TileType::Ground), None);
    }
}
