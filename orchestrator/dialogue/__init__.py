"""The dialogue with a model: how it is asked, and how its answers are read and remembered."""
