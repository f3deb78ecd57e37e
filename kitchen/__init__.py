"""The restaurant's kitchen: its foods, actions and rules, and their simulator, without I/O."""
