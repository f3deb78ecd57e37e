"""Certificates: a schedule that solves a scenario, and a bound on how short a schedule can be.

The certificate of a scenario is the file of the scenario's name in the folder `certificates` of its
world. Anybody can check that the schedule does what the certificate says, by playing it. The bound
is as good as the program that found it. Planners never see certificates.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from cookmas.files.reading import FileModel, Name, read_yaml, validate
from cookmas.files.writing import write_text
from cookmas.files.yaml_text import to_yaml

Timesteps = Annotated[int, Field(ge=0, le=100_000)]


class Certificate(FileModel):
    """A schedule for a scenario, and a bound on the timesteps of any schedule."""

    world: Name
    certificate: Name
    """Name of the scenario within the world."""
    digest: Annotated[str, Field(max_length=64)]
    value: Timesteps
    """Number of timesteps of the schedule, after which the scenario has succeeded."""
    bound: Timesteps
    """Number of timesteps that every schedule needs at least."""
    model_bound: Timesteps | None = None
    """Number of timesteps that every schedule of the solver's model needs at least.

    It may be greater than `bound`, and even than `value`, because the model leaves out what the
    rules allow. In certificates of older versions it is at most `value`.
    """
    solver: Annotated[str, Field(max_length=100)] | None = None
    """Name, version and limit of the solver that proved the bounds; None if the world's own search
    did.
    """
    schedule: Annotated[list[dict[Name, Name]], Field(max_length=100_000)]
    """The action of each worker at each timestep; a worker that is left out idles."""

    @property
    def proven(self) -> bool:
        """True if no schedule is shorter."""
        return self.value == self.bound


def read_certificate(folder: Path, name: str, digest: str) -> Certificate | None:
    """Return the certificate of a scenario, by its name and its digest.

    Return None if the folder has none, or that of another version of the scenario.
    """
    path = folder / f"{name}.yaml"
    if not path.is_file():
        return None
    certificate = validate(Certificate, read_yaml(path), str(path))
    return certificate if certificate.digest == digest else None


def write_certificate(certificate: Certificate, path: Path) -> None:
    """Write a certificate to a file, with each timestep of the schedule in a line."""
    data = certificate.model_dump(exclude_none=True)
    rows = [to_yaml(row, flow=True, width=10**6).strip() for row in data.pop("schedule")]
    head = to_yaml(data)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, f"{head}schedule:\n" + "".join(f"- {row}\n" for row in rows))
