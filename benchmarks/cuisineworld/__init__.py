"""CuisineWorld beside its original: recordings, published counts, tables, speed."""
