"""Navigation: the actions of all buttons that open another screen or dialog."""
