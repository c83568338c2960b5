"""The program that a job runs: the file here, its identity, and its copy in the storage for nodes that lack it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .errors import ClusterError
from .storage import Storage, sha256_of_file


class Program:
    """Program `barrow` on the machine that runs the job."""

    def __init__(self, name: str = "barrow") -> None:
        """Program of this path, or of this name in the search path."""
        path = shutil.which(name)
        if path is None:
            raise ClusterError(f"{name}: there is no such program; --program says where barrow is")
        self.path = Path(path).resolve()
        self.version = self.output(["--version"]).strip()
        self.sha256 = sha256_of_file(self.path)
        self.bytes = os.path.getsize(self.path)

    def stored(self, storage: Storage) -> dict[str, Any]:
        """Store the program. Returns what an order says of it."""
        storage.put_file(self.path, self.sha256)
        return {"path": str(self.path), "sha256": self.sha256, "bytes": self.bytes}

    def output(
        self, arguments: Sequence[str], folder: str | os.PathLike[str] | None = None, codes: tuple[int, ...] = (0,)
    ) -> str:
        """Run the program here. Returns what it printed; an exit code that is not among these is an error."""
        try:
            run = subprocess.run(
                [str(self.path), *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
            )
        except OSError as error:
            raise ClusterError(f"{self.path} does not start: {error}") from error
        if run.returncode not in codes:
            raise ClusterError(f"barrow {' '.join(arguments)}: exit code {run.returncode}\n{run.stderr.strip()}")
        return run.stdout

    def report(self, arguments: Sequence[str], folder: str | os.PathLike[str] | None = None) -> dict[str, Any]:
        """Run the program here. Returns the JSON object that it printed."""
        text = self.output(arguments, folder)
        try:
            return json.loads(text)
        except ValueError:
            raise ClusterError(f"barrow {' '.join(arguments)}: printed no JSON object") from None
