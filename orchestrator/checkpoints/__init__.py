"""Checkpoints, and the leases that stand beside them."""
