"""Set up armies on the simulated board, from presets, from saved setups and piece by piece."""

from collections.abc import Callable

import pytest

from companion.session.settings import ScreenEdge
from companion.session.tabletop import standing_setup
from companion.setups.setup import Setup, preset_setups
from companion.ui.dialogs.setup_dialogs import PATIENCE_SECONDS
from companion.ui.drawing.theme import TOUCH
from companion.ui.widgets.buttons import HOLD_SECONDS
from companion.ui.widgets.setup_square import SpotFace
from engine.board.geometry import Side, square
from engine.board.ranks import BARRAGE, ORIGINAL, Rank
from engine.rules.editions import EDITIONS
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver, is_shown
from tests.companion.ui.running_app import Script

Drive = Callable[..., Driver]
FORT, CORNERS, *_ = preset_setups(ORIGINAL)


@pytest.fixture
def alone(drive: Drive) -> Driver:
    return sit_down(drive(source=Script.with_simulated_board()))


@pytest.fixture
def two(drive: Drive) -> Driver:
    """Two-player game in which the players are asked whose setup they want to edit."""
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("begin")
    driver.tap("setups")
    return driver


def sit_down(driver: Driver) -> Driver:
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    driver.show_virtual()
    driver.tap("setups")
    return driver


def stands(driver: Driver, side: Side = Side.RED) -> Setup:
    assert driver.script.simulated
    return standing_setup(driver.script.simulated, side)


def choose(driver: Driver, name: str) -> None:
    driver.tap("list")
    driver.tap_answer("names", name)
    driver.tap("take")


def spot(driver: Driver, name: str) -> tuple[float, float]:
    """Return the screen position of a square, named from Red's point of view."""
    return driver.middle(driver.find("rows").spot(square(name)))


def in_box(driver: Driver, rank: Rank) -> tuple[float, float]:
    (found,) = (each for each in driver.find("box").children if each.rank is rank)
    return driver.middle(found)


def count(driver: Driver, rank: Rank) -> int:
    return int(next(each.count for each in driver.find("box").children if each.rank is rank))


def keep(driver: Driver, name: str) -> None:
    driver.tap("keep")
    for letter in name.upper():
        driver.tap_answer("letters", letter)
    driver.tap("close")


def test_preset_setup_starts_the_game(alone: Driver) -> None:
    choose(alone, FORT.name)
    assert stands(alone) == FORT.setup
    alone.tap("close")
    for _ in range(4):
        alone.show_virtual()
        alone.pass_time(0.6)
    alone.tap_inside("red", "ready")
    assert alone.view == "turn"
    assert stands(alone) == FORT.setup


@RARE
def test_dragged_piece_swaps(alone: Driver) -> None:
    choose(alone, FORT.name)
    alone.drag(spot(alone, "a1"), spot(alone, "e2"))
    assert stands(alone) == FORT.setup.carry(square("a1"), square("e2"))
    alone.tap_at(*spot(alone, "e2"))
    alone.tap_at(*spot(alone, "a1"))
    assert stands(alone) == FORT.setup


def test_piece_dropped_outside_returns(alone: Driver) -> None:
    choose(alone, FORT.name)
    alone.drag(spot(alone, "a1"), (300, 100))
    alone.tap_at(*spot(alone, "b1"))
    alone.tap_at(*spot(alone, "b1"))
    alone.tap_at(*spot(alone, "c1"))
    assert stands(alone) == FORT.setup


def test_advice_about_remaining_pieces(alone: Driver) -> None:
    choose(alone, FORT.name)
    assert "Drag a piece" in alone.texts()
    assert "still have to be placed" not in alone.texts()
    alone.drag(spot(alone, "a1"), in_box(alone, Rank.SCOUT))
    assert "still have to be placed" in alone.texts()


@RARE
def test_remaining_pieces_are_counted(alone: Driver) -> None:
    choose(alone, FORT.name)
    alone.drag(spot(alone, "a1"), in_box(alone, Rank.SCOUT))
    assert "39 of 40" in alone.texts()
    assert count(alone, Rank.FLAG) == 1
    alone.tap("keep")
    assert "39 of 40" in alone.texts(), "an incomplete army is not saved"
    alone.drag(in_box(alone, Rank.FLAG), spot(alone, "b1"))
    assert stands(alone).ranks[square("b1")] is Rank.FLAG
    assert (count(alone, Rank.FLAG), count(alone, Rank.BOMB)) == (0, 1)
    alone.tap_at(*in_box(alone, Rank.FLAG))
    alone.tap_at(*spot(alone, "a1"))
    assert square("a1") not in stands(alone).ranks, "there is no second flag"
    alone.tap_at(*in_box(alone, Rank.BOMB))
    alone.tap_at(*spot(alone, "a1"))
    assert "40 of 40" in alone.texts()
    alone.tap("take_off")
    assert "40 of 40" in alone.texts(), "a short touch clears nothing"
    alone.hold("take_off", HOLD_SECONDS + 0.1)
    assert stands(alone) == Setup()
    assert count(alone, Rank.SCOUT) == 8


@RARE
def test_own_setup_is_kept_until_deleted(alone: Driver, drive: Drive) -> None:
    choose(alone, CORNERS.name)
    keep(alone, "anna")
    driver = sit_down(drive(source=Script.with_simulated_board()))
    choose(driver, "Anna")
    assert stands(driver) == CORNERS.setup
    driver.tap("list")
    driver.tap("delete")
    assert "Anna" in driver.texts()
    driver.hold("delete", HOLD_SECONDS + 0.1)
    assert "Anna" not in driver.texts()
    assert CORNERS.name in driver.texts()


@RARE
def test_names_continue_on_the_next_page(alone: Driver) -> None:
    alone.tap("list")
    names = set()
    for _ in range(3):
        names |= {each.text for each in alone.find("names").children}
        alone.tap("more")
    assert names == {"Shuffled", *(each.name for each in preset_setups(ORIGINAL))}
    assert FORT.name in alone.texts(), "the first page follows the last one"


def test_chosen_setup_is_on_the_page(alone: Driver) -> None:
    """The preview and the buttons concern a setup that is listed, on every page."""
    keep(alone, "anna")
    alone.tap("list")
    assert alone.on_top("delete")
    for _ in range(4):
        alone.tap("more")
        chosen = [each.text for each in alone.find("names").children if each.chosen]
        assert chosen == [alone.find("names").parent.parent.parent.name]
        assert bool(alone.on_top("delete")) == (chosen == ["Anna"])


def test_shuffle_gives_a_new_setup(alone: Driver) -> None:
    alone.tap("list")
    seen = set()
    for _ in range(3):
        alone.tap_answer("names", "Shuffled")
        seen.add(str(alone.find("names").parent.parent.parent.setup))
    assert len(seen) == 3


@RARE
def test_short_games_have_their_presets(drive: Drive) -> None:
    edition = EDITIONS["isf"].with_army(BARRAGE.name)
    driver = sit_down(drive(source=Script.with_simulated_board(), edition=edition))
    driver.hold("take_off", HOLD_SECONDS + 0.1)
    choose(driver, "Shuffled")
    assert stands(driver).fits(BARRAGE)
    choose(driver, "Bodyguard")
    known = next(each.setup for each in preset_setups(BARRAGE) if each.name == "Bodyguard")
    assert set(stands(driver).ranks) in (set(known.ranks), set(known.mirrored().ranks))
    assert stands(driver).fits(BARRAGE)


@RARE
def test_repeated_touch_varies_a_short_setup(drive: Drive) -> None:
    edition = EDITIONS["isf"].with_army(BARRAGE.name)

    def touch_twenty_times(seed: int) -> list[str]:
        driver = sit_down(drive(source=Script.with_simulated_board(), edition=edition, seed=seed))
        driver.tap("list")
        seen = []
        for _ in range(20):
            driver.tap_answer("names", "Decoy")
            assert "your opponent may know these setups" in driver.texts()
            seen.append(str(driver.find("names").parent.parent.parent.setup))
        driver.tap("take")
        assert str(stands(driver)) == seen[-1]
        return seen

    one = touch_twenty_times(1)
    assert len(set(one)) > 4
    assert touch_twenty_times(1) == one
    assert touch_twenty_times(2) != one


@RARE
def test_damaged_file_is_reported_and_quarantined(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.journals.path.with_name("setups.txt").write_text("name: Anna\n")
    sit_down(driver)
    driver.tap("list")
    assert "setups-damaged.txt" in driver.texts()
    assert FORT.name in driver.texts()


def hold_to_open(driver: Driver, side: Side) -> None:
    driver.hold(side.value, HOLD_SECONDS + 0.1)


@RARE
def test_setup_of_two_players_closes_by_itself(two: Driver) -> None:
    two.tap("red")
    assert "Whose setup?" in two.texts()
    hold_to_open(two, Side.RED)
    choose(two, FORT.name)
    assert "40 of 40" in two.texts()
    two.pass_time(PATIENCE_SECONDS / 2)
    assert "Whose setup?" not in two.texts()
    two.pass_time(PATIENCE_SECONDS)
    assert "Whose setup?" in two.texts()
    two.tap("close")
    assert two.view == "setup"


@RARE
def test_blue_gets_the_mirrored_setup(two: Driver) -> None:
    for side in Side:
        hold_to_open(two, side)
        choose(two, FORT.name)
        two.tap("close")
    assert stands(two, Side.BLUE) == stands(two, Side.RED) == FORT.setup
    two.tap("close")
    two.show_virtual()
    board = two.script.simulated
    assert board
    flag = board.at(square("k10"))
    assert flag
    assert flag.label == "F"


@pytest.mark.parametrize("seat", slow_after_first("variants", ScreenEdge))
def test_editor_faces_its_player(two: Driver, seat: ScreenEdge) -> None:
    two.tap("close")
    two.app.presenter.settings.take_seat(Side.RED, seat)
    two.tap("setups")
    hold_to_open(two, Side.RED)
    rows = two.find("rows")
    x, y = rows.to_window(*rows.pos)
    runs = {
        ScreenEdge.FRONT: (1, 0),
        ScreenEdge.RIGHT: (0, 1),
        ScreenEdge.OPPOSITE: (-1, 0),
        ScreenEdge.LEFT: (0, -1),
    }
    end = rows.to_window(rows.right, rows.y)
    way = tuple(round((there - here) / rows.width) for here, there in zip((x, y), end, strict=True))
    assert way == runs[seat]
    choose(two, FORT.name)
    assert stands(two) == FORT.setup
    two.drag(spot(two, "a1"), spot(two, "e2"))
    assert stands(two) == FORT.setup.carry(square("a1"), square("e2"))


def enlarged(driver: Driver) -> Rank | None:
    """Return the rank on the enlarged square, or None."""
    faces = (each for each in driver.uncovered() if type(each) is SpotFace and each.width > TOUCH)
    return next((each.rank for each in faces if is_shown(each)), None)


def test_small_squares_are_magnified(two: Driver) -> None:
    two.tap("close")
    two.app.presenter.settings.take_seat(Side.RED, ScreenEdge.LEFT)
    two.tap("setups")
    hold_to_open(two, Side.RED)
    choose(two, FORT.name)
    two.tap_at(*spot(two, "a1"))
    finger = two.touch_at(*spot(two, "e2"))
    assert enlarged(two) is FORT.setup.ranks[square("e2")]
    two.slide(finger, *spot(two, "f3"))
    assert enlarged(two) is FORT.setup.ranks[square("f3")]
    assert stands(two) == FORT.setup, "nothing changes until the finger leaves the screen"
    two.release(finger)
    assert enlarged(two) is None
    assert stands(two) == FORT.setup.carry(square("a1"), square("f3"))


@RARE
def test_large_squares_are_not_magnified(two: Driver) -> None:
    hold_to_open(two, Side.RED)
    choose(two, FORT.name)
    finger = two.touch_at(*spot(two, "e2"))
    assert enlarged(two) is None
    two.release(finger)


def public_pictures(driver: Driver, name: str) -> list[bytes]:
    driver.connect()
    driver.tap("begin")
    driver.tap("setups")
    hold_to_open(driver, Side.RED)
    choose(driver, name)
    driver.tap("close")
    pictures = [driver.pixels()]
    driver.tap("close")
    driver.show_virtual()
    return [*pictures, driver.pixels()]


def test_chosen_setup_is_invisible(drive: Drive) -> None:
    one = public_pictures(drive(source=Script.with_simulated_board()), FORT.name)
    other = public_pictures(drive(source=Script.with_simulated_board()), CORNERS.name)
    assert one == other
