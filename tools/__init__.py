"""Commands for those who work on the repository; `make` calls them."""
