"""Camera tests, with rendered images of a board in a printed frame."""
