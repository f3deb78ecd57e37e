"""Named tuples as plain data: what was written is read again, and no other form is taken."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.episodes.codec import BY_WORKER, SORTED, PlainForm, from_plain, to_plain

WORKERS = ("ann", "bob")


class Hand(NamedTuple):
    at: str
    holds: Annotated[frozenset[str], PlainForm(sorted, frozenset)] | None = None


class Order(NamedTuple):
    status: Literal["open", "closed"]
    due: int | None
    foods: tuple[str, ...] = ()


class Kitchen(NamedTuple):
    timestep: int
    warm: bool
    hands: Annotated[tuple[Hand, ...], BY_WORKER]
    inside: Annotated[Mapping[str, tuple[Order, ...]], SORTED]
    times: Annotated[Mapping[str, float], SORTED]
    busy: Mapping[str, int]
    first: Order | None
    last: Order = Order("open", None)
    gone: int = 0


names = st.text(max_size=5)
numbers = st.integers(-9, 9)
hands = st.builds(Hand, names, st.none() | st.frozensets(names, max_size=3))
orders = st.builds(
    Order,
    st.sampled_from(["open", "closed"]),
    st.none() | numbers,
    st.lists(names, max_size=2).map(tuple),
)
kitchens = st.builds(
    Kitchen,
    timestep=numbers,
    warm=st.booleans(),
    hands=st.tuples(hands, hands),
    inside=st.dictionaries(names, st.lists(orders, max_size=2).map(tuple), max_size=3),
    times=st.dictionaries(names, st.floats(0, 1), max_size=3),
    busy=st.dictionaries(names, numbers, max_size=3),
    first=st.none() | orders,
    last=orders,
    gone=numbers,
)


def plain(kitchen: Kitchen) -> Any:
    """The plain data of a kitchen, told without the codec."""
    data = {
        "timestep": kitchen.timestep,
        "warm": kitchen.warm,
        "hands": {
            name: [at, None if holds is None else sorted(holds)]
            for name, (at, holds) in zip(WORKERS, kitchen.hands, strict=True)
        },
        "inside": {name: [row(x) for x in kitchen.inside[name]] for name in sorted(kitchen.inside)},
        "times": {name: kitchen.times[name] for name in sorted(kitchen.times)},
        "busy": dict(kitchen.busy),
        "first": kitchen.first and row(kitchen.first),
    }
    if kitchen.last != Order("open", None):
        data["last"] = row(kitchen.last)
    return data | {"gone": kitchen.gone} if kitchen.gone else data


def row(order: Order) -> list[Any]:
    return [order.status, order.due, list(order.foods)]


@given(kitchens)
def test_plain_data_are_as_told_and_are_read_again(kitchen: Kitchen) -> None:
    data = to_plain(kitchen, WORKERS)
    assert json.dumps(data) == json.dumps(plain(kitchen))
    assert from_plain(Kitchen, json.loads(json.dumps(data)), WORKERS) == kitchen


@given(kitchens)
def test_plain_data_share_nothing_with_the_state(kitchen: Kitchen) -> None:
    before = plain(kitchen)
    for part in to_plain(kitchen, WORKERS).values():
        if isinstance(part, dict | list):
            part.clear()
    assert plain(kitchen) == before


def test_rows_may_lack_their_last_values_if_these_have_a_default() -> None:
    data = {**to_plain(KITCHEN, WORKERS), "first": ["closed", 3]}
    assert from_plain(Kitchen, data, WORKERS).first == Order("closed", 3)


KITCHEN = Kitchen(0, True, (Hand("a"), Hand("b")), {}, {}, {}, None)


@pytest.mark.parametrize(
    ("field", "odd", "why"),
    [
        ("timestep", "3", "timestep: expected int, not '3'"),
        ("timestep", True, "timestep: expected int, not 'True'"),
        ("timestep", None, "timestep: expected int, not 'None'"),
        ("warm", 1, "warm: expected bool, not '1'"),
        ("hands", {"ann": ["a"]}, "there is no bob"),
        ("hands", {"ann": ["a"], "bob": "b"}, "hands: expected a list, not 'b'"),
        ("hands", 5, "hands: "),
        ("inside", ["x"], r"inside: expected a mapping, not "),
        ("inside", {"x": [["shut", 1]]}, "inside: expected 'open' or 'closed', not 'shut'"),
        ("inside", {"x": [["open", 1, [], 9]]}, "inside: expected at most 3 values, not "),
        ("inside", {"x": [["open"]]}, "inside: .*missing"),
        ("busy", {"x": 1.5}, "busy: expected int, not '1.5'"),
        ("first", [], "first: .*missing"),
    ],
)
def test_other_forms_are_refused_by_the_name_of_the_field(field: str, odd: Any, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}"):
        from_plain(Kitchen, {**to_plain(KITCHEN, WORKERS), field: odd}, WORKERS)


def test_a_field_that_is_missing_is_named() -> None:
    data = to_plain(KITCHEN, WORKERS)
    del data["busy"]
    with pytest.raises(ValueError, match=r"^there is no busy$"):
        from_plain(Kitchen, data, WORKERS)


@pytest.mark.parametrize("kind", [tuple[int, str], dict[str, int], frozenset[str], bytes, Any])
def test_a_type_without_a_form_is_refused_before_anything_is_written(kind: Any) -> None:
    odd: Any = NamedTuple("odd", [("field", kind)])
    with pytest.raises(TypeError, match="has no form as plain data"):
        to_plain(odd({}))
