"""Policies: planners without a model that map a kitchen and its state to commands."""
