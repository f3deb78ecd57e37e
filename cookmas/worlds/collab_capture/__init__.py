"""Collab Capture: two players catch a thief in rooms with doors."""
