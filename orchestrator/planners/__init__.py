"""Planners, one module each."""
