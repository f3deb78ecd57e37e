"""Watching a run: what happens in it in words, as lines and as a picture on the terminal."""
