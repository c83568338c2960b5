"""Plays whole games by key presses: `play.py libretro CORE ARTEFACTS`, or `play.py gba MGBA ROM ARTEFACTS SAVE [STEPS]`, with
the level so many steps above the default one."""

import random
import struct
import sys
from pathlib import Path

from console import Console

SAVE = 16 * 1024
# Where the container of the screen begins in a state of the libretro core.
CONTAINER = 16


def shown(memory):
    """The page that is shown, and whether a search goes on."""
    return memory[22], memory[77] != 255


BOARD, RESULT = 3, 16


def tour(console, artefacts, name, settle):
    """Pictures of the title, the board, a piece's reach, the tech line, a card, the menu."""
    console.run(30 + settle)
    console.settle()
    console.screenshot(artefacts / f"{name}-title.png")
    console.press("A")
    console.run(settle)
    console.screenshot(artefacts / f"{name}-settings.png")


def pictures_of_turn(console, artefacts, name, settle):
    console.run(settle)
    console.screenshot(artefacts / f"{name}-board.png")
    console.press("SELECT", "A")
    console.run(settle)
    console.screenshot(artefacts / f"{name}-reach.png")
    console.press("B", "START", "DOWN", "DOWN", "DOWN", "DOWN", "A")
    console.run(settle)
    console.screenshot(artefacts / f"{name}-techline.png")
    console.press("B", "START", "DOWN", "A")
    console.run(settle)
    console.screenshot(artefacts / f"{name}-buy.png")
    console.press("SELECT")
    console.run(settle)
    console.screenshot(artefacts / f"{name}-card.png")
    console.press("B", "B")


def whole_game(console, artefacts, name, settle, think, steps=0):
    """Plays the turns that the machine proposes. `think` waits until it has done what it was asked for."""
    tour(console, artefacts, name, settle)
    # The level is the first setting; one board: third setting, one to the left of two.
    console.press("DOWN", *["RIGHT"] * steps, "DOWN", "DOWN", "LEFT", "START")
    think(console)
    turns = 0
    while turns < 120:
        before = console.memory()[:SAVE]
        if turns == 1:
            pictures_of_turn(console, artefacts, name, settle)
        # Menu: end turn, buy, place, cards, techs, hint. A unit to keep would come second; here no board is reset before
        # the game is over.
        console.press("START", "DOWN", "DOWN", "DOWN", "DOWN", "DOWN", "A")
        think(console)
        if turns == 1:
            console.screenshot(artefacts / f"{name}-hint.png")
        console.press("A")
        console.run(settle)
        console.press("START", "A")
        console.run(settle)
        console.press("A")
        for _ in range(20):
            think(console)
            memory = console.memory()[:SAVE]
            if memory != before and shown(memory) in ((BOARD, False), (RESULT, False)):
                break
        turns += 1
        if turns == 2:
            console.screenshot(artefacts / f"{name}-after.png")
        if shown(memory)[0] == RESULT:
            console.run(settle)
            console.screenshot(artefacts / f"{name}-result.png")
            return turns, memory
        if memory == before:
            console.screenshot(artefacts / f"{name}-stuck.png")
            raise AssertionError(f"turn {turns}: nothing was played")
    raise AssertionError("the game does not end")


def states(console):
    """Save states: constant size, the same continuation, damaged ones refused with nothing changed."""
    rng = random.Random(5)
    buttons = ["A", "A", "A", "B", "UP", "DOWN", "LEFT", "RIGHT", "START", "SELECT", "L", "R"]
    console.press("A", "START")
    trail = []
    for _ in range(60):
        trail.append(console.state())
        console.press(rng.choice(buttons), down=1, up=1)
    end = console.state()
    for place in (59, 30, 7, 0):
        again = random.Random(5)
        presses = [again.choice(buttons) for _ in range(60)]
        assert console.load_state(trail[place])
        assert console.state() == trail[place]
        for button in presses[place:]:
            console.press(button, down=1, up=1)
        assert console.state() == end, place
    for _ in range(100):
        bad = bytearray(end)
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        assert not console.load_state(bad)
    for bad in (b"", end[:-1], end[: len(end) // 2], bytes(len(end)), end[::-1]):
        assert not console.load_state(bad)
    assert console.state() == end
    assert len({len(state) for state in trail}) == 1
    # Frontends may lend more room than was asked for.
    assert console.load_state(trail[0])
    assert console.load_state(end + bytes(100))
    assert console.state(100) == end + bytes(100)
    return len(end)


def states_of_a_search(console):
    """States that are taken while the engine thinks: the same continuation, the save memory included."""
    # Two levels above the default one, which is 64 frames of thinking.
    console.press("A", "DOWN", "RIGHT", "RIGHT", "START")
    console.press("START", "A", "A", up=1)
    trail = []
    while shown(console.state()[CONTAINER:])[1]:
        trail.append((console.state(), console.memory()))
        console.run()
        assert len(trail) < 100, "the engine does not end its turn"
    assert len(trail) > 50, "the engine does not think"
    end = console.state(), console.memory()
    assert end[1] != trail[0][1], "the game is not saved at the end of the turn"
    # The last state again after the first: then the engine has answered, and is further on than the state.
    for place in (0, len(trail) // 2, len(trail) - 1, 0, len(trail) - 1, 10):
        state, memory = trail[place]
        assert console.load_state(state)
        assert (console.state(), console.memory()) == (state, memory), place
        console.run(len(trail) - place)
        assert (console.state(), console.memory()) == end, place
    # Run-ahead: each frame is taken back, and run once more.
    assert console.load_state(trail[0][0])
    for state, _ in trail:
        assert console.state() == state
        console.run(2)
        assert console.load_state(state)
        console.run()
    assert (console.state(), console.memory()) == end


def states_before_the_first_frame(console):
    """A game that is loaded after another one has nothing of it, also before it has run."""
    first = console.state()
    console.press("A", "DOWN")
    assert console.state() != first
    console.load_game_again()
    assert console.state() == first


def libretro(core, artefacts):
    with Console(core) as console:
        states_before_the_first_frame(console)
    with Console(core) as console:
        console.run(2)
        assert console.picture().size == (480, 320)
        size = states(console)
    with Console(core) as console:
        console.run(2)
        states_of_a_search(console)
    with Console(core) as console:
        turns, memory = whole_game(console, artefacts, "libretro", 3, lambda console: console.run(12))
        assert memory[:8] == b"BRWSTATE"
    print(f"libretro core: {turns} turns by key presses to the end, {console.frames} frames; states of {size} bytes go on the same")


def gba(emulator, rom, artefacts, save, steps=0):
    def numbers(console):
        """Bytes of stack never used, frames of the longest search, whether there is something to do."""
        return struct.unpack_from("<3I", console.memory(), SAVE)

    def think(console):
        for _ in range(2400):
            console.run(4)
            if numbers(console)[2] != 1:
                return
        raise AssertionError("the cartridge thinks for more than two and a half minutes")

    with Console(emulator, rom) as console:
        console.settle = lambda: think(console)
        turns, memory = whole_game(console, artefacts, "gba", 4, think, steps)
        margin, longest, _ = numbers(console)
    save.write_bytes(memory)
    print(f"cartridge: {turns} turns by key presses to the end, {console.frames} frames, {console.frames / 59.73:.0f} s on the machine")
    print(f"cartridge: {margin} bytes of the large memory were never used")
    print(f"cartridge: answers within {longest / 59.73:.1f} s")
    assert steps > 0 or longest <= 597, "an answer takes more than 10 s"
    assert margin >= 16 * 1024, "less than 16 KiB are left"
    size = Path(rom).stat().st_size
    print(f"cartridge: {size} bytes of ROM")
    assert size <= 1024 * 1024


if __name__ == "__main__":
    kind, *rest = sys.argv[1:]
    if kind == "libretro":
        libretro(rest[0], Path(rest[1]))
    else:
        gba(rest[0], rest[1], Path(rest[2]), Path(rest[3]), *map(int, rest[4:]))
