"""Simulation of self-play on clusters that nobody has at hand: discrete events, with the sizes of measured tasks.

Modelled are cores that take orders, nodes of unequal speed and nodes that are lost, the driver that hands out one order
after the other, and a storage with a latency and a largest rate. Not modelled is what else runs on the nodes.
"""

from __future__ import annotations

import heapq
import json
import math
import random
from collections import deque
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from .errors import ClusterError

NODES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Numbers of nodes of the guide's table."""

PLAYED, LOST, STORED = range(3)
"""Events of a task: its games are played, its node is lost, its outputs are stored."""


@dataclass(frozen=True)
class Sizes:
    """Sizes that a simulation is made of; the defaults are those of the guide."""

    game_seconds: float = 0.29
    """Seconds of a core for a game. Measured: 80 nodes a turn, 1 to 4 boards."""
    game_deviation: float = 0.30
    """Standard deviation of the seconds of a game. Measured."""
    game_bytes: float = 38_100.0
    """Compressed bytes of a game. Measured."""
    start_seconds: float = 0.0053
    """Seconds of a core for a task besides its games: the program's start, hashes, the entry. Measured."""
    driver_seconds: float = 0.0012
    """Seconds of the driver for a task: it is handed out, its answer read, the progress counted. Measured."""
    requests: float = 8.0
    """Requests to the storage for a task. Estimated from what a task reads and writes."""
    merge_bytes: float = 3.6e6
    """Compressed bytes that a core merges in a second. Measured."""
    latency: float = 0.03
    """Seconds that the storage takes to answer a request. Assumed, as of an object store in the same region."""
    node_rate: float = 100e6
    """Bytes a second between a node and the storage. Assumed."""
    storage_rate: float = 5e9
    """Bytes a second that the storage takes from all nodes together. Assumed."""
    spread: float = 0.05
    """Deviation of the logarithm of the nodes' speed. Assumed."""
    slow_share: float = 0.01
    """Share of nodes that are slower by far. Assumed."""
    slow_factor: float = 3.0
    """How much slower these are. Assumed."""
    lost_after: float = 500.0
    """Mean hours until a node is lost, as rented spare capacity is. Assumed."""
    return_seconds: float = 120.0
    """Seconds until another node stands in for a lost one. Assumed."""


@dataclass(frozen=True)
class Figures:
    """Outcome of a simulation."""

    nodes: int
    """Number of nodes."""
    games_per_task: int
    """Games of a task."""
    hours: float
    """Hours from the first order to the last merged file."""
    games_per_second: float
    """Games a second over that time."""
    efficiency: float
    """Share of the cores' time that went into games, each core by its speed."""
    tail: float
    """Share of the time in which some core had nothing to do any more."""
    driver: float
    """Share of the time in which the driver was busy."""
    storage_mb_per_second: float
    """Megabytes a second that the storage took while games were played."""
    storage_requests_per_second: float
    """Requests a second to the storage."""
    lost: int
    """Tasks that were lost with their node, and repeated."""
    node_hours: float
    """Hours of all nodes together."""


def simulate(nodes: int, cores: int, games: int, games_per_task: int, sizes: Sizes, seed: int = 1) -> Figures:
    """Simulate games on nodes with so many cores each."""
    dice = random.Random(seed * 1_000_003 + nodes)
    slots = nodes * cores
    slowness = [
        math.exp(dice.gauss(0.0, sizes.spread)) * (sizes.slow_factor if dice.random() < sizes.slow_share else 1.0)
        for _ in range(nodes)
    ]
    tasks = -(-games // games_per_task)
    lengths = [len(range(number, games, tasks)) for number in range(tasks)]
    cluster = Cluster(sizes, slowness, cores, dice)
    end, first_idle = cluster.run(lengths)
    merging = games * sizes.game_bytes / min(slots, tasks) / sizes.merge_bytes
    whole = end + merging
    return Figures(
        nodes=nodes,
        games_per_task=games_per_task,
        hours=whole / 3600,
        games_per_second=games / whole,
        efficiency=games * sizes.game_seconds / (whole * cores * sum(1 / slow for slow in slowness)),
        tail=(end - first_idle) / whole,
        driver=cluster.driver_busy / whole,
        storage_mb_per_second=games * sizes.game_bytes / end / 1e6,
        storage_requests_per_second=tasks * sizes.requests / end,
        lost=cluster.lost,
        node_hours=whole * nodes / 3600,
    )


class Cluster:
    """State of a simulation."""

    def __init__(self, sizes: Sizes, slowness: list[float], cores: int, dice: random.Random) -> None:
        """Cluster whose nodes take so many times as long as the mean one."""
        self.sizes, self.slowness, self.cores, self.dice = sizes, slowness, cores, dice
        self.driver_free = self.driver_busy = self.storage_free = 0.0
        self.lost = 0

    def run(self, lengths: list[int]) -> tuple[float, float]:
        """Play tasks of so many games. Returns when the last one is over, and when a core first had nothing to do."""
        slots = len(self.slowness) * self.cores
        waiting = deque(lengths)
        # Orders that have come to the nodes: when, and of how many games.
        ordered: deque[tuple[float, int]] = deque()
        for _ in range(min(len(waiting), 2 * slots + 4)):
            ordered.append((self._hand_out(0.0), waiting.popleft()))
        free = [(0.0, slot) for slot in range(slots)]
        heapq.heapify(free)
        events: list[tuple[float, int, int, int]] = []
        end, first_idle = 0.0, math.inf
        while ordered or events:
            # The next thing to happen: a free core takes an order, or an event.
            if ordered and free and (not events or max(free[0][0], ordered[0][0]) <= events[0][0]):
                (since, slot), (came, games) = heapq.heappop(free), ordered.popleft()
                heapq.heappush(events, (*self._played(max(since, came), slot, games), slot, games))
                continue
            time, event, slot, games = heapq.heappop(events)
            if event == PLAYED:
                heapq.heappush(events, (self._stored(time, games), STORED, slot, games))
            elif event == LOST:
                self.lost += 1
                ordered.append((self._hand_out(time), games))
                heapq.heappush(free, (time + self.sizes.return_seconds, slot))
            else:
                end = time
                heapq.heappush(free, (time, slot))
                if waiting:
                    ordered.append((self._hand_out(time), waiting.popleft()))
                elif not ordered:
                    first_idle = min(first_idle, time)
        return end, min(first_idle, end)

    def _hand_out(self, time: float) -> float:
        """Time at which an order that the driver turns to now comes to a node."""
        self.driver_free = max(self.driver_free, time) + self.sizes.driver_seconds
        self.driver_busy += self.sizes.driver_seconds
        return self.driver_free

    def _played(self, begin: float, slot: int, games: int) -> tuple[float, int]:
        """Time at which the games of a task that begins now are played or lost, and which of the two."""
        sizes = self.sizes
        mean = games * sizes.game_seconds
        work = max(mean / 10, self.dice.gauss(mean, math.sqrt(games) * sizes.game_deviation))
        seconds = (work + sizes.start_seconds) * self.slowness[slot // self.cores]
        life = self.dice.expovariate(1 / (sizes.lost_after * 3600))
        return (begin + life, LOST) if life < seconds else (begin + seconds, PLAYED)

    def _stored(self, time: float, games: int) -> float:
        """Time at which games that are played now are in the storage, with their entry."""
        sizes = self.sizes
        size = games * sizes.game_bytes
        self.storage_free = max(self.storage_free, time) + size / sizes.storage_rate
        return max(self.storage_free, time + size / sizes.node_rate) + sizes.latency * sizes.requests


def sizes_of(path: str) -> Sizes:
    """Sizes by a JSON file, such as `barrow-cluster measure` writes; what it does not name keeps its default."""
    try:
        values = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ClusterError(f"{path}: {error}") from error
    values = values.get("sizes", values)
    known = {field.name for field in fields(Sizes)}
    if unknown := sorted(set(values) - known):
        raise ClusterError(f"{path}: knows no size {unknown[0]}")
    return Sizes(**values)


def table(figures: list[Figures], price: float, currency: str) -> str:
    """Figures as a table for people."""
    head = [
        "nodes",
        "games a task",
        "hours",
        "games/s",
        "efficiency",
        "tail",
        "driver",
        "MB/s",
        "requests/s",
        "lost",
        "cost",
    ]
    rows = [head]
    for figure in figures:
        rows.append(
            [
                f"{figure.nodes:,}",
                str(figure.games_per_task),
                f"{figure.hours:.2f}",
                f"{figure.games_per_second:,.0f}",
                f"{100 * figure.efficiency:.1f} %",
                f"{100 * figure.tail:.1f} %",
                f"{100 * figure.driver:.1f} %",
                f"{figure.storage_mb_per_second:,.1f}",
                f"{figure.storage_requests_per_second:,.1f}",
                str(figure.lost),
                f"{figure.node_hours * price:.2f} {currency}".rstrip(),
            ]
        )
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], ["---:"] * len(head), *rows[1:]])


def as_plain(figures: list[Figures], sizes: Sizes) -> dict[str, Any]:
    """Figures and sizes as one JSON object."""
    return {"sizes": asdict(sizes), "figures": [asdict(figure) for figure in figures]}
