"""The words and the drawing of CuisineWorld, for the page and the terminal."""
