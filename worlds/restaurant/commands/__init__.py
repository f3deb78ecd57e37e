"""The commands that the restaurant brings to the command line."""
