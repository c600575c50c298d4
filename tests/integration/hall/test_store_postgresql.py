"""The tests of the hall's database, run with PostgreSQL."""

from tests.companion.hall.test_store import *  # noqa: F403
