"""The domain of Robotouille, with its scenarios, planners and judging."""

from __future__ import annotations

from cookmas.worlds.base.domain import Domain
from cookmas.worlds.robotouille.world import RobotouilleWorld


class RobotouilleDomain(Domain):
    """The domain of the robots that act by the rules of a file."""

    world_type = RobotouilleWorld
    options = ("timers",)


DOMAIN = RobotouilleDomain()
