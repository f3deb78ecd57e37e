"""Measurements of CookMAS itself; each module is a command that prints its figures."""
