"""View and export finished games."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.inputs import CommandInput, OfferUndo
from companion.opponent.levels import Level
from companion.storage.game_rows import PlayerNames
from companion.ui.dialogs.saved_games import ROWS, SECONDS, ReplayDialog
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import PlaceArmies, Resign
from engine.game.clocks import NO_CLOCK, ClockState
from engine.game.rulings import GameOver, Reason
from engine.records.record_files import read_transcript
from engine.rules.editions import DEFAULT
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, attack_on_screen, begin, declare, play

Drive = Callable[..., Driver]


def fight(driver: Driver) -> None:
    """Play two moves and an attack that Red's colonel wins."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    declare(driver, Rank.COLONEL)
    declare(driver, Rank.MAJOR)
    driver.show(after(image, "e5 e6"))
    driver.tap("end")


def resign(driver: Driver, side: str = "red") -> None:
    for button in ("menu", f"{side}_resigns"):
        driver.tap(button)
    driver.confirm()


@pytest.fixture
def played(driver: Driver) -> Driver:
    fight(driver)
    resign(driver)
    assert driver.view == "end"
    return driver


@pytest.fixture
def looking(played: Driver) -> Driver:
    """Viewer with the finished game, at its last position."""
    played.tap("look")
    played.confirm()
    return played


def shown(driver: Driver) -> dict[int, Rank]:
    return dict(driver.find("board").ranks)


def test_replay_step_by_step(looking: Driver) -> None:
    assert "3 of 3" in looking.texts()
    assert "e5 attacks e6. Red: colonel. Blue: major." in looking.texts()
    assert "the other side has resigned" in looking.texts()
    assert shown(looking) == {square("e6"): Rank.COLONEL}
    looking.tap("back")
    assert "2 of 3" in looking.texts()
    assert "Blue: e7 to e6." in looking.texts()
    assert shown(looking) == {square("e5"): Rank.COLONEL, square("e6"): Rank.MAJOR}
    go_to(looking, 0)
    assert "0 of 3" in looking.texts()
    assert looking.find("board").image == STANDING
    looking.tap("back")
    assert "0 of 3" in looking.texts(), "there is nothing before the setup"
    looking.tap("forward")
    assert "Red: e4 to e5." in looking.texts()
    assert looking.find("board").last_move == (square("e4"), square("e5"))
    go_to(looking, 3)
    looking.tap("forward")
    assert "3 of 3" in looking.texts(), "there is nothing after the end"


def go_to(driver: Driver, ply: int) -> None:
    line = driver.find("line")
    driver.tap_at(*line.to_window(line.place(ply), line.center_y))


@RARE
def test_replay_plays_automatically(looking: Driver) -> None:
    looking.tap("play")
    assert "0 of 3" in looking.texts(), "it restarts, because it was at the end"
    looking.pass_time(SECONDS)
    assert "1 of 3" in looking.texts()
    looking.tap("play")
    looking.pass_time(5 * SECONDS)
    assert "1 of 3" in looking.texts()
    looking.tap("play")
    looking.wait(lambda: "3 of 3" in looking.texts(), frames=100)
    looking.pass_time(SECONDS)
    modal = looking.app.face.modals.modal
    assert isinstance(modal, ReplayDialog)
    assert not modal.is_playing


@RARE
def test_replay_of_key_moments(looking: Driver) -> None:
    go_to(looking, 0)
    looking.tap("key")
    assert "3 of 3" in looking.texts(), "a colonel has fought, and the game has ended"


def test_replay_shows_known_ranks(looking: Driver) -> None:
    looking.tap("back")
    looking.tap("known")
    assert shown(looking) == {}, "no rank had been revealed yet"
    looking.tap("forward")
    assert shown(looking) == {square("e6"): Rank.COLONEL}
    looking.tap("known")
    looking.tap("back")
    assert shown(looking) == {square("e5"): Rank.COLONEL, square("e6"): Rank.MAJOR}


def test_replay_prevents_take_back(played: Driver) -> None:
    played.tap("look")
    assert "After that, the end of the game cannot be taken back." in played.texts()
    played.tap("no")
    assert played.view == "end"
    played.tap("look")
    played.confirm()
    played.tap("close")
    assert played.view == "end", "back on the screen that opened the replay"
    with pytest.raises(AssertionError):
        played.find("take_back")
    for side in Side:
        played.app.presenter.submit(CommandInput(played.now, OfferUndo(side)))
    assert played.view == "end"
    played.tap("look")
    assert "3 of 3" in played.texts(), "nothing is asked again"
    played.tap("close")
    played.tap("leave")
    assert played.on_top("resume") is None


def test_list_opens_the_game(looking: Driver) -> None:
    looking.tap("close")
    looking.tap("leave")
    looking.tap("games")
    assert "Blue wins: the other side has resigned." in looking.texts()
    looking.tap_at(*row(looking, 0))
    assert "3 of 3" in looking.texts()
    looking.tap("close")
    assert "Blue wins: the other side has resigned." in looking.texts(), "back in the list"


def row(driver: Driver, number: int) -> tuple[float, float]:
    rows = list(reversed(driver.find("rows").children))
    return driver.middle(rows[number])


@RARE
def test_unfinished_game_can_only_be_continued(driver: Driver) -> None:
    driver.connect()
    driver.tap("games")
    assert "No finished games yet." in driver.texts()
    driver.tap("close")
    fight(driver)
    driver.tap("menu")
    driver.tap("leave")
    driver.tap("games")
    assert "Unfinished: continue" in driver.texts()
    [row] = driver.find("rows").children
    driver.tap_at(*driver.middle(row))
    assert driver.view == "turn"
    driver.pass_time(2)
    resign(driver, "blue")
    driver.tap("leave")
    driver.tap("games")
    assert "Red wins: the other side has resigned." in driver.texts()


def test_abandoned_game_shows_no_ranks(driver: Driver) -> None:
    fight(driver)
    driver.tap("menu")
    driver.tap("leave")
    begin(driver)
    resign(driver)
    driver.tap("leave")
    driver.tap("games")
    assert len(driver.find("rows").children) == 2
    driver.tap_at(*driver.middle(driver.find("rows").children[0]))
    assert driver.view in ("turn", "recovery"), "the game continues instead of being viewed"


@RARE
def test_long_list_has_pages(driver: Driver) -> None:
    keep(driver, ROWS + 2)
    driver.tap("games")
    assert len(driver.find("rows").children) == ROWS
    driver.tap("earlier")
    assert len(driver.find("rows").children) == 2
    driver.tap("earlier")
    assert len(driver.find("rows").children) == 2, "there are no earlier games"
    driver.tap("later")
    assert len(driver.find("rows").children) == ROWS


def test_damaged_game_does_not_hide_others(driver: Driver) -> None:
    keep(driver, 2)
    driver.journal.file.connection.execute("UPDATE action SET action = '{}' WHERE game = 2")
    driver.tap("games")
    assert "This game cannot be read." in driver.texts()
    driver.tap_at(*row(driver, 0))
    assert len(driver.find("rows").children) == 2, "a damaged game cannot be opened"
    driver.tap_at(*row(driver, 1))
    assert "0 of 0" in driver.texts()
    assert not driver.find("open_export").disabled, "its incidents can be read"
    assert not driver.find("story").disabled


def test_replay_of_an_unreadable_game(played: Driver) -> None:
    played.journal.file.connection.execute("UPDATE action SET action = '{}'")
    played.tap("look")
    played.confirm()
    assert "This game cannot be read." in played.texts()
    played.tap_at(*played.middle(played.find("line")))
    assert played.find("open_export").disabled
    played.tap("close")
    assert played.view == "end"


def keep(driver: Driver, count: int) -> None:
    """Save `count` games that Red resigned immediately."""
    over = GameOver(Side.BLUE, Reason.RESIGNATION)
    for _ in range(count):
        game = driver.journal.begin(DEFAULT, 1, NO_CLOCK)
        placing = PlaceArmies(Side.RED.home, Side.BLUE.home)
        driver.journal.append(game, 0, [placing, Resign(Side.RED)], over, ClockState())


def test_computer_is_named(driver: Driver) -> None:
    people = PlayerNames("", "Pip", alone=Side.RED, level=Level.RECRUIT)
    over = GameOver(Side.BLUE, Reason.RESIGNATION)
    game = driver.journal.begin(DEFAULT, 1, NO_CLOCK, people)
    placing = PlaceArmies(Side.RED.home, Side.BLUE.home)
    driver.journal.append(game, 0, [placing, Resign(Side.RED)], over, ClockState())
    driver.tap("games")
    assert "Red – Pip: Blue wins: the other side has resigned." in driver.texts()


def test_game_is_exported(looking: Driver, tmp_path: Path) -> None:
    for button in ("open_export", "export"):
        looking.tap(button)
    folder = tmp_path / "exported"
    assert f"The score sheet and the record are in {folder}." in looking.texts()
    assert "e5xe6 (8>7)" in (folder / "game-1.txt").read_text()
    record = read_transcript((folder / "game-1.json").read_bytes())
    assert record == looking.app.host.archive.load(1)
    looking.tap("export")
    assert "The score sheet and the record are in" in looking.texts(), (
        "a game can be exported again"
    )


@RARE
def test_unwritable_export_folder(looking: Driver, tmp_path: Path) -> None:
    (tmp_path / "exported").write_text("this is no folder")
    for button in ("open_export", "export"):
        looking.tap(button)
    assert "Cannot write the game to" in looking.texts()
    (tmp_path / "exported").unlink()
    looking.tap("export")
    assert "The score sheet and the record are in" in looking.texts()


def test_unreadable_games_file_is_reported(driver: Driver) -> None:
    keep(driver, 1)
    driver.journal.file.connection.execute("ALTER TABLE game RENAME TO lost")
    driver.tap("games")
    assert "is damaged. Move it elsewhere" in driver.texts()
    driver.tap("close")
    assert driver.view == "start"
