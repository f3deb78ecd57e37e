"""The prompt adapter of the corridor."""
