"""Review of recorded games on a cluster: what each turn gave away, a JSON object a game, in the order of the games."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import ClusterError
from .job import Job
from .task import THREADS, Task

GAMES_PER_TASK = 4
"""Games of a task; a game of 40 turns at 2,000 nodes each takes about a minute of a core."""


@dataclass(frozen=True)
class Review:
    """Games to be reviewed."""

    files: tuple[str, ...]
    """Recorded games on this machine, in any form that `barrow convert` knows."""
    nodes: int = 2000
    """Nodes of each position's search."""
    network: str = ""
    """Network file on this machine; the program's own without one."""
    games_per_task: int = GAMES_PER_TASK
    """Games of a task at most."""
    extra: tuple[str, ...] = ()
    """More arguments of `barrow analyze`."""


def games_of(job: Job, files: Sequence[str]) -> list[bytes]:
    """Games of all files, each as a line of JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "games.json")
        job.program.output(["convert", "--to", "json", "--out", path, *files])
        with open(path, "rb") as file:
            return [line for line in file.read().splitlines(keepends=True) if line.strip()]


def tasks_of(job: Job, review: Review, games: Sequence[bytes]) -> list[Task]:
    """Tasks of the games, a few each. A game is stored with its few, so no node reads the whole file."""
    network = job.stored(review.network) if review.network else ""
    thinking = ["--nodes", str(review.nodes), "--threads", THREADS, *review.extra]
    if network:
        thinking += ["--net", "network.brw"]
    tasks = []
    for first in range(0, len(games), review.games_per_task):
        part = games[first : first + review.games_per_task]
        inputs = {"games.json": job.storage.put_bytes(b"".join(part))["sha256"]}
        if network:
            inputs["network.brw"] = network
        commands = tuple(
            ("analyze", "--game", "games.json", "--number", str(number + 1), *thinking, "--json")
            for number in range(len(part))
        )
        tasks.append(
            Task(
                kind="review",
                commands=commands,
                inputs=inputs,
                stdout="review.jsonl",
                title=f"review of games {first + 1} to {first + len(part)}",
                games=len(part),
                cpus=job.cpus,
            )
        )
    return tasks


def run(job: Job, review: Review, out: str) -> dict[str, Any]:
    """Review all games, and write the reviews to the file `out`, a line each. Returns `games` and `file`."""
    games = games_of(job, review.files)
    if not games:
        raise ClusterError("the files have no games")
    tasks = tasks_of(job, review, games)
    entries = job.gather(tasks)
    part = f"{out}.part"
    count = 0
    with tempfile.TemporaryDirectory() as folder, open(part, "w", encoding="utf-8") as file:
        for task, entry in zip(tasks, entries, strict=True):
            path = os.path.join(folder, "review.jsonl")
            job.storage.fetch(task.output(entry), path)
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    # An object a line, whatever the program's line breaks.
                    file.write(json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")) + "\n")
                    count += 1
    os.replace(part, out)
    return {"games": count, "file": out}
