"""Observers of an episode: they get each record as it is appended, and change nothing."""
