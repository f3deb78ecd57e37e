"""Studies: many episodes in a sweep (`bench`), and their results (`report`)."""
