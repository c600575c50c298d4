"""Developer commands, most of which are targets of the Makefile."""
