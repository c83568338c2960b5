"""The page in Chromium, as a player uses it.

    browser.py SITE ARTEFACTS AXE [ADDRESS]

SITE is the folder of the static site, ARTEFACTS the folder for screenshots, AXE the file of axe-core, ADDRESS that of a page
which is served already.
"""

import functools
import gzip
import http.server
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import mishaps
from webdriver import Browser

# Bytes that a first visit loads at most, compressed: the engine with its network, and everything else.
ENGINE_BYTES = 3_000_000
PAGE_BYTES = 60_000
# Milliseconds until something is painted.
FIRST_PAINT = 3_000


class Files(http.server.SimpleHTTPRequestHandler):
    """Files without a line for each."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


def serve(site):
    handler = functools.partial(Files, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Player:
    """What a player does at the page."""

    def __init__(self, browser, address, artefacts, axe):
        self.browser, self.address, self.artefacts, self.axe = browser, address, artefacts, axe

    def ready(self):
        self.browser.wait("return document.documentElement.dataset.ready === 'yes'", what="the page ready", seconds=90)

    def place(self, board, hex_name):
        return self.browser.run(
            "const cell = document.querySelector(`#board-${arguments[0]} [data-hex=${arguments[1]}]`);"
            "cell.scrollIntoView({ block: 'center' }); const box = cell.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]", board, hex_name)

    def click(self, selector):
        self.browser.run("const button = document.querySelector(arguments[0]); button.scrollIntoView({ block: 'center' }); button.click()", selector)

    def click_words(self, words):
        self.browser.run("[...document.querySelectorAll('button')].find((button) => button.textContent.includes(arguments[0])).click()", words)

    def choose(self, board, *hexes):
        for name in hexes:
            self.browser.pointer(self.place(board, name), "down", "up")
            time.sleep(0.15)

    def drag(self, board, start, end):
        a = self.place(board, start)
        b = self.browser.run(
            "const box = document.querySelector(`#board-${arguments[0]} [data-hex=${arguments[1]}]`).getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]", board, end)
        middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
        self.browser.pointer(a, "down", middle, b, "up")

    def sentences(self):
        return self.browser.run("return [...document.querySelectorAll('#panel-turn li')].map((item) => item.textContent)")

    def entered(self, words):
        self.browser.wait("return document.getElementById('panel-turn').textContent.includes(arguments[0])", words, what=words)

    def says(self, words, seconds=60):
        return self.browser.wait("const text = document.getElementById('message').textContent; return text.includes(arguments[0]) && text", words, what=words, seconds=seconds)

    def state(self):
        return self.browser.run("return document.querySelector('.state').textContent")

    def turns(self):
        return self.browser.run("return document.querySelectorAll('#panel-game .turns li').length")

    def exported(self, form):
        self.click("#share")
        # A dialog that was closed stays in the page with what it showed.
        text = self.browser.wait(
            "return document.getElementById('dialog').open && document.getElementById(arguments[0])?.value",
            f"share-{form}", what=form)
        self.browser.run("document.getElementById('dialog').close()")
        return text

    def picture(self, name):
        self.browser.screenshot(self.artefacts / f"browser-{name}.png")

    def accessible(self, view):
        self.browser.run("if (!window.axe) { (0, eval)(arguments[0]) }", self.axe)
        found = self.browser.run_async(
            "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then((result) => done("
            "result.violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => `${one.id}: ${one.nodes.length} x ${one.nodes[0].html.slice(0, 120)} ${one.nodes[0].failureSummary.slice(0, 200)}`)))")
        assert not found, f"{view}: " + "\n".join(found)
        print(f"{view}: no serious issue")


def begin_game(player):
    """A game under the full rules, on two boards, against an engine that thinks little."""
    player.click("#new-game")
    player.browser.wait("return document.getElementById('begin')", what="the dialog")
    player.accessible("new game")
    player.picture("new-game")
    player.browser.run("document.getElementById('new-level').value = 'gentle'; document.getElementById('begin').click()")
    player.browser.wait("return document.querySelector('.state').textContent.startsWith('Turn 1')", what="a new game")


def play_turn(player):
    """A whole turn on two boards: by drag, by clicks, by keys; a tech; undo."""
    browser = player.browser
    player.drag(0, "d1", "e1")
    player.entered("Board 1: zombie d1 walks to e1")
    player.choose(1, "d1")
    browser.wait("return document.querySelectorAll('#board-1 .mark.walk').length > 0", what="marks of reach")
    player.picture("reach")
    player.choose(1, "e1")
    player.entered("Board 2: zombie d1 walks to e1")
    # By keys: a hex of the first board is focused, its piece chosen and sent down.
    browser.run("document.querySelector('#board-0 [data-hex=c3]').focus()")
    browser.keys("\ue007")
    browser.wait("return document.querySelector('#board-0 .mark.walk')", what="a piece taken by keys")
    browser.keys("\ue015", "\ue007")
    player.entered("Board 1: zombie c3 walks to c4")
    player.click("#undo")
    browser.wait("return !document.getElementById('panel-turn').textContent.includes('c3 walks to c4')", what="undo")
    player.click("#tab-techs")
    player.accessible("techs")
    player.click_words("Unlock the next tech")
    player.click("#tab-turn")
    player.entered("Unlocks")


def refused_drop(player):
    player.drag(0, "d2", "h4")
    said = player.says("Not possible")
    assert "path" in said or "far" in said or "short" in said, said
    print(said)


def answered(player):
    before = player.turns()
    # A key that is held down does nothing, and a turn that is ended twice ends once: the other side's turn is the engine's.
    player.browser.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', repeat: true, bubbles: true }))")
    player.exported("fen")
    assert player.turns() == before
    player.browser.run("for (let press = 0; press < 2; press += 1) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true }))")
    player.browser.wait("return document.querySelectorAll('#panel-game .turns li').length === arguments[0]", before + 2, what="an answer of the engine", seconds=120)
    assert "Yellow to move" in player.state(), player.state()
    last = player.browser.run("return [...document.querySelectorAll('#panel-game .turns li')].at(-1).textContent")
    assert "■" in last and "%" in last, last


def buys_and_places(player):
    player.click("#board-0 .buy")
    player.browser.wait("return document.querySelector('.picks button')", what="units for sale")
    player.accessible("units for sale")
    player.picture("buy")
    player.click_words("Zombie for 2")
    player.entered("Board 1: buys a zombie")
    player.click('#hand-0 .chip[data-unit="zombie"]')
    player.browser.wait("return document.querySelector('#board-0 .mark.spawn')", what="hexes to place it on")
    player.choose(0, "c0")
    player.entered("a zombie appears on c0")
    # A walk after the spawn phase has begun goes before it.
    player.drag(0, "d2", "e2")
    player.entered("zombie d2 walks to e2")


def strong_answer(player):
    """An engine that thinks by time, on all its workers, and is told to play at once."""
    before = player.turns()
    player.browser.run("const level = document.getElementById('level'); level.value = 'master'; level.dispatchEvent(new Event('change'))")
    player.click("#end-turn")
    player.says("thinks … ")
    player.click("#stop")
    player.browser.wait("return document.querySelectorAll('#panel-game .turns li').length === arguments[0]", before + 2, what="a turn at once", seconds=8)


def threads(player):
    """On its second visit the page is isolated on any host, and its workers grow one tree."""
    browser = player.browser
    browser.open(player.address)
    player.ready()
    assert browser.run("return crossOriginIsolated"), "the page is not isolated"
    if browser.run("return navigator.hardwareConcurrency") > 1:
        strong_answer(player)
        helped = browser.wait("return Number(document.documentElement.dataset.helped ?? 0)", what="threads that help")
        print(f"threads on one memory: helpers searched {helped} nodes")


def analysis(player):
    browser = player.browser
    player.click("#tab-analysis")
    browser.wait("return document.getElementById('analyse')", what="the panel")
    player.click("#analyse")
    nodes = "const found = document.querySelector('.verdict small')?.textContent.match(/^(\\d+) positions/); return found && Number(found[1])"
    first = browser.wait(nodes, what="an analysis")
    browser.run("document.getElementById('analyse').focus()")
    more = browser.wait(f"const now = (() => {{ {nodes} }})(); return now > arguments[0] + 50 && now", first, what="an analysis that goes on")
    assert browser.run("return document.activeElement.id") == "analyse", "the focus is lost"
    browser.wait("return document.querySelectorAll('.arrow').length > 0", what="arrows")
    print(f"analysis: {first} nodes, then {more}")
    player.picture("analysis")
    player.accessible("analysis")
    # The page is not frozen: an answer of the session comes while the search runs.
    browser.run("document.getElementById('tab-turn').click()")
    player.choose(1, "c3")
    browser.wait("return document.querySelectorAll('#board-1 .mark').length > 0", what="marks during a search", seconds=5)
    browser.keys("\ue00c")


def there_and_back(player):
    browser = player.browser
    fen, game = player.exported("fen"), player.exported("mgn")
    link = player.exported("link")
    for text in (fen, game):
        player.click("#new-game")
        browser.run("document.getElementById('begin').click()")
        browser.wait("return document.querySelector('.state').textContent.startsWith('Turn 1')", what="another game")
        player.click("#open")
        browser.run("document.getElementById('load-text').value = arguments[0]; document.getElementById('load').click()", text)
        player.says("Loaded")
        assert player.exported("fen") == fen
    player.click("#open")
    browser.run("document.getElementById('load-text').value = 'nonsense'; document.getElementById('load').click()")
    browser.wait("return document.querySelector('#dialog .bad').textContent.includes('column')", what="why it is no position")
    browser.run("document.getElementById('dialog').close()")
    browser.run("localStorage.clear()")
    browser.open("about:blank")
    browser.open(link)
    player.ready()
    assert player.exported("fen") == fen
    # A position that is only looked at is not kept in the place of a game.
    assert browser.run("return localStorage.getItem('barrow.game')") is None
    browser.open("about:blank")
    browser.open(link)
    player.ready()
    assert player.exported("fen") == fen
    return game


def review(player):
    """A review of the whole game, which is the engine's own message."""
    browser = player.browser
    player.click("#tab-analysis")
    player.click("#review")
    browser.wait("return document.getElementById('panel-analysis').textContent.includes('given away a turn')", what="a review", seconds=120)
    points = browser.run("return document.querySelector('.curve .line').getAttribute('points').split(' ').length")
    assert points == player.turns(), points
    player.picture("review")
    player.click("#tab-turn")


def contest(player, name, contest, piece):
    """A contest game in the same page: bots play it; then a record of one is watched, step by step and scrubbed."""
    browser = player.browser
    if browser.run("return document.getElementById('watch').hidden"):
        player.click("#contests")
        browser.wait("return document.getElementById('contest-begin')", what="the other games")
    browser.run("const game = document.getElementById('contest'); game.value = arguments[0]; game.dispatchEvent(new Event('change')); document.querySelectorAll('.seats select').forEach((input) => { input.value = input.lastChild.value })", contest)
    player.click("#contest-begin")
    at = "return Number(document.getElementById('scrub')?.value)"
    browser.wait("const scrub = document.getElementById('scrub'); return scrub && Number(scrub.value) >= 4 && Number(scrub.max) > 5", what=f"bots that play {name}")
    player.click("#contest-play")
    record = (pathlib.Path(__file__).parent / "records" / f"{contest}.txt").read_text()
    # The dialog that opens positions opens records as well.
    player.click("#open")
    browser.run("document.getElementById('load-text').value = arguments[0]; document.getElementById('load').click()", record)
    browser.wait("return document.getElementById('scrub')?.value === '0' && document.getElementById('watch-status').textContent.includes('1 of')", what=f"a record of {name}")
    pieces = "return document.querySelectorAll(`.contest-board .token.${arguments[0]}`).length"
    assert browser.run(pieces, piece) > 0, name
    browser.run("document.getElementById('forward').focus()")
    browser.keys("\ue014", "\ue014", "\ue012")
    browser.wait("return Number(document.getElementById('scrub').value) === 1", what="a step by keys")
    browser.run("const scrub = document.getElementById('scrub'); scrub.value = Math.floor(scrub.max / 2); scrub.dispatchEvent(new Event('input'))")
    middle = browser.run(at)
    assert middle > 1, middle
    player.picture(f"contest-{contest}")
    player.accessible(name)
    browser.run("document.getElementById('speed').value = '20'")
    player.click("#contest-play")
    browser.wait("return Number(document.getElementById('scrub').value) > arguments[0] + 2", middle, what="a record that plays")
    player.click("#contest-play")
    player.click("#last")
    browser.wait("const scrub = document.getElementById('scrub'); return scrub.value === scrub.max", what="the end of the record")
    # A record that says what the rules do not is told apart.
    wrong = record.replace("\n0 ", "\n0 9", 1) if contest == "roborally" else record.replace("EXPLORER 0", "EXPLORER 9", 1) if contest == "kutulu" else record.replace(" IN ", " IN 9", 1)
    player.click("#open")
    browser.run("document.getElementById('load-text').value = arguments[0]; document.getElementById('load').click()", wrong)
    browser.wait("return document.getElementById('watch-status').textContent.includes('differs from the rules')", what="a record that is wrong")


def contests(player):
    contest(player, "RoboRally", "roborally", "robot")
    contest(player, "Code of Kutulu", "kutulu", "explorer")
    contest(player, "A Code of Ice and Fire", "ice_and_fire", "headquarters")
    wide = player.browser.run("return document.scrollingElement.scrollWidth - innerWidth")
    assert wide <= 0, wide
    player.click("#contests")
    assert not player.browser.run("return document.getElementById('table').hidden")


def sizes(site):
    packed = {path: len(gzip.compress(path.read_bytes())) for path in site.rglob("*") if path.suffix != ".brw" and path.is_file()}
    # A visit loads one of the two engines.
    engine = max(size for path, size in packed.items() if path.suffix == ".wasm")
    page = sum(size for path, size in packed.items() if path.suffix in (".html", ".css", ".js", ".svg"))
    print(f"compressed: engine {engine} of {ENGINE_BYTES} bytes, page {page} of {PAGE_BYTES}")
    assert engine <= ENGINE_BYTES and page <= PAGE_BYTES


def phone(player):
    browser = player.browser
    browser.command("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    browser.open(player.address)
    player.ready()
    wide = browser.run("return document.scrollingElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} pixels too wide for a phone"
    player.picture("phone")
    player.accessible("phone")
    player.click("#contests")
    browser.wait("return document.getElementById('contest-begin')", what="the other games")
    player.click("#contest-begin")
    browser.wait("return Number(document.getElementById('scrub')?.value) >= 2", what="bots that play")
    wide = browser.run("return document.scrollingElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} pixels too wide for a phone"
    player.picture("phone-contest")
    player.click("#contests")
    browser.command("Emulation.clearDeviceMetricsOverride", {})


def dark(player):
    player.click("#theme")
    player.accessible("dark")
    player.picture("dark")
    player.click("#theme")


def learn(player):
    player.browser.open(player.address + "learn.html")
    player.ready()
    player.picture("learn")
    player.accessible("learn")
    cards = player.browser.run("return document.querySelectorAll('.unit-card').length")
    assert cards > 60, cards
    player.browser.run("document.getElementById('exercise-title').scrollIntoView()")
    player.picture("exercise")
    player.click("#hint")
    player.browser.wait("return document.getElementById('feedback').textContent.includes('would play')", what="a hint")


def main():
    site, artefacts, axe_file = map(pathlib.Path, sys.argv[1:4])
    artefacts.mkdir(parents=True, exist_ok=True)
    server = serve(site)
    address = sys.argv[4] if len(sys.argv) > 4 else f"http://127.0.0.1:{server.server_address[1]}/"
    sizes(site)
    way = journey if len(sys.argv) <= 4 else at_server
    driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
    try:
        port = next(word for line in driver.stdout if "port " in line and "started successfully" in line for word in [line.rstrip(".\n").split()[-1]])
        with tempfile.TemporaryDirectory() as profile:
            browser = Browser(f"http://127.0.0.1:{port}", profile)
            try:
                way(Player(browser, address, artefacts, axe_file.read_text()), server)
            except AssertionError:
                browser.screenshot(artefacts / "browser-failed.png")
                print(browser.log())
                raise
            finally:
                browser.close()
    finally:
        driver.terminate()
        driver.wait()


def journey(player, server):
    browser = player.browser
    browser.open(player.address)
    player.ready()
    painted = browser.run("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    print(f"first paint after {painted:.0f} ms")
    assert painted <= FIRST_PAINT
    player.picture("start")
    player.accessible("start")
    begin_game(player)
    play_turn(player)
    refused_drop(player)
    answered(player)
    player.picture("answered")
    before = (player.state(), player.turns(), player.exported("fen"))
    player.drag(0, "e1", "f1")
    player.entered("walks to f1")
    browser.open(player.address)
    player.ready()
    player.entered("walks to f1")
    assert (player.state(), player.turns(), player.exported("fen")) == before
    buys_and_places(player)
    analysis(player)
    there_and_back(player)
    strong_answer(player)
    player.picture("strong")
    if (pathlib.Path(sys.argv[1]) / "engine-threads.wasm").exists() and len(sys.argv) <= 4:
        threads(player)
    review(player)
    contests(player)
    mishaps.on_the_page(player)
    dark(player)
    phone(player)
    learn(player)
    errors = [entry for entry in browser.log() if entry["level"] == "SEVERE"]
    assert not errors, errors
    # Offline: whatever was visited comes from the service worker.
    browser.open(player.address)
    player.ready()
    browser.wait("return navigator.serviceWorker.controller !== null", what="a service worker")
    server.shutdown()
    server.server_close()
    browser.open(player.address)
    player.ready()
    answer = player.exported("fen")
    assert answer
    browser.open(player.address + "learn.html")
    player.ready()
    print("offline: page and lessons are there")


def links(player, link, before):
    """A game of the server by its link: for who has made it, for another one, and where it cannot be opened."""
    browser = player.browser
    plays = "return ['Yellow', 'Blue'].map((side) => document.getElementById(`player-${side}`).value)"
    assert browser.run(plays) == ["person", "engine"]
    # The plain address goes on with the game, which is the same one.
    browser.open("about:blank")
    browser.open(player.address)
    player.ready()
    player.entered("walks to f1")
    assert browser.run("return location.href") == link and browser.run(plays) == ["person", "engine"]
    # A link in the address of an open page is followed. One that leads nowhere stays there, and nothing else is opened.
    nowhere = "#game=" + "0" * 32
    browser.run("document.documentElement.dataset.ready = 'no'; location.hash = arguments[0]", nowhere)
    player.ready()
    player.says("cannot be opened")
    assert browser.run("return location.hash") == nowhere
    kept = browser.run("const kept = localStorage.getItem('barrow.game'); localStorage.clear(); sessionStorage.clear(); return kept")
    assert link.endswith(browser.run("return JSON.parse(arguments[0]).link", kept))
    # Whoever comes by the link to play has the engine play for nobody.
    browser.run("location.href = arguments[0]", link)
    player.ready()
    player.entered("walks to f1")
    assert browser.run(plays) == ["person", "person"]
    assert (player.state(), player.turns(), player.exported("fen")) == before
    assert browser.run("return localStorage.getItem('barrow.game')") is None
    browser.run("localStorage.setItem('barrow.game', arguments[0])", kept)


def at_server(player, _):
    """The same game where `barrow serve` has the engine and keeps the game."""
    browser = player.browser
    browser.open(player.address)
    player.ready()
    begin_game(player)
    play_turn(player)
    refused_drop(player)
    answered(player)
    player.drag(0, "e1", "f1")
    player.entered("walks to f1")
    before = (player.state(), player.turns(), player.exported("fen"))
    link = browser.run("return location.href")
    assert "#game=" in link, link
    browser.open("about:blank")
    browser.open(link)
    player.ready()
    player.entered("walks to f1")
    assert (player.state(), player.turns(), player.exported("fen")) == before
    links(player, link, before)
    analysis(player)
    review(player)
    contests(player)
    watch = player.exported("watch")
    phone(player)
    learn(player)
    browser.open("about:blank")
    browser.open(watch)
    player.ready()
    player.entered("walks to f1")
    player.says("You watch")
    assert browser.run("return document.getElementById('end-turn').disabled")
    player.picture("watch")
    print("the server keeps the game, and who watches does not play")
    mishaps.at_a_server(player)


main()
