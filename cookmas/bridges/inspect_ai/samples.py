"""Scenarios as samples. A sample names its scenario; it contains nothing that a planner may not
see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.dataset import Sample

from cookmas.evals.verdict import OUTCOMES
from cookmas.files.errors import InputError
from cookmas.loading import Loaded, load_scenario, load_vetted
from cookmas.orchestrator.runs.request import RunRequest, settings_as_text
from cookmas.world_names import USUAL, domain_of, locate_all
from cookmas.worlds.base.domain import Domain

SCENARIO = "scenario"
"""The metadata key whose value groups samples of one scenario, for clustered standard errors."""


def samples_of(
    names: Sequence[str], world: str | None = None, settings: Mapping[str, Any] | None = None
) -> list[Sample]:
    """Return a sample for each named scenario, and for each scenario of a named group.

    `names` has the names of scenarios and groups. Raises CookMASError.
    """
    texts = settings_as_text(settings or {})
    places = [place for name in names for place in locate_all(name, world)]
    return [_make_sample(place.world, place.name, texts) for place in places]


def _make_sample(spec: str, name: str, settings: Mapping[str, str]) -> Sample:
    scenario = load_scenario(name, spec, settings)
    world, domain = scenario.world(), domain_of(spec)
    whole = scenario.name if spec == USUAL else f"{world.name}/{scenario.name}"
    beside = "".join(f", {key} {value}" for key, value in settings.items())
    about = domain.row(scenario)
    return Sample(
        id=f"{whole}{beside}",
        input="\n".join(f"{key}: {value}" for key, value in about.items()),
        target=OUTCOMES[True],
        metadata={
            SCENARIO: whole,
            "world": spec,
            "version": f"{world.name}: rules {world.rules}, judges {domain.judging.version}",
            "file": name,
            "settings": dict(settings),
            "digest": scenario.digest,
        },
    )


def domains_of(samples: Sequence[Sample]) -> list[Domain]:
    """Return the domains of samples, without repetitions."""
    return list(
        map(domain_of, dict.fromkeys(_read_metadata(sample, "world") for sample in samples))
    )


def version_of(samples: Sequence[Sample]) -> str:
    """Return a text that changes if a world's rules or evaluators change."""
    worlds = dict.fromkeys(_read_metadata(sample, "version") for sample in samples)
    return ", ".join(worlds)


def _read_metadata(sample: Sample, key: str) -> str:
    return str((sample.metadata or {})[key])


def load_run(metadata: Mapping[str, Any], **said: Any) -> Loaded:
    """Return the loaded request that plays a sample.

    `said` has further fields of the RunRequest, such as the planner. Raises CookMASError, for
    example if the scenario has changed since the sample was made.
    """
    loaded = load_vetted(
        RunRequest(
            world=metadata["world"],
            scenario=metadata["file"],
            settings=metadata["settings"],
            **said,
        )
    )
    if loaded.scenario.digest != metadata["digest"]:
        name = loaded.scenario.name
        raise InputError(name, "the scenario has been changed since the sample was made")
    return loaded
