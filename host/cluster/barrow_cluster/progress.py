"""Progress: one line that says how far a job is, how fast, and what it has cost."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from .nodes import Nodes
from .scheduler import Counts

TERMINAL_SECONDS = 0.5
"""Time between two states of the line on a terminal."""

FILE_SECONDS = 10.0
"""Time between two lines where they stay."""


class Progress:
    """Line of a job on standard error."""

    def __init__(
        self, nodes: Nodes, price: float = 0.0, currency: str = "", stream: TextIO | None = sys.stderr
    ) -> None:
        """Line for these nodes, each of which costs so much an hour. Without a stream nothing is written."""
        self.nodes, self.price, self.currency, self.stream = nodes, price, currency, stream
        self.stage = ""
        self.note = ""
        self.begun = self.counted = time.monotonic()
        self.shown = -1e9
        self.node_seconds = 0.0
        self.width = 0

    @property
    def cost(self) -> float:
        """Cost of the nodes since the job began, as many as there were at each time."""
        return self.node_seconds / 3600 * self.price

    def watch(self, counts: Counts) -> None:
        """Count the nodes' time, and show the line if it is time to."""
        now = time.monotonic()
        self.node_seconds += (now - self.counted) * self.nodes.count()
        self.counted = now
        if self.stream is None:
            return
        if now - self.shown >= (TERMINAL_SECONDS if self.stream.isatty() else FILE_SECONDS):
            self.shown = now
            self.show(self.line(counts))

    def line(self, counts: Counts) -> str:
        """The line."""
        seconds = max(time.monotonic() - self.begun, 1e-9)
        nodes = self.nodes.count()
        parts = [f"{counts.tasks} of {counts.of_tasks} tasks"]
        if counts.games:
            parts.append(f"{counts.games} games, {counts.games / seconds:.1f} games/s")
        if self.note:
            parts.append(self.note)
        parts.append(f"{nodes} node{'s' if nodes != 1 else ''}")
        if self.price:
            parts.append(f"{self.cost:.2f} {self.currency}".rstrip())
        if counts.lost:
            parts.append(f"{counts.lost} lost and repeated")
        if counts.failed:
            parts.append(f"{counts.failed} failed")
        return (f"{self.stage}: " if self.stage else "") + ", ".join(parts)

    def show(self, text: str) -> None:
        """Show the line in the place of the last one, or below it where lines stay."""
        if self.stream is None:
            return
        if self.stream.isatty():
            self.stream.write("\r" + text.ljust(self.width))
            self.width = len(text)
        else:
            self.stream.write(text + "\n")
        self.stream.flush()

    def say(self, text: str) -> None:
        """Write a line that stays."""
        if self.stream is None:
            return
        if self.stream.isatty() and self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.width = 0
        self.stream.write(text + "\n")
        self.stream.flush()
