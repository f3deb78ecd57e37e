"""Policies of Hanabi that need no model."""
