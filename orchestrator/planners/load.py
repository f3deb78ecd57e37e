"""Planners by what a person calls them: a name, `package.module:Class`, or a schedule file."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from episodes.errors import InputError
from episodes.trace import PlannerClass
from kitchen.layout import Kitchen
from orchestrator.models.message import Model
from orchestrator.models.options import ModelOptions
from orchestrator.planner import Planner
from orchestrator.planners.fixed import FixedPlanner
from orchestrator.planners.options import AskingOptions
from orchestrator.planners.prompting import Prompting
from scenarios.schedule import load_schedule

PLANNERS: Mapping[str, str] = {
    "embedded": "orchestrator.planners.embedded:EmbeddedPlanner",
    "naive": "orchestrator.planners.embedded:NaivePlanner",
    "llm": "orchestrator.planners.llm:LLMPlanner",
    "hybrid": "orchestrator.planners.hybrid:HybridPlanner",
}
"""The planners that come with CookMAS, imported when they are asked for."""


def load_planner(
    spec: str,
    kitchen: Kitchen,
    options: ModelOptions | None = None,
    asking: AskingOptions | None = None,
) -> Planner:
    """The planner that `spec` names; a schedule file is checked against the kitchen.

    A class whose constructor takes a `model` or a `budget` gets those that `options` describe, and
    likewise a `name`, `prompting`, `templates` and `sampling` by `asking`.
    Raises InputError or MissingError with what is wrong with it.
    """
    options, asking = options or ModelOptions(), asking or AskingOptions()
    where = f"planner {spec!r}"
    if spec.endswith((".yaml", ".yml")):
        _no_model(options, asking, where)
        return FixedPlanner(load_schedule(Path(spec), kitchen))
    module_name, _, class_name = PLANNERS.get(spec, spec).partition(":")
    if module_name[:1] in ("", ".") or not class_name:
        known = ", ".join(PLANNERS)
        raise InputError(
            where, f"expected {known}, package.module:Class or a schedule file (.yaml)"
        )
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise InputError(where, f"cannot be imported ({error})") from None
    factory = getattr(module, class_name, None)
    if factory is None:
        raise InputError(where, f"module {module_name} has no {class_name}")
    given = _given(factory, options, asking, where)
    if "name" in given:
        given["name"] = _reported(spec, asking, given["model"])
    try:
        planner = factory(**given)
    except TypeError as error:
        raise InputError(where, f"cannot be made without arguments ({error})") from None
    return _checked(planner, where)


def _given(
    factory: Any, options: ModelOptions, asking: AskingOptions, where: str
) -> dict[str, Any]:
    """The arguments of a planner that calls a model."""
    try:
        wanted = set(inspect.signature(factory).parameters)
    except (TypeError, ValueError):
        wanted = set()
    if "model" not in wanted:
        _no_model(options, asking, where)
        return {}
    given: dict[str, Any] = {"model": options.make()}
    if "budget" in wanted:
        given["budget"] = options.budget
    base = getattr(factory, "default_prompting", Prompting())
    idle = asking.ways() - getattr(factory, "ways", asking.ways())
    if idle:
        option = sorted(idle)[0].replace("_", "-")
        raise InputError(where, f"has no use for --{option}: leave it out")
    asked = {"name": "", **asking.given(base)}
    if asking.said() and not asked.keys() & wanted:
        option = next(iter(asking.said())).replace("_", "-")
        raise InputError(where, f"has no ways of prompting: leave out --{option}")
    return given | {name: value for name, value in asked.items() if name in wanted}


def _reported(spec: str, asking: AskingOptions, model: Model) -> str:
    """The name of the results: the planner, the way of asking, and the model."""
    label = asking.label()
    return f"{spec}:{label} ({model.name})" if label else f"{spec} ({model.name})"


def _no_model(options: ModelOptions, asking: AskingOptions, where: str) -> None:
    said = options.model_dump(exclude_defaults=True, exclude={"base_url"}) | asking.said()
    if said:
        option = next(iter(said)).replace("_", "-")
        raise InputError(where, f"calls no model: leave out --{option}")


def _checked(planner: Any, where: str) -> Planner:
    if not callable(getattr(planner, "plan", None)):
        raise InputError(where, "is no planner: it has no method plan")
    if not isinstance(getattr(planner, "name", None), str):
        raise InputError(where, "is no planner: it has no name")
    classes = get_args(PlannerClass)
    if getattr(planner, "planner_class", None) not in classes:
        raise InputError(where, f"is no planner: expected a planner_class out of {classes}")
    checked: Planner = planner
    return checked
