"""Words and drawing of Collab-Overcooked."""
