"""Tests for the computer opponent."""
