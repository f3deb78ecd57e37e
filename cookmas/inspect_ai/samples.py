"""Scenarios as samples: a sample names its scenario, and has nothing that no planner may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.dataset import Sample

from cookmas.loading import load_scenario, said
from cookmas.worlds import USUAL, domain_of, named
from episodes.errors import InputError
from episodes.scenario import Scenario
from worlds.domain import Domain

SCENARIO = "scenario"
"""The key in a sample's metadata by which samples belong together, for clustered errors."""


def samples_of(
    names: Sequence[str], world: str | None = None, settings: Mapping[str, Any] | None = None
) -> list[Sample]:
    """The samples of scenarios and groups of them, by name. Raises CookMASError."""
    told = said(settings or {})
    cases = [(spec, one) for name in names for spec, found in [named(name, world)] for one in found]
    return [_sample(spec, name, told) for spec, name in cases]


def _sample(spec: str, name: str, settings: Mapping[str, str]) -> Sample:
    scenario = load_scenario(name, spec, settings)
    whole = scenario.name if spec == USUAL else f"{scenario.world().name}/{scenario.name}"
    beside = "".join(f", {key} {value}" for key, value in settings.items())
    about = domain_of(spec).row(scenario)
    return Sample(
        id=f"{whole}{beside}",
        input="\n".join(f"{key}: {value}" for key, value in about.items()),
        metadata={
            SCENARIO: whole,
            "world": spec,
            "file": name,
            "settings": dict(settings),
            "level": about.get("level"),
            "digest": scenario.digest,
        },
    )


def played_in(metadata: Mapping[str, Any]) -> tuple[Scenario, Domain]:
    """The scenario of a sample and its domain. Raises CookMASError, also if it has been changed."""
    scenario = load_scenario(metadata["file"], metadata["world"], metadata["settings"])
    if scenario.digest != metadata["digest"]:
        raise InputError(scenario.name, "the scenario has been changed since the sample was made")
    return scenario, domain_of(metadata["world"])
