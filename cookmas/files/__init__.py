"""Safe reading and atomic writing of files, and errors that report bad input in one line."""
