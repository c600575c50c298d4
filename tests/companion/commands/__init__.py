"""Tests for the commands."""
