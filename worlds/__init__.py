"""Worlds: what each world adds to its rules, and the domain protocol that binds it together."""
