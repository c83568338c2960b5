#!/usr/bin/env python3
"""Stand-in for the program: commands that answer at once, so that tests are about tasks and not about games.

A game is a line that follows from seed and number; the outcome of a pair too. `STAND_IN_FAIL` names a command that
fails, `STAND_IN_SLEEP` a number of seconds that each command but `merge` takes.
"""

import gzip
import hashlib
import json
import math
import os
import sys
import time


def options(words):
    """Options by name, each with the list of its values; `files` has what stands alone behind flags."""
    found, name = {"": []}, ""
    for word in words:
        if word.startswith("--"):
            name = word
            found.setdefault(name, [])
        else:
            found[name].append(word)
    return found


def number(*parts):
    """Number that follows from the parts."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:4], "big")


def read(path):
    """Lines of a file, compressed or not."""
    with open(path, "rb") as file:
        data = file.read()
    return (gzip.decompress(data) if path.endswith(".gz") else data).decode().splitlines()


def write(path, lines):
    """Write lines, compressed where the name says so."""
    data = "".join(f"{line}\n" for line in lines).encode()
    with open(path, "wb") as file:
        file.write(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)


def selfplay(given):
    """Games of a shard."""
    index, count = map(int, given["--shard"][0].split("/"))
    games = [index + count * n for n in range(int(given["--games"][0]))]
    write(given["--out"][0], [json.dumps({"game": n, "by": number(given["--seed"][0], n)}) for n in games])
    return {"games": len(games), "interrupted": False}


def match(given):
    """Pairs of a shard; the first player has two thirds of the points."""
    index, count = map(int, given["--shard"][0].split("/"))
    pairs = -(-int(given["--games"][0]) // 2)
    seed = given["--seed"][0]
    mine = list(range(pairs * index // count, pairs * (index + 1) // count))
    lines = [json.dumps({"pair": n, "points": [4, 3, 4, 2, 1, 3][number(seed, n) % 6]}) for n in mine]
    first = json.dumps({"barrow_match": 1, "players": [given["--a"][0], given["--b"][0]], "seed": seed})
    # Threads finish in any order.
    write(given["--results"][0], [first, *reversed(lines)])
    return {"games": 2 * len(mine), "interrupted": False}


def contest(pairs, sprt):
    """Report of the pairs in order; the test is a sum of points that reaches 8 either way."""
    points, counts, accepted = 0, [0] * 5, None
    for n, pair in enumerate(sorted(pairs)):
        if n != pair or accepted:
            break
        counts[pairs[pair]] += 1
        points += pairs[pair] - 2
        if sprt and abs(points) >= 8:
            accepted = "H1" if points > 0 else "H0"
    played = sum(counts)
    return {
        "pairs": played,
        "games": 2 * played,
        "pentanomial": counts,
        "elo": 10.0 * points,
        "elo_error": 100 / math.sqrt(max(played, 1)),
        "llr": float(points) if sprt else None,
        "accepted": accepted,
        "decided_at": played if accepted else None,
    }


def merge(given):
    """Union of files."""
    files = given["--json"]
    head, lines, twice = [], [], 0
    for path in files:
        for line in read(path):
            if "barrow_match" in line or "barrow_tuning" in line:
                head = [line]
            elif line in lines:
                twice += 1
            else:
                lines.append(line)
    pairs = {entry["pair"]: entry["points"] for entry in map(json.loads, lines) if "pair" in entry}
    parts = [entry for entry in map(json.loads, lines) if "part" in entry]
    if pairs:
        lines.sort(key=lambda line: json.loads(line)["pair"])
    write(given["--out"][0], head + lines)
    place = None
    if parts:
        of = json.loads(head[0])["parts"]
        last = max(entry["iteration"] for entry in parts)
        done = sum(entry["iteration"] == last for entry in parts) == of
        point = sum(entry["gain"] for entry in parts)
        place = {"iteration": last + done, "point": {"x": point}, "missing": []}
    return {
        "files": len(files),
        "items": len(lines),
        "twice": twice,
        "contest": contest(pairs, "--sprt" in given) if pairs else None,
        "tuning": place,
    }


def train(given):
    """Network that follows from the games."""
    games = sorted(line for path in given["--data"] for line in read(path))
    digest = hashlib.sha256(repr((games, given["--device"] if "--device" in given else [])).encode()).hexdigest()
    with open(given["--from"][0], "rb") as file:
        digest += hashlib.sha256(file.read()).hexdigest()
    with open(given["--out"][0], "wb") as file:
        file.write(b"BRW\x1a" + digest.encode())
    write(given["--checkpoint"][0], [digest])
    return {"loss": 1.0, "interrupted": False}


def quantize(given):
    """Network file of a checkpoint."""
    with open(given["--out"][0], "wb") as file:
        file.write(b"BRW\x1a" + read(given[""][0])[0].encode())


def tune(given):
    """Part of the first iteration that is not whole."""
    parts, path = int(given["--parts"][0]), given["--results"][0]
    head = json.dumps({"barrow_tuning": 1, "parts": parts})
    lines = read(path)[1:] if "--resume" in given else []
    index = int(given["--shard"][0].split("/")[0])
    iteration = len(lines) // parts
    new = {"iteration": iteration, "part": index, "gain": number(iteration, index) % 3}
    write(path, [head, *lines, json.dumps(new)])
    return {}


def analyze(given):
    """Review of a game."""
    game = json.loads(read(given["--game"][0])[int(given["--number"][0]) - 1])
    return {"of": game, "nodes": int(given["--nodes"][0])}


def convert(given):
    """Games as lines of JSON."""
    *_, path = given["--out"][:1]
    write(path, [line for name in given["--out"][1:] for line in read(name)])


def main():
    """Run a command."""
    if sys.argv[1:] == ["--version"]:
        print("barrow stand-in")
        return 0
    command = sys.argv[1]
    if command != "merge":
        time.sleep(float(os.environ.get("STAND_IN_SLEEP", "0")))
    if command == os.environ.get("STAND_IN_FAIL"):
        print("the dice are lost", file=sys.stderr)
        return 3
    report = globals()[command](options(sys.argv[2:]))
    if report is not None:
        print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
