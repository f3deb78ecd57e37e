"""Planners, one module for each."""
