"""The planners of the corridor."""
