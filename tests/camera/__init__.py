"""Rendered pictures of a board with a printed frame, for tests of the camera."""
