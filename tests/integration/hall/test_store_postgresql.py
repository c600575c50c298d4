"""Tests of the hall's database with PostgreSQL."""

from tests.companion.hall.test_store import *  # noqa: F403
