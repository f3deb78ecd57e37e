"""The mailbox of an open episode on a Redis server.

The module `address` can be imported without the package redis.
"""
