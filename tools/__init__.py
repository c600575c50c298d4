"""Developer commands; `make` calls them."""
