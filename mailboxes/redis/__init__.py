"""The mailbox of an open episode on a Redis server; `address` alone does without its client."""
