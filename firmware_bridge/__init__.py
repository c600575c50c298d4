"""Decodes the bytes that a board sends, and recognises the players' hand actions."""
