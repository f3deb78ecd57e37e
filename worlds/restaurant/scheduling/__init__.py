"""Scheduling: the components that the open order lines want in, an action for each worker and
timestep out.
"""
