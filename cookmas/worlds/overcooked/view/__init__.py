"""Words and drawing of Overcooked-AI."""
