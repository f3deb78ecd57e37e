"""Policies of Overcooked-AI: cooks that need no model."""
