"""What comes from people's files: read with care, checked, written whole; bad input is one line."""
