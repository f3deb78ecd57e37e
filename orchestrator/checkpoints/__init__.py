"""Checkpoints, and the leases in the same databases."""
