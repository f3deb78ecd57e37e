"""What user-supplied code raises, as it crosses into CookMAS."""

from __future__ import annotations

import pytest

from cookmas.episodes.failure import FailedError, WorldFailedError, boundary
from cookmas.files.errors import InputError, TraceError
from tests.episodes.dice import DiceWorld


def fail(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize("error", [KeyError("x"), SystemExit(3), TraceError("odd")])
def test_what_code_raises_becomes_one_line_with_its_place(error: BaseException) -> None:
    crossing = boundary(fail, allowed=(InputError,))
    with pytest.raises(FailedError, match=r"at test_boundary\.py:\d+") as caught, crossing:
        fail(error)
    assert caught.value.__cause__ is error
    assert type(error).__name__ in caught.value.traceback


@pytest.mark.parametrize(
    "error", [InputError("here", "odd"), FailedError("told"), KeyboardInterrupt()]
)
def test_allowed_errors_failures_and_interrupts_pass(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, boundary(fail):
        fail(error)
    assert caught.value is error


def test_an_error_of_the_world_is_the_worlds_although_a_planner_met_it() -> None:
    world = DiceWorld("step")
    crossing = boundary(fail, world=world)
    with pytest.raises(WorldFailedError, match=r"^world dice failed: KeyError"), crossing:
        world.step(world.start(), [])


def test_an_error_of_cookmas_itself_keeps_its_type() -> None:
    with pytest.raises(ZeroDivisionError), boundary(world=DiceWorld()):
        fail(ZeroDivisionError())
