"""Tests for the repository: pins, wheels, layers and documents."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "firmware_bridge", "companion")
