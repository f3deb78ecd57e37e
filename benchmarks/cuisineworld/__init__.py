"""CuisineWorld compared with its original: recordings, published counts, tables, speed."""
