"""The parts as solids: watertight, thick enough, and without overlap when put together."""
