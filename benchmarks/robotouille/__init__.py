"""Robotouille beside the original: recordings of its engine, and what was published of it."""
