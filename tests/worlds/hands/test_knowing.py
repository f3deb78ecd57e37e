"""What a seat is told in whole episodes: the same of whatever it cannot tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

import cookmas
from cookmas.display.page.document import line_of
from cookmas.display.page.feed import Feed
from cookmas.display.watch.story import Story
from cookmas.episodes.trace import PlannerClass, PlanRecord, StepRecord, Trace
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from tests.worlds.hands import cards, chase
from tests.worlds.hands.table import Game
from tests.worlds.hands.talking import LLMPlanner, Recording

CARDS, CHASE = "tests.worlds.hands.cards:DOMAIN", "tests.worlds.hands.chase:DOMAIN"
FULL = Prompting(memory=3, lessons=True, last_step=True, per_step=True, chain_of_thought=True)

LISTED = "### LEGAL"
"""A block of legal actions begins with it."""


@dataclass
class Following:
    """Does what is written for each timestep, whatever it sees; keeps what it sees."""

    actions: Mapping[int, str]
    seen: list[Observation[Any]]
    name: str = "following"
    planner_class: PlannerClass = "fixed"

    def act(self, observation: Observation[Any]) -> str:
        self.seen.append(observation)
        return self.actions.get(observation.timestep, observation.world.idle)


def with_event(game: Game, event: dict[str, Any]) -> Game:
    """Return the game in which chance decides this."""
    return replace(game, draw=lambda seed: event)


def dealt(*deck: int) -> Game:
    return with_event(cards.GAME, {"kind": "deal", "cards": list(deck)})


def told(observation: Observation[Any]) -> list[Any]:
    """Return what a seat is told, in plain data."""
    world = observation.world
    return [
        observation.timestep,
        world.dump(observation.state),
        [[trigger.kind, trigger.cause] for trigger in observation.triggers],
        {name: [action, *outcome] for name, (action, outcome) in observation.fails.items()},
        list(observation.did),
        list(observation.movers),
        dict(observation.decided),
        dict(observation.texts),
    ]


def seated(game: Game, **by: Any) -> Team:
    workers = game.world().workers
    return team_of_seats({name: seat_of(each, name, workers) for name, each in by.items()})


def page_of(trace: Trace, world: str, seat: str | None, until: int) -> list[str]:
    """Return what the page of a seat is fed before a timestep; None: that of a spectator."""
    feed = Feed(trace.header, world, seat)
    entries = [feed.opening()]
    for record in trace.records[1:]:
        if getattr(record, "timestep", 0) < until:
            entries += feed.take(record)
    return [line_of(entry) for entry in entries]


def story_of(trace: Trace, world: str, seat: str | None) -> str:
    """Return what a terminal says."""
    story = Story(trace.header, world, seat)
    return "\n".join(str(note) for record in trace.records for note in story.take(record))


ALICE = {0: "play(1)", 3: "play(9)", 4: "pass"}
BOB = {1: "play(9)", 2: "pass"}
ONE, OTHER = dealt(1, 2, 4, 5, 3, 6), dealt(1, 2, 6, 5, 3, 4)
"""Alice holds 1 and 2 in both, and is dealt 3 first; bob holds 4 or 6."""


def test_a_seat_is_told_the_same_of_deals_that_it_cannot_tell_apart() -> None:
    """Also when the other one FAILs, whose reason says what it holds."""
    seen: list[list[Observation[Any]]] = []
    runs = []
    for game in (ONE, OTHER):
        alice, bob = Following(ALICE, []), Following(BOB, [])
        runs.append(cookmas.play(game, seated(game, alice=alice, bob=bob), world=CARDS))
        seen.append(alice.seen)
    one, other = ([told(each) for each in observations] for observations in seen)
    assert one == other
    assert len(one) >= 3
    fails = [record.fails for run in runs for record in run.trace.of(StepRecord) if record.fails]
    assert any("4" in fail["bob"].why for fail in fails), "bob's hand is in his reasons"
    assert all(each.fails.keys() <= {"alice"} for each in seen[0])


@pytest.mark.parametrize("seat", ["alice", "bob"])
def test_the_page_and_the_words_of_a_seat_are_the_same(seat: str) -> None:
    traces = []
    for game in (ONE, OTHER):
        team = seated(game, alice=Following(ALICE, []), bob=Following(BOB, []))
        traces.append(cookmas.play(game, team, world=CARDS).trace)
    pages = [page_of(trace, CARDS, seat, 6) for trace in traces]
    stories = [story_of(trace, CARDS, seat) for trace in traces]
    if seat == "alice":
        assert pages[0] == pages[1]
        assert stories[0] == stories[1]
        assert "You hold [2, 3], not that." in stories[0]
        assert "You hold [4, 5]" not in stories[0]
    else:
        assert pages[0] != pages[1]
        assert "You hold [4, 5], not that." in stories[0]
    assert page_of(traces[0], CARDS, None, 1) != page_of(traces[1], CARDS, None, 1)


def test_a_spectator_sees_what_neither_a_seat_nor_a_planner_does() -> None:
    team = seated(ONE, alice=cards.careful(), bob=cards.careful())
    trace = cookmas.play(ONE, team, world=CARDS).trace
    spectator, alice, planner = (
        "\n".join(page_of(trace, CARDS, seat, 1)) for seat in (None, "alice", "orchestrator")
    )
    hands = ("[1,2]", "[4,5]")
    assert [hand in spectator for hand in hands] == [True, True]
    assert [hand in alice for hand in hands] == [True, False]
    assert [hand in planner for hand in hands] == [False, False]


@pytest.mark.parametrize("ways", [*PRESETS.values(), FULL], ids=[*PRESETS, "full"])
def test_the_prompts_of_a_seat_are_the_same(ways: Prompting) -> None:
    """By the bytes of all that is sent, in every way of asking."""
    ways = replace(ways, demonstration="none")
    asked, games = [], []
    for game in (ONE, OTHER):
        model = Recording("alice", ALICE, "pass", ways)
        alice, bob = LLMPlanner(model, ways), Following(BOB, [])
        run = cookmas.play(game, seated(game, alice=alice, bob=bob), world=CARDS)
        asked.append([request.digest() for request in model.asked])
        games.append([tuple(step.commands) for step in run.trace.of(StepRecord)])
        assert '"alice": [1, 2]' in model.prompts[0]
        assert '"alice": [2, 3]' in model.prompts[-1]
        assert not any("You hold [4, 5]" in prompt for prompt in model.prompts)
        assert not any(LISTED in prompt for prompt in model.prompts), "nothing is simulated"
    assert asked[0] == asked[1]
    assert len(asked[0]) >= 3
    assert games[0] == games[1]


def test_a_central_planner_is_told_no_dice_and_may_try_out_what_it_knows() -> None:
    prompts = []
    ways = Prompting(look_ahead=2, legal_actions=True)
    for seed in range(2):
        model = Recording("ann", {0: "right"}, "stay", ways)
        game = chase.GAME.redraw(seed)
        cookmas.play(game, LLMPlanner(model, ways), world=CHASE)
        prompts.append(model.prompts[0])
    assert chase.thrown(0) != chase.thrown(1)
    assert prompts[0] == prompts[1]
    assert LISTED in prompts[0]


def test_a_seat_is_told_of_its_own_plans_alone() -> None:
    team = seated(ONE, alice=Following(ALICE, []), bob=Following(BOB, []))
    trace = cookmas.play(ONE, team, world=CARDS).trace
    plans = [plan.agent for plan in trace.of(PlanRecord)]
    assert set(plans) == {"alice", "bob"}
    fed = [line for line in page_of(trace, CARDS, "alice", 9) if '"kind":"plan"' in line]
    assert len(fed) == plans.count("alice")


def test_the_orchestrator_is_told_all_that_a_central_planner_is() -> None:
    trace = cookmas.play("corridor/halves", "embedded").trace
    page = "\n".join(page_of(trace, "corridor", "orchestrator", 99))
    assert "The red bell hangs" in page
    assert '"kind":"trigger"' in page
    assert '"hidden"' not in page
    assert '"hidden"' in "\n".join(page_of(trace, "corridor", "walker_1", 99))
