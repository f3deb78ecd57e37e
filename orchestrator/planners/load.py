"""Planners by what a person calls them: a name, `package.module:Class`, or a schedule file."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from episodes.errors import InputError
from episodes.trace import PlannerClass
from kitchen.layout import Kitchen
from orchestrator.planner import Planner
from orchestrator.planners.fixed import FixedPlanner
from scenarios.schedule import load_schedule

PLANNERS: Mapping[str, str] = {
    "embedded": "orchestrator.planners.embedded:EmbeddedPlanner",
    "naive": "orchestrator.planners.embedded:NaivePlanner",
}
"""The planners that come with CookMAS, imported when they are asked for."""


def load_planner(spec: str, kitchen: Kitchen) -> Planner:
    """The planner that `spec` names; a schedule file is checked against the kitchen.

    Raises InputError or MissingError with what is wrong with it.
    """
    if spec.endswith((".yaml", ".yml")):
        return FixedPlanner(load_schedule(Path(spec), kitchen))
    where = f"planner {spec!r}"
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
    try:
        planner = factory()
    except TypeError as error:
        raise InputError(where, f"cannot be made without arguments ({error})") from None
    return _checked(planner, where)


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
