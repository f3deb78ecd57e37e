"""Planners of Collab-Overcooked."""
