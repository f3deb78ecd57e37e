"""Safe reading and atomic writing of files, and the errors that report bad input in one line."""
