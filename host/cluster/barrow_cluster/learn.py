"""Learning on a cluster: self-play, training and a gate, generation after generation.

The same loop as `barrow learn` on one machine. It has no state of its own: what has been decided follows from the
manifest, which a call with the same settings walks through until it comes to a task that is not done.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ClusterError, Interrupted
from .job import Job, Player, network_name
from .match import PAIRS_PER_TASK, Contest, in_words
from .match import play_stored as play_match
from .selfplay import GAMES_PER_TASK, SelfPlay
from .selfplay import play_stored as play_games
from .task import Task

NETWORK_MAGIC = b"BRW\x1a"
"""First bytes of a network file."""


@dataclass(frozen=True)
class Learning:
    """Settings of a loop."""

    start: str
    """Network file or checkpoint of the first player, on this machine."""
    generations: int
    """Generations after which to end."""
    profile: str = "desktop"
    """Size of the networks."""
    games: int = 2400
    """Self-play games of a generation."""
    nodes: int = 80
    """Nodes of a turn of self-play."""
    boards: str = "1-4"
    """Number of boards, or a range."""
    handicaps: float = 0.125
    """Chance that a game of self-play begins with a handicap."""
    keep: int = 3
    """Generations whose games are learnt from."""
    epochs: int = 3
    """Passes over all positions."""
    rate: float = 8e-4
    """Largest learning rate."""
    turns: int = 256
    """Chance in 256 that a turn of a game is learnt from."""
    batch: int = 1024
    """Positions in a batch."""
    gate: str = "cputime=15,hash=16"
    """Settings of both players of the gate."""
    sprt: tuple[float, float] = (0.0, 10.0)
    """Elo of the two hypotheses of the gate."""
    max_gate_games: int = 1200
    """Games of a gate at most."""
    seed: int = 1
    """Seed of games, training and matches."""
    games_per_task: int = GAMES_PER_TASK
    """Games of a task of self-play."""
    pairs_per_task: int = PAIRS_PER_TASK
    """Pairs of a task of the gate."""
    files: int = 1
    """Files of a generation's games."""
    train_cpus: int = 0
    """Cores of the training; 0 is as many as a task of games has."""


@dataclass(frozen=True)
class Networks:
    """Network of a player, stored: as it plays, and as training goes on from it."""

    network: str
    """Object of the network file."""
    checkpoint: str
    """Object of the checkpoint, or of the network file where there is no checkpoint."""

    def player(self, settings: str) -> Player:
        """Player with this network."""
        name = network_name(self.network)
        return Player(f"builtin:mcts,{settings},net={name}", {name: self.network})


def seed_of(seed: int, generation: int, stage: str) -> int:
    """Seed of a stage of a generation, below 2 to the 63."""
    text = f"{seed} {generation} {stage}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") >> 1


def first_player(job: Job, settings: Learning) -> Networks:
    """Networks of the first player, the network file made from the checkpoint where that is what is given."""
    path = Path(settings.start)
    sha256 = job.stored(settings.start)
    with open(path, "rb") as file:
        if file.read(len(NETWORK_MAGIC)) == NETWORK_MAGIC:
            return Networks(sha256, sha256)
    task = Task(
        kind="quantize",
        commands=(("quantize", "start.float", "--out", "start.brw"),),
        inputs={"start.float": sha256},
        outputs=("start.brw",),
        title=f"rounding {path.name}",
    )
    return Networks(task.output(job.scheduler.one(task)), sha256)


def training(job: Job, settings: Learning, generation: int, player: Networks, files: list[str], device: str) -> Task:
    """Training of a generation's network from the present player's, by files of games."""
    names = [f"games{number}.jsonl.gz" for number in range(len(files))]
    numbers = {
        "--profile": settings.profile,
        "--turns": settings.turns,
        "--epochs": settings.epochs,
        "--rate": format(settings.rate, "g"),
        "--batch": settings.batch,
        "--seed": seed_of(settings.seed, generation, "training"),
        "--note": f"generation {generation}",
    }
    fixed = [word for name, value in numbers.items() for word in (name, str(value))]
    command = ("train", *fixed, "--from", "player.float", "--out", "candidate.brw", "--checkpoint", "candidate.float")
    on_device = () if device == "cpu" else ("--device", device)
    return Task(
        kind="train",
        commands=((*command, *on_device, "--json", "--data", *names),),
        inputs={"player.float": player.checkpoint, **dict(zip(names, files, strict=True))},
        outputs=("candidate.brw", "candidate.float"),
        title=f"training of generation {generation}",
        cpus=settings.train_cpus or job.cpus,
        gpus=0 if device == "cpu" else 1,
    )


def train(job: Job, settings: Learning, generation: int, player: Networks, files: list[str]) -> dict[str, Any]:
    """Train a generation's network, on a graphics card where a node has one. Returns the entry."""
    tasks = {device: training(job, settings, generation, player, files, device) for device in ("cuda", "cpu")}
    # A network that is trained stays, whatever cards the cluster has when the loop is gone on with.
    known = job.storage.entries(job.scheduler.key(task) for task in tasks.values())
    for device, task in tasks.items():
        if job.scheduler.key(task) in known and job.gpu in ("auto", {"cuda": "always", "cpu": "never"}[device]):
            return job.scheduler.one(task)
    on_card = job.gpu == "always" or (job.gpu == "auto" and job.nodes.has_gpu())
    return job.scheduler.one(tasks["cuda" if on_card else "cpu"])


def run(
    job: Job,
    settings: Learning,
    report: Callable[[dict[str, Any]], None] = lambda generation: None,
    ended: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Run the loop. `report` is called with each generation that is over; `ended` says whether to begin no further one.

    Returns `generations`, `accepted`, the `player` as objects, `elo` over the first player by the sum of the matches,
    and `history`.
    """
    if settings.generations < 1:
        raise ClusterError("--generations: there is nothing to learn")
    player = first_player(job, settings)
    history: list[dict[str, Any]] = []
    games: list[list[str]] = []
    while len(history) < settings.generations and not ended():
        generation = len(history) + 1
        job.progress.stage = f"generation {generation}, self-play"
        job.progress.note = ""
        plan = SelfPlay(
            player="",
            games=settings.games,
            boards=settings.boards,
            seed=seed_of(settings.seed, generation, "self-play"),
            games_per_task=settings.games_per_task,
            files=settings.files,
            extra=("--handicaps", format(settings.handicaps, "g")),
        )
        files = play_games(job, plan, player.player(f"nodes={settings.nodes},hash=16"))
        games.append([file["sha256"] for file in files])
        job.progress.stage = f"generation {generation}, training"
        kept = [sha256 for files_of in games[-settings.keep :] for sha256 in files_of]
        trained = train(job, settings, generation, player, kept)
        candidate = Networks(*(trained["outputs"][name]["sha256"] for name in ("candidate.brw", "candidate.float")))
        job.progress.stage = f"generation {generation}, gate"
        gate = Contest(
            a="",
            b="",
            games=settings.max_gate_games,
            sprt=settings.sprt,
            seed=seed_of(settings.seed, generation, "gate"),
            pairs_per_task=settings.pairs_per_task,
            extra=("--boards", settings.boards),
        )
        played = play_match(job, gate, candidate.player(settings.gate), player.player(settings.gate))
        accepted = played.contest["accepted"] == "H1"
        history.append(
            {
                "generation": generation,
                "games": files,
                "network": candidate.network,
                "checkpoint": candidate.checkpoint,
                "loss": (trained["result"] or {}).get("loss"),
                "gate": played.contest,
                "results": played.sha256,
                "accepted": accepted,
            }
        )
        job.progress.say(
            f"generation {generation}: {in_words(played.contest)} after {played.contest['games']} games, "
            + ("the next player" if accepted else "not the next player")
        )
        report(history[-1])
        if accepted:
            player = candidate
    if not history:
        raise Interrupted
    return {
        "generations": len(history),
        "accepted": sum(generation["accepted"] for generation in history),
        "player": {"network": player.network, "checkpoint": player.checkpoint},
        "elo": sum(generation["gate"]["elo"] for generation in history if generation["accepted"]),
        "history": history,
    }
