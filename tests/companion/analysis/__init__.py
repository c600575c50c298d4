"""Tests of the review of finished games."""
