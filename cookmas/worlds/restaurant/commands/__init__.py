"""The commands that the restaurant adds to the command line."""
