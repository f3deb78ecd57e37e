"""The commands of `cookmas`, one module each, and what they share.

What is heavy is imported when a command runs.
"""
