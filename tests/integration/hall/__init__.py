"""Tests of the hall with a real Mosquitto and a real PostgreSQL."""
