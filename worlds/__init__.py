"""Worlds: the parts of each world besides its rules, and the domain protocol that connects them."""
