"""Fuzz tests. Every reader must handle any input without crashing.

It may use at most two seconds and 200 MB.
"""
