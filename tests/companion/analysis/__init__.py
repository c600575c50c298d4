"""Tests for the review of finished games."""
