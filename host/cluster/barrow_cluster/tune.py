"""Tuning on a cluster: iterations of simultaneous perturbations, the parts of each played at once.

The point of an iteration follows from all parts of those before it (J. C. Spall, "Multivariate stochastic approximation
using a simultaneous perturbation gradient approximation", 1992), so an iteration begins when the last one is whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import ClusterError
from .job import Job, merge_task
from .task import THREADS, Task


@dataclass(frozen=True)
class Tuning:
    """Settings to be tuned."""

    player: str
    """Player, as `barrow match` knows it."""
    settings: tuple[str, ...]
    """Settings with their ranges, `NAME=LOW..HIGH`."""
    iterations: int = 100
    """Steps of the point."""
    parts: int = 16
    """Perturbations of an iteration, each of which is a task."""
    pairs: int = 8
    """Pairs of games between the two sides of a perturbation."""
    seed: int = 1
    """Seed of perturbations and games."""
    extra: tuple[str, ...] = ()
    """More arguments of `barrow tune`."""


def run(job: Job, tuning: Tuning) -> dict[str, Any]:
    """Tune. Returns the `point`, the `iteration` and the object `results` of the tuning file."""
    if tuning.iterations < 1 or tuning.parts < 1:
        raise ClusterError("there is nothing to tune")
    player = job.player(tuning.player)
    ranges = [word for setting in tuning.settings for word in ("--tune", setting)]
    numbers = (
        "--iterations",
        tuning.iterations,
        "--parts",
        tuning.parts,
        "--pairs",
        tuning.pairs,
        "--seed",
        tuning.seed,
    )
    terms = ("tune", "--player", player.spec, *ranges, *map(str, numbers), *tuning.extra)
    so_far: list[str] = []
    report: dict[str, Any] = {}
    for iteration in range(tuning.iterations):
        job.progress.stage = f"iteration {iteration + 1} of {tuning.iterations}"
        tasks = [part(job, tuning, terms, player.inputs, so_far, iteration, number) for number in range(tuning.parts)]
        played = [task.output(entry) for task, entry in zip(tasks, job.gather(tasks), strict=True)]
        merging = merge_task(played, ".jsonl", title=f"merging iteration {iteration + 1}")
        entry = job.scheduler.one(merging)
        report = entry["result"]["tuning"]
        so_far = [merging.output(entry)]
        # Counted by whole iterations.
        if report["iteration"] != iteration + 1:
            raise ClusterError(f"iteration {iteration + 1} lacks parts {report['missing']} though all were played")
        job.progress.note = " ".join(f"{name}={value:g}" for name, value in report["point"].items())
    return {"point": report["point"], "iteration": report["iteration"], "results": so_far[0]}


def part(
    job: Job,
    tuning: Tuning,
    terms: tuple[str, ...],
    networks: dict[str, str],
    so_far: list[str],
    iteration: int,
    number: int,
) -> Task:
    """Task of one part of an iteration, on top of the file of those before it."""
    resume = ("--resume",) if so_far else ()
    return Task(
        kind="tune",
        commands=(
            (
                *terms,
                "--shard",
                f"{number}/{tuning.parts}",
                "--threads",
                THREADS,
                "--results",
                "tuning.jsonl",
                *resume,
                "--json",
            ),
        ),
        inputs={**networks, **({"tuning.jsonl": so_far[0]} if so_far else {})},
        outputs=("tuning.jsonl",),
        title=f"tuning, iteration {iteration + 1}, part {number}",
        games=2 * tuning.pairs,
        cpus=job.cpus,
    )
