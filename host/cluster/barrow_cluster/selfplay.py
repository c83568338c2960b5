"""Self-play on a cluster: games in shards, each game once, merged into files to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import ClusterError
from .job import Job, Player, merge_task
from .task import Task

GAMES_PER_TASK = 64
"""Games of a task: half a minute of a core with 80 nodes a turn, and one block of a file of records."""


@dataclass(frozen=True)
class SelfPlay:
    """Games to play."""

    player: str
    """Player, as `barrow selfplay` knows it."""
    games: int
    """Number of games."""
    opponent: str = ""
    """Its opponent; a player like it without one."""
    boards: str = "1-4"
    """Number of boards, or a range."""
    seed: int = 1
    """Seed of openings, cards and random turns."""
    games_per_task: int = GAMES_PER_TASK
    """Games of a task at most."""
    files: int = 1
    """Files that the games are merged into."""
    extra: tuple[str, ...] = ()
    """More arguments of `barrow selfplay`."""


def shards(settings: SelfPlay, cpus: int, player: Player, opponent: Player | None) -> list[Task]:
    """Tasks of the games: shard i of n has the games i, n + i, 2n + i and so on."""
    count = -(-settings.games // settings.games_per_task)
    against = () if opponent is None else ("--opponent", opponent.spec)
    inputs = {**player.inputs, **(opponent.inputs if opponent else {})}
    tasks = []
    for number in range(count):
        games = len(range(number, settings.games, count))
        shard = ("--games", str(games), "--shard", f"{number}/{count}", "--seed", str(settings.seed))
        rest = ("--boards", settings.boards, *settings.extra, "--out", "games.jsonl.gz", "--json")
        tasks.append(
            Task(
                kind="selfplay",
                commands=(("selfplay", "--player", player.spec, *against, *shard, *rest),),
                inputs=inputs,
                outputs=("games.jsonl.gz",),
                title=f"self-play, shard {number}/{count}",
                games=games,
                cpus=cpus,
            )
        )
    return tasks


def play(job: Job, settings: SelfPlay) -> list[dict[str, Any]]:
    """Play the games and merge them. Returns `sha256`, `bytes` and `games` of each file."""
    player = job.player(settings.player)
    opponent = job.player(settings.opponent) if settings.opponent else None
    return play_stored(job, settings, player, opponent)


def play_stored(job: Job, settings: SelfPlay, player: Player, opponent: Player | None = None) -> list[dict[str, Any]]:
    """Play games of players whose networks are stored, and merge them."""
    if settings.games < 1 or settings.games_per_task < 1:
        raise ClusterError("there are no games to play")
    tasks = shards(settings, job.cpus, player, opponent)
    played = [task.output(entry) for task, entry in zip(tasks, job.gather(tasks), strict=True)]
    groups = [group for group in divided(played, settings.files) if group]
    merging = [
        merge_task(group, ".jsonl.gz", title=f"merging games, file {number + 1} of {len(groups)}")
        for number, group in enumerate(groups)
    ]
    files = []
    for task, entry in zip(merging, job.gather(merging), strict=True):
        (output,) = (entry["outputs"][name] for name in task.outputs)
        files.append({**output, "games": entry["result"]["items"], "twice": entry["result"]["twice"]})
    if (merged := sum(file["games"] for file in files)) != settings.games:
        raise ClusterError(f"{settings.games} games were played, but {merged} are in the merged files")
    return files


def divided(items: Sequence[str], parts: int) -> list[Sequence[str]]:
    """Items in so many parts of about equal length, in order."""
    return [items[len(items) * part // parts : len(items) * (part + 1) // parts] for part in range(parts)]
