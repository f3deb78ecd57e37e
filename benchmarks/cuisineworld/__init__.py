"""Comparisons of CuisineWorld with MindAgent: recordings, published counts, tables and speed."""
