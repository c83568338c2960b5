"""Nodes of a Ray cluster. Ray places each order on a node with free cores, and tells when a node is lost.

What travels through Ray are orders and entries of about a kilobyte, which it keeps with the message; blocks of games
travel by the storage, so that Ray's object store stays empty.
"""

from __future__ import annotations

import os
import queue
import sys
import time
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

import ray

from .errors import ClusterError
from .nodes import Outcome
from .worker import perform

OBJECT_STORE_BYTES = 80 << 20
"""Memory of the object store of a cluster that is started here, about the least that Ray allows."""

LOST = (
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.NodeDiedError,
    ray.exceptions.OutOfMemoryError,
    ray.exceptions.RaySystemError,
    ray.exceptions.LocalRayletDiedError,
    ray.exceptions.OwnerDiedError,
    ray.exceptions.ObjectLostError,
)
"""Errors that say nothing of the order: another node may perform it."""

CANCEL_SECONDS = 5.0
"""Time that cancelled orders have to end by themselves."""


def performed(order: dict[str, Any]) -> dict[str, Any]:
    """Perform an order on a node, and say which node it is."""
    return {**perform(order), "node_id": ray.get_runtime_context().get_node_id()}


def connect(address: str) -> None:
    """Connect this process to a cluster, or start one where the address is `local`."""
    options: dict[str, Any] = {"object_store_memory": OBJECT_STORE_BYTES} if address == "local" else {}
    ray.init(address=address, log_to_driver=False, logging_level="ERROR", **options)


class RayNodes:
    """Cluster that runs already, or one that is started on this machine."""

    def __init__(self, address: str | None = None) -> None:
        """Cluster at this address; without one that of `RAY_ADDRESS` or of this machine, else a new one."""
        # Of a cluster that is started here. By default Ray gives its tasks what other programs leave.
        os.environ.setdefault("RAY_worker_niceness", "0")
        try:
            connect(address or "auto")
        except (ConnectionError, ValueError, RuntimeError) as error:
            if address is not None or "RAY_ADDRESS" in os.environ:
                raise ClusterError(f"--address {address or os.environ['RAY_ADDRESS']}: {error}") from error
            connect("local")
        # By value: nodes need not have this package.
        ray.cloudpickle.register_pickle_by_value(sys.modules[__package__])
        # Lost orders are repeated by the scheduler, which counts them.
        self.remote = ray.remote(max_retries=0, retry_exceptions=False)(performed)
        self.outcomes: queue.SimpleQueue[tuple[ray.ObjectRef, Future[dict[str, Any]]]] = queue.SimpleQueue()
        self.keys: dict[ray.ObjectRef, str] = {}
        self.resources: dict[str, float] = {}
        self.looked = -1e9

    def submit(self, order: Mapping[str, Any], cpus: int, gpus: int) -> None:
        """Have an order performed on a node with so many free cores and graphics cards."""
        name = f"{order['task']['kind']}-{order['key'][:8]}"
        reference = self.remote.options(num_cpus=cpus, num_gpus=gpus, name=name).remote(dict(order))
        self.keys[reference] = order["key"]
        # The callback runs in a thread of Ray's; looking at all references again and again would be the head's load.
        reference.future().add_done_callback(lambda future: self.outcomes.put((reference, future)))

    def next(self, timeout: float) -> Outcome | None:
        """Next outcome; `None` after so many seconds without one."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                reference, future = self.outcomes.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return None
            # An order that was cancelled is not known any more.
            if (key := self.keys.pop(reference, None)) is not None:
                break
        error = future.exception()
        if error is None:
            return Outcome(key, answer=future.result())
        if isinstance(error, LOST):
            return Outcome(key, lost=type(error).__name__)
        return Outcome(key, error=error)

    def cancel(self) -> None:
        """End all orders: those that wait at once, those that run by an exception that ends their program."""
        references = list(self.keys)
        self.keys.clear()
        if not references:
            return
        for reference in references:
            ray.cancel(reference, force=False)
        _, running = ray.wait(references, num_returns=len(references), timeout=CANCEL_SECONDS, fetch_local=False)
        for reference in running:
            ray.cancel(reference, force=True)

    def slots(self, cpus: int) -> int:
        """Orders that the cores of all nodes perform at once; Ray is asked every other second."""
        if time.monotonic() - self.looked > 2:
            self.resources, self.looked = ray.cluster_resources(), time.monotonic()
        return int(self.resources.get("CPU", 0)) // cpus

    def count(self) -> int:
        """Number of nodes that are alive, by what was known when slots were counted last."""
        self.slots(1)
        return sum(name.startswith("node:") and not name.startswith("node:__") for name in self.resources)

    def has_gpu(self) -> bool:
        """Whether a node offers graphics cards."""
        self.slots(1)
        return self.resources.get("GPU", 0) >= 1

    def close(self) -> None:
        """Cancel what runs and leave the cluster; one that was started here ends."""
        self.cancel()
        ray.shutdown()
