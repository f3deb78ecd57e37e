"""Measurements of CookMAS itself: commands that print their figures, and modules that they use."""
