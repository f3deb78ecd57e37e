"""Scripted cooks, each a policy for one seat."""
