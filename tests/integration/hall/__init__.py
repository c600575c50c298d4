"""Hall tests with real Mosquitto and PostgreSQL servers."""
