"""The live page of a run: it shows each record as it is written, and guests can order there."""
