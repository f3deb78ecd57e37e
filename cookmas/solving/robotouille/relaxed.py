"""Which objects to take for the goal: the cheapest in a relaxed problem where nothing gets lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush

from cookmas.solving.robotouille.distances import FAR
from cookmas.worlds.robotouille.rules.engine import Engine, bits_of
from cookmas.worlds.robotouille.world import RobotouilleWorld


def choose_objects(world: RobotouilleWorld, facts: int) -> dict[str, str]:
    """Return objects for the variables of the goal, from which it seems cheapest to reach."""
    engine, goal = world.engine, world.goal
    cost = _costs(engine, world.workers[0], facts)

    def price(values: Mapping[str, str]) -> int:
        return sum(
            cost.get(engine.bit(literal.predicate, literal.replace(values).args), FAR)
            for literal in goal.literals
            if literal.holds
        )

    best = goal.any_objects()
    while True:
        better = min(_swaps(best, goal.choices), key=price, default=best)
        if price(better) >= price(best):
            return best
        best = better


def _swaps(
    values: Mapping[str, str], choices: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, str]]:
    """Yield the values with another object for one variable, which another one may give away."""
    for name, options in choices.items():
        for option in options:
            owner = next((each for each, value in values.items() if value == option), None)
            if owner is None:
                yield {**values, name: option}
            elif owner != name and values[name] in choices[owner]:
                yield {**values, name: option, owner: values[name]}


def _costs(engine: Engine, worker: str, facts: int) -> dict[int, int]:
    """Return the cost of each bit that can become true if nothing becomes false.

    The cost of an action is 1 and the costs of all it needs; a timer adds its length.
    """
    steps: list[tuple[int, list[int], list[int]]] = []
    for _, _, action in engine.list_actions(worker):
        needs = action.needs.true & ~engine.fixed
        steps.append((1, list(bits_of(needs)), list(bits_of(action.makes.true))))
        for key in action.timers:
            timer = engine.timer(key)
            both = list(bits_of(needs | timer.during.true & ~engine.fixed))
            for _, effect in timer.outcomes[:1]:
                steps.append((timer.length, both, list(bits_of(effect.true))))
    users: dict[int, list[int]] = {}
    for number, (_, needed, _) in enumerate(steps):
        for bit in needed:
            users.setdefault(bit, []).append(number)
    missing = [len(needed) for _, needed, _ in steps]
    total = [price for price, _, _ in steps]
    cost = dict.fromkeys(bits_of(facts), 0)
    queue, done = [(0, bit) for bit in cost], set[int]()
    while queue:
        price, bit = heappop(queue)
        if bit in done:
            continue
        done.add(bit)
        for number in users.get(bit, ()):
            missing[number] -= 1
            total[number] += price
            if missing[number] == 0:
                for made in steps[number][2]:
                    if total[number] < cost.get(made, FAR):
                        cost[made] = total[number]
                        heappush(queue, (total[number], made))
    return cost
