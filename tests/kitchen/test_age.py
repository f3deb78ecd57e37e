"""A kitchen's state does not grow with its age: what is closed leaves it, and is counted."""

from __future__ import annotations

from cookmas.episodes.world import Command
from cookmas.kitchen.foods import Dish, Food
from cookmas.kitchen.state import CLOSED_LINES, KitchenState, WorkerState
from cookmas.kitchen.world import Restaurant
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu

ROOM = Restaurant(build_kitchen(kitchen_path("small"), load_menu()))
WAIT = [Command(worker, "wait") for worker in ROOM.workers]


def order(state: KitchenState, name: str, lines: int = 1) -> KitchenState:
    wanted = [{"item": "Buttered Toast"}] * lines
    state, ruling = ROOM.apply(state, {"kind": "new_order", "order": name, "lines": wanted})
    assert ruling.refused is None
    return state


def serve(state: KitchenState, line: str) -> KitchenState:
    """A dish for the line appears in the first worker's hand at the pass, and is served."""
    dish = Dish((Food("bread"),))
    workers = (WorkerState("pass", dish), *state.workers[1:])
    state = state._replace(workers=workers)
    actions = [Command(ROOM.workers[0], f"serve({line})"), *WAIT[1:]]
    after, outcomes, _ = ROOM.step(state, actions)
    assert all(outcome.done for outcome in outcomes.values())
    return after


def test_a_thousand_orders_leave_the_state_as_small_as_a_few() -> None:
    state, sizes = ROOM.start(), []
    for number in range(1000):
        state = serve(order(state, f"o{number}"), f"o{number}.1")
        sizes.append(len(state.lines))
        assert ROOM.tally(state).done == number + 1
        assert ROOM.load(ROOM.dump(state)) == state
    assert max(sizes) <= CLOSED_LINES + 1


def test_nothing_has_left_before_so_many_are_closed() -> None:
    state = ROOM.start()
    for number in range(CLOSED_LINES):
        state = serve(order(state, f"o{number}"), f"o{number}.1")
    assert len(state.lines) == CLOSED_LINES
    assert "gone" not in ROOM.dump(state)


def test_a_line_is_seen_closed_before_it_leaves() -> None:
    state = order(ROOM.start(), "big", lines=3 * CLOSED_LINES)
    state, _ = ROOM.apply(state, {"kind": "cancel_order", "order": "big"})
    after, _, _ = ROOM.step(state, WAIT)
    assert len(after.lines) == 3 * CLOSED_LINES
    later, _, _ = ROOM.step(after, WAIT)
    assert later.lines == {}
    assert ROOM.tally(later).done == 0


def test_an_order_stays_whole_as_long_as_a_line_of_it_is_open() -> None:
    state = order(ROOM.start(), "long", lines=2)
    state = serve(state, "long.1")
    for number in range(2 * CLOSED_LINES):
        state = serve(order(state, f"o{number}"), f"o{number}.1")
    assert state.lines["long.1"].status == "served"
    add = {"kind": "add_line", "order": "long", "item": "Buttered Toast"}
    state, ruling = ROOM.apply(state, add)
    assert ruling.refused is None
    assert "long.3" in state.lines


def test_what_has_left_is_unknown() -> None:
    state = ROOM.start()
    for number in range(3 * CLOSED_LINES):
        state = serve(order(state, f"o{number}"), f"o{number}.1")
    same, ruling = ROOM.apply(state, {"kind": "remove_line", "line": "o0.1"})
    assert same == state
    assert ruling.refused == "there is no order line o0.1"
