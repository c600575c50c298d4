"""Rendered pictures of a board with a printed frame, for testing the camera."""
