"""The database of a hall: its tests once more, with PostgreSQL."""

from tests.companion.hall.test_store import *  # noqa: F403
