"""The command `cookmas solve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.options.shared import Json, World
from cookmas.display.terminal import print_json, tell

if TYPE_CHECKING:
    from cookmas.solving.certificates import Certificate
    from cookmas.world_names import ScenarioPlace
    from cookmas.worlds.base.domain import Domain


def solve(
    name: Annotated[
        str, typer.Argument(help="A scenario, or with --verify a certificate, by its name or file.")
    ],
    units: Annotated[
        float,
        typer.Option(
            min=0.01,
            max=10_000,
            help="The limit of each search, in deterministic units of some seconds.",
        ),
    ] = 5,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the certificate to this file.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Prove the bound of a certificate again.")
    ] = False,
    world: World = None,
    json: Json = False,
) -> None:
    """Find the shortest schedule of a scenario, and prove how short a schedule can be."""
    from cookmas.files.errors import InputError
    from cookmas.solving.certificate_check import describe
    from cookmas.solving.certificates import write_certificate
    from cookmas.world_names import domain_of, locate

    if verify and output is not None:
        raise InputError("--verify, --output", "expected one of them at a time")
    place = locate(name, world)
    domain, found = domain_of(place.world), place.name
    if verify:
        certificate = _prove_again(domain, place, units)
    else:
        scenario = domain.scenario(found, {})
        certificate = domain.certify(scenario, units, lambda said: None if json else tell(said))
        if output is not None:
            write_certificate(certificate, output)
    if json:
        print_json(certificate.model_dump(exclude_none=True, exclude={"schedule"}))
    else:
        tell(f"{describe(certificate)}{'; proven again' if verify else ''}")


def _prove_again(domain: Domain, place: ScenarioPlace, units: float) -> Certificate:
    """Return a certificate after its schedule was played and its bound was proven again.

    Raises InputError if less is proven, MissingError if there is no certificate.
    """
    from cookmas.files.errors import InputError, MissingError
    from cookmas.files.naming import is_yaml
    from cookmas.files.reading import read_yaml, validate
    from cookmas.solving.certificate_check import check_certificate
    from cookmas.solving.certificates import Certificate

    name, path = place.spelled, Path(place.name)
    if not is_yaml(path):
        path = (domain.certificates or Path()) / f"{domain.scenario(place.name, {}).name}.yaml"
        if domain.certificates is None or not path.is_file():
            raise MissingError(f"there is no certificate of {name}; cookmas solve {name} makes one")
    data = read_yaml(path)
    check_certificate(domain, data, str(path))
    certificate = validate(Certificate, data, str(path))
    scenario = domain.scenario(certificate.certificate, {})
    bound = domain.prove_again(scenario, certificate, units)
    if bound < certificate.bound:
        why = f"only {bound} was proven, not {certificate.bound}; try more than {units:g} --units"
        raise InputError(str(path), f"bound: {why}")
    return certificate
