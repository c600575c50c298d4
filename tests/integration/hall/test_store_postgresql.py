"""Tests for the hall's database, run against PostgreSQL."""

from tests.companion.hall.test_store import *  # noqa: F403
