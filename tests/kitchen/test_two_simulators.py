"""`kitchen/simulator.py` against the second simulator, written from the rules alone.

Both are driven with the same random joint actions and events, and must agree on every outcome and
on everything in the kitchen, timestep by timestep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cookmas.episodes.world import Command
from cookmas.files.errors import NotationError
from cookmas.kitchen.actions import LIBRARY, Action, parse_action
from cookmas.kitchen.layout import KINDS, WORK, Kitchen
from cookmas.kitchen.simulator import Reason
from cookmas.kitchen.world import Restaurant
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from tests.kitchen.slow_kitchen import SlowKitchen, read_action
from tests.sampling import examples, seeds

if TYPE_CHECKING:
    from tests.kitchen.conftest import Chaos

RUNS = 300
"""Seeded runs in each block."""
TIMESTEPS = 40

WORKING = "done out_of_service wrong_station hands_full nothing_to_do"

REASONS = {
    "nothing": "no_action",
    "unreadable": "no_action",
    "navigate": "done out_of_service unknown_station occupied",
    "pick": "done out_of_service wrong_station hands_full not_here out_of_stock",
    "place": "done out_of_service wrong_station hands_empty unsuitable no_room",
    **dict.fromkeys((*WORK, "start"), WORKING),
    "serve": "done out_of_service wrong_station hands_empty unsuitable unknown_line closed_line",
    "discard": "done out_of_service wrong_station hands_empty",
    "wait": "done",
}
"""For every action what can come of it."""

EVENTS = ("new_order", "add_line", "remove_line", "change_line", "cancel_order", "fault")


def slow_twin(kitchen: Kitchen) -> SlowKitchen:
    return SlowKitchen(
        stations={s.name: (s.kind.name, s.slots, s.room) for s in kitchen.stations.values()},
        larder=dict(kitchen.larder),
        menu=list(kitchen.menu),
        workers=list(kitchen.workers),
        stock=dict(kitchen.stock),
    )


def as_snapshot(kitchen: Kitchen, dump: Mapping[str, Any]) -> dict[str, Any]:
    """What `World.dump` says, in the form of `SlowKitchen.snapshot`.

    The dump keeps the timestep at which a clock was started; the snapshot the minutes on it.
    """

    def back_at(name: str) -> Any:
        return dump["out"][name][1] if name in dump["out"] else None

    def slots(name: str) -> list[Any]:
        filled: list[Any] = [None] * kitchen.stations[name].slots
        now = dump["out"][name][0] if name in dump["out"] else dump["timestep"]
        for slot, thing, since in dump["contents"].get(name, []):
            assert filled[slot - 1] is None
            filled[slot - 1] = [thing, None if since is None else now - since]
        return filled

    return {
        "timestep": dump["timestep"],
        "workers": {
            name: {"at": station, "hand": thing, "back_at": back_at(name)}
            for name, (station, thing) in dump["workers"].items()
        },
        "stations": {
            name: {"slots": slots(name), "back_at": back_at(name)} for name in kitchen.stations
        },
        "lines": {
            name: {
                "item": item,
                "note": note,
                "due": due,
                "status": status,
                "served_at": closed_at if status == "served" else None,
                "closed_at": closed_at,
            }
            for name, (item, note, due, status, closed_at) in dump["lines"].items()
        },
        "stock": dump["stock"],
    }


def play(
    rng: Random,
    chaos: Chaos,
    kitchen: Kitchen,
    timesteps: int = TIMESTEPS,
) -> Counter[str]:
    """A run of both simulators; what happened in it, as `event kind` and `verb: reason` counts."""
    happened: Counter[str] = Counter()
    restaurant, slow = Restaurant(kitchen), slow_twin(kitchen)
    state = restaurant.start()
    assert as_snapshot(kitchen, restaurant.dump(state)) == slow.snapshot()
    for _ in range(timesteps):
        events = chaos.events(rng, kitchen, state)
        for event in events:
            state, ruling = restaurant.apply(state, event)
            refused = slow.event(event) is not None
            assert (ruling.refused is not None) == refused, event
            assert (ruling.trigger is None) == refused, event
            happened[f"{event['kind']}: {'refused' if refused else 'accepted'}"] += 1
        if events:
            assert as_snapshot(kitchen, restaurant.dump(state)) == slow.snapshot()
        actions = chaos.joint(rng, kitchen, state)
        state, outcomes, _ = restaurant.step(state, [Command(*act) for act in actions.items()])
        reasons = {worker: outcome.fail for worker, outcome in outcomes.items()}
        assert reasons == slow.step(actions), actions
        assert as_snapshot(kitchen, restaurant.dump(state)) == slow.snapshot(), actions
        for worker, reason in reasons.items():
            verb = actions.get(worker, "nothing").partition("(")[0]
            if worker in actions and reason == Reason.NO_ACTION:
                verb = "unreadable"
            happened[f"{verb}: {reason or 'done'}"] += 1
    return happened


@pytest.mark.parametrize("block", seeds(0, 1, 12))
def test_agree_on_seeded_runs(block: int, chaos: Chaos) -> None:
    happened: Counter[str] = Counter()
    for seed in range(block * RUNS, (block + 1) * RUNS):
        rng = Random(seed)
        happened += play(rng, chaos, chaos.kitchen(rng))

    # The runs are worth something: everything that can happen happened in each block of them,
    # every action done and with every reason that the page gives for it, and nothing else.
    assert set(happened) == {
        *(f"{verb}: {reason}" for verb, reasons in REASONS.items() for reason in reasons.split()),
        *(f"{event}: {ruling}" for event in EVENTS for ruling in ("accepted", "refused")),
    }


@pytest.mark.parametrize("name", ["small", "standard", "large"])
def test_agree_in_the_shipped_kitchens(name: str, chaos: Chaos) -> None:
    kitchen = build_kitchen(kitchen_path(name), load_menu(), workers=4, stock={"plate": 3})
    assert {station.kind.name for station in kitchen.stations.values()} == set(KINDS)
    for seed in range(10):
        happened = play(Random(seed), chaos, kitchen, timesteps=60)
        assert happened["navigate: done"] > 0


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(rng=st.randoms(use_true_random=False))
def test_agree_on_what_hypothesis_makes_up(rng: Random, chaos: Chaos) -> None:
    play(rng, chaos, chaos.kitchen(rng), timesteps=10)


WORDS = ("slot", "slot 1", "slot 12", "slot 0", "slot 1000", "onion", "beef patty", "o1.2")
MARKS = ("(slot 1)", "(onion, slot 2)", "(o1.1)", "  ", *"(), =\n\t\u0661\u00a01aA_+")
PIECES = st.sampled_from((*LIBRARY, *WORDS, *MARKS))


@settings(max_examples=examples(500, tests=100))
@given(text=st.lists(PIECES, max_size=5).map("".join) | st.text(max_size=12))
def test_both_read_the_same_actions(text: str) -> None:
    try:
        read: Action | None = parse_action(text)
    except NotationError:
        read = None
    slow = read_action(text)
    assert (read is None) == (slow is None), text
    if read is not None and slow is not None:
        verb, given = slow
        values = [getattr(read, name) for name in given]
        assert values == list(given.values())
        assert str(read).partition("(")[0] == verb
        assert str(read) == text
