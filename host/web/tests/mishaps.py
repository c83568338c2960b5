"""What goes wrong around a game at the page: storage that is damaged, files that are dropped, other tabs, requests that are refused."""

import json
import re
import time

ROWS = "return document.querySelectorAll('#panel-game .turns li').length"
PLAYS = "return ['Yellow', 'Blue'].map((side) => document.getElementById(`player-${side}`).value)"
ARROWS = "return document.querySelectorAll('.arrows .arrow').length"


def set_value(player, name, value):
    player.browser.run(
        "const input = document.getElementById(arguments[0]); input.value = arguments[1];"
        "for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind))", name, value)


def new_game(player, **values):
    """A new game; values are those of the dialog's inputs, with `_` for `-`."""
    player.browser.wait("return !document.getElementById('new-game').disabled", what="a page that is ready")
    player.click("#new-game")
    player.browser.wait("return document.getElementById('begin')", what="the dialog")
    for name, value in {"ruleset": "server", "new-level": "first game", "new-yellow": "person", "new-blue": "engine", **values}.items():
        set_value(player, name.replace("_", "-"), value)
    player.browser.run("document.getElementById('message').textContent = ''; document.getElementById('begin').click()")
    player.browser.wait("return document.getElementById('message').textContent !== ''", what="a new game")


def reopened(player, address=None):
    player.browser.open("about:blank")
    player.browser.open(address or player.address)
    player.ready()


def ended_turns(player, number, turns_each=2):
    """Ends so many turns; each makes so many rows: with its answer, or one where a person plays both sides."""
    for _ in range(number):
        before = player.browser.run(ROWS)
        player.click("#end-turn")
        player.browser.wait(ROWS + " === arguments[0]", before + turns_each, what="a turn and its answer")


def open_text(player, text):
    player.click("#open")
    player.browser.run("document.getElementById('load-text').value = arguments[0]; document.getElementById('load').click()", text)


def is_asleep_until_ready(player):
    """Buttons that need the engine wait for it."""
    names = ["new-game", "open", "share", "contests", "undo", "clear", "hint", "end-turn"]
    awake = player.browser.run_async(
        "const [names, done] = arguments; fetch('index.html').then((page) => page.text()).then((text) => {"
        "const page = new DOMParser().parseFromString(text, 'text/html'); done(names.filter((name) => !page.getElementById(name).disabled)) })", names)
    assert not awake, awake
    assert not player.browser.run("return document.getElementById('new-game').disabled")


def damaged_storage(player):
    """Whatever lies in the storage, there is a game with players in it, and what can be read of the kept one."""
    browser = player.browser
    new_game(player)
    player.drag(0, "d1", "e1")
    player.entered("walks to e1")
    kept = json.loads(browser.run("return localStorage.getItem('barrow.game')"))

    def with_storage(key, value):
        browser.run("localStorage.clear(); sessionStorage.clear(); localStorage.setItem(arguments[0], arguments[1])", key, value)
        reopened(player)
        assert browser.run(PLAYS)[0] == "person", (key, value)

    for value in ['{"text":5}', "5", "{", '{"text":"x","players":3,"level":7}']:
        with_storage("barrow.game", value)
    # It is said why the game that is shown is another one.
    player.says("cannot be read")
    with_storage("barrow.game", json.dumps(kept | {"players": {"Yellow": "dragon"}, "level": "x", "lines": [*kept["lines"], "nonsense", None]}))
    player.entered("walks to e1")
    assert browser.run("return document.getElementById('level').value") == "medium"
    with_storage("barrow.game", json.dumps(kept | {"players": "x", "lines": 5}))
    for value in ["5", "null", "[]"]:
        with_storage("barrow.settings", value)
        browser.run("document.getElementById('theme').click()")
        assert browser.run("return document.documentElement.dataset.theme") == "dark", value
        browser.run("document.getElementById('theme').click()")
    for value in ['{"a":1}', "[1,null]"]:
        with_storage("barrow.players", value)
    browser.run("localStorage.clear(); sessionStorage.clear()")
    # So is what is wrong with a link, though the game before goes on.
    reopened(player)
    reopened(player, player.address + "#position=%E0%A4%A")
    player.says("The link cannot be read")


def figures_of_the_rules(player):
    """Figures of units are those of the game's rules, at once and after a reload."""
    shown = "return [...document.querySelectorAll('#panel-techs th small')].map((figures) => figures.textContent).join()"
    figures = []
    for rules in ["server", "spooky"]:
        new_game(player, ruleset=rules)
        figures.append(player.browser.run(shown))
        reopened(player)
        assert player.browser.run(shown) == figures[-1], rules
    assert figures[0] != figures[1]
    # The dialog remembers the rules that were chosen last.
    player.click("#new-game")
    assert player.browser.wait("return document.getElementById('ruleset')?.value") == "spooky"
    player.browser.run("document.getElementById('dialog').close()")


def refused(player):
    """What is refused does not stop the engine, and nothing of one's own is nothing to take back."""
    browser = player.browser
    new_game(player, new_yellow="engine", new_blue="person", new_level="strong")
    player.says("thinks …")
    open_text(player, "no position")
    browser.wait("return document.querySelector('#dialog [role=alert]').textContent.includes('cannot be read')", what="a refusal")
    browser.run("document.getElementById('dialog').close()")
    browser.wait(ROWS + " === 1", what="a turn of the engine", seconds=20)
    taking = "return [...document.querySelectorAll('#panel-game button')].find((button) => button.textContent.startsWith('Take')).disabled"
    assert browser.run(taking)
    # A new game that is refused leaves the players as they are.
    player.click("#new-game")
    browser.wait("return document.getElementById('begin')", what="the dialog")
    set_value(player, "new-yellow", "person")
    browser.run("document.getElementById('map-0').value = 'none'; document.getElementById('begin').click()")
    player.says("Not possible")
    assert browser.run(PLAYS) == ["engine", "person"] and browser.run(ROWS) == 1


def resigned(player):
    """A resignation is said, and can be taken back."""
    browser = player.browser
    new_game(player)
    player.drag(0, "d1", "e1")
    player.entered("walks to e1")
    player.click_words("Resign the game")
    player.says("Blue has won by resignation")
    player.click("#tab-analysis")
    player.click("#analyse")
    browser.wait("return document.getElementById('panel-analysis').textContent.includes('The game is over')", what="no search")
    player.click("#analyse")
    player.click("#tab-turn")
    player.click_words("Take the resignation back")
    browser.wait("return document.querySelector('.state').textContent === 'Turn 1: Yellow to move'", what="the game again")
    assert not browser.run("return document.getElementById('end-turn').disabled")


def hint_stays(player):
    """Arrows of a hint stay when the pointer comes to the board, until something is entered."""
    browser = player.browser
    new_game(player)
    player.click("#hint")
    player.says("Hint")
    arrows = browser.run(ARROWS)
    assert arrows > 0
    browser.pointer(player.place(0, "f5"), player.place(0, "g5"))
    time.sleep(0.3)
    assert browser.run(ARROWS) == arrows
    player.drag(0, "d1", "e1")
    player.entered("walks to e1")
    assert browser.run(ARROWS) == 0


def taken_over(player):
    """Whoever takes a side over while the engine thinks for it plays the turn, and nothing that is entered goes lost."""
    browser = player.browser
    new_game(player, new_level="strong", new_yellow="engine", new_blue="person")
    player.says("Yellow thinks")
    set_value(player, "player-Yellow", "person")
    player.says("Your turn")
    assert not browser.run("return document.getElementById('end-turn').disabled")
    assert browser.run("return document.getElementById('stop').hidden")
    player.drag(0, "d1", "e1")
    player.entered("walks to e1")
    time.sleep(6)
    assert browser.run(ROWS) == 0
    player.entered("walks to e1")


def review_of_before(player):
    """A review that goes on while another game is opened is not taken for that game's, even if that has as many turns."""
    browser = player.browser
    new_game(player, new_blue="person")
    # Progress is told every quarter of a second, so that the game must be long enough for fast machines.
    ended_turns(player, 24, turns_each=1)
    game = player.exported("mgn")
    player.click("#tab-analysis")
    browser.run_async(
        "const [text, done] = arguments; const click = (id) => document.getElementById(id).click(); click('review');"
        "const wait = setInterval(() => { if (!/ ([2-9]|[12]\\d) of/.test(document.getElementById('review').textContent)) return;"
        "clearInterval(wait); click('open'); document.getElementById('load-text').value = text; click('load'); done() }, 5)", game)
    player.says("Loaded")
    time.sleep(3)
    shown = browser.run("return ['review', 'panel-analysis'].map((id) => document.getElementById(id).textContent)")
    assert shown[0] == "Review the game" and "given away" not in shown[1], shown
    player.click("#tab-turn")


def earlier_position(player):
    """What is shared of an earlier position is that one. Who plays is kept over a reload there, too, with the game as it is now."""
    browser = player.browser
    new_game(player)
    ended_turns(player, 2)
    latest = player.exported("fen")
    browser.run("document.querySelectorAll('#panel-game .turns button')[1].click()")
    browser.wait("return document.getElementById('panel-turn').textContent.includes('after 2 turns')", what="an earlier position")
    player.says("The position after 2 turns")
    earlier = player.exported("fen")
    link = player.exported("link")
    assert earlier != latest
    kept = "return JSON.parse(localStorage.getItem('barrow.game'))"
    before = browser.run(kept)
    for who in ["person", "engine"]:
        set_value(player, "player-Blue", who)
        browser.wait(kept + ".players.Blue === arguments[0]", who, what="players that are kept")
    assert browser.run(kept) == before
    player.click_words("Back to the game")
    browser.wait("return !document.getElementById('end-turn').disabled", what="the game")
    assert player.exported("fen") == latest
    reopened(player, link)
    player.says("Position of the link")
    assert player.exported("fen") == earlier


def tabs(player):
    """Two tabs have two games, each over a reload; a new tab goes on with the one that was played last."""
    browser = player.browser
    boards = "return document.querySelectorAll('.card').length"
    new_game(player, boards_count="1")
    first = browser.send("GET", browser.session + "/window")
    second = browser.post("/window/new", {"type": "tab"})["handle"]
    browser.post("/window", {"handle": second})
    reopened(player)
    assert browser.run(boards) == 1
    new_game(player, boards_count="3")
    for tab, number in [(first, 1), (second, 3)]:
        browser.post("/window", {"handle": tab})
        reopened(player)
        assert browser.run(boards) == number
    browser.send("DELETE", browser.session + "/window")
    browser.post("/window", {"handle": first})


def dropped(player):
    """A file that is dropped is opened; one that is none of ours is refused, and the game stays."""
    browser = player.browser
    new_game(player)
    game = player.exported("mgn")
    drop = (
        "const data = new DataTransfer(); data.items.add(new File([arguments[0]], arguments[1]));"
        "const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });"
        "document.getElementById('boards').dispatchEvent(event); return event.defaultPrevented")
    alert = "return document.querySelector('#dialog [role=alert]').textContent.includes('cannot be read')"
    assert browser.run(drop, "\0\1\2PNG", "picture.png")
    browser.wait("return document.getElementById('load-text')?.value.length === 6", what="the file")
    player.click("#load")
    browser.wait(alert, what="a refusal")
    assert browser.run(drop.replace("arguments[0]", "'x'.repeat(5 << 20)"), "", "long.txt")
    browser.wait(alert, what="a refusal")
    assert player.browser.run(drop, game, "game.mgn")
    browser.wait("return document.getElementById('load-text').value === arguments[0]", game, what="the game")
    player.click("#load")
    player.says("Loaded")


def opened(player):
    """Positions that do not name their rules, as a log has them or with the dialog's, and any game of a file."""
    browser = player.browser
    fen = "4|2 0|0 ULL|LLL n|ZS|z|||0/2ZZ6/2N7/2Z7/4z5/0/7z2/6znz1/6zz2/0 0 5"
    player.click("#open")
    browser.wait("return document.getElementById('load-rules')", what="the dialog")
    assert browser.run("return document.getElementById('load-number').closest('label').hidden")
    set_value(player, "load-text", fen)
    player.click("#load")
    browser.wait("return document.querySelector('#dialog [role=alert]').textContent.includes('cannot be read')", what="a refusal")
    set_value(player, "load-rules", "server")
    set_value(player, "load-config", "1 MidnightLake S,P,W")
    player.click("#load")
    player.says("Loaded")
    loaded = player.exported("fen")
    assert "server:1:MidnightLake:SPW" in loaded, loaded
    open_text(player, f"config 1 MidnightLake S,P,W\nposition fen {fen}\nplay\n")
    player.says("Loaded")
    assert "spooky:1:MidnightLake:SPW" in player.exported("fen"), player.exported("fen")
    set_value(player, "player-Yellow", "person")
    set_value(player, "player-Blue", "person")
    # Turns are counted as the position does.
    player.click("#end-turn")
    browser.wait("return document.querySelector('#panel-game .turns')?.start === 5", what="turns from 5 on")
    assert player.state() == "Turn 6: Blue to move", player.state()
    # A game that breaks off is opened as far as it goes, and that is said.
    game = player.exported("mgn")
    open_text(player, game[:game.index("\nendturn")])
    player.says("breaks off")
    assert player.state() == "Turn 5: Yellow to move", player.state()
    # So is one whose last position lost its turn.
    turn = game.index("\nturn")
    start = re.search(r'\[Start "(.*)"\]', game)[1]
    open_text(player, f"{game[:turn]}\nposition {start}\n")
    player.says("breaks off")
    open_text(player, game)
    browser.wait("return document.getElementById('message').textContent === 'Loaded'", what="the whole game")
    games = []
    for boards in "12":
        new_game(player, boards_count=boards, new_blue="person")
        games.append(player.exported("mgn"))
    player.click("#open")
    set_value(player, "load-text", "\n".join(games))
    assert not browser.run("return document.getElementById('load-number').closest('label').hidden")
    set_value(player, "load-number", "1")
    player.click("#load")
    player.says("Loaded game 1 of 2")
    assert browser.run("return document.querySelectorAll('.card').length") == 1
    # So are games that were written at once, the lines of each behind its label.
    heads = [game.splitlines(keepends=True) for game in games]
    labelled = "".join(f"game {number}\n{lines[0]}" for number, lines in enumerate(heads))
    labelled += "".join(f"game {number}\n{''.join(lines[1:])}" for number, lines in enumerate(heads))
    player.click("#open")
    set_value(player, "load-text", labelled)
    set_value(player, "load-number", "2")
    player.click("#load")
    player.says("Loaded game 2 of 2")
    assert browser.run("return document.querySelectorAll('.card').length") == 2
    # Rules that contradict a position are told, not passed over.
    extended = player.exported("fen")
    player.click("#open")
    set_value(player, "load-text", extended)
    set_value(player, "load-rules", "spooky" if "server:" in extended else "server")
    player.click("#load")
    browser.wait("return document.querySelector('#dialog [role=alert]').textContent.includes('names its ruleset itself')", what="a refusal")
    set_value(player, "load-rules", "")
    player.click("#load")
    browser.wait("return document.getElementById('message').textContent === 'Loaded'", what="the position by its own rules")


def told(player):
    """What is told is what was just entered, and why a card has no target."""
    browser = player.browser
    new_game(player, boards_count="1")
    browser.run("document.querySelector('#panel-turn .gives button:enabled').click()")
    player.says("Gives ")
    # Marks are told as well, to who does not see them, until the piece is let go.
    label = "return document.querySelector(`#board-0 [data-hex=${arguments[0]}]`).getAttribute('aria-label')"
    player.choose(0, "d1")
    browser.wait("return document.querySelector('#board-0 [data-hex=e1]').getAttribute('aria-label').endsWith('can go here')", what="marks in words")
    assert browser.run(label, "d1").endswith("chosen")
    player.choose(0, "d1")
    browser.wait("return document.querySelector('#board-0 [data-hex=e1]').getAttribute('aria-label') === 'e1, free'", what="no marks")
    player.drag(0, "d1", "e1")
    player.says("walks to e1")
    player.click_words("Unlock the next tech")
    player.says("Unlocks ")
    # On the first turn of a board nothing is near enough to be a target of most cards.
    reasons = browser.run_async(
        "const done = arguments[0]; (async () => { const cards = document.querySelectorAll('#hand-0 .chip.spell'); cards[0].click();"
        "await new Promise((resolve) => setTimeout(resolve, 500)); const marks = document.querySelectorAll('#board-0 .marks .mark').length;"
        "const dialog = document.getElementById('dialog'); if (dialog.open) dialog.close(); done([marks, document.getElementById('message').textContent]) })()")
    assert ("choose a marked hex" in reasons[1]) == (reasons[0] > 0), reasons


def skipped(player):
    """The link to the boards leads there, and the address stays."""
    browser = player.browser
    before = browser.run("return location.href")
    player.click(".skip")
    assert browser.run("return document.activeElement.id") == "boards"
    assert browser.run("return location.href") == before


def on_the_page(player):
    is_asleep_until_ready(player)
    damaged_storage(player)
    figures_of_the_rules(player)
    refused(player)
    resigned(player)
    hint_stays(player)
    taken_over(player)
    review_of_before(player)
    earlier_position(player)
    skipped(player)
    opened(player)
    told(player)
    tabs(player)
    dropped(player)
    print("mishaps: the game goes on")


def at_a_server(player):
    browser = player.browser
    new_game(player)
    link = browser.run("return location.href")
    skipped(player)
    taken_over(player)
    review_of_before(player)
    browser.open("about:blank")
    browser.open(link)
    player.ready()
    # The engine answers in this tab, whoever has ended the turn.
    here = browser.send("GET", browser.session + "/window")
    there = browser.post("/window/new", {"type": "tab"})["handle"]
    browser.post("/window", {"handle": there})
    reopened(player, link)
    set_value(player, "player-Blue", "person")
    player.click("#end-turn")
    browser.wait(ROWS + " === 2", what="an answer of the other tab's engine")
    assert "Yellow to move" in player.state(), player.state()
    browser.send("DELETE", browser.session + "/window")
    browser.post("/window", {"handle": here})
    browser.wait(ROWS + " === 2", what="the same game in both")
    # What the server would not take is refused, and the connection stays.
    open_text(player, "x" * (2 << 20))
    browser.wait("return document.querySelector('#dialog [role=alert]').textContent.includes('takes 1 MiB')", what="a refusal")
    browser.run("document.getElementById('dialog').close()")
    assert browser.run(ROWS) == 2
    # The engine of the server has the network that it has.
    player.click("#tab-analysis")
    assert not browser.run("return document.getElementById('panel-analysis').textContent.includes('large network')")
    player.click("#tab-turn")
    # The button back leads to the game before.
    new_game(player)
    assert browser.run("return location.href") != link
    browser.run("document.documentElement.dataset.ready = 'no'")
    browser.post("/back", {})
    player.ready()
    browser.wait(ROWS + " === 2", what="the game before")
    assert browser.run("return location.href") == link
    # A page that comes by a name is told why the server refuses it.
    browser.open(player.address.replace("127.0.0.1", "barrow.localhost"))
    player.says("can allow that by --origin http://barrow.localhost")
    print("mishaps: no link is lost")
