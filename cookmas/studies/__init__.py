"""Studies: `bench` plays many episodes in a sweep, and `report` evaluates their results."""
