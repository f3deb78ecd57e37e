"""The search in layers: what can be done first so that a goal is reached earliest.

Layer n has the states that can be reached in n timesteps and no earlier. Each of them knows the
first actions of the ways to it. So the first layer in which a goal is reached has all first actions
of the shortest ways.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import inf
from typing import Generic, NamedTuple, TypeVar

ActT = TypeVar("ActT", bound=Hashable)
KeyT = TypeVar("KeyT", bound=Hashable)
StateT = TypeVar("StateT")

Step = tuple[KeyT, StateT, bool]
"""The key of the state after a timestep, that state, and whether the goal is reached in it.

States with equal keys are one state.
"""

Layer = Mapping[KeyT, tuple[StateT, Mapping[ActT, KeyT | None]]]
"""Each state, with the first actions of the ways to it; for each of them the state before on such a
way, which is None in the first layer."""


class Layers(NamedTuple, Generic[KeyT, StateT, ActT]):
    """The result of a search in layers."""

    layers: Sequence[Layer[KeyT, StateT, ActT]]
    """One layer for each timestep. A goal is reached in the last one or in none."""
    reached: Sequence[KeyT]
    """The states of the last layer in which the goal is reached; none if there is no way."""

    @property
    def first(self) -> Mapping[ActT, Sequence[KeyT]]:
        """The first actions of the shortest ways, each with the states in which such ways end."""
        found = dict[ActT, list[KeyT]]()
        for key in self.reached:
            for act in self.layers[-1][key][1]:
                found.setdefault(act, []).append(key)
        return found

    @property
    def kept(self) -> int:
        """The number of states in all layers."""
        return sum(map(len, self.layers))

    def find_way(self, key: KeyT, act: ActT) -> Sequence[KeyT]:
        """Return the states on a way that begins with an action, up to one of the last layer."""
        way = list[KeyT]()
        place: KeyT | None = key
        for layer in reversed(self.layers):
            assert place is not None
            way.append(place)
            place = layer[place][1][act]
        return way[::-1]


def search_layers(
    first: Iterable[tuple[ActT, Step[KeyT, StateT]]],
    follow: Callable[[StateT], Iterable[Step[KeyT, StateT]]],
    most: int,
    *,
    bound: Callable[[StateT], int] = lambda _: 0,
    within: float = inf,
    left_out: Iterable[KeyT] = (),
) -> Layers[KeyT, StateT, ActT] | None:
    """Search from what can be done first until a goal is reached, but at most `within` timesteps.

    `bound` says how many timesteps a state is at least away from a goal. The states of `left_out`
    are never entered. Return None if more than `most` states, these included, would be kept in
    layers without a goal.
    """
    seen = set[KeyT](left_out)
    layers = list[dict[KeyT, tuple[StateT, dict[ActT, KeyT | None]]]]()
    layer = dict[KeyT, tuple[StateT, dict[ActT, KeyT | None]]]()
    reached = list[KeyT]()
    for act, (key, after, done) in first:
        if key in layer:
            layer[key][1].setdefault(act, None)
        elif key not in seen and 1 + (0 if done else bound(after)) <= within:
            layer[key] = after, {act: None}
            if done:
                reached.append(key)
    while layer:
        layers.append(layer)
        if reached:
            break
        seen |= layer.keys()
        if len(seen) > most:
            return None
        layer = {}
        for before, (state, led) in layers[-1].items():
            for key, after, done in follow(state):
                if key in seen:
                    continue
                if key in layer:
                    known = layer[key][1]
                    for act in led:
                        known.setdefault(act, before)
                elif len(layers) + 1 + (0 if done else bound(after)) <= within:
                    layer[key] = after, dict.fromkeys(led, before)
                    if done:
                        reached.append(key)
    return Layers(layers, reached)
