"""Tests for the guided first battle."""
