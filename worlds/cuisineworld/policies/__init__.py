"""Planners that need no model: they see a kitchen and its state, and answer with commands."""
