"""Optimal play: its known values, its equal in exhaustive search, and the regret of other moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.solving.rooms.search import OptimalPlay, solve
from cookmas.worlds.collab_escape.rules import EscapeEngine, Flight
from cookmas.worlds.rooms.judging import RoomEvidence, find_kept, find_optimum
from cookmas.worlds.rooms.rules import Prospect
from tests.worlds.rooms.opened import CAPTURE, ESCAPE, judge, opened, value


def chances(name: str, turns: tuple[int, ...]) -> list[float]:
    world = opened(name)
    first = world.position(world.start())
    return [solve(world, world.start()).value(first, left).chance for left in turns]


def test_the_thief_is_caught_in_three_turns_at_best() -> None:
    assert chances(CAPTURE, (1, 2, 3, 30)) == [0, 0, 1, 1]


def test_an_escape_succeeds_within_six_to_eight_turns_with_the_known_probabilities() -> None:
    assert chances(ESCAPE, (5, 6, 7, 8, 40)) == [0, 0.75, 0.9375, 1, 1]


SMALL = EscapeEngine({1: (2, 3), 2: (1, 3), 3: (1, 2, 4), 4: (3,)}, [2], 4)


def search(position: Flight, left: int) -> Prospect:
    """Return the prospect of optimal play by trying everything."""
    won = SMALL.is_won(position)
    if won is not None or not left:
        return Prospect(float(won is True), left * float(won is True))
    found = []
    for joint in product(SMALL.moves(position, 0), SMALL.moves(position, 1)):
        after = [(p, search(each, left - 1)) for p, each in SMALL.results(position, joint)]
        found.append(
            Prospect(
                round(sum(p * each.chance for p, each in after), 9),
                round(sum(p * each.spare for p, each in after), 9),
            )
        )
    return max(found)


@pytest.mark.parametrize("left", [1, 2, 3, 4])
def test_dynamic_programming_finds_what_an_exhaustive_search_finds(left: int) -> None:
    first = SMALL.begin((1, 1), 4)
    assert OptimalPlay(SMALL, first).value(first, left) == pytest.approx(search(first, left))


def test_the_optimal_planner_has_no_regret() -> None:
    verdict = judge(CAPTURE, "embedded")
    assert verdict.success
    assert value(verdict, "turns_to_win") == 3
    assert value(verdict, "optimal_moves") == 1
    for name in ("regret", "turns_lost"):
        assert value(verdict, name) == 0
        assert [value(verdict, f"own_{name}", who) for who in ("alice", "bob")] == [0, 0]


@pytest.mark.parametrize("seed", range(6))
def test_the_optimal_planner_escapes_from_every_killer(seed: int) -> None:
    verdict = judge(ESCAPE, "optimal", seed=seed)
    assert verdict.success
    assert value(verdict, "turns_to_win") <= 8
    assert value(verdict, "regret") == 0
    assert value(verdict, "turns_lost") == 0


class Scripted:
    """A player of fixed actions, then of none."""

    name = "scripted"
    planner_class = "embedded"

    def __init__(self, idle: str, *actions: str) -> None:
        self._idle = idle
        self._actions = dict(enumerate(actions))

    def act(self, observation: Any) -> str:
        return self._actions.get(observation.timestep, self._idle)


def test_a_wasted_turn_is_lost_by_the_player_that_wastes_it() -> None:
    verdict = judge(CAPTURE, {"alice": "optimal", "bob": Scripted("stay", "move(9)")}, horizon=30)
    lost = value(verdict, "turns_lost")
    assert lost > 0
    assert value(verdict, "own_turns_lost", "bob") == lost
    assert value(verdict, "own_turns_lost", "alice") == 0
    assert value(verdict, "regret") == 1, "at the end the win is given up"
    assert [value(verdict, "own_regret", name) for name in ("alice", "bob")] == [0, 1]


def test_a_step_to_the_killer_gives_up_the_win() -> None:
    steps = [f"move({room})" for room in (10, 9, 8, 7, 6, 5)]
    verdict = judge(ESCAPE, {"alice": Scripted("wait", *steps), "bob": Scripted("wait")}, horizon=6)
    assert not verdict.success
    assert value(verdict, "regret") > 0
    assert value(verdict, "own_regret", "alice") > 0
    assert value(verdict, "optimal_moves") < 1


def test_a_move_that_gives_up_probability_loses_no_turns_beside() -> None:
    world = opened(ESCAPE)
    first = world.position(world.start())
    moves = solve(world, world.start()).moves(first, 6)
    assert max(moves.values()).chance == 0.75
    verdict = judge(ESCAPE, {"alice": Scripted("wait"), "bob": Scripted("wait")}, horizon=6)
    assert value(verdict, "regret") >= round(0.75 - moves[0, 0].chance, 4)


def test_a_state_that_no_play_leads_to_has_optimal_play_too() -> None:
    world = opened(CAPTURE)
    closed = {**world.start(), "players": {"alice": 7, "bob": 7}, "timestep": 0}
    position = world.position(closed)
    assert position not in solve(world, world.start())
    assert solve(world, closed).value(position, 30).chance == 1


def all_plays(turns: int) -> Iterator[tuple[float, RoomEvidence]]:
    """Yield all plays of two players who err in some positions, each with its probability."""
    world: Any = opened(ESCAPE)
    header = SimpleNamespace(horizon=turns)
    trace: Any = SimpleNamespace(header=header, of=lambda kind: iter(()))

    def play(frames: tuple[Any, ...], state: Any, chance: float) -> Iterator[Any]:
        if world.ending(state) is not None or len(frames) == turns:
            told = {"trace": trace, "truth": {}, "world": world, "frames": frames, "final": state}
            yield chance, RoomEvidence(**told)
            return
        position = world.position(state)
        draw = Random(f"{len(frames)}/{position}")
        moves = solve(world, world.start()).moves(position, turns - len(frames))
        joint = draw.choice([*moves])
        if draw.random() < 0.8:
            joint = max(moves, key=lambda each: moves[each])
        frame = SimpleNamespace(
            timestep=len(frames), before=state, commands=world.texts_of(joint).items(),
            outcomes=dict.fromkeys(world.workers, SimpleNamespace(done=True)),
        )  # fmt: skip
        for probability, after in world.engine.results(position, joint):
            later = {**state, **world.entries(after), "timestep": len(frames) + 1}
            yield from play((*frames, frame), later, chance * probability)

    yield from play((), world.start(), 1.0)


def is_won(evidence: RoomEvidence) -> bool:
    """Return whether the players have escaped."""
    return evidence.world.engine.is_won(evidence.world.position(evidence.final)) is True


@pytest.mark.parametrize("turns", [6, 9])
def test_what_moves_keep_is_on_average_the_probability_of_a_win(turns: int) -> None:
    plays = [
        (chance, is_won(evidence), find_kept(evidence).value)
        for chance, evidence in all_plays(turns)
    ]
    assert sum(chance for chance, _, _ in plays) == pytest.approx(1)
    won = sum(chance for chance, wins, _ in plays if wins)
    assert sum(chance * kept for chance, _, kept in plays) == pytest.approx(won, abs=1e-4)
    assert 0 < won < 1
    assert {kept for _, _, kept in plays} != {0, 1}


def test_the_optimality_is_the_probability_that_was_kept() -> None:
    assert value(judge(CAPTURE, "greedy"), "optimality_rate") == 1
    assert value(judge(CAPTURE, "greedy", horizon=2), "optimality_rate") is None
    verdict = judge(ESCAPE, "optimal", seed=1, horizon=6)
    assert value(verdict, "optimality_rate") == 1
    waiting = {"alice": Scripted("wait"), "bob": Scripted("wait")}
    verdict = judge(ESCAPE, waiting, horizon=6)
    kept = 0.75 - value(verdict, "regret")
    assert value(verdict, "optimality_rate") == pytest.approx(kept / 0.75, abs=1e-3)
    (check,) = verdict.of("optimality_rate")
    assert check.reason == f"probability of a win {kept:g} against an optimum of 0.75"


def test_who_gives_up_keeps_nothing_of_what_is_left() -> None:
    _, evidence = next(all_plays(7))
    stopped = RoomEvidence(**{**vars(evidence), "frames": (), "final": evidence.frames[0].before})
    optimum = find_optimum(stopped)
    assert optimum
    assert optimum.value > 0
    assert find_kept(stopped).value == 0
