"""Runs in folders: their files, the lease of the process that plays one, and forks."""
