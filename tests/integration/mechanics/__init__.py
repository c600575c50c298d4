"""Tests of the parts as solids: watertight, thick enough, and without overlap when assembled."""
