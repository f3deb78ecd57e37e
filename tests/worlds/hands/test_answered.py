"""What a world may not answer is refused in one line that names it, whoever asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import cookmas
from cookmas.bridges.pettingzoo import aec_env, parallel_env
from cookmas.episodes.answered import rewards_of
from cookmas.episodes.base import movers
from cookmas.episodes.failure import WorldFailedError
from cookmas.episodes.trace import End, StepRecord
from cookmas.episodes.world import Ending, Tally
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.messages import status
from cookmas.orchestrator.graph.recorder import Recorder
from tests.worlds.hands import cards
from tests.worlds.hands.test_knowing import CARDS, ONE, seated
from tests.worlds.rolls import SPEC, RollsWorld


class Broken(cards.CardsWorld):
    """A world of which any method may be the one that raises."""

    def raises(self, *_: Any) -> Any:
        raise KeyError("boom")


def played(monkeypatch: pytest.MonkeyPatch, **answers: Any) -> cookmas.Run:
    """Play cards in which the world answers otherwise."""
    make = type("Otherwise", (Broken,), answers)
    game = replace(ONE, make=make)
    monkeypatch.setattr(cards.DOMAIN, "game", game)
    team = seated(game, alice=cards.careful(), bob=cards.bold())
    return cookmas.play(game, team, world=CARDS)


def answering(answer: Any) -> Callable[..., Any]:
    return lambda self, *_: answer


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"movers": answering(["zoe"])}, "movers names 'zoe', who is no worker"),
        ({"movers": answering("alice")}, "movers answers str; expected a list of workers"),
        ({"movers": answering(None)}, "movers answers NoneType; expected a list"),
        ({"movers": answering({"alice"})}, "movers answers set; expected a list"),
        ({"ending": answering(("won", "x"))}, "ending answers ('won', 'x'); expected won, lost"),
        ({"ending": answering(Ending("drawn", "x"))}, "ending answers Ending(how='drawn'"),  # type: ignore[arg-type]
        ({"tally": answering(Tally(0, 0, math.nan))}, "the score of tally is nan; expected a"),
        ({"tally": answering(Tally(0, 0, -math.inf))}, "the score of tally is -inf; expected a"),
        ({"best_score": math.inf}, "best_score is inf; expected a finite number"),
    ],
)
def test_an_answer_that_no_world_may_give_is_its_failure(
    monkeypatch: pytest.MonkeyPatch, answers: Any, why: str
) -> None:
    with pytest.raises(WorldFailedError) as failed:
        played(monkeypatch, **answers)
    assert str(failed.value).startswith(f"world cards failed: {why}")
    assert "\n" not in str(failed.value)


def test_movers_are_in_the_order_of_the_workers() -> None:
    class Backwards(cards.CardsWorld):
        def movers(self, state: cards.Table) -> Any:
            return ("bob", "alice", "bob")

    assert list(movers(Backwards(), Backwards().start())) == ["alice", "bob"]


@pytest.mark.parametrize(
    "name", ["setup", "start", "apply", "step", "progress_key", "observe", "movers"]
)
def test_a_method_that_raises_names_the_world(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(WorldFailedError, match=r"^world cards failed: KeyError: 'boom'"):
        played(monkeypatch, **{name: Broken.raises})


def test_a_best_score_that_raises_names_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WorldFailedError, match=r"^world cards failed: KeyError: 'boom'"):
        played(monkeypatch, best_score=property(Broken.raises))


@pytest.mark.parametrize("reward", [math.nan, math.inf, "much"])
def test_a_reward_that_is_no_number_is_refused(reward: Any) -> None:
    class Generous(RollsWorld):
        def rewards(self, *_: Any) -> Any:
            return {"ann": reward}

    with pytest.raises(WorldFailedError, match="rolls failed: the reward of ann is "):
        rewards_of(Generous(), {}, {}, {})


def test_a_game_that_an_event_ends_asks_nobody_whose_move_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def over(self: Any, state: cards.Table) -> Ending | None:
        return Ending("won", "dealt") if any(state["hands"].values()) else None

    run = played(monkeypatch, ending=over, movers=Broken.raises)
    assert isinstance(run.trace.end, End)
    assert (run.trace.end.termination, run.trace.end.timestep) == ("won", 0)


@pytest.mark.parametrize("make", [parallel_env, aec_env])
def test_an_environment_that_is_over_at_once_does_nothing(
    monkeypatch: pytest.MonkeyPatch, make: Any
) -> None:
    monkeypatch.setattr(RollsWorld, "ending", answering(Ending("lost", "at once")))
    env = make("fixed", world=SPEC)
    env.reset()
    if make is parallel_env:
        assert env.agents == []
        assert env.step({"ann": 1}) == ({}, {}, {}, {}, {})
    assert not list(env.trace().of(StepRecord))
    assert len(list(env.trace().of(End))) == 1


def test_the_status_of_an_open_game_hides_what_a_spectator_may_not_see() -> None:
    world = cards.CardsWorld()
    state, _ = world.apply(world.start(), ONE.events()[0][1])
    values = {"timestep": 0, "world": state, "cursor": 1, "asleep": False, "ended": None}
    context = _context(world)
    told = status(context, {**values, "triggers": []})["world"]
    assert told["deck"] == [None, None]
    assert told["hands"] == state["hands"]


def _context(world: Any) -> Context:
    return Context(
        world=world,
        planner=seated(ONE, alice=cards.careful(), bob=cards.bold()),
        workers={},
        fetch=_nothing,
        mailbox=MemoryMailbox(),
        recorder=Recorder(),
        horizon=None,
    )


async def _nothing(key: str) -> str:
    raise KeyError(key)
