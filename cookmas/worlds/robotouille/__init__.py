"""Robotouille: robots cook by rules that a file defines, and so does a biology bench."""
