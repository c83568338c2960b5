"""Errors that end a job with one clear message."""

from __future__ import annotations


class ClusterError(Exception):
    """Error that a user can do something about; its text is all that is shown."""


class DamagedObject(ClusterError):
    """Object of the storage whose bytes do not have the hash of its name."""


class Interrupted(Exception):
    """Interruption by Ctrl-C or SIGTERM; what is done stays done."""
