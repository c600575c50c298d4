"""Tests of the repository around the code: pins, wheels and layers."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "firmware_bridge", "companion")
