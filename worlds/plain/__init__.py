"""Plain worlds: the common code of most worlds, so that a new world need not write it."""
