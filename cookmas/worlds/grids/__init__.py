"""Grids for worlds of cells: their text, walking and turning, shortest paths, and drawing."""
