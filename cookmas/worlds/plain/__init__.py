"""Plain worlds: a base with the parts that most worlds share, so that new worlds are short."""
