"""What a node does with a task: fetch, run, store, and write the entry.

Functions here travel to the nodes by value: a node needs Python, Ray and fsspec, not this package.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from .errors import ClusterError, DamagedObject
from .storage import Storage, sha256_of_file

LAST_LINES = 12
"""Lines of standard error that the message of a failure has."""

CACHED_FILE = 64 << 20
"""Bytes of the largest input that a node keeps for later tasks: networks, not games."""

CACHE_BYTES = 2 << 30
"""Bytes that a node keeps; the files that were used longest ago go first."""

DIE_WITH_PARENT = "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execv(sys.argv[1], sys.argv[1:])"
"""Program that becomes a command which Linux kills (9) when its parent has died (PR_SET_PDEATHSIG, 1)."""


def perform(
    order: Mapping[str, Any], started: Callable[[subprocess.Popen[bytes]], None] | None = None
) -> dict[str, Any]:
    """Do what an order says: `task`, its `key`, the `storage` and the `program`.

    Returns `entry`, or `failed` with the command, exit code and last lines of standard error, or `damaged` with a
    message.
    `started` is called with each process of the program.
    """
    storage = Storage(order["storage"])
    task, key = order["task"], order["key"]
    if (done := storage.entry(key)) is not None:
        return {"entry": done, "node": socket.gethostname()}
    cache = Path(order.get("cache") or default_cache())
    cache.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    remove_left_folders(cache)
    folder = Path(tempfile.mkdtemp(prefix=f"task-{socket.gethostname()}-{os.getpid()}-", dir=cache))
    try:
        program = local_program(storage, order["program"], cache)
        for name, sha256 in task["inputs"].items():
            bring(storage, sha256, folder / name, cache)
        texts, user_seconds = [], 0.0
        for command in task["commands"]:
            arguments = [str(task["cpus"]) if word == "{threads}" else word for word in command]
            run = run_program(program, arguments, folder, task["cpus"], started)
            if run["code"] != 0:
                return {"failed": {"command": arguments, **run}, "node": socket.gethostname()}
            texts.append(run["stdout"])
            user_seconds += run["user_seconds"]
        if task["stdout"]:
            (folder / task["stdout"]).write_text("".join(texts), encoding="utf-8")
        return {
            "entry": finish(storage, key, task, folder, texts, time.monotonic() - begun, user_seconds),
            "node": socket.gethostname(),
        }
    except DamagedObject as error:
        return {"damaged": str(error), "node": socket.gethostname()}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def finish(
    storage: Storage,
    key: str,
    task: Mapping[str, Any],
    folder: Path,
    texts: list[str],
    seconds: float,
    user_seconds: float,
) -> dict[str, Any]:
    """Store the outputs of a task that has run, then its entry. Returns the entry that holds."""
    outputs = {}
    for name in [*task["outputs"], *filter(None, [task["stdout"]])]:
        path = folder / name
        if not path.is_file():
            raise ClusterError(f"the program ended without an error, but did not write {name}")
        if task["sort_lines"]:
            sort_lines(path, task["sort_lines"])
        outputs[name] = storage.put_file(path)
    entry = {
        "key": key,
        "kind": task["kind"],
        "outputs": outputs,
        "result": last_object(texts),
        "seconds": round(seconds, 3),
        "user_seconds": round(user_seconds, 3),
        "node": socket.gethostname(),
    }
    return storage.put_entry(key, entry)


def last_object(texts: list[str]) -> dict[str, Any] | None:
    """JSON object that the last run printed, if it did."""
    try:
        value = json.loads(texts[-1])
    except (IndexError, ValueError):
        return None
    return value if isinstance(value, dict) and len(texts) == 1 else None


def sort_lines(path: Path, number: str) -> None:
    """Put the lines of a file behind the first in the order of one of their numbers.

    Threads finish in any order; equal games are to be equal files.
    """
    first, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    lines.sort(key=lambda line: json.loads(line)[number])
    path.write_text(first + "".join(lines), encoding="utf-8")


def run_program(
    program: Path,
    arguments: list[str],
    folder: Path,
    threads: int,
    started: Callable[[subprocess.Popen[bytes]], None] | None,
) -> dict[str, Any]:
    """Run the program in a folder. Returns `code`, `stdout`, the last lines of `stderr`, and `user_seconds`."""
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads), "NO_COLOR": "1"}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = start([str(program), *arguments], folder, environment, output, errors)
        try:
            if started is not None:
                started(process)
            _, status, usage = os.wait4(process.pid, 0)
            code = process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            # Whatever ends this function ends the program: an exception here is a task that was cancelled.
            if process.returncode is None:
                process.kill()
                process.wait()
        output.seek(0)
        errors.seek(0)
        text = output.read().decode(errors="replace")
        lines = errors.read().decode(errors="replace").splitlines()[-LAST_LINES:]
    if code == 0 and '"interrupted":true' in text.replace(" ", "")[-4096:]:
        code, lines = 130, ["the program was interrupted"]
    return {"code": code, "stdout": text, "stderr": "\n".join(lines), "user_seconds": usage.ru_utime}


def start(
    command: list[str],
    folder: Path,
    environment: dict[str, str],
    output: IO[bytes],
    errors: IO[bytes],
) -> subprocess.Popen[bytes]:
    """Start a process that ends with this one, and that a Ctrl-C at the terminal does not reach."""
    for attempt in range(20):
        try:
            return subprocess.Popen(
                [*ends_with_parent(), *command],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            # Another thread has forked while the program was being copied, and still holds it open.
            if error.errno != errno.ETXTBSY or attempt == 19:
                raise ClusterError(f"{command[0]} does not start: {error}") from error
            time.sleep(0.1)
    raise AssertionError


def ends_with_parent() -> list[str]:
    """Words before a command by which Linux kills it when its parent has died.

    A function between fork and exec would do as well, but is not safe in a process with threads, as Ray's are.
    """
    if sys.platform != "linux":
        return []
    if (setpriv := shutil.which("setpriv")) is not None:
        return [setpriv, "--pdeathsig", "KILL", "--"]
    return [sys.executable, "-ISc", DIE_WITH_PARENT]


def default_cache() -> str:
    """Folder of a node for the program, inputs and the folders of tasks."""
    return os.path.join(tempfile.gettempdir(), f"barrow-cluster-{os.getuid()}")


KNOWN_PROGRAMS: dict[tuple[str, int, int], str] = {}
"""SHA-256 of the programs that this process has looked at, by path, time and size."""


def local_program(storage: Storage, program: Mapping[str, Any], cache: Path) -> Path:
    """Path of the program on this node: where the order says, if it is the same there, else a copy from the storage."""
    copy = cache / f"program-{program['sha256']}"
    for path in [Path(program["path"]), copy]:
        try:
            stat = path.stat()
        except OSError:
            continue
        mark = (str(path), stat.st_mtime_ns, stat.st_size)
        if stat.st_size == program["bytes"]:
            if mark not in KNOWN_PROGRAMS:
                KNOWN_PROGRAMS[mark] = sha256_of_file(path)
            if KNOWN_PROGRAMS[mark] == program["sha256"] and os.access(path, os.X_OK):
                return path
    part = Path(tempfile.mkdtemp(prefix="program-", dir=cache)) / "barrow"
    storage.fetch(program["sha256"], part)
    part.chmod(0o755)
    os.replace(part, copy)
    part.parent.rmdir()
    return copy


def bring(storage: Storage, sha256: str, path: Path, cache: Path) -> None:
    """Put an input where a task expects it, as a file of its own that the program may change.

    Small ones are kept on the node for the next task.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = cache / f"input-{sha256}"
    try:
        shutil.copyfile(kept, path)
        os.utime(kept)
        if sha256_of_file(path) == sha256:
            return
    except OSError:
        pass
    storage.fetch(sha256, path)
    if path.stat().st_size <= CACHED_FILE:
        make_room(cache, path.stat().st_size)
        part = Path(f"{kept}.{os.getpid()}.{id(path)}")
        shutil.copyfile(path, part)
        os.replace(part, kept)


def remove_left_folders(cache: Path) -> None:
    """Remove the folders of tasks whose process on this node was killed."""
    prefix = f"task-{socket.gethostname()}-"
    for folder in cache.glob(f"{prefix}*"):
        number = folder.name[len(prefix) :].split("-")[0]
        if number.isdecimal() and not is_alive(int(number)):
            shutil.rmtree(folder, ignore_errors=True)


def is_alive(process: int) -> bool:
    """Whether there is a process with this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def make_room(cache: Path, size: int) -> None:
    """Remove the inputs that were used longest ago, until one of this size has room."""
    kept = []
    for path in cache.glob("input-*"):
        try:
            stat = path.stat()
        except OSError:
            continue
        kept.append((stat.st_mtime, stat.st_size, path))
    total = size + sum(entry[1] for entry in kept)
    for _, length, path in sorted(kept):
        if total <= CACHE_BYTES:
            break
        path.unlink(missing_ok=True)
        total -= length
