"""Match on a cluster: pairs of games in shards, and a sequential test that ends them all when it has decided.

The test looks at the pairs in the order of their numbers, as far as they are there without a gap. So which pair decides
follows from the match alone, not from which node was faster; what was played behind that pair does not count.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ClusterError
from .job import Job, Player
from .task import THREADS, Task

PAIRS_PER_TASK = 16
"""Pairs of a task."""

LOOK_SECONDS = 2.0
"""Time between two looks at the test, each of which reads all pairs so far."""


@dataclass(frozen=True)
class Contest:
    """Match of two players."""

    a: str
    """First player, as `barrow match` knows it."""
    b: str
    """Second player."""
    games: int
    """Games at most, rounded up to pairs."""
    sprt: tuple[float, float] | None = None
    """Elo of the two hypotheses of the sequential test."""
    seed: int = 1
    """Seed of openings, cards and players."""
    pairs_per_task: int = PAIRS_PER_TASK
    """Pairs of a task at most."""
    openings: str = ""
    """File of openings on this machine."""
    extra: tuple[str, ...] = ()
    """More arguments of `barrow match`."""


@dataclass(frozen=True)
class Played:
    """Match that is over."""

    sha256: str
    """Object of the results file."""
    contest: dict[str, Any]
    """Pairs, games, pentanomial counts, Elo and test, as `barrow merge` reports them."""
    pairs_played: int
    """Pairs that were played, those behind the deciding one included."""


def shards(contest: Contest, cpus: int, a: Player, b: Player, openings: str = "") -> list[Task]:
    """Tasks of the match; `openings` is the object of its file of openings."""
    pairs = -(-contest.games // 2)
    count = -(-pairs // contest.pairs_per_task)
    inputs = {**a.inputs, **b.inputs, **({"openings": openings} if openings else {})}
    terms = ("match", "--a", a.spec, "--b", b.spec, "--seed", str(contest.seed), *contest.extra)
    if openings:
        terms += ("--openings", "openings")
    tasks = []
    for number in range(count):
        first, end = pairs * number // count, pairs * (number + 1) // count
        shard = ("--games", str(contest.games), "--shard", f"{number}/{count}", "--threads", THREADS)
        tasks.append(
            Task(
                kind="match",
                commands=((*terms, *shard, "--results", "match.jsonl", "--json"),),
                # The same pairs of a longer match are the same task.
                identity=(terms, first, end),
                inputs=inputs,
                outputs=("match.jsonl",),
                sort_lines="pair",
                title=f"match, shard {number}/{count}",
                games=2 * (end - first),
                cpus=cpus,
            )
        )
    return tasks


def play(job: Job, contest: Contest) -> Played:
    """Play a match."""
    openings = job.stored(contest.openings) if contest.openings else ""
    return play_stored(job, contest, job.player(contest.a), job.player(contest.b), openings)


def play_stored(job: Job, contest: Contest, a: Player, b: Player, openings: str = "") -> Played:
    """Play a match of players whose networks are stored."""
    if contest.games < 1 or contest.pairs_per_task < 1:
        raise ClusterError("there are no games to play")
    tasks = shards(contest, job.cpus, a, b, openings)
    played: dict[int, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        prefix = Prefix(job, contest, Path(folder))
        known = job.scheduler.known(tasks)
        played.update((number, tasks[number].output(entry)) for number, entry in known.items())
        if not prefix.look(played, at_once=True):
            # Closed when it is left: what is in flight then is cancelled.
            with closing(job.scheduler.run_others(tasks, known)) as running:
                for number, entry in running:
                    played[number] = tasks[number].output(entry)
                    if prefix.look(played, at_once=len(played) == len(tasks)):
                        break
        pairs_played = sum(tasks[number].games // 2 for number in played)
        return Played(*settled(job, contest, prefix, tasks, played), pairs_played)


def settled(
    job: Job, contest: Contest, prefix: Prefix, tasks: list[Task], played: dict[int, str]
) -> tuple[str, dict[str, Any]]:
    """Results file and report of exactly the shards that decide, whatever else was played."""
    count = prefix.merged
    if prefix.decided_at is not None:
        ends, end = [], 0
        for task in tasks[: prefix.merged]:
            end += task.games // 2
            ends.append(end)
        count = next((number + 1 for number, end in enumerate(ends) if end >= prefix.decided_at), prefix.merged)
    while True:
        entry = job.merge([played[number] for number in range(count)], ".jsonl", prefix.test, "merging the match")
        report = entry["result"]["contest"]
        if prefix.decided_at is None or report["accepted"] is not None or count >= prefix.merged:
            return entry["outputs"]["merged.jsonl"]["sha256"], report
        count += 1


class Prefix:
    """Shards of a match as far as they are there without a gap, merged into a file on this machine."""

    def __init__(self, job: Job, contest: Contest, folder: Path) -> None:
        """Prefix of no shards, with its file in this folder."""
        self.job, self.folder = job, folder
        self.test = () if contest.sprt is None else ("--sprt", *(format(elo, "g") for elo in contest.sprt))
        self.merged = 0
        self.decided_at: int | None = None
        self.looked = -1e9

    def look(self, played: dict[int, str], *, at_once: bool) -> bool:
        """Take up the shards that are there now, at once or if it is time to. Returns whether the test has decided."""
        end = self.merged
        while end in played:
            end += 1
        if end == self.merged or not (at_once or time.monotonic() - self.looked >= LOOK_SECONDS):
            return False
        new = []
        for number in range(self.merged, end):
            new.append(f"{number}.jsonl")
            self.job.storage.fetch(played[number], self.folder / new[-1])
        before = ["before.jsonl"] if self.merged else []
        arguments = ["merge", "--out", "merged.jsonl", "--force", *self.test, "--json", *before, *new]
        report = self.job.program.report(arguments, self.folder)["contest"]
        os.replace(self.folder / "merged.jsonl", self.folder / "before.jsonl")
        for name in new:
            (self.folder / name).unlink()
        self.merged, self.looked = end, time.monotonic()
        self.job.progress.note = in_words(report)
        if report["accepted"] is not None:
            self.decided_at = report["decided_at"]
        return self.decided_at is not None


def in_words(report: dict[str, Any]) -> str:
    """Result of a match so far in a few words."""
    text = f"Elo {report['elo']:+.1f} ± {report['elo_error']:.1f}"
    if report.get("llr") is not None:
        text += f", LLR {report['llr']:+.2f}"
    return text + (f", accepted {report['accepted']}" if report.get("accepted") else "")
