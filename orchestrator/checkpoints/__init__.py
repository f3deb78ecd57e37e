"""The databases of checkpoints, which also hold the leases of runs."""
