"""The corridor in words for a model."""
