"""Mailboxes: the channel that brings events to an episode, and answers to their senders."""
