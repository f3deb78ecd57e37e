"""Planners of Overcooked-AI."""
