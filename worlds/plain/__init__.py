"""Plain worlds: what most worlds share, so that a new world need not write it."""
