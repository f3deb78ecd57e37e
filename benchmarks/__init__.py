"""Measurements: each module prints its numbers and how they were made."""
