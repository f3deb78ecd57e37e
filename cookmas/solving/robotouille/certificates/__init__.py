"""The certificates of the scenarios that come with the world, one file each."""

from pathlib import Path

CERTIFICATES = Path(__file__).parent
"""The folder of the certificates."""
