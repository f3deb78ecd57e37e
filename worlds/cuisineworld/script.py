"""What the scripted model answers for CuisineWorld."""

from __future__ import annotations

from worlds.script import Script

SCRIPT: Script
