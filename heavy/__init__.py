"""Tests that need large packages: a broker, a database, a browser. `make heavy` runs them."""
