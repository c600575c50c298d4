"""Colours, text, images and symbols that widgets are drawn with."""
