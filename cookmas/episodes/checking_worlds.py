"""Checks that a world hides what a worker must not know, and the lines about a valid scenario.

If a worker must not be able to distinguish two states, its observation and its legal actions must
be the same in both, and so must be the ending, and whether it is the worker's move. The same
commands must lead to the same FAILs of the worker, with the same reasons, and to the same triggers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from cookmas.episodes.base import State, World, ending, movers, overrides
from cookmas.episodes.play import Play
from cookmas.episodes.possible import list_legal
from cookmas.episodes.trace import AnyRecord, End
from cookmas.episodes.world import Command, Commands, Outcome, Trigger

if TYPE_CHECKING:
    from cookmas.episodes.scenario import Scenario

NOTHING: Mapping[str, Sequence[str]] = MappingProxyType({})

TRIED_ACTIONS = 24
"""Maximum number of actions that are selected, to be tried, from a list of a worker's actions."""

LONGEST = 200
"""Maximum number of characters that are quoted from one state."""


class Difference(NamedTuple):
    """A difference between two states that a worker must not be able to distinguish."""

    worker: str
    what: str
    """The aspect that differs, such as the worker's observation."""
    one: str
    other: str

    def __str__(self) -> str:
        one, other = self.one[:LONGEST], self.other[:LONGEST]
        return f"{self.worker} can tell two states apart by its {self.what}: {one} or {other}"


def find_leaks(
    world: World, states: Sequence[State], seeds: Sequence[int] = range(3)
) -> Iterator[Difference]:
    """Yield the differences by which workers can distinguish states that should look alike.

    Compare those of the `states` that give a worker equal observations. If the world can draw
    alternatives (`draw_alike`), also compare each state with an alternative for each seed.
    """
    actions = {
        name: dict.fromkeys(action for state in states for action in world.legal(state, name))
        for name in world.workers
    }
    tried = {name: _spread([*each]) for name, each in actions.items()}
    for worker in world.workers:
        for one, other in draw_alike_states(world, states, worker, seeds):
            yield from differences(world, one, other, worker, tried)


def draw_alike_states(
    world: World, states: Sequence[State], worker: str, seeds: Sequence[int]
) -> Iterator[tuple[State, State]]:
    """Yield pairs of different states that a worker must not be able to distinguish.

    They are each of the states with one that the world draws for it by each seed, and those of the
    states themselves that look alike to the worker.
    """
    if overrides(world, "draw_alike"):
        for state in states:
            for seed in seeds:
                other = world.draw_alike(state, worker, seed)
                if _text(world.dump(other)) != _text(world.dump(state)):
                    yield state, other
    first: dict[str, tuple[str, State]] = {}
    for state in states:
        look, whole = _look(world, state, worker), _text(world.dump(state))
        seen, earlier = first.setdefault(look, (whole, state))
        if seen != whole:
            yield earlier, state


def differences(
    world: World,
    one: State,
    other: State,
    worker: str,
    actions: Mapping[str, Sequence[str]] = NOTHING,
) -> Iterator[Difference]:
    """Yield the differences by which a worker can distinguish two states.

    In both states try the actions of each worker that may move in both: up to TRIED_ACTIONS of
    those that are legal in at least one of them, and those in `actions`.
    """
    for what in (_look, _legal, _moves, _end):
        mine, its = what(world, one, worker), what(world, other, worker)
        if mine != its:
            yield Difference(worker, _NAMES[what], mine, its)
    for commands in _try_commands(world, one, other, worker, actions):
        yield from _compare_after(world, one, other, worker, commands)


def _compare_after(
    world: World, one: State, other: State, worker: str, commands: Commands
) -> Iterator[Difference]:
    """Yield the differences that appear when the same commands are carried out in both states.

    The worker's own FAILs must always be equal. The FAILs that it witnesses and its triggers must
    be equal only if its observations after the timestep are equal.
    """
    mine, my_outcomes, my_triggers = world.step(one, commands)
    its, its_outcomes, its_triggers = world.step(other, commands)
    done = ", ".join(f"{name} {action}" for name, action in commands)
    fails = _fails_of(my_outcomes, (worker,)), _fails_of(its_outcomes, (worker,))
    if fails[0] != fails[1]:
        yield Difference(worker, f"own FAIL after {done}", *fails)
    if _look(world, mine, worker) == _look(world, its, worker):
        seen = (
            _describe_witnessed_fails(my_outcomes, worker),
            _describe_witnessed_fails(its_outcomes, worker),
        )
        if seen[0] != seen[1]:
            yield Difference(worker, f"witnessed FAIL after {done}", *seen)
        heard = _triggers_of(my_triggers, worker), _triggers_of(its_triggers, worker)
        if heard[0] != heard[1]:
            yield Difference(worker, f"triggers after {done}", *heard)


def _spread(actions: Sequence[str]) -> Sequence[str]:
    """Return at most `TRIED_ACTIONS` of the actions, evenly spaced."""
    return actions[:: max(1, -(-len(actions) // TRIED_ACTIONS))]


def _try_commands(
    world: World,
    one: State,
    other: State,
    worker: str,
    actions: Mapping[str, Sequence[str]],
) -> Iterator[Commands]:
    """Yield commands to try in both states: one worker acts, and the others idle."""
    asked = [name for name in movers(world, one) if name in movers(world, other)]
    for mover in sorted(asked, key=lambda name: name != worker):
        legal = _spread([*world.legal(one, mover), *world.legal(other, mover)])
        for action in dict.fromkeys([world.idle, *legal, *actions.get(mover, ())]):
            yield [Command(name, action if name == mover else world.idle) for name in asked]


def _look(world: World, state: State, worker: str) -> str:
    return _text(world.dump(world.observe(state, worker)))


def _legal(world: World, state: State, worker: str) -> str:
    """Return, as text, the actions that the worker knows to be legal.

    Return an empty text if the world cannot list them for the worker's observation.
    """
    legal = list_legal(world, world.observe(state, worker), worker, [worker])
    return "" if legal is None else _text(legal[worker])


def _moves(world: World, state: State, worker: str) -> str:
    return "its move" if worker in movers(world, state) else "not its move"


def _end(world: World, state: State, worker: str) -> str:
    return _text([world.is_finished(state), ending(world, state)])


_NAMES: Mapping[Any, str] = {
    _look: "observation",
    _legal: "legal actions",
    _moves: "move",
    _end: "ending",
}


def _fails_of(outcomes: Mapping[str, Outcome], workers: Sequence[str]) -> str:
    return _text({name: outcomes[name][:2] for name in workers if name in outcomes})


def _describe_witnessed_fails(outcomes: Mapping[str, Outcome], worker: str) -> str:
    return _fails_of(
        outcomes, [name for name, each in outcomes.items() if worker in each.witnesses]
    )


def _triggers_of(triggers: Sequence[Trigger], worker: str) -> str:
    return _text([[t.kind, t.cause] for t in triggers if t.concerns(worker)])


def _text(data: object) -> str:
    """Return plain data as JSON text, with the fields in their own order."""
    return json.dumps(data, ensure_ascii=False)


def describe_valid(
    scenario: Scenario, facts: Iterable[str] = (), remarks: Iterable[str] = ()
) -> list[str]:
    """Return what a check says of a valid scenario: a line with its facts, and then the remarks.

    A remark names what may not be meant so. One is added if the episode ends before anyone acts.
    """
    doubtful = [*remarks, *remarks_on_beginning(scenario)]
    first = ", ".join([*facts, "valid, but:" if doubtful else "sound"])
    return [f"scenario {scenario.name}: {first}", *doubtful]


def remarks_on_beginning(scenario: Scenario) -> list[str]:
    """Return that an episode ends before anyone can act, and why; nothing if it does not.

    An episode that is won there has a goal that holds at the start.
    """
    events = scenario.events()
    horizon = scenario.horizon or 1 + max((at for at, _ in events), default=0)
    records: list[AnyRecord] = []
    play = Play(scenario.world(), events, horizon, records.append)
    if play.ended is None:
        return []
    end = records[-1]
    assert isinstance(end, End)
    if end.termination == "won":
        return [f"the goal holds at the start, before anyone acts: {end.why}"]
    return [f"the episode ends before anyone acts ({end.termination}): {end.why}"]
