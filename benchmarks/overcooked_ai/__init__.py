"""Comparisons with Overcooked-AI: its recordings, a later fork of it, its speed."""
