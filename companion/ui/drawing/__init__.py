"""Colours, text, pictures and signs that widgets are drawn with."""
