"""Scheduling: from what the open order lines want to an action for each worker and timestep."""
