"""Studies: many episodes in a sweep (`bench`), and what came of them (`report`)."""
