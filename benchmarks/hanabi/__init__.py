"""Hanabi beside the Hanabi Learning Environment: recordings, games move by move, and speed."""
