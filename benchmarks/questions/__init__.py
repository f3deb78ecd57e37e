"""The keys of questions beside a second computation."""
