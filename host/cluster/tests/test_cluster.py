"""A cluster of several nodes on this machine that loses nodes and gets new ones, against processes without Ray.

`BARROW` names the program; without it the stand-in takes its place.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray
from ray._private.node import Node
from ray.cluster_utils import Cluster

from barrow_cluster import learn, match, selfplay
from barrow_cluster.job import Job
from barrow_cluster.nodes import ProcessNodes
from barrow_cluster.program import Program
from barrow_cluster.ray_nodes import OBJECT_STORE_BYTES, RayNodes
from barrow_cluster.scheduler import Counts
from barrow_cluster.storage import Storage
from barrow_cluster.task import Task
from barrow_cluster.worker import perform

from .test_tasks import stand_in

PROGRAM = os.environ.get("BARROW") or stand_in()
NETWORK = Path(__file__).parents[3] / "nnue/nets/tiny.brw"

NODE = {"num_cpus": 1, "object_store_memory": OBJECT_STORE_BYTES}


def raylet_of(node: Node) -> int:
    """Number of the process that a node's tasks are children of."""
    return node.all_processes["raylet"][0].process.pid


def parent_of(process: int) -> int:
    """Number of a process's parent; 0 if there is no such process any more."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def kill_at_once(node: Node) -> None:
    """Kill a node with its tasks, as a power cut does."""
    raylet = raylet_of(node)
    tasks = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    for process in [raylet, *(task for task in tasks if parent_of(task) == raylet)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


class ClusterTest(unittest.TestCase):
    """Head and two further nodes with a core each."""

    @classmethod
    def setUpClass(cls) -> None:
        """Start the cluster."""
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.cache = cls.folder / "cache"
        os.environ["RAY_worker_niceness"] = "0"
        # A lost node is noticed within two seconds, not ten.
        config = {"health_check_period_ms": 500, "health_check_timeout_ms": 1000, "health_check_failure_threshold": 2}
        cls.cluster = Cluster(
            initialize_head=True, head_node_args={**NODE, "include_dashboard": False, "_system_config": config}
        )
        cls.addClassCleanup(cls.cluster.shutdown)
        cls.workers = [cls.cluster.add_node(**NODE) for _ in range(2)]
        cls.joined: set[str] = set()
        cls.performers: set[str] = set()
        cls.nodes = RayNodes(cls.cluster.address)
        cls.addClassCleanup(cls.nodes.close)
        cls.program = Program(PROGRAM)

    def busy_node(self) -> Node | None:
        """Node besides the head that performs a task now: its raylet is the parent of a task's process."""
        raylets = {raylet_of(node): node for node in self.workers}
        for folder in self.cache.glob("task-*"):
            if (parent := parent_of(int(folder.name.split("-")[-2]))) in raylets:
                return raylets[parent]
        return None

    def disturb(self) -> Callable[[Counts], None]:
        """What adds a node once two tasks are done, and kills a busy one two tasks later."""
        begun, added_at = -1, -1
        killed: list[Node] = []

        def watch(counts: Counts) -> None:
            nonlocal begun, added_at
            begun = counts.performed if begun < 0 else begun
            if added_at < 0 and counts.performed >= begun + 2:
                self.workers.append(self.cluster.add_node(**NODE))
                self.joined.add(self.workers[-1].node_id)
                added_at = counts.performed
            elif added_at >= 0 and not killed and counts.performed >= added_at + 2:
                if (node := self.busy_node()) is not None:
                    self.workers.remove(node)
                    killed.append(node)
                    kill_at_once(node)

        def forget() -> None:
            self.assertTrue(killed, "no node was killed")
            self.cluster.remove_node(killed[0], allow_graceful=False)

        self.addCleanup(forget)
        return watch

    def both(self, name: str, run: Callable[[Job], Any]) -> tuple[Any, Job, Job]:
        """Run a job by processes without Ray, and on the cluster with a loss.

        Returns the outcome, which is the same, and both jobs.
        """
        processes = ProcessNodes(2)
        self.addCleanup(processes.close)
        cache = str(self.cache)
        quiet = Job(Storage(str(self.folder / name / "quiet")), self.program, processes, cache=cache)
        expected = run(quiet)
        loud = Job(
            Storage(str(self.folder / name / "loud")),
            self.program,
            self.nodes,
            in_flight=6,
            cache=cache,
            watch=self.disturb(),
        )
        self.assertEqual(run(loud), expected)
        self.assertGreaterEqual(loud.scheduler.counts.lost, 1)
        self.performers.update(loud.scheduler.counts.nodes)
        self.same_outputs(quiet, loud)
        return expected, quiet, loud

    def same_outputs(self, quiet: Job, loud: Job) -> None:
        """Check that tasks of both storages have the same outputs, and that no output is no task's."""
        entries = []
        for job in (quiet, loud):
            names = [Path(path).stem for path in job.storage.fs.find(f"{job.storage.root}/manifest")]
            entries.append({key: entry["outputs"] for key, entry in job.storage.entries(names).items()})
            self.assertEqual(len(names), len(entries[-1]), "damaged entries")
        for key in entries[0].keys() & entries[1].keys():
            self.assertEqual(entries[0][key], entries[1][key])

    def test_1_selfplay_loses_a_node_and_no_game(self) -> None:
        """Self-play with a loss."""
        plan = selfplay.SelfPlay(
            player="builtin:mcts,nodes=20,hash=1", games=144, boards="1", seed=23, games_per_task=6, files=2
        )
        files, quiet, loud = self.both("selfplay", lambda job: selfplay.play(job, plan))
        self.assertEqual((sum(file["games"] for file in files), sum(file["twice"] for file in files)), (144, 0))
        self.assertEqual(quiet.scheduler.counts.tasks, loud.scheduler.counts.tasks)
        listing = [sorted(map(Path, job.storage.fs.find(job.storage.root))) for job in (quiet, loud)]
        self.assertEqual(*([path.name for path in paths] for paths in listing))

    def test_2_a_sequential_test_decides_at_the_same_pair(self) -> None:
        """Match with a loss."""
        contest = match.Contest(
            a="builtin:mcts,nodes=10,hash=1",
            b="builtin:random",
            games=160,
            sprt=(0, 30),
            seed=23,
            pairs_per_task=4,
            extra=("--boards", "1"),
        )

        def play(job: Job) -> dict[str, Any]:
            played = match.play(job, contest)
            return {"sha256": played.sha256, "contest": played.contest}

        played, _, _ = self.both("match", play)
        self.assertEqual(played["contest"]["accepted"], "H1")

    def test_3_a_generation_is_learnt_to_the_same_weights(self) -> None:
        """Learning with a loss."""
        settings = learn.Learning(
            start=str(NETWORK),
            generations=1,
            profile="tiny",
            games=60,
            nodes=10,
            boards="1",
            epochs=1,
            batch=128,
            gate="nodes=10,hash=1",
            sprt=(0, 60),
            max_gate_games=48,
            seed=23,
            games_per_task=6,
            pairs_per_task=4,
        )
        result, _, _ = self.both("learn", lambda job: learn.run(job, settings))
        self.assertEqual((result["generations"], len(result["history"])), (1, 1))

    def test_4_nodes_that_joined_performed_tasks(self) -> None:
        self.assertEqual(len(self.joined), 3)
        self.assertTrue(self.joined & self.performers)

    def test_5_games_are_not_in_the_object_store(self) -> None:
        resources = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        size = sum(resource["object_store_memory"] for resource in resources)
        self.assertLess(size - ray.available_resources()["object_store_memory"], 1 << 20)

    def test_6_a_node_needs_no_package(self) -> None:
        task = Task(kind="version", commands=(("--version",),), stdout="version")
        storage = Storage(str(self.folder / "bare"))
        order = {
            "key": task.key(self.program.sha256),
            "task": task.plain(),
            "storage": storage.url,
            "program": self.program.stored(storage),
            "cache": str(self.cache),
        }
        sent = self.folder / "sent"
        sent.write_bytes(ray.cloudpickle.dumps((perform, order)))
        there = "import pickle, ray, sys; perform, order = pickle.load(open(sys.argv[1], 'rb')); perform(order); "
        there += "assert not any(name.startswith('barrow_cluster') for name in sys.modules)"
        # Where the package cannot be imported: in another folder, with nothing but the installed packages.
        subprocess.run([sys.executable, "-c", there, str(sent)], cwd=self.folder, check=True)
        self.assertIsNotNone(storage.entry(order["key"]))


if __name__ == "__main__":
    unittest.main()
