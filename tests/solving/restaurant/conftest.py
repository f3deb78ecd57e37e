"""The scripted model of the tests of the restaurant, for those of its planners."""

from __future__ import annotations

from tests.worlds.restaurant.conftest import models, searched_once

__all__ = ["models", "searched_once"]
