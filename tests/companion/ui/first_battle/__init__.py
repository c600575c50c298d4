"""Tests of the guided first battle."""
