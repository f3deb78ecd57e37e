"""Watching a run: its events in words, printed as lines or drawn as a board in the terminal."""
