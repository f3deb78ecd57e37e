"""Watching a run: its events in words, as lines or as a board on the terminal."""
