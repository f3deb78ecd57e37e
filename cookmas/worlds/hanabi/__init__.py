"""Hanabi: players who see every hand but their own build fireworks together."""
