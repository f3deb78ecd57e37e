"""The rule of a timestep: the ladder row by row, whose move it is, endings, who is blamed."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.episodes.engine import (
    LADDER,
    Facts,
    Next,
    carry_out,
    commands_for,
    conclusion,
    failures,
    how_it_goes_on,
)
from cookmas.episodes.failure import FailedError, WorldFailedError, boundary
from cookmas.episodes.parts import OutcomeRecord
from cookmas.episodes.play import Play
from cookmas.episodes.trace import AnyRecord, End, EventRecord, StepRecord
from cookmas.episodes.world import Command, Ending, Outcome
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld
from tests.episodes.dice import DiceWorld, Table

LOST = Ending("lost", "caught")


@pytest.mark.parametrize(
    ("facts", "row", "follows"),
    [
        ({}, "act", Next.ACT),
        ({"triggered": True}, "ask", Next.ASK),
        ({"triggered": True, "stalled": 3, "most_stalled": 3}, "ask", Next.ASK),
        ({"triggered": True, "stalled": 4, "most_stalled": 3}, "stuck", Next.END),
        ({"stalled": 4, "most_stalled": 3}, "act", Next.ACT),
        ({"ahead": True}, "ahead", Next.REST),
        ({"ahead": True, "over": True}, "horizon", Next.END),
        ({"alone": True}, "alone", Next.MOVE_ALONE),
        ({"alone": True, "triggered": True}, "alone", Next.MOVE_ALONE),
        ({"alone": True, "triggered": True, "stalled": 1}, "alone", Next.MOVE_ALONE),
        ({"alone": True, "over": True}, "horizon", Next.END),
        ({"alone": True, "passed": 4, "most_stalled": 3}, "alone", Next.MOVE_ALONE),
        (
            {"alone": True, "is_open": True, "passed": 3, "most_stalled": 3},
            "alone",
            Next.MOVE_ALONE,
        ),
        ({"alone": True, "is_open": True, "passed": 4, "most_stalled": 3}, "becalmed", Next.END),
        ({"alone": True, "is_open": True, "passed": 1, "quiet": True}, "asleep", Next.SLEEP),
        ({"is_open": True, "passed": 1, "quiet": True}, "act", Next.ACT),
        ({"quiet": True}, "act", Next.ACT),
        ({"quiet": True, "finished": True}, "act", Next.ACT),
        ({"quiet": True, "finished": True, "ran_out": True}, "asleep", Next.SLEEP),
        ({"finished": True, "ran_out": True}, "act", Next.ACT),
        (
            {"quiet": True, "finished": True, "ran_out": True, "triggered": True},
            "ask",
            Next.ASK,
        ),
        ({"quiet": True, "triggered": True, "stalled": 1}, "asleep", Next.SLEEP),
        ({"deserted": True}, "act", Next.ACT),
        ({"deserted": True, "is_open": True}, "deserted", Next.SLEEP),
        ({"deserted": True, "is_open": True, "triggered": True}, "deserted", Next.SLEEP),
        ({"deserted": True, "is_open": True, "over": True}, "horizon", Next.END),
        ({"over": True}, "horizon", Next.END),
        ({"finished": True}, "act", Next.ACT),
        ({"empty": True}, "act", Next.ACT),
        ({"finished": True, "empty": True}, "finished", Next.END),
        ({"finished": True, "empty": True, "over": True}, "finished", Next.END),
        ({"finished": True, "empty": True, "triggered": True}, "finished", Next.END),
        ({"finished": True, "empty": True, "is_open": True}, "closed", Next.END),
        ({"ending": LOST}, "ending", Next.END),
        ({"ending": LOST, "finished": True, "empty": True, "over": True}, "ending", Next.END),
    ],
)
def test_how_a_timestep_goes_on(facts: dict[str, Any], row: str, follows: Next) -> None:
    rung = how_it_goes_on(Facts(**facts))
    assert (rung.name, rung.follows) == (row, follows)


def test_no_row_of_the_ladder_is_without_a_test() -> None:
    (mark,) = [m for m in test_how_a_timestep_goes_on.pytestmark if m.name == "parametrize"]
    assert {rung.name for rung in LADDER} == {row for _, row, _ in mark.args[1]}


@pytest.mark.parametrize(
    ("facts", "how", "why"),
    [
        ({"ending": LOST}, "lost", "caught"),
        ({"finished": True, "empty": True}, "finished", "Nothing is left to be done."),
        (
            {"finished": True, "empty": True, "is_open": True},
            "closed",
            "Nothing is left to be done.",
        ),
        ({"over": True}, "horizon", "The last timestep is over."),
        (
            {"triggered": True, "stalled": 4, "most_stalled": 3},
            "no_progress",
            "The planner was called 4 times in a row without progress; 3 are allowed "
            "(--max-stalled).",
        ),
        (
            {"alone": True, "is_open": True, "passed": 4, "most_stalled": 3},
            "no_progress",
            "It was nobody's move for 4 timesteps in a row, and nothing has come of them; 3 are "
            "allowed (--max-stalled).",
        ),
    ],
)
def test_how_an_episode_has_ended(facts: dict[str, Any], how: str, why: str) -> None:
    assert conclusion(how_it_goes_on(Facts(**facts)), Facts(**facts)) == (how, why)


def test_only_whose_move_it_is_is_given_a_command() -> None:
    world = DiceWorld()
    wanted = [Command("ben", "add"), Command("nobody", "add")]
    assert commands_for(world, {"timestep": 0, "points": 0}, wanted) == [("ann", "pass")]
    assert commands_for(world, {"timestep": 1, "points": 0}, wanted) == [("ben", "add")]
    assert commands_for(world, {"timestep": 2, "points": 0}, wanted) == []


def test_a_world_without_turns_is_given_whatever_is_wanted() -> None:
    world = CorridorWorld(CorridorLevel())
    wanted = [Command("walker_2", "left"), Command("nobody", "left")]
    assert commands_for(world, world.start(), wanted) == [("walker_1", "stay"), *wanted]


@pytest.mark.parametrize(("player", "told"), [("ann", ("ann",)), ("ben", ("ben", "ann"))])
def test_a_fail_is_told_to_whom_it_concerns(player: str, told: tuple[str, ...]) -> None:
    state: Table = {"timestep": 0 if player == "ann" else 1, "points": 0, "dice": []}
    done = carry_out(DiceWorld(), state, [Command(player, "hop")], 0)
    (trigger,) = failures({player: ("hop", done.outcomes[player])})
    assert (trigger.cause, trigger.to) == (f"{player}, hop: hop is none", told)
    assert done.record.fails[player].witnesses == (list(told[1:]) or None)
    assert dict(done.outcomes)[told[-1] if player == "ann" else "ann"].done == (player == "ben")


def test_whoever_is_away_fails_for_that_reason() -> None:
    world = CorridorWorld(CorridorLevel(walkers=1))
    done = carry_out(world, world.start(), [], 0, {"walker_1": "asleep"})
    assert done.outcomes == {"walker_1": Outcome("no_action", "asleep")}
    assert done.record.fails == {"walker_1": OutcomeRecord(fail="no_action", why="asleep")}


def played(
    dice: list[int], *actions: str, horizon: int | None = 30
) -> tuple[Play, list[AnyRecord]]:
    records: list[AnyRecord] = []
    play = Play(DiceWorld(), [(0, {"kind": "dice", "dice": dice})], horizon, records.append)
    for action in actions:
        (mover,) = play.movers
        play.step([Command(mover, action)])
    return play, records


def test_timesteps_in_which_nobody_moves_pass_by_themselves() -> None:
    play, records = played([4, 0], "add", "add")
    assert (play.timestep, play.state["points"], list(play.movers)) == (3, 6, ["ann"])
    assert [list(r.commands) for r in records if isinstance(r, StepRecord)] == [
        [("ann", "add")],
        [("ben", "add")],
        [],
    ]


@pytest.mark.parametrize(
    ("dice", "actions", "how", "why"),
    [
        ([8], ["add", "add"], "won", "ten points"),
        ([5], ["add", "add"], "lost", "seven points"),
        ([1], ["pass", "pass", "pass", "pass"], "horizon", "The last timestep is over."),
    ],
)
def test_an_episode_ends_as_its_world_says(
    dice: list[int], actions: list[str], how: str, why: str
) -> None:
    play, records = played(dice, *actions, horizon=6)
    assert (play.ended, list(play.movers)) == (how, [])
    assert isinstance(records[-1], End)
    assert (records[-1].termination, records[-1].why) == (how, why)


def test_no_event_reaches_a_world_that_has_ended() -> None:
    dice: Table = {"kind": "dice", "dice": [5]}
    records: list[AnyRecord] = []
    play = Play(DiceWorld(), [(0, dice), (3, dice)], None, records.append)
    for player in ("ann", "ben"):
        play.step([Command(player, "add")])
    assert play.ended == "lost"
    assert sum(isinstance(record, EventRecord) for record in records) == 1


def test_an_exception_of_a_world_names_the_world() -> None:
    with pytest.raises(WorldFailedError, match=r"^world dice failed: KeyError: 'no dice' at dice"):
        Play(DiceWorld("step"), [], 9).step([])


def test_what_a_world_refuses_in_one_line_is_told_as_it_is() -> None:
    with pytest.raises(InputError, match="expected dice"):
        Play(DiceWorld(), [(0, {"kind": "bell"})], 9)


def test_an_exception_of_others_is_not_the_worlds() -> None:
    with pytest.raises(KeyError), boundary(world=DiceWorld()):
        raise KeyError


def test_a_world_that_failed_is_both_a_failure_and_no_result() -> None:
    assert issubclass(WorldFailedError, FailedError)
    assert issubclass(WorldFailedError, InfrastructureError)
