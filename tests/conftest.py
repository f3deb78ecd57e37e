"""For all tests: examples take the time they take, since machines differ."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("cookmas", deadline=None)
settings.load_profile("cookmas")
