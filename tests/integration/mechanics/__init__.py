"""Tests that the solid parts are watertight, thick enough, and assembled without overlap."""
