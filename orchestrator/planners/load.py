"""Planners by what a person calls them: a name, `package.module:Class`, or a schedule file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

from episodes.errors import InputError
from episodes.importing import imported, made
from episodes.lines import clean
from episodes.trace import PlannerClass
from orchestrator.dialogue.options import AskingOptions
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.templates import SHARED_PROMPTS
from orchestrator.dialogue.voice import Voice
from orchestrator.member import Team
from orchestrator.models.message import Model
from orchestrator.models.options import ModelOptions
from orchestrator.planner import Entry, Planner
from orchestrator.planners.fixed import FixedPlanner
from orchestrator.planners.person import PEOPLE

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
) -> Planner | Team:
    """The planner or team that `spec` names: one of `named`, a class, or a schedule file.

    A class whose constructor takes a `model`, `models` (one for each worker) or a `budget` gets
    those that `options` describe, likewise a `name`, `prompting`, `templates` and `sampling` by
    `asking`, `workers`, and a `seed` where there is one.
    Raises InputError or MissingError with what is wrong with it, FailedError if it fails.
    """
    options, asking = options or ModelOptions(), asking or AskingOptions()
    where = f"planner {spec!r}"
    if spec.endswith((".yaml", ".yml")):
        _no_model(options, asking, where)
        return FixedPlanner(schedules(Path(spec)), clean(Path(spec).stem))
    expected = f"{', '.join(named)}, package.module:Class or a schedule file (.yaml)"
    factory = imported({**PEOPLE, **named}.get(spec, spec), where, expected)
    given = _given(factory, workers, options, asking, seed, where)
    if "name" in given:
        given["name"] = _reported(spec, asking, _asked(given), factory)
    return made(factory, given, where, partial(_checked, workers))


def _given(
    factory: Any,
    workers: Sequence[str],
    options: ModelOptions,
    asking: AskingOptions,
    seed: int | None,
    where: str,
) -> dict[str, Any]:
    """The arguments of a planner: workers and seed, and what one that calls a model needs."""
    try:
        wanted = set(inspect.signature(factory).parameters)
    except (TypeError, ValueError):
        wanted = set()
    own = {"workers": tuple(workers), "seed": seed}
    given: dict[str, Any] = {
        name: value for name, value in own.items() if name in wanted and value is not None
    }
    if not wanted & {"model", "models"}:
        _no_model(options, asking, where)
        return given
    if "model" in wanted:
        given["model"] = options.make()
    else:
        given["models"] = options.make_each(len(workers))
    if "budget" in wanted:
        given["budget"] = options.budget
    base = getattr(factory, "default_prompting", Prompting())
    idle = asking.ways() - getattr(factory, "ways", asking.ways())
    if idle:
        option = sorted(idle)[0].replace("_", "-")
        raise InputError(where, f"has no use for --{option}: leave it out")
    voice: Voice | None = getattr(factory, "voice", None)
    asked = {"name": "", **(asking.given(base, voice) if voice else {})}
    if asking.said() and not asked.keys() & wanted:
        option = next(iter(asking.said())).replace("_", "-")
        raise InputError(where, f"has no ways of prompting: leave out --{option}")
    return given | {name: value for name, value in asked.items() if name in wanted}


def _reported(spec: str, asking: AskingOptions, model: str, factory: Any) -> str:
    """The name of the results: the planner, the way of asking, and the model."""
    voice: Voice | None = getattr(factory, "voice", None)
    label = asking.label(voice.prompts if voice else SHARED_PROMPTS)
    return f"{spec}:{label} ({model})" if label else f"{spec} ({model})"


def _asked(given: Mapping[str, Any]) -> str:
    """The name of the model, or of all models that are asked."""
    models: Sequence[Model] = given.get("models", [given.get("model")])
    return ", ".join(dict.fromkeys(model.name for model in models))


def _no_model(options: ModelOptions, asking: AskingOptions, where: str) -> None:
    said = options.model_dump(exclude_defaults=True, exclude={"base_url"}) | asking.said()
    if said:
        option = next(iter(said)).replace("_", "-")
        raise InputError(where, f"calls no model: leave out --{option}")


def _checked(workers: Sequence[str], planner: Any, where: str) -> Planner | Team:
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
