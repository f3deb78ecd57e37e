"""Comparisons of our Collab-Overcooked with the original, and its speed."""
