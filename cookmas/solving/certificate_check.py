"""The check of certificates: their schedules are played, without planner and graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cookmas.episodes.play import Play
from cookmas.episodes.trace import AnyRecord, Trace
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError, MissingError
from cookmas.files.naming import is_yaml
from cookmas.files.reading import read_yaml, validate
from cookmas.orchestrator.episode import header_of
from cookmas.solving.certificates import Certificate

if TYPE_CHECKING:
    from cookmas.episodes.scenario import Scenario
    from cookmas.worlds.base.domain import Domain

MARK = "certificate"
"""The field by which a file is known as a certificate."""


def check_file(domain: Domain, path: Path) -> Sequence[str]:
    """Return the remarks on a certificate, or on another file that the world knows.

    Raise InputError if the file is invalid.
    """
    data = read_yaml(path) if is_yaml(path) else None
    if isinstance(data, Mapping) and MARK in data:
        return [check_certificate(domain, data, str(path))]
    return domain.check(path)


def check_certificate(domain: Domain, data: object, where: str) -> str:
    """Return a sentence about a certificate after its schedule was played.

    `data` is the content of its file, and `where` names the file in errors. Raise InputError if the
    certificate is invalid, belongs to another scenario, or if its schedule does not succeed at the
    timestep that it states.
    """
    certificate = validate(Certificate, data, where)
    try:
        scenario = domain.scenario(certificate.certificate, {})
    except MissingError as error:
        raise InputError(where, f"certificate: {error}") from None
    if certificate.world != domain.name:
        raise InputError(where, f"world: expected {domain.name}, not {certificate.world}")
    if certificate.digest != scenario.digest:
        why = f"expected {scenario.digest}; the certificate is for another {scenario.name}"
        raise InputError(where, f"digest: {why}")
    if certificate.bound > certificate.value:
        raise InputError(
            where, f"bound: {certificate.bound} is more than the value {certificate.value}"
        )
    if len(certificate.schedule) != certificate.value:
        why = f"expected {certificate.value} timesteps, not {len(certificate.schedule)}"
        raise InputError(where, f"schedule: {why}")
    _play(domain, scenario, certificate, where)
    return f"{describe(certificate)}{_tell_unchecked(domain, scenario, certificate)}"


def describe(certificate: Certificate) -> str:
    """Return a sentence about a certificate."""
    proven, bound = certificate.proven, certificate.bound
    what = "which no schedule beats" if proven else f"and at least {bound} are needed"
    sentence = f"certificate of {certificate.certificate}: {certificate.value} timesteps, {what}"
    model = certificate.model_bound
    if model is None or proven:
        return sentence
    return f"{sentence}; at least {model} in the solver's model"


def _tell_unchecked(domain: Domain, scenario: Scenario, certificate: Certificate) -> str:
    """Return what was not checked of a certificate whose bounds a solver proved."""
    if certificate.solver is None:
        return ""
    own = domain.bound_without_solver(scenario)
    again = f"cookmas solve {scenario.name} --verify"
    said = f"; the bounds of {certificate.solver} were not checked ({again})"
    return said if own is None else f"{said}; the bound without a solver is {own}"


def _play(domain: Domain, scenario: Scenario, certificate: Certificate, where: str) -> None:
    """Play the schedule of a certificate.

    Raise InputError if an action FAILs, or if the scenario has not succeeded at the end.
    """
    world = scenario.world()
    events = scenario.events()
    horizon = max(certificate.value, *(1 + at for at, _ in events), 1)
    records: list[AnyRecord] = [header_of(scenario, world, "schedule", "fixed", horizon)]
    play = Play(world, events, horizon, records.append)
    for timestep, row in enumerate(certificate.schedule):
        commands = [Command(*assignment) for assignment in row.items()]
        if play.ended:
            raise InputError(where, f"schedule.{timestep}: the episode has ended before")
        if refused := world.refusal(commands):
            raise InputError(where, f"schedule.{timestep}: {refused}")
        for worker, fail in play.step(commands).record.fails.items():
            raise InputError(where, f"schedule.{timestep}.{worker}: FAILs: {fail.why}")
    while not play.ended:
        play.step([])
    verdict = domain.judging.judge(Trace(tuple(records)), domain.truth(scenario), scenario.world())
    if not verdict.success:
        raise InputError(where, f"schedule: does not succeed: {verdict.why}")
