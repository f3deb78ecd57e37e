"""The world Robotouille: robots act by the rules of a domain file until the goal is reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field

from cookmas.episodes.base import NO_ACTION, World
from cookmas.episodes.forms import explain_mistake
from cookmas.episodes.level import Level
from cookmas.episodes.world import (
    DONE,
    Commands,
    Ending,
    Json,
    Outcome,
    Trigger,
    refuse_workers,
)
from cookmas.files.errors import InputError
from cookmas.files.reading import Name
from cookmas.worlds.robotouille.rules.domain_file import (
    DomainEntries,
    DomainFile,
    check_domain,
    names_domain,
    read_shipped,
)
from cookmas.worlds.robotouille.rules.engine import Engine, FactState, Running
from cookmas.worlds.robotouille.rules.layout import GoalQuery, kinds_of, put_objects
from cookmas.worlds.robotouille.rules.literals import Literal as Fact
from cookmas.worlds.robotouille.rules.literals import read_literals, write_atom
from cookmas.worlds.robotouille.words import (
    name_arguments,
    tell_actions,
    tell_rules,
    tell_state,
)

ObjectName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*$", max_length=40)]


class RobotouilleLevel(Level):
    """The fields of a scenario's file from which the world is built."""

    domain: Name | DomainEntries = "kitchen"
    """Name of a domain that comes with the world, or the content of a domain file."""
    digest: Annotated[str, Field(max_length=16)] = ""
    """Digest of the domain; a level with another digest is refused. Empty: any."""
    timers: Literal["every", "original"] = "every"
    """Which timers a state lists: every one that runs, or as in the original. There one that ends
    directly after the timer before it stays in the list for this timestep."""
    wish: Annotated[str, Field(max_length=2000)] = ""
    """The goal in words."""
    objects: Annotated[dict[ObjectName, list[Name]], Field(min_length=1, max_length=200)]
    """For each object its kind, its place, and further predicates. Places come first."""
    goal: Annotated[str, Field(max_length=4000)]
    """The goal: literals over variables such as `bread_1`."""


class RobotouilleWorld(World):
    """Robots in a kitchen, or in any other place that a domain file describes."""

    name = "robotouille"
    level: RobotouilleLevel
    level_type = RobotouilleLevel

    def __init__(self, level: RobotouilleLevel) -> None:
        super().__init__(level)
        self.domain = _domain_of(level)
        kinds = kinds_of(level.objects, self.domain)
        self.engine = Engine(self.domain, kinds, lists_ended=level.timers == "original")
        types = self.domain.entries.kinds
        self.workers: Sequence[str] = [
            name for name, kind in kinds.items() if types[kind].type == self.domain.entries.worker
        ]
        self._first = put_objects(level.objects, self.engine)
        self.engine.fix(self._first)
        self.goal = GoalQuery(level.goal, self.engine)

    @cached_property
    def about(self) -> str:  # type: ignore[override]
        """The rules of the domain in words, and what the names of objects mean."""
        return tell_rules(self.domain, self.engine, self.goal)

    @cached_property
    def actions(self) -> Mapping[str, str]:  # type: ignore[override]
        """The effect of each form of action."""
        return tell_actions(self.domain)

    @cached_property
    def choices(self) -> Mapping[str, Sequence[str]]:  # type: ignore[override]
        """The objects that an argument of a form can be."""
        return {
            argument: self.engine.by_type.get(action.types[name], ())
            for action in self.domain.actions.values()
            for name, argument in name_arguments(action).items()
        }

    def start(self) -> FactState:
        """Return the state of the layout."""
        return FactState(0, self._first)

    def setup(self) -> dict[str, Any]:
        """Return the level with the digest of the domain."""
        return {**super().setup(), "digest": self.domain.digest}

    def legal(self, state: FactState, worker: str) -> Sequence[str]:
        """Return the actions whose needs hold, and the idle one."""
        return [*self.engine.legal(worker, state.true), self.idle]

    def step(
        self, state: FactState, commands: Commands
    ) -> tuple[FactState, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep: the robots' actions in order, then every timer."""
        given = dict(commands)
        outcomes: dict[str, Outcome] = {}
        for worker in self.workers:
            state, outcomes[worker] = self._act(state, worker, given.get(worker))
        return self.engine.tick(state), outcomes, ()

    def _act(self, state: FactState, worker: str, text: str | None) -> tuple[FactState, Outcome]:
        if text == self.idle:
            return state, DONE
        if text is None:
            return state, Outcome(NO_ACTION, f"{worker} gave no action.")
        action = self.engine.ground(worker, text)
        if action is None:
            why = explain_mistake(text, [*self.actions, self.idle], self.choices)
            return state, Outcome("no_such_action", f"{why}.")
        if action.needs.hold(state.true):
            return self.engine.act(state, action), DONE
        unmet = self.engine.unmet(worker, text, state.true)
        return state, self._fail_for(text, unmet)

    def _fail_for(self, text: str, unmet: Fact | None) -> Outcome:
        """Return the FAIL of an action that needs the literal `unmet`."""
        if unmet is None:
            return Outcome("needs", f"{text} is not possible.")
        words = self.domain.entries.predicates[unmet.predicate].unmet
        why = words.format(*unmet.args) if words else f"it needs {unmet}"
        return Outcome(unmet.predicate, f"{text} is not possible: {why}.")

    def refusal(self, commands: Commands) -> str | None:
        """Return why the commands are malformed; None if they are not."""
        if strange := refuse_workers(commands, self.workers):
            return strange
        for worker, action in commands:
            if action != self.idle and self.engine.ground(worker, action) is None:
                forms = [*self.actions, self.idle]
                return f"{worker}: {explain_mistake(action, forms, self.choices)}"
        return None

    def every_action(self) -> Sequence[str] | None:
        """Return all actions that some state could allow; those of the first robot are all."""
        possible = self.engine.possible(self.workers[0])
        return [self.idle, *(write_atom(x.name, list(v.values())[1:]) for x, v in possible)]

    def ending(self, state: FactState) -> Ending | None:
        """Return that the goal is reached; None before that."""
        return Ending("won", "the goal is reached") if self.goal.is_reached(state.true) else None

    def dump(self, state: FactState) -> dict[str, Any]:
        """Return the state as plain data: the predicates that can change, and the timers."""
        changing = state.true & ~self.engine.fixed
        return {
            "timestep": state.timestep,
            "true": [str(literal) for literal in self.engine.literals(changing)],
            "timers": [
                {"timer": each.key, "count": each.counted, "held": each.held}
                for each in state.timers
            ],
        }

    def load(self, data: Json) -> FactState:
        """Return the state from the plain data of `dump`."""
        facts = self.engine.fixed
        for literal in read_literals(", ".join(data["true"]), "state"):
            facts |= self.engine.bit(literal.predicate, literal.args)
        timers = tuple(Running(x["timer"], x["count"], x["held"]) for x in data["timers"])
        return FactState(data["timestep"], facts, timers)

    def progress_key(self, state: FactState) -> Json:
        """Return the state without the timestep."""
        return {"true": str(state.true), "timers": [list(each) for each in state.timers]}

    def narrate(self, observed: FactState, worker: str | None) -> list[str]:
        """Return what is true in words, as the domain says it, and what the timers wait for."""
        return tell_state(self.domain, self.engine, observed)


def _domain_of(level: RobotouilleLevel) -> DomainFile:
    if isinstance(level.domain, str):
        domain = read_shipped(level.domain)
    else:
        domain = check_domain(level.domain, "domain")
    if level.digest and not names_domain(level.digest, domain):
        why = f"the level is for the domain {level.digest}, but the domain is {domain.digest}"
        raise InputError("domain", why)
    return domain
