"""The corridor's planners."""
