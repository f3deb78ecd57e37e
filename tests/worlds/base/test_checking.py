"""What is wrong with a world is found in random episodes, and said with the place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.episodes.base import World
from cookmas.episodes.world import DONE, Commands, Ending, Json, Outcome
from cookmas.worlds.base.checking import faults_of, remarks_of
from tests.worlds.base.dice import DOMAIN, PLAYERS, DiceDomain, DiceWorld

State = dict[str, Any]


class Changing(DiceWorld):
    def tally(self, state: State) -> Any:
        state["counted"] = True
        return super().tally(state)


class Forgetful(DiceWorld):
    def load(self, data: Json) -> State:
        return {**data, "said": None}


class Unplain(DiceWorld):
    def dump(self, state: State) -> State:
        return {**state, "players": set(PLAYERS)}


class Failing(DiceWorld):
    def step(self, state: State, commands: Commands) -> Any:
        after, outcomes, happened = super().step(state, commands)
        return after, {**outcomes, commands[0].worker: Outcome("no", "It is late.")}, happened


class Silent(DiceWorld):
    def step(self, state: State, commands: Commands) -> Any:
        after, _, happened = super().step(state, commands)
        return after, {"ann": DONE}, happened


class Counting(DiceWorld):
    steps = 0

    def step(self, state: State, commands: Commands) -> Any:
        self.steps += 1
        after, outcomes, happened = super().step(state, commands)
        return {**after, "steps": self.steps}, outcomes, happened


class Refusing(DiceWorld):
    def refusal(self, commands: Commands) -> str | None:
        return "not today"


class Stuck(DiceWorld):
    def legal(self, state: State, worker: str) -> Sequence[str]:
        return []


class Strange(DiceWorld):
    def movers(self, state: State) -> Sequence[str]:
        return ["ann", "eve"]


class Leaking(DiceWorld):
    def view_for(self, state: State, worker: str | None) -> State:
        hidden = super().view_for(state, worker)
        return {**hidden, "most": max(state["dice"].values())}


class Guessing(DiceWorld):
    def simulable(self, observed: State, worker: str | None) -> State | None:
        return observed

    def legal(self, state: State, worker: str) -> Sequence[str]:
        assert all(isinstance(value, int) for value in state["dice"].values())
        return super().legal(state, worker)


class Crashing(DiceWorld):
    def progress_key(self, state: State) -> State:
        raise KeyError("dice")


class Endless(DiceWorld):
    def ending(self, state: State) -> Ending | None:
        raise KeyError("dice")


class Otherwise(DiceWorld):
    def setup(self) -> State:
        return {"sides": self.level.sides + 1}

    def opening(self) -> State:
        return {**super().opening(), "sides": self.level.sides}


class Muttering(DiceWorld):
    def narrate(self, observed: State, worker: str | None) -> str:
        return "The dice lie still."


FAULTS: Sequence[tuple[type[DiceWorld], str]] = [
    (Changing, "a method changes the state that it is given: six, timestep 0"),
    (Forgetful, "load does not restore the state that dump wrote: six, timestep 1"),
    (Unplain, "dump returns a value that is not plain data: six, timestep 0"),
    (Failing, "a legal action FAILs: six, timestep 0: ann, say(1): It is late."),
    (Silent, "step returns no outcome for a worker: six, timestep 0: ann, say(1): bob"),
    (Counting, "step returns another result the second time: six, timestep 0: ann, say(1)"),
    (Refusing, "a legal action is refused: six, timestep 0: ann, say(1): not today"),
    (Stuck, "a worker whose move it is has no legal action: six, timestep 0: ann"),
    (
        Strange,
        "movers fails: six, timestep 0: world dice failed: movers names 'eve'",
    ),
    (Leaking, "two states can be told apart: six: ann can tell two states apart by its observa"),
    (
        Guessing,
        "an observed state cannot be stepped: six, timestep 0, as a central planner sees it",
    ),
    (Crashing, "progress_key fails: six, timestep 0: KeyError"),
    (Endless, "finished fails: six, timestep 0: KeyError"),
    (Muttering, "narrate returns no list of sentences: six, timestep 0: None"),
    (Otherwise, "a world rebuilt from its setup has another first state: six"),
]


@pytest.mark.parametrize(("world", "said"), FAULTS)
def test_what_is_wrong_is_said_with_its_place(world: type[DiceWorld], said: str) -> None:
    domain = DiceDomain(world)
    found = list(map(str, faults_of(domain, domain.scenario("six", {}), range(3))))
    assert [each for each in found if each.startswith(said)], found


def test_a_sound_world_has_no_faults() -> None:
    for name in DOMAIN.names():
        assert list(faults_of(DOMAIN, DOMAIN.scenario(name, {}), range(3))) == []


class Instant(DiceWorld):
    """Says how long actions last: no longer than those of a world that does not say so."""

    def duration(self, action: str) -> int:
        return 1


class Slow(DiceWorld):
    def duration(self, action: str) -> int:
        return 2 if action.startswith("say") else 1


class Queued(DiceWorld):
    """A schedule is a queue, but everybody moves in every timestep."""

    lasting = True

    def movers(self, state: State) -> Sequence[str]:
        return PLAYERS


class Counted(Slow):
    lasting = True


@pytest.mark.parametrize(
    ("world", "said"),
    [
        (DiceWorld, ""),
        (Instant, ""),
        (Slow, "actions last (duration), but a schedule is no queue (lasting)"),
        (Queued, "a schedule is a queue (lasting), but no action lasted"),
        (Counted, ""),
    ],
)
def test_only_one_sign_of_actions_that_last_is_remarked_on(
    world: type[DiceWorld], said: str
) -> None:
    found = list(remarks_of(DiceDomain(world).scenario("six", {}), range(2)))
    assert len(found) == bool(said)
    assert all(each.startswith(said) for each in found)


def test_a_member_that_is_missing_is_named() -> None:
    class Nobody(World):
        name = "nobody"

    class Scenario:
        name = "none"

        def world(self) -> Nobody:
            return Nobody()

    (fault,) = faults_of(DOMAIN, Scenario(), [0])  # type: ignore[arg-type]
    assert str(fault) == "the world has no workers"


def check(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def test_the_command_names_each_kind_of_fault_once(tmp_path: Path) -> None:
    here = "tests.worlds.base.test_checking"
    done = check("--world", f"{here}:BROKEN")
    assert done.exit_code == 1
    first, second = done.stderr.splitlines()
    assert first.startswith(f"cookmas: {here}:BROKEN: a legal action FAILs: six, timestep 0")
    assert second.startswith(f"cookmas: {here}:BROKEN: the planner llm cannot be called")
    assert check("--world", "tests.worlds.base.dice:DOMAIN").exit_code == 0


@pytest.mark.parametrize("arguments", [(), ("--fix", "--world", "corridor")])
def test_there_is_something_to_be_checked(arguments: tuple[str, ...]) -> None:
    done = check(*arguments)
    assert done.exit_code == 2
    assert "expected files, or --world alone" in done.stderr


def test_a_part_of_the_prompt_that_is_empty_is_named() -> None:
    done = check("--world", "tests.worlds.base.test_checking:WORDLESS", "--json")
    assert '"a part of the prompt is empty: llm, The rules"' in done.stdout


class Wordless(DiceWorld):
    about = ""


class Broken(Failing):
    """Its planner is not there either."""


BROKEN = DiceDomain(Broken)
BROKEN.planners = {"llm": "tests.worlds.base.nowhere:LLMPlanner"}
WORDLESS = DiceDomain(Wordless)


class Apart(DiceWorld):
    """Nobody plans for both."""

    central = False


APART = DiceDomain(Apart)


def test_a_planner_is_asked_in_each_seat_where_none_plans_for_all() -> None:
    done = check("--world", "tests.worlds.base.test_checking:APART")
    assert done.exit_code == 0, done.stderr
