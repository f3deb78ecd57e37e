"""The prompt adapter of plain worlds."""
