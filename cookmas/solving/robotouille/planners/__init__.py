"""The planners of Robotouille."""
