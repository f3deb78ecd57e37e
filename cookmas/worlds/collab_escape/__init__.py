"""Collab Escape: two players repair generators and flee from a killer."""
