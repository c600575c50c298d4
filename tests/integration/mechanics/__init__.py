"""Tests of the parts as solids: watertight, thick enough, and no overlap when assembled."""
