"""If a missing piece stands between squares, it is located and the players see where it is."""

import random

import pytest

from companion.core.events import PieceBetweenSquares
from companion.core.inputs import Pause, PieceLocated, Resume
from companion.core.observed_board import Misplaced
from companion.core.table import Table
from companion.jsonl.requests import read_line
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from engine.board.geometry import Side, names, set_of, square
from engine.rules.editions import DEFAULT
from firmware_bridge.image import PieceLocation
from firmware_bridge.wire import BoardKind
from tests.companion.core.random_inputs import RandomInputs, beginning
from tests.companion.core.table_driver import TableDriver

BETWEEN_E4_AND_E5 = PieceLocation(4.0, 3.5, 0.1)
AT_THE_CORNER = PieceLocation(4.45, 3.6, 0.2)


def feel(
    driver: TableDriver, red: PieceLocation | None = None, blue: PieceLocation | None = None
) -> None:
    driver.submit(PieceLocated(driver.now, red, blue))


def sentences(driver: TableDriver) -> list[str]:
    announcer = Announcer(Language("en"))
    return [announcer.sentence(each) for each in driver.emitted(PieceBetweenSquares)]


@pytest.fixture
def driver() -> TableDriver:
    driver = TableDriver.begun()
    driver.lift("e4")
    driver.wait(1)
    return driver


class TestItIsSought:
    def test_location_while_a_piece_is_missing(self) -> None:
        driver = TableDriver.begun()
        assert not driver.table.is_seeking
        piece = driver.lift("e4")
        assert driver.table.is_seeking
        driver.place(piece, "e5")
        driver.wait()
        assert not driver.table.is_seeking

    def test_no_location_during_setup(self) -> None:
        driver = TableDriver()
        driver.stand(Side.RED, *range(40))
        driver.stand(Side.BLUE, *range(60, 95))
        driver.wait()
        assert not driver.table.is_seeking
        driver.stand(Side.BLUE, *range(95, 98))
        driver.wait()
        assert driver.table.is_seeking

    def test_no_location_without_colours(self) -> None:
        driver = TableDriver.begun(BoardKind.PRESENCE)
        driver.lift("e4")
        assert not driver.table.is_seeking

    def test_no_location_in_a_pause(self, driver: TableDriver) -> None:
        feel(driver, red=BETWEEN_E4_AND_E5)
        driver.command(Pause())
        assert not driver.table.is_seeking
        assert driver.table.misplaced is None
        driver.command(Resume())
        assert driver.table.is_seeking


class TestItIsFound:
    def test_location_is_announced_once(self, driver: TableDriver) -> None:
        for _ in range(3):
            feel(driver, red=BETWEEN_E4_AND_E5)
            driver.wait(1)
        assert sentences(driver) == [
            "A piece is between e4 and e5: move it to the centre of its square."
        ]
        assert driver.table.misplaced == Misplaced(Side.RED, BETWEEN_E4_AND_E5)

    def test_location_at_a_corner_or_beside_the_centre(self, driver: TableDriver) -> None:
        feel(driver, red=AT_THE_CORNER)
        feel(driver, red=PieceLocation(4.17, 3.17, 0.05))
        assert sentences(driver) == [
            "A piece is at the corner of e4, f4, e5, f5: move it to the centre of its square.",
            "A piece is not centred on e4: move it to the centre.",
        ]

    @pytest.mark.parametrize(
        ("column", "row", "squares"),
        [(-0.4, 0, "a1"), (9.4, 9.4, "k10"), (0, 0.5, "a1 a2"), (8.5, 9.4, "i10 k10")],
    )
    def test_location_at_the_edge(self, column: float, row: float, squares: str) -> None:
        found = Misplaced(Side.RED, PieceLocation(column, row, 0.1)).squares
        assert names(set_of(found)) == squares

    def test_location_only_for_the_side_missing_a_piece(self, driver: TableDriver) -> None:
        feel(driver, blue=BETWEEN_E4_AND_E5)
        assert driver.table.misplaced is None
        assert not sentences(driver)

    def test_location_changes_no_ruling(self, driver: TableDriver) -> None:
        driver.forget()
        feel(driver, red=PieceLocation(4.0, 4.3, 0.1))
        driver.wait(30)
        assert not driver.actions
        assert len(sentences(driver)) == 1

    def test_no_location_without_a_missing_piece(self) -> None:
        driver = TableDriver.begun()
        feel(driver, red=BETWEEN_E4_AND_E5)
        assert driver.table.misplaced is None
        assert not sentences(driver)


def test_location_from_a_program() -> None:
    table = Table(DEFAULT, 1)
    line = {"at": 1, "feels": {"red": [4, 3.5, 0.1], "blue": None}}
    assert read_line(line, 0, table) == PieceLocated(1.0, red=BETWEEN_E4_AND_E5)


class TestItIsOver:
    def test_location_ends_when_a_square_detects_the_piece(self, driver: TableDriver) -> None:
        feel(driver, red=BETWEEN_E4_AND_E5)
        driver.stand(Side.RED, square("e5"))
        driver.wait()
        assert driver.table.misplaced is None
        assert driver.table.referee.plies == 1

    def test_location_ends_without_readings(self, driver: TableDriver) -> None:
        feel(driver, red=BETWEEN_E4_AND_E5)
        feel(driver)
        assert driver.table.misplaced is None
        feel(driver, red=BETWEEN_E4_AND_E5)
        assert len(sentences(driver)) == 2, "the piece is reported again"

    def test_location_ends_with_the_board(self, driver: TableDriver) -> None:
        feel(driver, red=BETWEEN_E4_AND_E5)
        driver.lose_board()
        assert driver.table.misplaced is None


@pytest.mark.parametrize("seed", range(6))
def test_rulings_are_independent_of_locations(seed: int) -> None:
    dice = random.Random(seed)
    tables = [Table(DEFAULT, 1) for _ in range(2)]
    anybody = RandomInputs(tables[0], seed)
    begin = beginning()
    for _ in range(150):
        given = begin.pop(0) if begin else anybody.next()
        anybody.at = max(anybody.at, given.at)
        plain, felt = (table.handle(given) for table in tables)
        places = [
            PieceLocation(dice.uniform(-0.4, 9.4), dice.uniform(-0.4, 9.4), 0.1) for _ in Side
        ]
        more = tables[1].handle(PieceLocated(given.at, *dice.choice(([], places[:1], places))))
        events = [
            each for each in (*felt.events, *more.events) if type(each) is not PieceBetweenSquares
        ]
        assert events == list(plain.events)
        assert (*felt.actions, *more.actions) == plain.actions
        assert repr(tables[0].state) == repr(tables[1].state)
