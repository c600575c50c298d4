"""On a full disk, actions are announced once saved, or once a player plays on without saving."""

from collections.abc import Callable

from engine.board.ranks import Rank
from tests.companion.storage.disk_faults import fill, make_room
from tests.companion.terminal.at_terminal import Cue, TerminalDriver, beginning, captain_attacks

ASKED = "Type: try again · play on"


def both(*acts: Callable[[], object]) -> Callable[[], object]:
    """Return a function that calls several functions in turn."""

    def do() -> None:
        for act in acts:
            act()

    return do


def first_move_on_a_full_disk(driver: TerminalDriver) -> list[Cue]:
    """Return the cues up to Red's first move, which cannot be saved."""
    carry = driver.move("e4", "e5")
    return [
        *beginning(driver)[:2],
        ("Red to move", both(lambda: fill(driver.journal), carry)),
        ("The game cannot be saved.", lambda: None),
        ("The disk is full", lambda: None),
        ("back to the last saved move", lambda: None),
    ]


def test_retry_after_a_save_error(driver: TerminalDriver) -> None:
    type_ = driver.type
    output = driver.play(
        *first_move_on_a_full_disk(driver),
        (ASKED, type_("resign blue")),
        (ASKED, type_("Try again")),
        (ASKED, both(lambda: make_room(driver.journal), type_("try again"))),
        ("Red: e4 to e5", lambda: None),
        ("Blue to move", driver.move("e7", "e6")),
        ("Red to move", type_("quit")),
    )
    assert output.index(ASKED) < output.index("Red: e4 to e5")
    assert "The game is saved." in output
    kept = driver.journal.unfinished()
    assert kept
    assert list(kept.beginning.actions) == driver.session.table.referee.actions


def test_continuing_unsaved(driver: TerminalDriver) -> None:
    output = driver.play(
        *first_move_on_a_full_disk(driver),
        (ASKED, driver.type("play on")),
        ("From now on, this game is not saved.", lambda: None),
        ("Red: e4 to e5", lambda: None),
        ("Blue to move", driver.type("resign blue", "yes")),
    )
    assert output.rstrip().endswith("This game is not being saved.")
    kept = driver.journal.unfinished()
    assert kept
    assert len(kept.beginning.actions) == 1


def test_quitting_unsaved_is_reported(driver: TerminalDriver) -> None:
    output = driver.play(
        *first_move_on_a_full_disk(driver),
        (ASKED, driver.type("quit")),
    )
    assert "Red: e4 to e5" not in output
    assert output.rstrip().endswith("The last move is not saved.")


def test_no_reveal_before_saving(driver: TerminalDriver) -> None:
    type_, choose = driver.type, driver.choose
    output = driver.play(
        *captain_attacks(driver),
        ("Type your rank", choose(Rank.MINER)),
        ("miner?", both(lambda: fill(driver.journal), type_("y"))),
        (ASKED, type_("play on")),
        ("Red wins the combat", type_("quit")),
    )
    asked, announced = output.index(ASKED), output.index("Red: captain. Blue: miner.")
    assert asked < output.index("From now on") < announced
    assert "Blue has declared" not in output[:asked]
    assert not {"captain", "miner"} & set(output[output.rindex("\x1b[?1049l") : asked].split())


def test_no_question_before_saving(driver: TerminalDriver) -> None:
    type_ = driver.type
    output = driver.play(
        *beginning(driver),
        ("Red to move", both(lambda: fill(driver.journal), type_("attack e5 e6"))),
        (ASKED, type_("")),
        (ASKED, type_("play on")),
        ("Red: take the keyboard", type_("quit")),
    )
    assert output.rindex(ASKED) < output.index("take the keyboard")
