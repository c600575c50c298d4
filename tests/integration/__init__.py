"""Integration tests with large packages: broker, database, browser. `make heavy` runs them."""
