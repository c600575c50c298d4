"""Integration tests with broker, database and browser, run by ``make heavy``."""
