"""The worlds that come with CookMAS, and how a world of questions finds them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cookmas.files.errors import InputError
from cookmas.sandbox.importing import import_named

if TYPE_CHECKING:
    from cookmas.worlds.base.domain import Domain

WORLDS: Mapping[str, str] = MappingProxyType(
    {
        "restaurant": "cookmas.worlds.restaurant.domain:DOMAIN",
        "cuisineworld": "cookmas.worlds.cuisineworld.domain:DOMAIN",
        "collab-overcooked": "cookmas.worlds.collab_overcooked.domain:DOMAIN",
        "overcooked": "cookmas.worlds.overcooked.domain:DOMAIN",
        "robotouille": "cookmas.worlds.robotouille.domain:DOMAIN",
        "collab-capture": "cookmas.worlds.collab_capture.domain:DOMAIN",
        "collab-escape": "cookmas.worlds.collab_escape.domain:DOMAIN",
        "hanabi": "cookmas.worlds.hanabi.domain:DOMAIN",
        "questions": "cookmas.worlds.questions.domain:DOMAIN",
        "corridor": "cookmas.worlds.corridor.domain:DOMAIN",
    }
)
"""The `module:name` of each world's domain, by the world's name; imported on demand."""


@cache
def import_world(name: str) -> Domain:
    """Return the domain of a world that comes with CookMAS. Raise InputError for another name."""
    if name not in WORLDS:
        raise InputError(name, f"expected a world: {', '.join(WORLDS)}")
    domain: Domain = import_named(WORLDS[name], f"world {name}")
    return domain


def solved(world: str, name: str) -> Any:
    """Return what the solving of a shipped world has by a name, such as `search:find_best`.

    Raise MissingError if it is not there.
    """
    return import_world(world).solved(name)
