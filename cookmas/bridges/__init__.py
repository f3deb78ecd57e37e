"""Bridges to other frameworks: Inspect AI, PettingZoo and LangGraph Studio."""
