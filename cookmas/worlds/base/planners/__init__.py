"""The planners of every plain world."""
