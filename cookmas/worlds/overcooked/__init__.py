"""The kitchen of Overcooked-AI: onions, pots and plates on a grid, for cooks who move at once."""
