"""A checker of worlds, which plays random episodes and tries every method and every message.

It checks only what the class `World` promises (`cookmas/episodes/base.py`). Each message that a
world declares is filled with its examples and taken. In this module a fault is
an error in the code of a world, not an event of an episode.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from cookmas.episodes.base import World, check_base, ending, movers
from cookmas.episodes.checking_worlds import find_leaks
from cookmas.episodes.engine import step_with
from cookmas.episodes.failure import boundary, failure_of
from cookmas.episodes.messages import MessageForm, parse_created_name
from cookmas.episodes.play import Play
from cookmas.episodes.reports import duration, find_claimed, has_long_actions
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.world import Command, Outcome
from cookmas.files.errors import CookMASError, InputError
from cookmas.worlds.base.domain import Domain

Result = TypeVar("Result")

TIMESTEPS = 40
"""Greatest length of a random episode."""

TRIED = 12
"""Greatest number of legal actions of a worker that are tried in a state."""

STATES = 8
"""Greatest number of states of an episode that `find_leaks` compares with each other."""

NOBODY: Mapping[str, str] = MappingProxyType({})


class WorldFault(NamedTuple):
    """An error in the code of a world, which the checker has found."""

    what: str
    """The kind of fault, in words that are the same for all faults of this kind."""
    where: str
    """Where the fault occurred: the scenario, the timestep, the worker."""

    def __str__(self) -> str:
        return f"{self.what}: {self.where}" if self.where else self.what


class _BrokenError(Exception): ...


def faults_of(domain: Domain, scenario: Scenario, seeds: Sequence[int]) -> Iterator[WorldFault]:
    """Play an episode of random actions for each seed; yield the faults of the scenario's world.

    Raise InputError if it does not inherit from `World`.
    """
    world = scenario.world()
    check_base(type(world), World, f"scenario {scenario.name!r}")
    missing = [name for name in ("name", "workers") if not hasattr(world, name)]
    if missing:
        yield WorldFault(f"the world has no {', '.join(missing)}", "")
        return
    checker = _Checker(world, scenario.name)
    try:
        yield from checker.setup(domain)
        yield from checker.events(scenario)
        for seed in seeds:
            yield from checker.episode(scenario, Random(seed))
    except _BrokenError as error:
        yield WorldFault(*error.args)


def remarks_of(scenario: Scenario, seeds: Sequence[int]) -> Iterator[str]:
    """Play a sound world at random for each seed; yield a remark if only one of `duration` and
    `lasting` says that actions last.
    """
    world = scenario.world()
    queued = world.lasting
    if has_long_actions(world) == queued:
        return
    horizon = min(scenario.horizon or TIMESTEPS, TIMESTEPS)
    lasted = False
    for seed in seeds:
        draw, played = Random(seed), Play(world, scenario.events(), horizon)
        while not played.ended:
            before, moving = played.timestep, played.movers
            legal = {name: list(world.legal(played.state, name)) for name in moving}
            played.step([Command(name, draw.choice(acts)) for name, acts in legal.items() if acts])
            passed = played.timestep > before + 1 or len(moving) < len(world.workers)
            long = any(duration(world, each) > 1 for acts in legal.values() for each in acts)
            lasted = lasted or (passed if queued else long)
    if lasted and not queued:
        yield (
            "actions last (duration), but a schedule is no queue (lasting): a later action of a "
            "busy worker is left out"
        )
    elif queued and not lasted:
        yield "a schedule is a queue (lasting), but no action lasted (legal, movers, duration)"


class _Checker:
    def __init__(self, world: World, name: str) -> None:
        self._world = world
        self._where = name

    def _do(self, method: str, act: Callable[..., Result], *arguments: Any) -> Result:
        """Call `act`, a method of the world, and return its result.

        `method` is the name of the method in messages. Raise _BrokenError if the method fails.
        """
        try:
            with boundary(act):
                return act(*arguments)
        except CookMASError as fault:
            raise _BrokenError(f"{method} fails", f"{self._where}: {fault}") from fault

    def setup(self, domain: Domain) -> Iterator[WorldFault]:
        """Yield a fault if a world that is built again from its setup starts in another state."""
        world = self._world
        setup = self._do("setup", world.setup)
        again = self._do("the domain's world", domain.world, _copy_plain(setup))
        began = self._do("start", world.start)
        before, after = self._dump(began), self._dump(self._do("start", again.start))
        if None not in (before, after) and before != after:
            yield WorldFault("a world rebuilt from its setup has another first state", self._where)

    def events(self, scenario: Scenario) -> Iterator[WorldFault]:
        """Yield a fault for each event to come that stands in the setup, where planners see it."""
        setup = self._do("setup", self._world.setup)
        for timestep, event in scenario.events():
            content = {name: value for name, value in event.items() if name != "kind"}
            if content and _holds(setup, content):
                yield WorldFault(
                    "the setup, which all planners see, has an event that is still to come",
                    f"{self._where}: {event.get('kind')} at timestep {timestep}",
                )

    def episode(self, scenario: Scenario, draw: Random) -> Iterator[WorldFault]:
        """Play one episode of random legal actions; yield the faults that it shows."""
        world = self._world
        state = self._do("start", world.start)
        coming = {at: [e for t, e in scenario.events() if t == at] for at, _ in scenario.events()}
        states: list[Any] = []
        for timestep in range(min(scenario.horizon or TIMESTEPS, TIMESTEPS)):
            self._where = f"{scenario.name}, timestep {timestep}"
            for event in coming.get(timestep, ()):
                state = self._do("apply", world.apply, state, event)[0]
            over = self._do("finished", world.is_finished, state)
            over = over or self._do("ending", ending, world, state) is not None
            if over and timestep >= max(coming, default=0):
                break
            states.append(state)
            yield from self._check_state(state)
            chosen = self._draw_commands(state, draw)
            state = self._do("step", world.step, state, chosen)[0]
        self._where = scenario.name
        picked = draw.sample(states, min(STATES, len(states)))
        differences = self._do(
            "telling states apart", lambda: list(islice(find_leaks(world, picked), 1))
        )
        for difference in differences:
            yield WorldFault("two states can be told apart", f"{scenario.name}: {difference}")

    def _draw_commands(self, state: Any, draw: Random) -> list[Command]:
        world = self._world
        legal = {name: list(world.legal(state, name)) for name in movers(world, state)}
        return [Command(name, draw.choice(acts)) for name, acts in legal.items() if acts]

    def _check_state(self, state: Any) -> Iterator[WorldFault]:
        """Yield the faults that the methods of the world show in one state."""
        world = self._world
        before = self._dump(state)
        if before is None:
            yield WorldFault("dump returns a value that is not plain data", self._where)
            return
        loaded = self._do("load", world.load, json.loads(before))
        if self._dump(loaded) != before:
            yield WorldFault("load does not restore the state that dump wrote", self._where)
        yield from self._check_moves(state)
        yield from self._check_long(state)
        yield from self._check_observed(state)
        for name in ("is_finished", "lookups", "tally", "progress_key"):
            self._do(name, getattr(world, name), state)
        if self._dump(state) != before:
            yield WorldFault("a method changes the state that it is given", self._where)

    def _check_moves(self, state: Any) -> Iterator[WorldFault]:
        """Yield the faults that the legal actions of the workers show in a state.

        For each worker whose move it is, its first TRIED legal actions are tried one by one, while
        the other workers idle.
        """
        world = self._world
        asked = self._do("movers", movers, world, state)
        for worker in asked:
            legal = list(self._do("legal", world.legal, state, worker))
            if not legal:
                yield WorldFault(
                    "a worker whose move it is has no legal action", f"{self._where}: {worker}"
                )
            for action in legal[:TRIED]:
                occasion = f"{self._where}: {worker}, {action}"
                commands = [Command(worker, action)]
                if (why := world.refusal(commands)) is not None:
                    yield WorldFault("a legal action is refused", f"{occasion}: {why}")
                    continue
                yield from self._try_commands(state, commands, occasion)

    def _check_long(self, state: Any) -> Iterator[WorldFault]:
        """Yield a fault for each long action that begins without an effect on the state.

        Each is tried alone, beside each other worker with the same action, and while that runs.
        """
        world = self._world
        if not has_long_actions(world):
            return
        idle, asked = self._step(state, {}), self._do("movers", movers, world, state)
        for worker in asked:
            legal = list(self._do("legal", world.legal, state, worker))
            for action in [a for a in legal if duration(world, a) > 1][:TRIED]:
                alone = self._step(state, {worker: action})
                yield from self._judge_effect(worker, action, alone, idle)
                for other in asked:
                    if other == worker or action not in world.legal(state, other):
                        continue
                    both = self._step(state, {worker: action, other: action})
                    yield from self._judge_effect(other, action, both, alone)
                    if action in world.legal(alone[0], other):
                        later = self._step(alone[0], {other: action}, {worker: action})
                        after = self._step(alone[0], {}, {worker: action})
                        yield from self._judge_effect(other, action, later, after)

    def _judge_effect(
        self,
        worker: str,
        action: str,
        tried: tuple[Any, Mapping[str, Outcome]],
        idle: tuple[Any, Mapping[str, Outcome]],
    ) -> Iterator[WorldFault]:
        """Yield a fault if a worker's action is done, but leaves the state as idling does."""
        after, outcomes = tried
        if worker in outcomes and not outcomes[worker].done:
            return
        if self._dump(after) == self._dump(idle[0]):
            yield WorldFault(
                "a long action begins, but leaves the state as idling does; a device carries it "
                "out all the same (legal, claims)",
                f"{self._where}: {worker}, {action}",
            )

    def _step(
        self, state: Any, actions: Mapping[str, str], running: Mapping[str, str] = NOBODY
    ) -> tuple[Any, Mapping[str, Outcome]]:
        """Return the state and the outcomes after a timestep with these actions.

        `running` are the actions of the busy workers.
        """
        world = self._world
        commands = [Command(w, actions.get(w, world.idle)) for w in movers(world, state)]
        claimed = self._do("claims", find_claimed, world, state, commands, running)
        return self._do("step", step_with, world, state, commands, {}, claimed)[:2]

    def _try_commands(
        self, state: Any, commands: list[Command], occasion: str
    ) -> Iterator[WorldFault]:
        world = self._world
        idle = [Command(w, world.idle) for w in movers(world, state) if w != commands[0].worker]
        joint = sorted([*commands, *idle], key=lambda each: list(world.workers).index(each.worker))
        after, outcomes, _ = self._do("step", world.step, state, joint)
        again, others, _ = self._do("step", world.step, state, joint)
        if self._dump(after) != self._dump(again) or outcomes != others:
            yield WorldFault("step returns another result the second time", occasion)
        if left := [name for name in world.workers if name not in outcomes]:
            missing = ", ".join(left)
            yield WorldFault("step returns no outcome for a worker", f"{occasion}: {missing}")
        elif not outcomes[commands[0].worker].done:
            yield WorldFault(
                "a legal action FAILs", f"{occasion}: {outcomes[commands[0].worker].why}"
            )

    def _check_observed(self, state: Any) -> Iterator[WorldFault]:
        """Yield the faults of the states that the workers and a central planner observe."""
        world = self._world
        for worker in (None, *world.workers):
            seen = self._do("observe", world.observe, state, worker)
            if self._dump(seen) is None:
                yield WorldFault("an observed state cannot be dumped", f"{self._where}: {worker}")
                continue
            narrated = self._do("narrate", world.narrate, seen, worker)
            if not isinstance(narrated, list | tuple) or any(
                not isinstance(x, str) for x in narrated
            ):
                yield WorldFault("narrate returns no list of sentences", f"{self._where}: {worker}")
            simulable = self._do("simulable", world.simulable, seen, worker)
            if simulable is None:
                continue
            try:
                commands = self._draw_commands(simulable, Random(0))
                world.step(simulable, commands)
            except (Exception, SystemExit) as error:
                who = worker or "a central planner"
                occasion = f"{self._where}, as {who} sees it: {failure_of(error)}"
                yield WorldFault("an observed state cannot be stepped", occasion)

    def _dump(self, state: Any) -> str | None:
        """Return a state as JSON text; None if the world does not dump it as plain data."""
        data = self._do("dump", self._world.dump, state)
        try:
            text = _text(data)
            return text if _text(json.loads(text)) == text else None
        except (TypeError, ValueError):
            return None


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def _copy_plain(setup: Mapping[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(_text(setup))
    return read


def _holds(data: Any, content: Mapping[str, Any]) -> bool:
    """Return whether a mapping at any depth of plain data has all entries of `content`."""
    if isinstance(data, Mapping):
        missing = object()
        if all(data.get(name, missing) == value for name, value in content.items()):
            return True
        return any(_holds(part, content) for part in data.values())
    return isinstance(data, list | tuple) and any(_holds(part, content) for part in data)


def message_faults(domain: Domain, scenario: Scenario) -> Iterator[WorldFault]:
    """Yield the faults of the messages to a scenario's world; none if it takes no messages."""
    try:
        with boundary(domain.messages):
            forms = domain.messages(scenario.world())
    except CookMASError as fault:
        yield WorldFault("the messages of the world cannot be read", str(fault))
        return
    if not forms:
        return
    for what, names in (
        ("two messages have the same name", [form.kind for form in forms]),
        ("two messages become events of the same kind", [form.event_kind for form in forms]),
    ):
        yield from (WorldFault(what, name) for name, count in Counter(names).items() if count > 1)
    for form in forms:
        yield from _check_form(form)
    try:
        with boundary(domain.messages):
            yield from _take_each(domain, scenario, forms)
    except CookMASError as fault:
        yield WorldFault("a message cannot be taken", str(fault))


def _check_form(form: MessageForm) -> Iterator[WorldFault]:
    fields = [field.name for field in form.fields]
    if len({*fields, "kind"}) <= len(fields):
        yield WorldFault("two fields of a message have the same name, or one is 'kind'", form.kind)
    if form.creates and (not form.subject or form.subject in fields):
        yield WorldFault(
            "a message that creates something needs a subject apart from its fields", form.kind
        )
    if form.subject and not form.creates and form.subject not in fields:
        yield WorldFault("the subject of a message is not among its fields", form.kind)
    for field in form.fields:
        try:
            field.read(field.shown, f"message {form.kind!r}, {field.name}")
        except InputError as error:
            yield WorldFault("the example of a field is not accepted", str(error))


def _take_each(
    domain: Domain, scenario: Scenario, forms: Sequence[MessageForm]
) -> Iterator[WorldFault]:
    """Yield the faults that show if the world takes each message, first those that create."""
    desk, world = domain.desk(scenario), scenario.world()
    state: Any = world.start()
    for timestep, event in scenario.events():
        if timestep == 0:
            state = world.apply(state, event)[0]
    made: dict[str, str] = {}
    created: dict[str, int] = {}
    for form in sorted(forms, key=lambda field: not field.creates):
        shown = {field.name: made.get(field.name, field.shown) for field in form.fields}
        try:
            event = desk.admit({"kind": form.event_kind, **shown}, created)
        except InputError as error:
            yield WorldFault("the example of a message is not accepted", str(error))
            continue
        try:
            after, ruling = world.apply(state, event)
        except InputError as error:
            if form.creates or form.subject in made:
                yield WorldFault(
                    "a message becomes an event that the world does not know", str(error)
                )
            continue
        if ruling.refused is not None or not form.creates:
            continue
        if world.count_open(after) <= world.count_open(state):
            yield WorldFault("what a message creates is not counted by count_open", form.kind)
        state, made[form.subject] = after, str(event.get(form.subject))
        if name := parse_created_name(forms, event):
            created[name.beginning] = name.number
