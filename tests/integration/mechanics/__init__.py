"""Tests for the solid parts: watertight, thick enough, and assembled without overlap."""
