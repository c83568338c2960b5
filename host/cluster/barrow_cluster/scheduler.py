"""Scheduler: keeps a bounded number of tasks in flight, repeats what was lost, and skips what is done."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import ClusterError, Interrupted
from .nodes import Nodes, Outcome
from .program import Program
from .storage import Storage
from .task import Task

ATTEMPTS = 3
"""Runs of a task whose program fails."""

LOSSES = 20
"""Times that a task may be lost with its node."""

POLL_SECONDS = 0.5
"""Longest time until Ctrl-C or a new node is noticed."""


@dataclass
class Counts:
    """What has happened in a job so far."""

    tasks: int = 0
    """Tasks that are done, by this call or an earlier one."""
    of_tasks: int = 0
    """Tasks that are known of."""
    found: int = 0
    """Tasks that the manifest had when the job came to them."""
    performed: int = 0
    """Tasks that this call had performed."""
    lost: int = 0
    """Orders that were lost with their node."""
    failed: int = 0
    """Runs of the program that failed."""
    games: int = 0
    """Games of the tasks that this call had performed."""
    user_seconds: float = 0.0
    """Processor time of the program's runs that this call had performed."""
    nodes: set[str] = field(default_factory=set)
    """Nodes that have performed a task."""


class Scheduler:
    """What runs the tasks of a job on nodes."""

    def __init__(
        self,
        storage: Storage,
        program: Program,
        nodes: Nodes,
        *,
        in_flight: int = 0,
        cache: str = "",
        watch: Callable[[Counts], None] = lambda counts: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Scheduler for these nodes.

        `in_flight` bounds the orders that nodes have at once; 0 is twice what they can perform at once, and 4. `watch`
        is called whenever something has happened, and twice a second. `stopped` says whether the job is to end.
        """
        self.storage, self.program, self.nodes = storage, program, nodes
        self.bound, self.cache = in_flight, cache
        self.watch, self.stopped = watch, stopped
        self.counts = Counts()
        self.stored_program = program.stored(storage)

    def key(self, task: Task) -> str:
        """Key of a task in the manifest."""
        return task.key(self.program.sha256)

    def one(self, task: Task) -> dict[str, Any]:
        """Run one task. Returns its entry."""
        ((_, entry),) = self.run([task])
        return entry

    def known(self, tasks: Sequence[Task]) -> dict[int, dict[str, Any]]:
        """Entries of those of the tasks that are done already, by number."""
        keys = [self.key(task) for task in tasks]
        entries = self.storage.entries(keys)
        known = {number: entries[key] for number, key in enumerate(keys) if key in entries}
        self.counts.of_tasks += len(tasks)
        self.counts.found += len(entries)
        self.counts.tasks += len(known)
        self.watch(self.counts)
        return known

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Run tasks, and yield number and entry of each as it is done: those that are done already first."""
        known = self.known(tasks)
        yield from known.items()
        yield from self.run_others(tasks, known)

    def run_others(
        self, tasks: Sequence[Task], known: Mapping[int, dict[str, Any]]
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Run the tasks that are not known to be done, and yield number and entry of each as it is.

        Whoever has enough closes the iterator; what is in flight is cancelled then, and whenever an error ends it.
        """
        numbers: dict[str, list[int]] = {}
        for number, task in enumerate(tasks):
            if number not in known:
                numbers.setdefault(self.key(task), []).append(number)
        waiting = deque(numbers)
        flying: dict[str, Task] = {}
        losses: dict[str, int] = {}
        failures: dict[str, int] = {}
        try:
            while waiting or flying:
                if self.stopped():
                    raise Interrupted
                self._fill(waiting, flying, tasks, numbers)
                outcome = self.nodes.next(POLL_SECONDS)
                if outcome is not None:
                    task = flying.pop(outcome.key)
                    entry = self._entry(outcome, task, losses, failures)
                    if entry is None:
                        waiting.appendleft(outcome.key)
                    else:
                        self.counts.tasks += len(numbers[outcome.key])
                        self.watch(self.counts)
                        for number in numbers[outcome.key]:
                            yield number, entry
                self.watch(self.counts)
        finally:
            if flying:
                self.nodes.cancel()

    def _fill(
        self, waiting: deque[str], flying: dict[str, Task], tasks: Sequence[Task], numbers: dict[str, list[int]]
    ) -> None:
        """Hand orders to the nodes up to the bound."""
        while waiting:
            task = tasks[numbers[waiting[0]][0]]
            if len(flying) >= (self.bound or 2 * self.nodes.slots(task.cpus) + 4):
                break
            key = waiting.popleft()
            flying[key] = task
            order = {
                "key": key,
                "task": task.plain(),
                "storage": self.storage.url,
                "program": self.stored_program,
                "cache": self.cache,
            }
            self.nodes.submit(order, task.cpus, task.gpus)

    def _entry(
        self, outcome: Outcome, task: Task, losses: dict[str, int], failures: dict[str, int]
    ) -> dict[str, Any] | None:
        """Entry by an outcome; `None` if the task is to be repeated."""
        key, answer = outcome.key, outcome.answer
        name = task.title or task.kind
        if outcome.error is not None:
            raise ClusterError(f"{name}: {getattr(outcome.error, 'cause', None) or outcome.error}")
        if answer is None:
            self.counts.lost += 1
            losses[key] = losses.get(key, 0) + 1
            if losses[key] > LOSSES:
                raise ClusterError(f"{name}: was lost {losses[key]} times: {outcome.lost}")
            return None
        if "damaged" in answer:
            raise ClusterError(f"{name}: {answer['damaged']}")
        if "failed" in answer:
            self.counts.failed += 1
            failures[key] = failures.get(key, 0) + 1
            if failures[key] < ATTEMPTS:
                return None
            failed = answer["failed"]
            raise ClusterError(
                f"{name}: failed {ATTEMPTS} times, the last time on {answer['node']} with exit code {failed['code']}:\n"
                f"  barrow {' '.join(failed['command'])}\n"
                + "\n".join(f"  {line}" for line in failed["stderr"].splitlines())
            )
        self._check_shared(answer, key)
        self.counts.performed += 1
        self.counts.games += task.games
        self.counts.user_seconds += answer["entry"]["user_seconds"]
        return answer["entry"]

    def _check_shared(self, answer: dict[str, Any], key: str) -> None:
        """Fail if what a node writes is not seen here, which its first task tells."""
        node = answer.get("node_id", answer["node"])
        if node in self.counts.nodes:
            return
        for _ in range(10):
            if self.storage.entry(key) is not None:
                self.counts.nodes.add(node)
                return
            # A network file system may show a new file a moment later.
            time.sleep(0.5)
        raise ClusterError(
            f"storage {self.storage.url}: what node {answer['node']} writes is not seen here; it takes a folder that "
            "all nodes share, or an object store"
        )
