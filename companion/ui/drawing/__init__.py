"""Colours, text, pictures and symbols from which widgets are drawn."""
