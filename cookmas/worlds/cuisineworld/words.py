"""The situation of a kitchen in words: agents, places with their contents, and orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.worlds.cuisineworld.rules.kitchen import CuisineState


def tell_game(state: CuisineState, agents: Sequence[str], agent: str | None) -> Iterator[str]:
    """Yield sentences about a state, as they are told to an agent; None is a central planner.

    `agents` are the names by number. An agent is told of itself first.
    """
    known = sorted(zip(agents, state.agents, strict=True), key=lambda each: each[0] != agent)
    for name, each in known:
        begin, stand, hold = (
            (name, "stands", "holds") if name != agent else ("You", "stand", "hold")
        )
        yield f"{begin} {stand} at {each.at} and {hold} {each.holding or 'nothing'}."
    for place, items in state.inside.items():
        left = state.busy.get(place)
        closed = f", and is occupied for {left} more timesteps" if left else ""
        yield f"{place} contains {', '.join(items)}{closed}."
    for order in state.orders:
        yield f"{order.dish} is ordered and expires in {order.lifetime} timesteps."
    if not state.orders:
        yield "Nothing is ordered."
