"""The truth about dishes and notes: read by evaluators and by those who make scenarios."""
