"""A scenario of every world that comes with CookMAS."""

from __future__ import annotations

from cookmas.world_names import WORLDS, domain_of

SCENARIOS = [f"{world}/{domain_of(world).names()[0]}" for world in WORLDS]
"""The first scenario of each world."""
