"""Collab-Overcooked: a chef and an assistant who need each other to cook one order."""
