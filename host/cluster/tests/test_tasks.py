"""Storage, keys, scheduler and jobs with a stand-in for the program, on processes of this machine: no Ray."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import sys
import tempfile
import unittest
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest import mock

from barrow_cluster import learn, match, review, selfplay, tune
from barrow_cluster.cli import main
from barrow_cluster.errors import ClusterError, DamagedObject, Interrupted
from barrow_cluster.job import Job
from barrow_cluster.nodes import Outcome, ProcessNodes
from barrow_cluster.program import Program
from barrow_cluster.scheduler import Counts, Scheduler
from barrow_cluster.storage import Storage, sha256_of_file
from barrow_cluster.task import Task
from barrow_cluster.worker import perform, sort_lines


def stand_in() -> str:
    """Stand-in for the program, run by this Python. It lasts as long as the process."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    path = Path(folder) / "barrow"
    text = (Path(__file__).parent / "stand_in.py").read_text(encoding="utf-8")
    path.write_text(f"#!{sys.executable} -IS\n" + text.partition("\n")[2], encoding="utf-8")
    path.chmod(0o755)
    return str(path)


STAND_IN = stand_in()


class WithFolder(unittest.TestCase):
    """Test with a folder, a storage in it, and three processes."""

    def setUp(self) -> None:
        """Make the folder."""
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.storage = Storage(str(self.folder / "storage"))
        self.program = Program(STAND_IN)
        self.cache = str(self.folder / "cache")

    def job(self, storage: Storage | None = None, **options: object) -> Job:
        """Job on three processes."""
        nodes = ProcessNodes(3)
        self.addCleanup(nodes.close)
        return Job(storage or self.storage, self.program, nodes, cache=self.cache, **options)

    def order(self, task: Task) -> dict[str, object]:
        """Order of a task."""
        return {
            "key": task.key(self.program.sha256),
            "task": task.plain(),
            "storage": self.storage.url,
            "program": self.program.stored(self.storage),
            "cache": self.cache,
        }


def shard(number: int, count: int = 4) -> Task:
    """Task of self-play with five games."""
    words = f"selfplay --player p --seed 7 --games 5 --shard {number}/{count} --out games.jsonl.gz".split()
    return Task(kind="selfplay", commands=(tuple(words),), outputs=("games.jsonl.gz",), games=5)


class StorageTest(WithFolder):
    """Objects and entries."""

    def storages(self) -> list[Storage]:
        """A local folder, and a store without files, as object stores are."""
        return [self.storage, Storage(f"memory://{self.folder.name}")]

    def test_an_object_has_the_name_of_its_bytes_and_is_there_once(self) -> None:
        for storage in self.storages():
            first = storage.put_bytes(b"games")
            path = self.folder / "file"
            path.write_bytes(b"games")
            self.assertEqual(storage.put_file(path), first)
            storage.fetch(first["sha256"], self.folder / "copy")
            self.assertEqual(sha256_of_file(self.folder / "copy"), first["sha256"])
            self.assertEqual(len(storage.fs.find(f"{storage.root}/objects")), 1)

    def test_a_damaged_object_is_removed_and_never_handed_out(self) -> None:
        for storage in self.storages():
            sha256 = storage.put_bytes(b"games")["sha256"]
            storage.fs.pipe_file(storage.object_path(sha256), b"gamex")
            with self.assertRaises(DamagedObject):
                storage.fetch(sha256, self.folder / "copy")
            self.assertFalse((self.folder / "copy").exists())
            self.assertFalse(storage.has_object(sha256))

    def test_the_first_entry_stays(self) -> None:
        for storage in self.storages():
            first = {"key": "ab", "outputs": {"o": storage.put_bytes(b"1")}}
            second = {"key": "ab", "outputs": {"o": storage.put_bytes(b"2")}}
            self.assertEqual(storage.put_entry("ab", first), first)
            self.assertEqual(storage.put_entry("ab", second), first)
            self.assertEqual(storage.entries(["ab", "cd"]), {"ab": first})

    def test_an_entry_that_is_damaged_or_lacks_an_object_does_not_count_and_is_replaced(self) -> None:
        for storage in self.storages():
            output = storage.put_bytes(b"1")
            entry = {"key": "ab", "outputs": {"o": output}}
            storage.put_entry("ab", entry)
            storage.fs.pipe_file(storage.entry_path("ab"), b'{"key":')
            self.assertIsNone(storage.entry("ab"))
            storage.put_entry("ab", entry)
            self.assertEqual(storage.entry("ab"), entry)
            storage.fs.rm_file(storage.object_path(output["sha256"]))
            self.assertIsNone(storage.entry("ab"))


class KeyTest(unittest.TestCase):
    """Keys of tasks."""

    def test_a_key_changes_with_all_that_outputs_follow_from_and_with_nothing_else(self) -> None:
        def task(**changes: object) -> str:
            values = {"kind": "k", "commands": (("a", "b"),), "inputs": {"n": "1"}, "outputs": ("o",)}
            return Task(**{**values, **changes}).key("program")

        self.assertEqual(task(), task(kind="other", title="t", games=9, cpus=4, gpus=1))
        changed = [
            task(),
            task(commands=(("a", "c"),)),
            task(commands=(("ab",),)),
            task(inputs={"n": "2"}),
            task(inputs={"m": "1"}),
            task(outputs=("p",)),
            task(stdout="s"),
            task(sort_lines="pair"),
            Task(kind="k", commands=(("a", "b"),), inputs={"n": "1"}, outputs=("o",)).key("another"),
        ]
        self.assertEqual(len(set(changed)), len(changed))

    def test_the_same_pairs_of_a_longer_match_are_the_same_tasks(self) -> None:
        def keys(games: int) -> list[str]:
            player = learn.Networks("0" * 64, "1" * 64).player("nodes=1")
            contest = match.Contest(a="", b="", games=games, pairs_per_task=5)
            return [task.key("program") for task in match.shards(contest, 1, player, player)]

        self.assertEqual(keys(100), keys(200)[:10])
        self.assertEqual(len(set(keys(200))), 20)


class WorkerTest(WithFolder):
    """What a node does with an order."""

    def test_a_task_that_runs_twice_leaves_what_one_run_leaves(self) -> None:
        first = perform(self.order(shard(0)))
        files = {path: path.stat().st_mtime_ns for path in self.folder.glob("storage/**/*")}
        second = perform(self.order(shard(0)))
        self.assertEqual(first, second)
        self.assertEqual(files, {path: path.stat().st_mtime_ns for path in self.folder.glob("storage/**/*")})
        self.assertEqual(list(Path(self.cache).glob("task-*")), [])

    def test_a_program_that_the_node_lacks_comes_from_the_storage(self) -> None:
        order = self.order(shard(0))
        for path, mode in [("/nowhere/barrow", None), (self.folder / "other", b"#!/bin/false\n")]:
            if mode is not None:
                Path(path).write_bytes(mode)
            order["program"]["path"] = str(path)
            self.assertIn("entry", perform(order))

    def test_a_failure_says_command_code_and_last_lines(self) -> None:
        with mock.patch.dict(os.environ, {"STAND_IN_FAIL": "selfplay"}):
            failed = perform(self.order(shard(0)))["failed"]
        self.assertEqual((failed["code"], failed["stderr"]), (3, "the dice are lost"))
        self.assertIsNone(self.storage.entry(shard(0).key(self.program.sha256)))

    def test_folders_of_killed_processes_are_removed_and_others_stay(self) -> None:
        answer = perform(self.order(shard(0)))
        gone, here = (Path(self.cache) / f"task-{answer['node']}-{n}-x" for n in (2**22 + 1, os.getpid()))
        gone.mkdir()
        here.mkdir()
        perform(self.order(shard(1)))
        self.assertEqual((gone.exists(), here.exists()), (False, True))

    def test_pairs_of_a_shard_are_stored_in_order(self) -> None:
        player = learn.Networks("0" * 64, "1" * 64).player("nodes=1")
        contest = match.Contest(a="", b="", games=40, pairs_per_task=10)
        task = replace(match.shards(contest, 1, player, player)[1], inputs={})
        entry = perform(self.order(task))["entry"]
        self.storage.fetch(task.output(entry), self.folder / "match.jsonl")
        lines = (self.folder / "match.jsonl").read_text().splitlines()[1:]
        self.assertEqual([json.loads(line)["pair"] for line in lines], list(range(10, 20)))

    def test_lines_behind_the_first_are_put_in_order(self) -> None:
        path = self.folder / "lines"
        path.write_text('{"head":1}\n{"pair":10}\n{"pair":9}\n')
        sort_lines(path, "pair")
        self.assertEqual(path.read_text(), '{"head":1}\n{"pair":9}\n{"pair":10}\n')


class LossyNodes(ProcessNodes):
    """Nodes that lose the first orders: some before they are performed, some when only the answer is missing."""

    def __init__(self, processes: int, losses: int) -> None:
        """Nodes that lose so many orders."""
        super().__init__(processes)
        self.losses = losses

    def next(self, timeout: float) -> Outcome | None:
        """Next outcome."""
        outcome = super().next(timeout)
        if outcome is not None and self.losses > 0:
            self.losses -= 1
            return Outcome(outcome.key, lost="test")
        return outcome


class SchedulerTest(WithFolder):
    """What the scheduler does with tasks."""

    def scheduler(self, nodes: ProcessNodes, **options: object) -> Scheduler:
        """Scheduler for nodes."""
        self.addCleanup(nodes.close)
        return Scheduler(self.storage, self.program, nodes, cache=self.cache, **options)

    def test_lost_tasks_are_repeated_and_counted_once(self) -> None:
        tasks = [shard(number, 8) for number in range(8)]
        scheduler = self.scheduler(LossyNodes(2, 5))
        entries = dict(scheduler.run(tasks))
        self.assertEqual(sorted(entries), list(range(8)))
        self.assertEqual((scheduler.counts.lost, scheduler.counts.tasks, scheduler.counts.performed), (5, 8, 8))

    def test_a_task_that_is_always_lost_is_an_error(self) -> None:
        with self.assertRaisesRegex(ClusterError, "lost 21 times"):
            self.scheduler(LossyNodes(2, 1000)).one(shard(0))

    def test_what_is_done_is_not_done_again_and_a_task_that_comes_twice_runs_once(self) -> None:
        dict(self.scheduler(ProcessNodes(2)).run([shard(0), shard(1)]))
        again = self.scheduler(ProcessNodes(2))
        tasks = [shard(0), shard(2), shard(2), shard(1)]
        entries = dict(again.run(tasks))
        self.assertEqual(len(entries), 4)
        self.assertEqual((again.counts.found, again.counts.performed, again.counts.tasks), (2, 1, 4))

    def test_a_task_whose_object_is_gone_runs_again(self) -> None:
        entry = self.scheduler(ProcessNodes(1)).one(shard(0))
        self.storage.fs.rm_file(self.storage.object_path(shard(0).output(entry)))
        again = self.scheduler(ProcessNodes(1))
        self.assertEqual(again.one(shard(0))["outputs"], entry["outputs"])
        self.assertEqual(again.counts.performed, 1)

    def test_a_failing_program_is_run_three_times_and_then_quoted(self) -> None:
        scheduler = self.scheduler(ProcessNodes(1))
        with (
            mock.patch.dict(os.environ, {"STAND_IN_FAIL": "selfplay"}),
            self.assertRaisesRegex(
                ClusterError, "failed 3 times.*exit code 3(.|\n)*selfplay --player(.|\n)*dice are lost"
            ),
        ):
            scheduler.one(shard(0))
        self.assertEqual(scheduler.counts.failed, 3)

    def test_no_more_orders_than_the_bound_are_in_flight(self) -> None:
        nodes, most, flying = ProcessNodes(2), [0], [0]
        submit, take = nodes.submit, nodes.next

        def counting_submit(*arguments: object) -> None:
            flying[0] += 1
            most[0] = max(most[0], flying[0])
            submit(*arguments)

        def counting_next(timeout: float) -> Outcome | None:
            outcome = take(timeout)
            flying[0] -= outcome is not None
            return outcome

        nodes.submit, nodes.next = counting_submit, counting_next
        dict(self.scheduler(nodes, in_flight=3).run([shard(number, 12) for number in range(12)]))
        self.assertEqual(most[0], 3)

    def test_a_stop_leaves_what_is_done_and_the_next_call_goes_on(self) -> None:
        tasks = [shard(number, 12) for number in range(12)]
        first = self.scheduler(ProcessNodes(2), stopped=lambda: first.counts.performed >= 4)
        with self.assertRaises(Interrupted):
            dict(first.run(tasks))
        second = self.scheduler(ProcessNodes(2))
        self.assertEqual(len(dict(second.run(tasks))), 12)
        self.assertGreaterEqual(second.counts.found, 4)
        self.assertEqual(second.counts.found + second.counts.performed, 12)

    def test_a_storage_that_nodes_do_not_share_is_named(self) -> None:
        scheduler = self.scheduler(ProcessNodes(1))
        scheduler._check_shared.__func__.__globals__["time"] = mock.Mock()
        self.addCleanup(scheduler._check_shared.__func__.__globals__.__setitem__, "time", __import__("time"))
        with self.assertRaisesRegex(ClusterError, "all nodes share"):
            scheduler._check_shared({"node": "far"}, "0" * 64)


class JobTest(WithFolder):
    """Jobs, each with and without a loss."""

    def same_with_losses(self, run: Callable[[Job], dict[str, object]]) -> dict[str, object]:
        """Run a job twice in storages of their own, the second time with lost orders. Returns the outcome of both."""
        plain = run(self.job())
        nodes = LossyNodes(3, 6)
        self.addCleanup(nodes.close)
        lossy = run(Job(Storage(str(self.folder / "lossy")), self.program, nodes, cache=self.cache))
        self.assertEqual(plain, lossy)
        self.assertEqual(nodes.losses, 0)
        return plain

    def test_selfplay_has_every_game_once(self) -> None:
        plan = selfplay.SelfPlay(player="builtin:greedy", games=50, games_per_task=8, files=3)
        files = self.same_with_losses(lambda job: {"files": selfplay.play(job, plan)})["files"]
        self.assertEqual([file["games"] for file in files], [15, 14, 21])
        self.assertEqual(sum(file["twice"] for file in files), 0)

    def test_a_match_ends_at_the_same_pair_whoever_is_first(self) -> None:
        contest = match.Contest(a="builtin:greedy", b="builtin:random", games=120, sprt=(0, 10), pairs_per_task=3)
        played = self.same_with_losses(lambda job: {**vars(match.play(job, contest)), "pairs_played": None})
        report = played["contest"]
        self.assertEqual((report["accepted"], report["decided_at"]), ("H1", report["pairs"]))
        self.assertLess(report["pairs"], 60)
        self.storage.fetch(played["sha256"], self.folder / "match.jsonl")
        lines = (self.folder / "match.jsonl").read_text().splitlines()[1:]
        whole_shards = -(-report["pairs"] // 3) * 3
        self.assertEqual([json.loads(line)["pair"] for line in lines], list(range(len(lines))))
        self.assertEqual(len(lines), whole_shards)

    def test_a_test_looks_as_far_as_there_is_no_gap(self) -> None:
        job = self.job()
        contest = match.Contest(a="builtin:greedy", b="builtin:random", games=24, sprt=(0, 10), pairs_per_task=3)
        tasks = match.shards(contest, 1, job.player(contest.a), job.player(contest.b))
        outputs = [task.output(entry) for task, entry in zip(tasks, job.gather(tasks), strict=True)]
        folder = self.folder / "prefix"
        folder.mkdir()
        prefix = match.Prefix(job, contest, folder)
        for there, merged in [([1, 3], 0), ([0, 1, 3], 2), ([0, 1, 2, 3], 4)]:
            prefix.look({number: outputs[number] for number in there}, at_once=True)
            self.assertEqual(prefix.merged, merged)

    def test_a_match_without_a_decision_counts_all_pairs(self) -> None:
        contest = match.Contest(a="builtin:greedy", b="builtin:random", games=41, pairs_per_task=4)
        self.assertEqual(match.play(self.job(), contest).contest["games"], 42)

    def test_networks_of_players_travel_by_their_hash(self) -> None:
        path = self.folder / "n.brw"
        path.write_bytes(b"BRW\x1anetwork")
        player = self.job().player(f"builtin:mcts,nodes=8,net={path},hash=1")
        (name,) = player.inputs
        self.assertEqual(player.spec, f"builtin:mcts,nodes=8,net={name},hash=1")
        with self.assertRaisesRegex(ClusterError, "absent.brw: there is no such file"):
            self.job().player("builtin:mcts,net=absent.brw")

    def learning(self, **changes: object) -> learn.Learning:
        """Settings of a loop of two generations from a checkpoint."""
        start = self.folder / "start.float"
        start.write_text("start\n")
        values = {"games": 9, "games_per_task": 3, "max_gate_games": 40, "pairs_per_task": 5, "keep": 1}
        return learn.Learning(**{"start": str(start), "generations": 2, **values, **changes})

    def test_learning_comes_to_the_same_player_with_losses(self) -> None:
        result = self.same_with_losses(lambda job: learn.run(job, self.learning()))
        self.assertEqual((result["generations"], result["accepted"] >= 1), (2, True))
        accepted = [generation for generation in result["history"] if generation["accepted"]]
        self.assertEqual(result["player"]["network"], accepted[-1]["network"])

    def test_learning_goes_on_from_the_manifest_alone(self) -> None:
        whole = learn.run(self.job(Storage(str(self.folder / "whole"))), self.learning())
        for stop_after in (2, 6):
            job = self.job(stopped=lambda: job.scheduler.counts.performed >= stop_after)  # noqa: B023
            with self.assertRaises(Interrupted):
                learn.run(job, self.learning())
        self.assertEqual(learn.run(self.job(), self.learning()), whole)
        again = self.job()
        learn.run(again, self.learning())
        self.assertEqual(again.scheduler.counts.performed, 0)

    def test_training_uses_a_card_where_there_is_one_and_keeps_what_is_trained(self) -> None:
        settings = self.learning(generations=1)
        first = self.job()
        first.nodes.has_gpu = lambda: True
        on_card = learn.run(first, settings)
        self.assertEqual(learn.run(self.job(), settings), on_card)
        self.assertNotEqual(learn.run(self.job(gpu="never"), settings)["history"], on_card["history"])

    def test_tuning_comes_to_the_same_point_with_losses(self) -> None:
        tuning = tune.Tuning(player="builtin:mcts", settings=("noise=0..9",), iterations=2, parts=3, pairs=1)
        self.assertEqual(self.same_with_losses(lambda job: tune.run(job, tuning))["iteration"], 2)

    def test_reviews_are_in_the_order_of_the_games(self) -> None:
        path = self.folder / "games.json"
        path.write_text("".join(f'{{"game":{number}}}\n' for number in range(10)))
        plan = review.Review(files=(str(path),), games_per_task=3)
        out = self.folder / "review.jsonl"

        def run(job: Job) -> dict[str, object]:
            return {"report": review.run(job, plan, str(out)), "text": out.read_text()}

        text = str(self.same_with_losses(run)["text"])
        self.assertEqual([json.loads(line)["of"]["game"] for line in text.splitlines()], list(range(10)))


class CommandTest(WithFolder):
    """Commands as a user types them."""

    def run_main(self, *words: str) -> tuple[int, str, str]:
        """Run a command on two processes. Returns exit code, standard output and standard error."""
        out, errors = self.folder / "out", self.folder / "errors"
        base = ["--storage", self.storage.url, "--program", STAND_IN, "--without-ray", "2", "--cache", self.cache]
        with (
            open(out, "w") as out_file,
            open(errors, "w") as errors_file,
            mock.patch("sys.stdout", out_file),
            mock.patch("sys.stderr", errors_file),
            mock.patch("signal.signal"),
        ):
            code = main([words[0], *base, *words[1:]])
        return code, out.read_text(), errors.read_text()

    def test_selfplay_writes_its_files_and_resumes(self) -> None:
        words = ["selfplay", "--player", "p", "--games", "30", "--games-per-task", "4", "--json", "--quiet"]
        target = self.folder / "games.jsonl.gz"
        code, text, _ = self.run_main(*words, "--out", str(target))
        report = json.loads(text)
        self.assertEqual((code, report["games"], report["tasks"]["performed"]), (0, 30, 9))
        self.assertEqual(sha256_of_file(target), report["files"][0]["sha256"])
        self.assertEqual(json.loads(self.run_main(*words)[1])["tasks"]["performed"], 0)

    def test_the_line_has_games_strength_and_cost(self) -> None:
        words = ["match", "--a", "a", "--b", "b", "--games", "60", "--sprt", "0", "10", "--price-per-node-hour", "100"]
        code, text, errors = self.run_main(*words)
        self.assertEqual(code, 0)
        self.assertRegex(errors, r"match: \d+ of \d+ tasks, \d+ games, [\d.]+ games/s, Elo \+[\d.]+ ± [\d.]+")
        self.assertIn("accepted: H1", text)

    def test_errors_are_one_message(self) -> None:
        code, text, errors = self.run_main("selfplay", "--player", "builtin:mcts,net=absent", "--games", "3")
        self.assertEqual((code, text, errors), (1, "", "barrow-cluster: absent: there is no such file\n"))

    def test_counts_begin_at_nothing(self) -> None:
        self.assertEqual((Counts().tasks, Counts().lost), (0, 0))


if __name__ == "__main__":
    unittest.main()
