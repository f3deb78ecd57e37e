"""The dialogue with a model: how it is asked, how its answers are read, repaired, remembered."""
