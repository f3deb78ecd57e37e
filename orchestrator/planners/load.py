"""Planners by what a person calls them: a name, `package.module:Class`, or a schedule file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

from episodes.trace import PlannerClass
from files.errors import InputError
from files.lines import clean
from orchestrator.dialogue.options import AskingOptions
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.templates import SHARED_PROMPTS
from orchestrator.dialogue.voice import Voice
from orchestrator.member import Policy, Team
from orchestrator.models.budgeted import Models
from orchestrator.models.message import Model
from orchestrator.models.options import ModelOptions
from orchestrator.planner import Entry, Planner
from orchestrator.planners.fixed import FixedPlanner
from orchestrator.planners.person import PEOPLE
from orchestrator.planners.seats import seated
from sandbox.importing import imported, made

LONGEST_NAME = 200
"""Characters of a planner's name."""

MOST_ROUNDS = 1000
"""Turns that each member of a team may have at a timestep."""

Named = Mapping[str, str]
"""Planners by the name a person calls them: `module:Class`, imported when they are asked for."""

Schedules = Callable[[Path], Sequence[Entry]]
"""Reads a schedule file. Raises InputError or MissingError."""


def load_planner(
    spec: str,
    named: Named,
    schedules: Schedules,
    workers: Sequence[str],
    options: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    seed: int | None = None,
    seat: str | None = None,
    models: Models | None = None,
    *,
    simulated: bool = True,
) -> Planner | Team:
    """The planner or team that `spec` names: one of `named`, a class, or a schedule file.

    A policy is a team in which it has every seat.

    A class whose constructor takes a `model`, `models` (one for each worker) or a `budget` gets
    those that `options` describe, likewise a `name`, `prompting`, `templates` and `sampling` by
    `asking`, `workers`, and a `seed` where there is one. In a `seat` the options are those of this
    seat, and `models` makes the models of all seats. Budgets hold whatever the constructor takes.
    Where nothing observed can be `simulated` the ways of prompting that do so are left out.
    Raises InputError or MissingError with what is wrong with it, FailedError if it fails.
    """
    options, asking = options or ModelOptions(), asking or AskingOptions()
    models = models or Models(options, workers if seat else ())
    where = f"planner {spec!r}"
    said = said_of(options, asking)
    if seat is not None:
        where = f"seat {seat!r}, {where}"
        said = said_of(options.seats.get(seat), asking.seats.get(seat))
        options, asking = options.of_seat(seat), asking.of_seat(seat)
    if spec.endswith((".yaml", ".yml")):
        _no_model(said, where)
        return FixedPlanner(schedules(Path(spec)), clean(Path(spec).stem))
    expected = f"{', '.join(named)}, package.module:Class or a schedule file (.yaml)"
    factory = imported({**PEOPLE, **named}.get(spec, spec), where, expected)
    own = {"workers": tuple(workers), "seed": seed}
    wanted = _parameters(factory)
    given: dict[str, Any] = {
        name: value for name, value in own.items() if name in wanted and value is not None
    }
    if not wanted & {"model", "models"}:
        _no_model(said, where)
    else:
        if not simulated:
            _no_simulation(asking, where)
        given |= _asking(factory, wanted, workers, options, asking, seat, models, where)
    if "prompting" in given and not simulated:
        given["prompting"] = given["prompting"].without_simulation()
    if "name" in given:
        given["name"] = _reported(spec, asking, _asked(given), factory)
    return made(factory, given, where, partial(_checked, workers))


def _parameters(factory: Any) -> set[str]:
    """The names of a constructor's parameters."""
    try:
        return set(inspect.signature(factory).parameters)
    except (TypeError, ValueError):
        return set()


def _asking(
    factory: Any,
    wanted: Collection[str],
    workers: Sequence[str],
    options: ModelOptions,
    asking: AskingOptions,
    seat: str | None,
    models: Models,
    where: str,
) -> dict[str, Any]:
    """The arguments of a planner that asks a model."""
    given: dict[str, Any] = {}
    if "model" in wanted:
        given["model"] = models.of(seat, options)
    else:
        given["models"] = _models(options, len(workers), seat, models)
    if "budget" in wanted and seat is None:
        given["budget"] = options.budget
    base = getattr(factory, "default_prompting", Prompting())
    ways = getattr(factory, "ways", asking.ways())
    idle = asking.ways() - (ways if seat is None else getattr(factory, "ways_in_a_seat", ways))
    if idle:
        option = sorted(idle)[0].replace("_", "-")
        raise InputError(where, f"has no use for --{option}: leave it out")
    voice: Voice | None = getattr(factory, "voice", None)
    asked = {"name": "", **(asking.given(base, voice) if voice else {})}
    if asking.said() and not asked.keys() & set(wanted):
        option = next(iter(asking.said())).replace("_", "-")
        raise InputError(where, f"has no ways of prompting: leave out --{option}")
    return given | {name: value for name, value in asked.items() if name in wanted}


def _models(options: ModelOptions, count: int, seat: str | None, models: Models) -> list[Model]:
    """A model for each member of a team; in a seat only one of them will be asked."""
    if seat is not None:
        return [models.of(seat, options)] * count
    return [models.of(None, each) for each in options.each(count)]


def _reported(spec: str, asking: AskingOptions, model: str, factory: Any) -> str:
    """The name of the results: the planner, the way of asking, and the model."""
    voice: Voice | None = getattr(factory, "voice", None)
    label = asking.label(voice.prompts if voice else SHARED_PROMPTS)
    return f"{spec}:{label} ({model})" if label else f"{spec} ({model})"


def _asked(given: Mapping[str, Any]) -> str:
    """The name of the model, or of all models that are asked."""
    models: Sequence[Model] = given.get("models", [given.get("model")])
    return ", ".join(dict.fromkeys(model.name for model in models))


def said_of(options: ModelOptions | None, asking: AskingOptions | None) -> str | None:
    """Return the first option of a model that a person has said; None if there is none."""
    seen = {"base_url", "seats"}
    found = options.model_dump(exclude_defaults=True, exclude=seen) if options else {}
    said = next(iter([*found, *(asking.said() if asking else ())]), None)
    return said and said.replace("_", "-")


def _no_model(said: str | None, where: str) -> None:
    if said:
        raise InputError(where, f"calls no model: leave out --{said}")


def _no_simulation(asking: AskingOptions, where: str) -> None:
    """Raise InputError for a way of prompting that needs what cannot be simulated."""
    for name in ("look_ahead", "legal_actions"):
        if asking.said().get(name):
            option = name.replace("_", "-")
            raise InputError(
                where, f"nothing observed in this world can be simulated: leave out --{option}"
            )


def _checked(workers: Sequence[str], planner: Any, where: str) -> Planner | Team:
    if isinstance(planner, Policy):
        planner = seated(planner, workers)
    if isinstance(planner, Team):
        _check_team(planner, workers, where)
    elif not callable(getattr(planner, "plan", None)):
        raise InputError(where, "is no planner: it has no method plan")
    name = getattr(planner, "name", None)
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        short = f"is no planner: it has no name of 1 to {LONGEST_NAME} printable characters"
        raise InputError(where, short)
    classes = [each for each in get_args(PlannerClass) if each not in ("mixed", "unknown")]
    if getattr(planner, "planner_class", None) not in classes:
        raise InputError(where, f"is no planner: expected a planner_class out of {classes}")
    checked: Planner | Team = planner
    return checked


def _check_team(team: Team, workers: Sequence[str], where: str) -> None:
    members: Any = team.members
    if not isinstance(members, Mapping) or not members or not set(members) <= set(workers):
        raise InputError(where, f"is no team: expected members for {', '.join(workers)}")
    for name, member in members.items():
        if not callable(getattr(member, "turn", None)):
            raise InputError(where, f"is no team: {name} has no method turn")
    if not isinstance(team.rounds, int) or not 0 <= team.rounds <= MOST_ROUNDS:
        raise InputError(where, f"is no team: expected 0 to {MOST_ROUNDS} rounds")
