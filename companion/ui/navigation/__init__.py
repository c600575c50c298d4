"""Navigation: actions for the buttons that open another screen or dialog."""
