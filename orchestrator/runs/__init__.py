"""Runs in folders: who plays one, how it goes on, and how it branches."""
