"""Storage of a cluster: objects under the SHA-256 of their bytes, and the manifest, an entry for each task that is
done.

Any file system that fsspec knows holds it: a folder that all nodes see, or a bucket. An object is written before the
entry that names it, and neither is ever changed; so a task that is lost, repeated or run twice at once leaves what one
run does.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fsspec
from fsspec.implementations.local import LocalFileSystem

from .errors import ClusterError, DamagedObject

BLOCK = 1 << 20
"""Bytes that are read at once."""

READERS = 32
"""Entries that are read at once when a job begins; an object store answers each after some 20 ms."""


def sha256_of_file(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a local file in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def canonical(value: object) -> bytes:
    """JSON of a value in the one form that hashes are made of."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Storage:
    """Objects and manifest under a URL, such as `/mnt/shared/run` or `s3://bucket/run`."""

    def __init__(self, url: str) -> None:
        """Storage under this URL. Nothing is read or written yet."""
        self.url = url
        try:
            # Listings that are remembered would hide what other nodes write.
            self.fs, root = fsspec.core.url_to_fs(url, use_listings_cache=False)
        except (ImportError, ValueError) as error:
            raise ClusterError(f"storage {url}: {error}") from error
        self.root = root.rstrip("/")
        self.is_local = isinstance(self.fs, LocalFileSystem)

    def object_path(self, sha256: str) -> str:
        """Path of an object."""
        return f"{self.root}/objects/{sha256[:2]}/{sha256}"

    def entry_path(self, key: str) -> str:
        """Path of the entry of a task."""
        return f"{self.root}/manifest/{key[:2]}/{key}.json"

    def put_file(self, path: str | os.PathLike[str], sha256: str | None = None) -> dict[str, Any]:
        """Store a local file, unless it is stored already. Returns its `sha256` and `bytes`."""
        sha256 = sha256 or sha256_of_file(path)
        size = os.path.getsize(path)
        if not self.has_object(sha256, size):
            target = self.object_path(sha256)
            if self.is_local:
                self._place(target, Path(path))
            else:
                self.fs.put_file(str(path), target)
        return {"sha256": sha256, "bytes": size}

    def put_bytes(self, data: bytes) -> dict[str, Any]:
        """Store bytes as an object. Returns its `sha256` and `bytes`."""
        sha256 = hashlib.sha256(data).hexdigest()
        if not self.has_object(sha256, len(data)):
            target = self.object_path(sha256)
            if self.is_local:
                self._place(target, data)
            else:
                self.fs.pipe_file(target, data)
        return {"sha256": sha256, "bytes": len(data)}

    def has_object(self, sha256: str, size: int | None = None) -> bool:
        """Whether an object is there, with this number of bytes."""
        try:
            info = self.fs.info(self.object_path(sha256))
        except FileNotFoundError:
            return False
        return size is None or info["size"] == size

    def fetch(self, sha256: str, path: str | os.PathLike[str]) -> None:
        """Copy an object to a local file that appears at once and whole.

        A damaged object is removed from the storage, so that the task that makes it runs again, and raises an error.
        """
        part = f"{path}.{uuid.uuid4().hex}"
        try:
            try:
                self.fs.get_file(self.object_path(sha256), part)
            except FileNotFoundError:
                raise ClusterError(
                    f"storage {self.url}: object {sha256} is missing; run the same command again"
                ) from None
            if sha256_of_file(part) != sha256:
                self.fs.rm_file(self.object_path(sha256))
                raise DamagedObject(
                    f"storage {self.url}: object {sha256} was damaged and is removed; run the same command again"
                )
            os.replace(part, path)
        finally:
            Path(part).unlink(missing_ok=True)

    def entry(self, key: str) -> dict[str, Any] | None:
        """Entry of a task; `None` if it is not done, or if its entry or an object of it is missing or damaged."""
        try:
            entry = json.loads(self.fs.cat_file(self.entry_path(key)))
        except (FileNotFoundError, ValueError):
            return None
        if not isinstance(entry, dict) or entry.get("key") != key or not isinstance(entry.get("outputs"), dict):
            return None
        outputs = entry["outputs"].values()
        whole = all(self.has_object(output["sha256"], output["bytes"]) for output in outputs)
        return entry if whole else None

    def entries(self, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Entries of those of the tasks that are done, by key."""
        keys = list(dict.fromkeys(keys))
        if not keys:
            return {}
        with ThreadPoolExecutor(min(READERS, len(keys))) as pool:
            found = zip(keys, pool.map(self.entry, keys), strict=True)
            return {key: entry for key, entry in found if entry is not None}

    def put_entry(self, key: str, entry: dict[str, Any]) -> dict[str, Any]:
        """Write the entry of a task whose objects are stored. Returns the entry that holds.

        The first one stays: of a task that ran twice at once, and whose outputs depend on time, everybody reads the
        same.
        """
        path, data = self.entry_path(key), canonical(entry)
        if self._create(path, data):
            return entry
        if (first := self.entry(key)) is not None:
            return first
        # The one that is there is damaged, or its objects are gone.
        if self.is_local:
            self._place(path, data)
        else:
            self.fs.pipe_file(path, data)
        return entry

    def _create(self, path: str, data: bytes) -> bool:
        """Write a file that must not exist yet. Returns whether it did not."""
        if self.is_local:
            part = self._part(path, data)
            try:
                os.link(part, path)
                return True
            except FileExistsError:
                return False
            finally:
                part.unlink()
        try:
            self.fs.pipe_file(path, data, mode="create")
            return True
        except FileExistsError:
            return False
        except (TypeError, NotImplementedError):
            # A store without conditional writes; between the two calls another node may write an equal entry.
            if self.fs.exists(path):
                return False
            self.fs.pipe_file(path, data)
            return True

    def _place(self, path: str, content: Path | bytes) -> None:
        """Write a local file that appears at once and whole, and survives a power cut."""
        os.replace(self._part(path, content), path)

    def _part(self, path: str, content: Path | bytes) -> Path:
        """Write the content beside a local file under a name that nobody else has."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        part = Path(f"{path}.{uuid.uuid4().hex}.part")
        with open(part, "wb") as file:
            if isinstance(content, bytes):
                file.write(content)
            else:
                with open(content, "rb") as source:
                    while block := source.read(BLOCK):
                        file.write(block)
            file.flush()
            os.fsync(file.fileno())
        return part
