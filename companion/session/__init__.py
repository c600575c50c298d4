"""One game at one board: the host, its journal, settings and pieces."""
