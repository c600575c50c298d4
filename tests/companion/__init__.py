"""Tests for the companion."""
