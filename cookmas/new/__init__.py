"""Templates of user-supplied code, which `cookmas new` fills in."""
