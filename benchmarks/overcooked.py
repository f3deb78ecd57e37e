"""Comparison with the speed of overcooked-ai, which is measured in the same run, in turns.

Two agents in `cramped_room` play random joint actions, which are drawn beforehand and are all
legal. Two functions of overcooked-ai are timed, in CPU seconds: `env.step`, and the bare state
transition (`mdp.get_state_transition`). A third one is `env.step` with the observation after it
(`env.featurize_state_mdp`), where observations are compared too. overcooked-ai needs a Python
environment of its own (numpy below 2), which the first run makes in `.venv-overcooked`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

TIMESTEPS = 4000
ROUNDS = 9
ENVIRONMENT = Path(".venv-overcooked")
PACKAGES = ("overcooked-ai==1.1.0", "numpy<2", "scipy")

THEIRS = """
import random, sys, time
from overcooked_ai_py.mdp.actions import Action
from overcooked_ai_py.mdp.overcooked_env import OvercookedEnv
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld
mdp = OvercookedGridworld.from_layout_name("cramped_room")
env = OvercookedEnv.from_mdp(mdp, horizon=400, info_level=0)
draw = random.Random(1)
actions = [tuple(draw.choice(Action.ALL_ACTIONS) for _ in range(2)) for _ in range(400)]

def episode():
    env.reset()
    for joint in actions:
        env.step(joint)

def observed():
    env.reset()
    for joint in actions:
        env.step(joint)
        env.featurize_state_mdp(env.state)

def transitions():
    state = mdp.get_standard_start_state()
    for joint in actions:
        state, _ = mdp.get_state_transition(state, joint)

def speed(play):
    begin = time.process_time()
    for _ in range({timesteps} // 400):
        play()
    return {timesteps} / (time.process_time() - begin)

timed = [episode, transitions] + [observed] * {observing}
for _ in sys.stdin:
    print("speeds", *[speed(each) for each in timed], flush=True)
"""


class Speeds(NamedTuple):
    """Joint timesteps of overcooked-ai per CPU second.

    `step` is for `env.step`, `transition` for the bare state transition, and `observed` for
    `env.step` with the observation; 0 if it is not measured.
    """

    step: float
    transition: float
    observed: float = 0.0


@contextmanager
def start_overcooked(observing: bool = False) -> Iterator[Callable[[], Speeds]]:
    """Yield a function that measures one round of overcooked-ai in its own process."""
    code = THEIRS.format(timesteps=TIMESTEPS, observing=int(observing))
    with converse(prepare_python(ENVIRONMENT, PACKAGES), code) as ask:
        yield lambda: Speeds(*map(float, ask("round", ("speeds ",)).split()[1:]))


def compare(ours: Mapping[str, Callable[[], float]], *, observing: bool = False) -> None:
    """Print the speeds of CookMAS and of overcooked-ai, which are measured in turns.

    `ours` has functions by name that return joint timesteps per CPU second. The ratios are medians
    over the rounds. With `observing`, `env.step` with the observation is measured too.
    """
    rounds: list[tuple[dict[str, float], Speeds]] = []
    with start_overcooked(observing) as theirs:
        for measure in (*ours.values(), theirs):
            measure()
        for _ in range(ROUNDS):
            rounds.append(({name: measure() for name, measure in ours.items()}, theirs()))
    peers: dict[str, Callable[[Speeds], float]] = {
        "env.step": lambda peer: peer.step,
        "bare transition": lambda peer: peer.transition,
    }
    if observing:
        peers["env.step with features"] = lambda peer: peer.observed
    print(f"| joint timesteps a second | median | range | {' | '.join(f'/ {p}' for p in peers)} |")
    print(f"|---|---:|---:|{'---:|' * len(peers)}")
    for name in ours:
        _print_row(name, [(speeds[name], peer) for speeds, peer in rounds], peers)
    for name, speed in peers.items():
        measured = [(speed(peer), peer) for _, peer in rounds]
        _print_row(f"overcooked-ai, {name}", measured, peers)


def _print_row(
    name: str,
    rounds: list[tuple[float, Speeds]],
    peers: Mapping[str, Callable[[Speeds], float]],
) -> None:
    speeds = [speed for speed, _ in rounds]
    ratios = [median(speed / of(peer) for speed, peer in rounds) for of in peers.values()]
    print(
        f"| {name} | {median(speeds):,.0f} | {min(speeds):,.0f} to {max(speeds):,.0f} "
        f"| {' | '.join(f'{ratio:.1f}' for ratio in ratios)} |"
    )


def prepare_python(environment: Path, install: Sequence[str]) -> Path:
    """Return the Python of an environment; make the environment if it is missing.

    `install` has the arguments with which pip installs its packages.
    """
    python = environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *install], check=True)
    return python


@contextmanager
def converse(python: Path, code: str) -> Iterator[Callable[[str, tuple[str, ...]], str]]:
    """Yield a function that sends a line to a program and returns its answer.

    The function takes the line and the beginnings that an answer can have; other lines of the
    program are skipped. It raises RuntimeError if the program has ended.
    """
    with subprocess.Popen(
        [str(python), "-W", "ignore", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        asking, answering = process.stdin, process.stdout

        def ask(line: str, beginnings: tuple[str, ...]) -> str:
            asking.write(line + "\n")
            asking.flush()
            for answer in answering:
                if answer.startswith(beginnings):
                    return answer
            raise RuntimeError("the program has ended")

        yield ask
        asking.close()
