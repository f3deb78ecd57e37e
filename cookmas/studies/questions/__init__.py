"""Suites of questions about states of play, and their keys."""
