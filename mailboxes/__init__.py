"""Mailboxes: the channel for events to an episode and for answers to their senders."""
