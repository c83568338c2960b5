"""Nodes: what performs orders. Ray's cluster is one kind (`ray_nodes.py`), processes on this machine the other."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from .worker import perform


@dataclass(frozen=True)
class Outcome:
    """What became of an order."""

    key: str
    """Key of the task."""
    answer: dict[str, Any] | None = None
    """Answer of `perform`."""
    lost: str = ""
    """Why there is no answer: the node or the process that performed the order is gone."""
    error: BaseException | None = None
    """Exception of `perform`."""


class Nodes(Protocol):
    """Nodes that perform orders, in any order."""

    def submit(self, order: Mapping[str, Any], cpus: int, gpus: int) -> None:
        """Have an order performed."""

    def next(self, timeout: float) -> Outcome | None:
        """Next outcome; `None` after so many seconds without one."""

    def cancel(self) -> None:
        """End all orders that are being performed, and forget them."""

    def slots(self, cpus: int) -> int:
        """Orders with so many cores that are performed at once now."""

    def count(self) -> int:
        """Number of nodes now."""

    def has_gpu(self) -> bool:
        """Whether a node has a graphics card that CUDA knows."""

    def close(self) -> None:
        """Give everything back."""


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that another thread waits for."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)


class ProcessNodes:
    """This machine, with a number of processes at once; no Ray is needed."""

    def __init__(self, processes: int) -> None:
        """This machine with so many processes at once."""
        self.processes = processes
        self.pool = ThreadPoolExecutor(processes)
        self.outcomes: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.futures: dict[str, Future[None]] = {}
        self.cancelled: set[str] = set()

    def submit(self, order: Mapping[str, Any], cpus: int, gpus: int) -> None:
        """Have an order performed as soon as a process is free."""
        self.futures[order["key"]] = self.pool.submit(self._perform, order)

    def _perform(self, order: Mapping[str, Any]) -> None:
        key = order["key"]

        def started(process: subprocess.Popen[bytes]) -> None:
            with self.lock:
                self.running[key] = process
                if key in self.cancelled:
                    kill(process)

        try:
            outcome = Outcome(key, answer=perform(order, started))
        except BaseException as error:
            outcome = Outcome(key, error=error)
        with self.lock:
            self.running.pop(key, None)
            if key not in self.cancelled:
                self.outcomes.put(outcome)

    def next(self, timeout: float) -> Outcome | None:
        """Next outcome; `None` after so many seconds without one."""
        try:
            outcome = self.outcomes.get(timeout=timeout)
        except queue.Empty:
            return None
        self.futures.pop(outcome.key, None)
        return outcome

    def cancel(self) -> None:
        """Kill all processes, and forget their orders."""
        with self.lock:
            self.cancelled.update(self.futures)
            for process in self.running.values():
                kill(process)
        for future in self.futures.values():
            future.cancel()
        for future in self.futures.values():
            if not future.cancelled():
                future.exception()
        self.futures.clear()
        self.cancelled.clear()
        while self.next(0) is not None:
            pass

    def slots(self, cpus: int) -> int:
        """Processes at once, whatever the number of their threads."""
        return self.processes

    def count(self) -> int:
        """One: this machine."""
        return 1

    def has_gpu(self) -> bool:
        """Whether the driver of NVIDIA's cards is loaded."""
        return os.path.exists("/proc/driver/nvidia/version")

    def close(self) -> None:
        """Kill what runs."""
        self.cancel()
        self.pool.shutdown()
