"""Measurements: each module prints its numbers and says how they were made."""
