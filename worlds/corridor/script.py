"""What the scripted model answers for the corridor."""

from __future__ import annotations

from worlds.script import Script

SCRIPT: Script
