"""The table, its memory, its voice and its face."""
