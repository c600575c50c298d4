"""Two players use the simulated board. The ranks are printed on its pieces."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from companion.core.inputs import CommandInput
from companion.storage.records import as_record
from companion.ui.dialogs.saved_games import ReplayDialog
from engine.board.geometry import SQUARES, Side, name, square
from engine.board.ranks import INFILTRATOR, ORIGINAL, Rank
from engine.game.actions import Infiltrate
from engine.game.rulings import Combat
from engine.records.gravon import read_gravon_xml, write_gravon_xml
from engine.rules.editions import DEFAULT, EDITIONS, Edition
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import INTO_ENEMY_ROWS, open_curtain, turn_cards
from tests.companion.ui.running_app import Script
from tests.companion.ui.solo_hands import sit_down

Drive = Callable[..., Driver]
TO_A_FIGHT = (("e4", "e5"), ("a7", "a6"), ("e5", "e6"), ("a6", "a5"), ("e6", "e7"))
FIRST = 0.7
"""Time for which the offered tile is held, in seconds."""


def printed(driver: Driver, where: str) -> Rank:
    rank = driver.app.host.printed_on(square(where))
    assert rank is not None
    return rank


def number_of(driver: Driver) -> int:
    number = driver.app.host.number
    assert number
    return number


def exchange(driver: Driver, **wanted: Rank) -> None:
    """Swap pieces so that the given squares hold the given ranks."""
    board = driver.tabletop.board
    for where, rank in wanted.items():
        at = square(where)
        piece = board.at(at)
        assert piece
        if piece.label == rank.symbol:
            continue
        other = next(
            n
            for n in SQUARES
            if (found := board.at(n)) and found.side is piece.side and found.label == rank.symbol
        )
        pieces = board.lift(at), board.lift(other)
        board.place(pieces[0], other)
        board.place(pieces[1], at)


def begin(driver: Driver, **wanted: Rank) -> Driver:
    driver.connect()
    driver.tap("begin")
    driver.tap("set_up")
    exchange(driver, **wanted)
    driver.show_virtual()
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    return driver


def fight(driver: Driver) -> Driver:
    for source, target in TO_A_FIGHT:
        driver.carry(source, target)
        driver.show_virtual()
    assert driver.view == "declaration"
    return driver


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """Game in which Red's miner from e4 attacks Blue's scout on e7."""
    pieces = {"e4": Rank.MINER, "a7": Rank.CAPTAIN, "e7": Rank.SCOUT}
    return fight(begin(drive(source=Script.with_simulated_board()), **pieces))


@RARE
def test_printed_rank_comes_first(driver: Driver) -> None:
    for _ in Side:
        open_curtain(driver)
        assert "This is the rank printed" in driver.texts()
        driver.hold("sealed", FIRST)
    turn_cards(driver)
    fought = driver.app.presenter.table.unread_combat
    assert isinstance(fought, Combat)
    assert (fought.attacker, fought.defender) == (Rank.MINER, Rank.SCOUT)


@RARE
def test_other_rank_is_confirmed(driver: Driver) -> None:
    open_curtain(driver)
    driver.hold("sealed", FIRST)
    open_curtain(driver)
    driver.tap("another")
    driver.hold_tile("tiles", Rank.FLAG)
    table = driver.app.presenter.table
    assert not table.view.outcome
    assert "Printed on the piece: 2 · Scout." in driver.texts()
    driver.tap("again")
    driver.tap("another")
    driver.hold_tile("tiles", Rank.FLAG)
    driver.hold("insist", FIRST)
    assert table.view.outcome


@RARE
def test_insisting_with_a_printed_rank(driver: Driver) -> None:
    open_curtain(driver)
    driver.tap("another")
    driver.tap("missing")
    driver.tap_tile("others", Rank.BOMB)
    driver.hold("insist", FIRST)
    assert "That is impossible" in driver.texts()
    driver.hold("insist", FIRST)
    assert driver.view == "dispute"


def finish(driver: Driver) -> None:
    """Declare the printed rank whenever a rank is requested, and end the game."""
    while driver.view == "declaration":
        open_curtain(driver)
        driver.hold("sealed", FIRST)
    turn_cards(driver)
    driver.show_virtual()
    driver.tap("end")
    driver.tap("menu")
    driver.tap("red_resigns")
    driver.confirm()
    assert driver.view == "end"


def test_armies_stay_hidden_while_the_end_can_be_taken_back(driver: Driver) -> None:
    finish(driver)
    assert driver.on_top("take_back")
    assert not any(driver.tabletop.shows(side) for side in Side)
    assert not driver.face.ranks


@RARE
def test_armies_are_revealed_only_at_the_end(driver: Driver) -> None:
    assert not any(driver.tabletop.shows(side) for side in Side)
    finish(driver)
    driver.tap("look")
    driver.confirm()
    driver.tap("close")
    assert driver.on_top("take_back") is None
    assert all(driver.tabletop.shows(side) for side in Side)
    standing = driver.app.presenter.table.expected.occupied
    assert len(driver.face.ranks) == standing.bit_count() == 79
    labels = {n: piece.label for n in SQUARES if (piece := driver.tabletop.board.at(n))}
    assert {n: rank.symbol for n, rank in driver.face.ranks.items()} == labels
    driver.tap("again")
    assert not any(driver.tabletop.shows(side) for side in Side)


def written(driver: Driver, number: int) -> str:
    game = driver.app.host.archive.load(number)
    return write_gravon_xml(as_record(game)).decode()


@RARE
def test_record_of_two_players_has_all_ranks(driver: Driver) -> None:
    number = number_of(driver)
    labels = {name(n): printed(driver, name(n)) for n in (*range(40), *range(60, 100))}
    finish(driver)
    game = driver.app.host.archive.load(number)
    assert {name(piece): rank for piece, rank in game.ranks.items()} == labels
    again = read_gravon_xml(written(driver, number).encode())
    assert {name(piece): rank for piece, rank in again.ranks.items()} == labels


@RARE
def test_replay_shows_both_armies(driver: Driver) -> None:
    finish(driver)
    driver.tap("look")
    driver.confirm()
    modal = driver.app.face.modals.modal
    assert isinstance(modal, ReplayDialog)
    assert len(modal.ranks) == 79
    modal.go_to(0)
    assert len(modal.ranks) == 80


def test_record_of_one_player_has_all_ranks(drive: Drive) -> None:
    hands = sit_down(drive, DEFAULT.with_army(ORIGINAL.name), 2)
    driver, number = hands.driver, number_of(hands.driver)
    driver.tap("menu")
    driver.tap("red_resigns")
    driver.confirm()
    assert all(driver.tabletop.shows(side) for side in Side)
    assert len(driver.app.host.archive.load(number).ranks) == 80
    assert len(read_gravon_xml(written(driver, number).encode()).ranks) == 80


@RARE
def test_record_gets_ranks_only_at_the_end(driver: Driver) -> None:
    assert driver.journal.transcript(number_of(driver)).ranks == {}


@RARE
def test_falsely_declared_rank_is_kept(driver: Driver) -> None:
    number = number_of(driver)
    open_curtain(driver)
    driver.tap("another")
    driver.hold_tile("tiles", Rank.MARSHAL)
    driver.hold("insist", FIRST)
    finish(driver)
    ranks = driver.app.host.archive.load(number).ranks
    assert ranks[square("e4")] is Rank.MARSHAL
    red = [rank for piece, rank in ranks.items() if piece < 40]
    assert red.count(Rank.MARSHAL) == 1, "the rank of the real marshal is left open"
    assert len(ranks) == 79


def public_pictures(driver: Driver, attacker: Rank, defender: Rank) -> Iterator[bytes]:
    """Attack with these ranks. Yield a screenshot whenever the screen shows nothing private."""
    others = {"a7": Rank.COLONEL, "a4": Rank.COLONEL}
    fight(begin(driver, e4=attacker, e7=defender, **others))
    yield driver.pixels()
    for _ in Side:
        open_curtain(driver)
        driver.tap("close_sealed")
        yield driver.pixels()
        open_curtain(driver)
        driver.tap("another")
        driver.tap("close")
        driver.tap("close_sealed")
        yield driver.pixels()
        open_curtain(driver)
        driver.hold("sealed", FIRST)
        yield driver.pixels()


@pytest.mark.parametrize(
    "edition", slow_after_first("variants", [DEFAULT, replace(DEFAULT, silent_defence=True)])
)
def test_printed_ranks_are_invisible(drive: Drive, edition: Edition) -> None:
    def pictures(*ranks: Rank) -> list[bytes]:
        driver = drive(source=Script.with_simulated_board(), edition=edition)
        *shown, _revealed = public_pictures(driver, *ranks)
        (driver.journals.path).unlink()
        return shown

    one = pictures(Rank.SPY, Rank.MARSHAL)
    other = pictures(Rank.CAPTAIN, Rank.BOMB)
    assert [a == b for a, b in zip(one, other, strict=True)] == [True] * 6


def test_other_tiles_are_shuffled(driver: Driver) -> None:
    orders = set()
    for _ in range(4):
        open_curtain(driver)
        driver.tap("another")
        orders.add(tuple(tile.rank for tile in driver.find("tiles").children))
        driver.tap("close")
        driver.tap("close_sealed")
    assert len(orders) > 1


@RARE
def test_resumed_game_keeps_printed_ranks(driver: Driver, drive: Drive) -> None:
    before = printed(driver, "e4")
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("resume")
    driver.show_virtual()
    assert driver.view == "declaration"
    open_curtain(driver)
    assert driver.find("sealed").rank is before


@pytest.mark.parametrize("guess", [Rank.CAPTAIN, Rank.MAJOR])
@RARE
def test_contradicting_answer_is_confirmed(drive: Drive, guess: Rank) -> None:
    edition = EDITIONS["nordic-2015"].with_army(INFILTRATOR.name)
    driver = drive(source=Script.with_simulated_board(), edition=edition)
    pieces = {"e4": Rank.INFILTRATOR, "f7": Rank.COLONEL, "a7": Rank.COLONEL, "f8": Rank.CAPTAIN}
    begin(driver, **pieces)
    for move in INTO_ENEMY_ROWS:
        driver.carry(*move.split())
        driver.show_virtual()
    infiltrated = Infiltrate(square("f7"), square("f8"), guess)
    driver.app.presenter.submit(CommandInput(driver.now, infiltrated))
    driver.frames(3)
    assert driver.view == "guess"
    is_right = guess is Rank.CAPTAIN
    for answer, contradicts in (("right", not is_right), ("wrong", is_right)):
        driver.tap(answer)
        assert ("does not match the rank printed" in driver.texts()) == contradicts
        driver.tap("no")
