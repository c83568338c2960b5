"""Commands of `barrow-cluster`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from . import __version__, learn, match, measure, review, selfplay, simulation, tune
from .errors import ClusterError, Interrupted
from .job import Job
from .nodes import Nodes, ProcessNodes
from .program import Program
from .progress import Progress
from .storage import Storage

EXTRA = "arguments behind `--` are handed to `barrow {}` as they are"
INTERRUPTED = 130
"""Exit code after Ctrl-C."""


class Stop:
    """Wish to end, by Ctrl-C or SIGTERM. A second Ctrl-C does not wait."""

    def __init__(self) -> None:
        """No wish yet; the handlers are set."""
        self.wanted = False
        signal.signal(signal.SIGINT, self._want)
        signal.signal(signal.SIGTERM, self._want)

    def _want(self, number: int, frame: object) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True

    def __call__(self) -> bool:
        """Whether the job is to end."""
        return self.wanted


def positive(text: str) -> int:
    """Whole number of at least 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def parser() -> argparse.ArgumentParser:
    """Parser of all commands."""
    top = argparse.ArgumentParser(prog="barrow-cluster", description="Barrow on many machines, by Ray.")
    top.add_argument("--version", action="version", version=f"barrow-cluster {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    common = common_options()

    def command(name: str, text: str, extra: str = "") -> argparse.ArgumentParser:
        epilog = EXTRA.format(extra) if extra else None
        return commands.add_parser(name, help=text, description=text + ".", epilog=epilog, parents=[common])

    selfplay_options(command("selfplay", "Play games to learn from, in shards, and merge them", "selfplay"))
    match_options(command("match", "Play a match in shards, until a sequential test decides", "match"))
    learn_options(command("learn", "Learn on and on: games, training, and a match that decides"))
    tune_options(command("tune", "Tune settings of a player by games against itself", "tune"))
    review_options(command("review", "Review recorded games", "analyze"))
    measure_options(command("measure", "Measure what the cluster costs against the program alone"))
    simulate_options(commands.add_parser("simulate", help="Simulate self-play on clusters of other sizes"))
    return top


def common_options() -> argparse.ArgumentParser:
    """Options that every command with nodes has."""
    options = argparse.ArgumentParser(add_help=False)
    add = options.add_argument
    add(
        "--storage",
        metavar="URL",
        help="folder that all nodes share, or object store (s3://...), for outputs and manifest",
    )
    add("--program", default="barrow", metavar="FILE", help="program; nodes that lack it get it from the storage")
    add(
        "--address",
        metavar="ADDRESS",
        help="Ray cluster; by default RAY_ADDRESS, the one of this machine, or a new one",
    )
    add("--without-ray", type=positive, metavar="N", help="run N processes at once on this machine, without Ray")
    add(
        "--cpus-per-task", type=positive, default=1, metavar="N", help="cores of a task (default 1, the most efficient)"
    )
    add(
        "--gpu",
        choices=["auto", "always", "never"],
        default="auto",
        help="train on a graphics card (default: if a node has one)",
    )
    add(
        "--in-flight",
        type=int,
        default=0,
        metavar="N",
        help="orders that nodes have at once (default: twice what they can)",
    )
    add("--cache", default="", metavar="FOLDER", help="folder of each node for the program and the tasks' files")
    add("--price-per-node-hour", type=float, default=0.0, metavar="PRICE", help="to show what the job has cost")
    add("--currency", default="", metavar="NAME", help="its currency")
    add("--json", action="store_true", help="print the result as one JSON object on standard output")
    add("--quiet", action="store_true", help="show no progress")
    return options


def selfplay_options(command: argparse.ArgumentParser) -> None:
    """Options of `selfplay`."""
    add = command.add_argument
    add("--player", required=True, metavar="SPEC", help="player, such as builtin:mcts,nodes=80,hash=16,net=FILE")
    add("--opponent", default="", metavar="SPEC", help="its opponent (default: a player like it)")
    add("--games", type=positive, required=True, metavar="N", help="games to play")
    add("--boards", default="1-4", metavar="N[-M]", help="number of boards, or a range (default 1-4)")
    add("--seed", type=int, default=1, metavar="N", help="seed of openings, cards and random turns")
    add(
        "--games-per-task",
        type=positive,
        default=selfplay.GAMES_PER_TASK,
        metavar="N",
        help="games of a task (default 64)",
    )
    add("--files", type=positive, default=1, metavar="N", help="files that the games are merged into")
    add("--out", metavar="FILE", help="merged games (.jsonl.gz); with --files N, N names with a number before the dots")


def match_options(command: argparse.ArgumentParser) -> None:
    """Options of `match`."""
    add = command.add_argument
    add("--a", required=True, metavar="SPEC", help="first player")
    add("--b", required=True, metavar="SPEC", help="second player")
    add("--games", type=positive, required=True, metavar="N", help="games at most")
    add("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="end as soon as one of two strengths is accepted")
    add("--seed", type=int, default=1, metavar="N", help="seed of openings, cards and players")
    add(
        "--pairs-per-task",
        type=positive,
        default=match.PAIRS_PER_TASK,
        metavar="N",
        help="pairs of a task (default 16)",
    )
    add("--openings", default="", metavar="FILE", help="openings, as `barrow match` knows them")
    add("--results", metavar="FILE", help="results file of the pairs that count")


def learn_options(command: argparse.ArgumentParser) -> None:
    """Options of `learn`, with the defaults of `barrow learn`."""
    add = command.add_argument
    default = learn.Learning(start="", generations=1)
    add("--from", dest="start", required=True, metavar="FILE", help="network file or checkpoint of the first player")
    add("--generations", type=positive, required=True, metavar="N", help="generations, those of earlier calls included")
    add("--hours", type=float, metavar="H", help="hours after which to begin no further generation")
    for name, text in {
        "profile": "size of the networks",
        "games": "self-play games of a generation",
        "nodes": "nodes of a turn of self-play",
        "boards": "number of boards, or a range",
        "handicaps": "chance that a game begins with a handicap",
        "keep": "generations whose games are learnt from",
        "epochs": "passes over all positions",
        "rate": "largest learning rate",
        "turns": "chance in 256 that a turn is learnt from",
        "batch": "positions in a batch",
        "gate": "settings of both players of the match",
        "max_gate_games": "games of a match at most",
        "seed": "seed of games, training and matches",
        "games_per_task": "games of a task of self-play",
        "pairs_per_task": "pairs of a task of the match",
        "files": "files of a generation's games",
        "train_cpus": "cores of the training, which one node must have",
    }.items():
        value = getattr(default, name)
        add(
            f"--{name.replace('_', '-')}",
            type=type(value),
            default=value,
            metavar="N",
            help=f"{text} (default {value})",
        )
    add(
        "--sprt",
        nargs=2,
        type=float,
        default=list(default.sprt),
        metavar=("ELO0", "ELO1"),
        help="test of the match (default 0 10)",
    )
    add("--out", metavar="FILE", help="network file of the last player")
    add("--checkpoint", metavar="FILE", help="its checkpoint")


def tune_options(command: argparse.ArgumentParser) -> None:
    """Options of `tune`."""
    add = command.add_argument
    add("--player", required=True, metavar="SPEC", help="player whose settings are tuned")
    add(
        "--tune", action="append", required=True, metavar="NAME=LOW..HIGH", help="setting and its range; to be repeated"
    )
    add("--iterations", type=positive, default=100, metavar="N", help="steps (default 100)")
    add(
        "--parts",
        type=positive,
        default=16,
        metavar="N",
        help="perturbations of an iteration, played at once (default 16)",
    )
    add("--pairs", type=positive, default=8, metavar="N", help="pairs of games of a perturbation (default 8)")
    add("--seed", type=int, default=1, metavar="N", help="seed of perturbations and games")
    add("--results", metavar="FILE", help="tuning file")


def review_options(command: argparse.ArgumentParser) -> None:
    """Options of `review`."""
    add = command.add_argument
    add("files", nargs="+", metavar="FILE", help="recorded games, in any form that `barrow convert` knows")
    add("--nodes", type=positive, default=2000, metavar="N", help="nodes of a position's search (default 2000)")
    add("--net", default="", metavar="FILE", help="network file")
    add(
        "--games-per-task",
        type=positive,
        default=review.GAMES_PER_TASK,
        metavar="N",
        help="games of a task (default 4)",
    )
    add("--out", required=True, metavar="FILE", help="reviews, a JSON object a line in the order of the games")


def measure_options(command: argparse.ArgumentParser) -> None:
    """Options of `measure`."""
    add = command.add_argument
    add("--player", default="builtin:mcts,nodes=80,hash=16", metavar="SPEC", help="player of the games")
    add("--games", type=positive, default=256, metavar="N", help="games of a round (default 256)")
    add(
        "--games-per-task",
        type=positive,
        default=selfplay.GAMES_PER_TASK,
        metavar="N",
        help="games of a task (default 64)",
    )
    add("--rounds", type=positive, default=4, metavar="N", help="rounds each way, alternating (default 4)")
    add("--empty-tasks", type=positive, default=400, metavar="N", help="tasks with nothing to do (default 400)")
    add("--processes", type=positive, default=os.cpu_count() or 1, metavar="N", help="processes at once without Ray")
    add("--boards", default="1-4", metavar="N[-M]", help="number of boards, or a range (default 1-4)")


def simulate_options(command: argparse.ArgumentParser) -> None:
    """Options of `simulate`."""
    add = command.add_argument
    add("--games", type=positive, default=1_000_000, metavar="N", help="games (default a million)")
    add("--games-per-task", type=positive, nargs="+", default=[64], metavar="N", help="games of a task (default 64)")
    add("--nodes", type=positive, nargs="+", default=list(simulation.NODES), metavar="N", help="numbers of nodes")
    add("--cores", type=positive, default=8, metavar="N", help="cores of a node (default 8)")
    add("--sizes", metavar="FILE", help="sizes of tasks, as `measure --json` prints them (default: those of the guide)")
    add("--seed", type=int, default=1, metavar="N", help="seed of the simulation")
    add("--price-per-node-hour", type=float, default=0.10, metavar="PRICE", help="price of a node (default 0.10)")
    add("--currency", default="", metavar="NAME", help="its currency")
    add("--json", action="store_true", help="print one JSON object")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    extra: list[str] = []
    if "--" in words:
        at = words.index("--")
        words, extra = words[:at], words[at + 1 :]
    options = parser().parse_args(words)
    try:
        if options.command == "simulate":
            return simulate(options)
        return with_nodes(options, tuple(extra))
    except Interrupted:
        print("stopped; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    except KeyboardInterrupt:
        return INTERRUPTED
    except (ClusterError, OSError) as error:
        print(f"barrow-cluster: {error}", file=sys.stderr)
        return 1


def with_nodes(options: argparse.Namespace, extra: tuple[str, ...]) -> int:
    """Run a command that needs nodes."""
    program = Program(options.program)
    if options.storage is None and options.command != "measure":
        raise ClusterError("--storage is missing: a folder that all nodes share, or an object store")
    nodes: Nodes
    if options.without_ray:
        nodes = ProcessNodes(options.without_ray)
    else:
        from .ray_nodes import RayNodes

        nodes = RayNodes(options.address)
    stop = Stop()
    progress = Progress(nodes, options.price_per_node_hour, options.currency, None if options.quiet else sys.stderr)
    try:
        if options.command == "measure":
            return finish(options, measured(program, nodes, options))
        storage = Storage(absolute(options.storage))
        job = Job(
            storage,
            program,
            nodes,
            cpus=options.cpus_per_task,
            gpu=options.gpu,
            in_flight=options.in_flight,
            cache=options.cache,
            progress=progress,
            stopped=stop,
        )
        progress.stage = options.command
        result = COMMANDS[options.command](job, options, extra)
        counts = job.scheduler.counts
        progress.say(progress.line(counts))
        result["tasks"] = {
            "done": counts.tasks,
            "found": counts.found,
            "performed": counts.performed,
            "lost": counts.lost,
        }
        result["cost"] = round(progress.cost, 4)
        return finish(options, result)
    finally:
        nodes.close()


def absolute(url: str) -> str:
    """URL of a storage that means the same on every node: folders by their whole path."""
    return url if "://" in url else os.path.abspath(url)


def finish(options: argparse.Namespace, result: dict[str, Any]) -> int:
    """Print the result."""
    if options.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        for name, value in result.items():
            print(f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}")
    return 0


def run_selfplay(job: Job, options: argparse.Namespace, extra: tuple[str, ...]) -> dict[str, Any]:
    """Run `selfplay`."""
    plan = selfplay.SelfPlay(
        player=options.player,
        games=options.games,
        opponent=options.opponent,
        boards=options.boards,
        seed=options.seed,
        games_per_task=options.games_per_task,
        files=options.files,
        extra=extra,
    )
    files = selfplay.play(job, plan)
    if options.out:
        for number, file in enumerate(files):
            file["file"] = options.out if options.files == 1 else numbered(options.out, number)
            job.save(file["sha256"], file["file"])
    return {"games": sum(file["games"] for file in files), "files": files}


def numbered(name: str, number: int) -> str:
    """Name of one of several files: `games.jsonl.gz` becomes `games.0.jsonl.gz`."""
    folder, base = os.path.split(name)
    stem, dot, suffix = base.partition(".")
    return os.path.join(folder, f"{stem}.{number}{dot}{suffix}")


def run_match(job: Job, options: argparse.Namespace, extra: tuple[str, ...]) -> dict[str, Any]:
    """Run `match`."""
    contest = match.Contest(
        a=options.a,
        b=options.b,
        games=options.games,
        sprt=tuple(options.sprt) if options.sprt else None,
        seed=options.seed,
        pairs_per_task=options.pairs_per_task,
        openings=options.openings,
        extra=extra,
    )
    played = match.play(job, contest)
    if options.results:
        job.save(played.sha256, options.results)
    return {**played.contest, "sha256": played.sha256, "pairs_played": played.pairs_played}


def run_learn(job: Job, options: argparse.Namespace, extra: tuple[str, ...]) -> dict[str, Any]:
    """Run `learn`."""
    if extra:
        raise ClusterError("learn hands no further arguments to the program")
    names = learn.Learning.__dataclass_fields__
    values = {name: getattr(options, name) for name in names}
    settings = learn.Learning(**{**values, "sprt": tuple(options.sprt)})
    deadline = None if options.hours is None else time.monotonic() + options.hours * 3600
    result = learn.run(job, settings, ended=lambda: deadline is not None and time.monotonic() > deadline)
    for path, kind in [(options.out, "network"), (options.checkpoint, "checkpoint")]:
        if path:
            job.save(result["player"][kind], path)
    return result


def run_tune(job: Job, options: argparse.Namespace, extra: tuple[str, ...]) -> dict[str, Any]:
    """Run `tune`."""
    tuning = tune.Tuning(
        player=options.player,
        settings=tuple(options.tune),
        iterations=options.iterations,
        parts=options.parts,
        pairs=options.pairs,
        seed=options.seed,
        extra=extra,
    )
    result = tune.run(job, tuning)
    if options.results:
        job.save(result["results"], options.results)
    return result


def run_review(job: Job, options: argparse.Namespace, extra: tuple[str, ...]) -> dict[str, Any]:
    """Run `review`."""
    plan = review.Review(
        files=tuple(options.files),
        nodes=options.nodes,
        network=options.net,
        games_per_task=options.games_per_task,
        extra=extra,
    )
    return review.run(job, plan, options.out)


def measured(program: Program, nodes: Nodes, options: argparse.Namespace) -> dict[str, Any]:
    """Run `measure`."""
    plan = selfplay.SelfPlay(
        player=options.player, games=options.games, games_per_task=options.games_per_task, boards=options.boards
    )
    return measure.measure(
        program,
        nodes,
        plan,
        rounds=options.rounds,
        empty=options.empty_tasks,
        folder=options.storage or "/tmp",
        processes=options.processes,
    )


def simulate(options: argparse.Namespace) -> int:
    """Run `simulate`."""
    sizes = simulation.sizes_of(options.sizes) if options.sizes else simulation.Sizes()
    figures = [
        simulation.simulate(nodes, options.cores, options.games, games, sizes, options.seed)
        for games in options.games_per_task
        for nodes in options.nodes
    ]
    if options.json:
        print(json.dumps(simulation.as_plain(figures, sizes)))
    else:
        print(simulation.table(figures, options.price_per_node_hour, options.currency))
    return 0


COMMANDS: dict[str, Callable[[Job, argparse.Namespace, tuple[str, ...]], dict[str, Any]]] = {
    "selfplay": run_selfplay,
    "match": run_match,
    "learn": run_learn,
    "tune": run_tune,
    "review": run_review,
}
