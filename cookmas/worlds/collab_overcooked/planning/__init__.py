"""Plans for both cooks together, searched by the rules."""
