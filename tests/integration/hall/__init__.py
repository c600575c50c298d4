"""Tests for the hall with a real Mosquitto and a real PostgreSQL."""
