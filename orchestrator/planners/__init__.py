"""Planners of every kind, and the code that loads them and calls them."""
