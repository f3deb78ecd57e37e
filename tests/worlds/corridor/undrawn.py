"""The corridor without a drawing: the page shows its words alone."""

from __future__ import annotations

from cookmas.worlds.corridor.domain import CorridorDomain
from cookmas.worlds.corridor.view import CorridorViewing

SPEC = "tests.worlds.corridor.undrawn:DOMAIN"


class Words(CorridorViewing):
    """The words of the corridor."""

    page = ()


WORDS = Words()


class UndrawnDomain(CorridorDomain):
    """The domain without scripts for the page."""

    viewing_spec = "tests.worlds.corridor.undrawn:WORDS"


DOMAIN = UndrawnDomain()
