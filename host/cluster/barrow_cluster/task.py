"""Task: one or several runs of the program in a folder of their own, from stored inputs to stored outputs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .storage import canonical

KEY_VERSION = 1
"""Version of the keys: another one makes all tasks run anew."""

THREADS = "{threads}"
"""Argument in whose place a node puts the number of threads of the task."""


@dataclass(frozen=True)
class Task:
    """Work for one node. All but the last fields is what the outputs follow from."""

    kind: str
    """What is done, in a word for people: `selfplay`, `match`, `merge`, `train`."""
    commands: tuple[tuple[str, ...], ...]
    """Arguments of the program, run after run. Files are named as in `inputs` and `outputs`."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of the object of each file that is in the folder when the program starts."""
    outputs: tuple[str, ...] = ()
    """Files that the program leaves in the folder, to be stored."""
    stdout: str = ""
    """One more output, which all runs' standard output goes to, one behind the other."""
    sort_lines: str = ""
    """Number of a line by which the lines behind the first are put in order, such as `pair`."""
    identity: tuple[object, ...] = ()
    """What stands for `commands` in the key, where several commands have the same outputs."""
    title: str = ""
    """The task in words, for messages."""
    games: int = 0
    """Games that it plays, for the progress."""
    cpus: int = 1
    """Cores, which is also the number of threads."""
    gpus: int = 0
    """Graphics cards."""

    def key(self, program: str) -> str:
        """Key of the task in the manifest when it is done by the program with this SHA-256."""
        follows_from = {
            "version": KEY_VERSION,
            "program": program,
            "commands": self.identity or self.commands,
            "inputs": dict(self.inputs),
            "outputs": self.outputs,
            "stdout": self.stdout,
            "sort_lines": self.sort_lines,
        }
        return hashlib.sha256(canonical(follows_from)).hexdigest()

    def plain(self) -> dict[str, Any]:
        """The task as what travels to a node."""
        return {
            "kind": self.kind,
            "commands": [list(command) for command in self.commands],
            "inputs": dict(self.inputs),
            "outputs": list(self.outputs),
            "stdout": self.stdout,
            "sort_lines": self.sort_lines,
            "cpus": self.cpus,
        }

    def output(self, entry: Mapping[str, Any], name: str = "") -> str:
        """SHA-256 of an output, by default of the first, from the entry of the task."""
        return entry["outputs"][name or (self.outputs + (self.stdout,))[0]]["sha256"]
