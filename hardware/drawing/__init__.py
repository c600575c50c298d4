"""Drawings that pages and boards share."""
