"""Measurement of what the cluster costs: the same shards of self-play with Ray and without, and tasks without work.

Rounds alternate, so that a machine that becomes slower or faster is so for both. Without Ray means processes of the
program alone, as many at once, without storage or manifest.
"""

from __future__ import annotations

import math
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .job import Job
from .nodes import Nodes
from .program import Program
from .selfplay import SelfPlay, shards
from .storage import Storage
from .task import Task
from .worker import run_program


def measure(
    program: Program, nodes: Nodes, plan: SelfPlay, *, rounds: int, empty: int, folder: str, processes: int
) -> dict[str, Any]:
    """Play the plan so many times each way, then so many empty tasks. Storages are made in the folder."""
    ways: dict[str, list[dict[str, float]]] = {"alone": [], "cluster": []}
    with tempfile.TemporaryDirectory(dir=folder) as place:
        # Ray starts its processes for the first tasks; that is no part of a task.
        on_cluster(program, nodes, SelfPlay(player=plan.player, games=processes, games_per_task=1), f"{place}/warm")
        for number in range(rounds):
            order = list(ways) if number % 2 == 0 else list(reversed(ways))
            for way in order:
                if way == "alone":
                    ways[way].append(alone(program, plan, processes))
                else:
                    ways[way].append(on_cluster(program, nodes, plan, f"{place}/{number}"))
        driver = empty_tasks(program, nodes, empty, f"{place}/empty")
    speeds = {way: [run["games"] / run["seconds"] for run in runs] for way, runs in ways.items()}
    users = {way: [run["user_seconds"] / run["games"] for run in runs] for way, runs in ways.items()}
    mean = {way: statistics.fmean(values) for way, values in speeds.items()}
    played = [run for run in ways["cluster"] if run["games"]]
    return {
        "processes": processes,
        "rounds": ways,
        "games_per_second": mean,
        "user_seconds_per_game": {way: statistics.fmean(values) for way, values in users.items()},
        "efficiency": mean["cluster"] / mean["alone"],
        "driver": driver,
        "sizes": {
            "game_seconds": statistics.fmean(users["alone"]),
            "game_deviation": statistics.fmean(run["deviation"] for run in played),
            "game_bytes": statistics.fmean(run["bytes"] / run["games"] for run in played),
            "start_seconds": driver["task_seconds"],
            "driver_seconds": driver["driver_seconds"],
        },
    }


def alone(program: Program, plan: SelfPlay, processes: int) -> dict[str, float]:
    """Play the plan by processes of the program alone. Returns `games`, `seconds` and `user_seconds`."""
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage(f"{folder}/networks")
        tasks = tasks_of(storage, program, plan)

        def play(numbered: tuple[int, Task]) -> float:
            number, task = numbered
            place = Path(folder) / str(number)
            place.mkdir()
            for name, sha256 in task.inputs.items():
                storage.fetch(sha256, place / name)
            run = run_program(program.path, list(task.commands[0]), place, task.cpus, None)
            if run["code"] != 0:
                raise RuntimeError(run["stderr"])
            return run["user_seconds"]

        begun = time.monotonic()
        with ThreadPoolExecutor(processes) as pool:
            users = list(pool.map(play, enumerate(tasks)))
        return {"games": plan.games, "seconds": time.monotonic() - begun, "user_seconds": sum(users)}


def tasks_of(storage: Storage, program: Program, plan: SelfPlay) -> Sequence[Task]:
    """Tasks of the plan with a core each."""
    job = Job(storage, program, _NoNodes())
    return shards(plan, 1, job.player(plan.player), None)


class _NoNodes:
    """Nodes for a job that is only asked for its tasks."""

    def count(self) -> int:
        """None."""
        return 0


def on_cluster(program: Program, nodes: Nodes, plan: SelfPlay, url: str) -> dict[str, float]:
    """Play the plan on the cluster, with a new storage.

    Returns `games`, `seconds`, `user_seconds`, `bytes`, and the standard `deviation` of a game's seconds.
    """
    job = Job(Storage(url), program, nodes)
    tasks = shards(plan, 1, job.player(plan.player), None)
    begun = time.monotonic()
    entries = job.gather(tasks)
    users = [entry["user_seconds"] for entry in entries]
    return {
        "games": plan.games,
        "seconds": time.monotonic() - begun,
        "user_seconds": sum(users),
        "deviation": statistics.pstdev(users) / math.sqrt(plan.games_per_task),
        "bytes": sum(output["bytes"] for entry in entries for output in entry["outputs"].values()),
    }


def empty_tasks(program: Program, nodes: Nodes, count: int, url: str) -> dict[str, float]:
    """Perform tasks that only print the program's version.

    Returns `tasks_per_second`, and for each task `driver_seconds`, the processor time of this process with its threads,
    and `task_seconds`, the mean time that a node has with it.
    """
    job = Job(Storage(url), program, nodes)
    tasks = [
        Task(kind="empty", commands=(("--version",),), identity=("empty", number), stdout="version")
        for number in range(count)
    ]
    before = processor_time()
    begun = time.monotonic()
    entries = job.gather(tasks)
    seconds = time.monotonic() - begun
    return {
        "tasks": count,
        "tasks_per_second": count / seconds,
        "driver_seconds": (processor_time() - before) / count,
        "task_seconds": statistics.fmean(entry["seconds"] for entry in entries),
        "cores": float(os.cpu_count() or 1),
    }


def processor_time() -> float:
    """Processor time of this process so far in seconds, without its children."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
