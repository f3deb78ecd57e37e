"""The names of a world's scenarios that are in groups, such as `level_1/01`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cookmas.files.errors import MissingError

if TYPE_CHECKING:
    from cookmas.worlds.domain import AnyDomain

Groups = Mapping[str, Sequence[str]]
"""The names of the scenarios in each group."""


def groups_in(folder: Path) -> dict[str, list[str]]:
    """Return the scenarios of each folder with YAML files in `folder`, which is their group."""
    groups: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*/*.yaml")):
        groups.setdefault(path.parent.name, []).append(f"{path.parent.name}/{path.stem}")
    return groups


def names_of_group(groups: Groups, group: str | None) -> Sequence[str]:
    """Return the names in a group, or in all groups in their order if `group` is None.

    Raise MissingError if there is no such group.
    """
    if group is None:
        return [name for names in groups.values() for name in names]
    if group not in groups:
        known = ", ".join(sorted(groups))
        raise MissingError(f"there is no group {group!r}; the groups are {known}")
    return groups[group]


def check_scenario(domain: AnyDomain, name: str) -> None:
    """Raise MissingError if no scenario that comes with the world has this name."""
    if name not in domain.names():
        raise MissingError(
            f"there is no scenario {name!r} of {domain.name}; "
            f"'cookmas list {domain.name}' names all"
        )
