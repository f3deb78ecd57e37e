"""The restaurant's planners."""
