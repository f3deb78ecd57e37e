"""A plain world: what most worlds have in common, and what a new one need not write."""
