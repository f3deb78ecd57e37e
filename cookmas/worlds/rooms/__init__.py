"""Rooms for worlds of two players who move at once: maps, exact optimal play, and its regret."""
