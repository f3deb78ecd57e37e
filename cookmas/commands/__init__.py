"""The commands of `cookmas`, one module each, and the helpers they share.

Heavy modules are imported when a command runs.
"""
