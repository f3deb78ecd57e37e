"""Collab Capture and Collab Escape beside the originals: recordings, and speed."""
