"""Developer commands, most of which are Makefile targets."""
