"""Walk through the screens for the story of a recorded game and for the book of evenings."""

from collections.abc import Iterator
from pathlib import Path

from companion.storage.game_rows import PlayerNames
from companion.storage.journal import Journal
from companion.storage.journal_file import update_game_checksum
from companion.storage.records import as_transcript, read_record, sample_game
from engine.game.clocks import NO_CLOCK, ClockState
from engine.records.transcript import Transcript
from engine.rules.editions import DEFAULT
from tests.companion.ui.driver import Driver

PLAYERS = PlayerNames("Ada", "Bert")


def recorded_game() -> Transcript:
    """Return the sample game as if it had been played at the table."""
    with sample_game() as path:
        return as_transcript(read_record(Path(path)), DEFAULT)


def save_game(journal: Journal, game: Transcript, begun: str) -> int:
    """Save a finished game in a journal. Return its number."""
    number = journal.begin(game.edition, 1, NO_CLOCK, PLAYERS)
    actions = [entry.action for entry in game.entries]
    plies = game.referee().plies
    journal.append(number, 1.0, actions, game.outcome, ClockState(), plies=plies)
    connection = journal.file.connection
    connection.execute("UPDATE game SET begun = ? WHERE id = ?", (begun, number))
    update_game_checksum(connection, number)
    return number


def tour_of_stories(driver: Driver) -> Iterator[str]:
    """Save a recorded game three times, open its story, and delete the book."""
    driver.connect()
    game = recorded_game()
    for begun in ("2026-11-20 19:05:00", "2026-11-21 17:12:00", "2026-11-21 19:30:00"):
        save_game(driver.journal, game, begun)
    driver.tap("games")
    yield "games-with-book"
    driver.tap_at(*driver.middle(driver.find("rows").children[-1]))
    yield "replay-of-a-record"
    driver.tap("story")
    for number in (1, 2, 3):
        driver.tap_at(*driver.middle(driver.find("tabs").children[-number]))
        yield f"story-{number}"
    driver.tap("whole")
    yield "story-whole"
    for button in ("close", "close", "book"):
        driver.tap(button)
    yield "book"
    driver.tap("delete")
    yield "book-deleted-question"
    driver.confirm()
    yield "book-deleted"
