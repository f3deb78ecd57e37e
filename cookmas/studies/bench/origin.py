"""The origin of a sweep: the suite, the scenarios and the code with which it was started.

A sweep can be resumed only with the same origin.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from cookmas import __version__
from cookmas.episodes.world import digest
from cookmas.loading import load, planner_of
from cookmas.orchestrator.planners.naming import planners_in
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.models import host, make_model_of, request_of
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec, Point
from cookmas.studies.bench.suite import Suite
from cookmas.world_names import domain_of

CODE = Path(__file__).parents[2]
"""The folder of the package `cookmas`, in which some folders are links."""


class SweepOrigin(BaseModel):
    """The content of `sweep.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = 1
    suite: dict[str, Any]
    """The suite as plain data."""
    arms: dict[str, str]
    """The full name of each arm's planner, which includes its prompts and its model."""
    scenarios: dict[str, str]
    """Digest of each case's scenario."""
    versions: dict[str, str]
    """Versions of the code and the rules; a resumed sweep needs the same ones."""
    around: dict[str, str] = {}
    """Versions of Python and of libraries, which are recorded but not compared."""

    @property
    def digest(self) -> str:
        """Digest of the suite with its scenarios."""
        return digest([self.suite, self.scenarios])

    @property
    def planned(self) -> dict[tuple[str, Point], int]:
        """Number of planned episodes of each arm, at each value of the varied option."""
        suite = Suite.model_validate(self.suite)
        return {
            (arm.label, at): suite.repeats
            * sum(case.endswith(_describe_point(at)) for case in self.scenarios)
            for arm in suite.all_arms
            for at in (suite.vary.values if suite.vary else (None,))
        }

    def is_extended_by(self, other: SweepOrigin) -> bool:
        """Return whether another origin differs in nothing but a greater number of repeats."""
        there, here = _data_to_compare(self), _data_to_compare(other)
        before, now = there["suite"].pop("repeats"), here["suite"].pop("repeats")
        return there == here and bool(now > before)

    def differences(self, other: SweepOrigin) -> list[str]:
        """Return a sentence for each difference to another origin, with both values."""
        return list(_differences("", _data_to_compare(self), _data_to_compare(other)))


def origin_of(suite: Suite, specs: Sequence[EpisodeSpec], limits: SweepLimits) -> SweepOrigin:
    """Return the origin of these episodes. Raise CookMASError if a planner cannot be made."""
    return SweepOrigin(
        suite=suite.data,
        arms=_arms(specs, limits),
        scenarios={
            f"{spec.case}{_describe_point(spec.at)}": spec.scenario_digest for spec in specs
        },
        versions={
            "cookmas": __version__,
            **{f"rules of {world}": _rules(world, specs) for world in _worlds(specs)},
            **code_of(specs),
        },
        around={
            "python": ".".join(map(str, sys.version_info[:3])),
            **{name: version(name) for name in ("langgraph", "langchain-core", "openai")},
        },
    )


def code_of(specs: Sequence[EpisodeSpec]) -> dict[str, str]:
    """Return digests of all code that the episodes use: CookMAS, and user-supplied code by name."""
    outside = {f"code of {spec}": found for spec, found in _digest_own_code(specs)}
    return {"code": code_digest(), **outside}


@cache
def code_digest() -> str:
    """Return a digest of the code of CookMAS and of the texts and data that come with it."""
    seen = hashlib.sha256()
    walked = os.walk(CODE, followlinks=True)
    for path in sorted(Path(folder, name) for folder, _, names in walked for name in names):
        if path.suffix in (".py", ".yaml", ".txt", ".md", ".lua"):
            seen.update(str(path.relative_to(CODE)).encode() + b"\0" + path.read_bytes())
    return seen.hexdigest()[:16]


def _arms(specs: Sequence[EpisodeSpec], limits: SweepLimits) -> dict[str, str]:
    found: dict[str, str] = {}
    for spec in specs:
        if (name := f"{spec.arm}{_describe_point(spec.at)}") not in found:
            job = EpisodeJob(spec=spec, limits=limits)
            with host(job) as processes:
                loaded = load(request_of(job))
                planner = planner_of(loaded, processes, make_model=make_model_of(job))
                found[name] = planner.name
    return found


def _describe_point(at: Point) -> str:
    return "" if at is None else f" at {at}"


def _worlds(specs: Sequence[EpisodeSpec]) -> list[str]:
    return list(dict.fromkeys(spec.world for spec in specs))


def _rules(world: str, specs: Sequence[EpisodeSpec]) -> str:
    spec = next(spec for spec in specs if spec.world == world)
    return domain_of(world).scenario(spec.scenario, spec.settings).world().rules


def _digest_own_code(specs: Sequence[EpisodeSpec]) -> Iterator[tuple[str, str]]:
    """Yield the names of user-supplied planners and worlds, with digests of their modules."""
    each = {name for spec in specs for name in (*planners_in(spec.planner), spec.world)}
    named = {name for name in each if ":" in name}
    for name in sorted(named):
        module = find_spec(name.partition(":")[0])
        if module and module.origin:
            content = Path(module.origin).read_bytes()
            yield name, hashlib.sha256(content).hexdigest()[:16]


def _data_to_compare(origin: SweepOrigin) -> dict[str, Any]:
    data = origin.model_dump(mode="json", exclude={"around"})
    return data | {"suite": {"repeats": 1} | data["suite"]}


def _differences(where: str, before: Any, now: Any) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name in [*before, *(name for name in now if name not in before)]:
            inside = f"{where}.{name}" if where else str(name)
            yield from _differences(inside, before.get(name), now.get(name))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from _differences(f"{where}.{number}", one, other)
    elif before != now:
        yield f"{where} is {_excerpt(before)} there, {_excerpt(now)} here"


def _excerpt(value: Any) -> str:
    text = "not given" if value is None else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
