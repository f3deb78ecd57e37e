"""Mailboxes: the way in which events reach an episode, and its answers those who sent them."""
