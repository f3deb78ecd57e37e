"""The evaluators of CuisineWorld, which see which orders were completed and which failed."""
