"""Job: what all commands share, from the storage to the players with their networks."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import ClusterError
from .nodes import Nodes
from .program import Program
from .progress import Progress
from .scheduler import Counts, Scheduler
from .storage import Storage, sha256_of_file
from .task import Task

NETWORK = re.compile(r"(?<=,)net=([^,]+)")
"""Setting of a player that names a network file."""


@dataclass(frozen=True)
class Player:
    """Player of games, with the networks that it thinks with."""

    spec: str
    """Player as the program is told: networks are named by the first digits of their hash."""
    inputs: dict[str, str]
    """SHA-256 of the networks by these names."""


class Job:
    """One call of a command on nodes."""

    def __init__(
        self,
        storage: Storage,
        program: Program,
        nodes: Nodes,
        *,
        cpus: int = 1,
        gpu: str = "auto",
        in_flight: int = 0,
        cache: str = "",
        progress: Progress | None = None,
        watch: Callable[[Counts], None] = lambda counts: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Job with so many cores a task.

        `gpu` is `auto`, `always` or `never`; `watch` and `stopped` are those of `Scheduler`.
        """
        self.storage, self.program, self.nodes = storage, program, nodes
        self.cpus, self.gpu = cpus, gpu
        self.progress = progress or Progress(nodes, stream=None)

        def watch_all(counts: Counts) -> None:
            self.progress.watch(counts)
            watch(counts)

        self.scheduler = Scheduler(
            storage, program, nodes, in_flight=in_flight, cache=cache, watch=watch_all, stopped=stopped
        )

    def stored(self, path: str) -> str:
        """Store a file of this machine. Returns its SHA-256."""
        if not os.path.isfile(path):
            raise ClusterError(f"{path}: there is no such file")
        return self.storage.put_file(path)["sha256"]

    def player(self, spec: str) -> Player:
        """Player by a specification of `barrow match`, with the network files of this machine stored."""
        inputs: dict[str, str] = {}

        def name(match: re.Match[str]) -> str:
            sha256 = self.stored(match.group(1))
            inputs[network_name(sha256)] = sha256
            return f"net={network_name(sha256)}"

        return Player(NETWORK.sub(name, spec) if spec.startswith("builtin:") else spec, inputs)

    def gather(self, tasks: Sequence[Task]) -> list[dict[str, Any]]:
        """Run all tasks. Returns their entries in order."""
        entries = dict(self.scheduler.run(tasks))
        return [entries[number] for number in range(len(tasks))]

    def merge(self, shards: Sequence[str], suffix: str, extra: Sequence[str] = (), title: str = "") -> dict[str, Any]:
        """Merge stored shards, in this order, by a task. Returns its entry, whose output is `merged` and the suffix."""
        return self.scheduler.one(merge_task(shards, suffix, extra, title))

    def save(self, sha256: str, path: str) -> None:
        """Copy an object to a file of this machine."""
        if os.path.isfile(path) and sha256_of_file(path) == sha256:
            return
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        self.storage.fetch(sha256, path)

    def merged_here(self, shards: Sequence[str], suffix: str, extra: Sequence[str] = ()) -> dict[str, Any]:
        """Merge stored shards on this machine, for a look. Returns the report."""
        with tempfile.TemporaryDirectory() as folder:
            names = [f"{number}{suffix}" for number in range(len(shards))]
            for name, sha256 in zip(names, shards, strict=True):
                self.storage.fetch(sha256, os.path.join(folder, name))
            return self.program.report(["merge", "--out", f"merged{suffix}", *extra, "--json", *names], folder)


def network_name(sha256: str) -> str:
    """Name of a network file in the folder of a task, which is what records of matches say of it."""
    return f"{sha256[:16]}.brw"


def merge_task(shards: Sequence[str], suffix: str, extra: Sequence[str] = (), title: str = "") -> Task:
    """Task that merges stored shards in this order."""
    names = [f"{number:06}{suffix}" for number in range(len(shards))]
    merged = f"merged{suffix}"
    return Task(
        kind="merge",
        commands=(("merge", "--out", merged, *extra, "--json", *names),),
        inputs=dict(zip(names, shards, strict=True)),
        outputs=(merged,),
        title=title or f"merging {len(shards)} files",
    )
