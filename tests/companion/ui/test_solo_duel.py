"""Single-player duels by touch: dots, refusals and turns agree with the ranks.

The simulated player has its own implementation of the movement rules. It plays moves that are
marked with dots, and tries squares without a dot.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import pytest

from companion.core.inputs import BoardClaimed, CommandInput, OfferUndo
from companion.core.recognition_limits import LIMITS
from companion.storage.printed_pieces import FILE
from engine.board.geometry import Side, Square, name, square, squares_in
from engine.rules.editions import EDITIONS, Edition
from tests.campaigns import RARE, Campaign, slow_after_first
from tests.companion.storage.disk_faults import fill, make_room
from tests.companion.ui.driver import Driver
from tests.companion.ui.running_app import Script
from tests.companion.ui.solo_hands import Hands, sit_down

Drive = Callable[..., Driver]
MOST_PLIES = 100
SOME = 2
"""Number of pieces whose dots are checked on most turns."""


ISF: Final = EDITIONS["isf"]


@pytest.mark.parametrize(
    ("edition", "seed"),
    slow_after_first(
        "alone",
        [
            (replace(EDITIONS["nordic-2015"].with_army("duel"), silent_defence=True), 25),
            (ISF.with_army("barrage"), 3),
        ],
    ),
)
def test_duel_by_dots_and_other_squares(drive: Drive, edition: Edition, seed: int) -> None:
    """On every turn, check dots, move to one of them, and try a square without a dot.

    On every fifth turn, check the dots of all pieces. A piece that can attack does so.
    """
    hands = sit_down(drive, edition, seed)
    while not hands.is_over() and hands.plies < MOST_PLIES:
        dots: dict[Square, set[Square]] = {}
        own = hands.own()
        shuffled = hands.dice.sample(own, len(own))
        for source in sorted(shuffled, key=hands.can_attack, reverse=True):
            if hands.plies % 10 and len(dots) >= SOME and any(dots.values()):
                break
            dots[source] = hands.dots(source)
            assert dots[source] <= hands.reach(source), (hands.label_at(source), name(source))
        source = hands.dice.choice(list(dots))
        hands.try_in_vain(source, hands.dice.choice(hands.not_offered(source, dots[source])))
        turns = [(a, b) for a, found in dots.items() for b in found]
        attacks = [(a, b) for a, b in turns if hands.side_at(b)]
        hands.play(*hands.dice.choice(attacks or turns))
    assert {"2", "3"} <= {label for label, _ in hands.offered}
    assert {"F", "B"} & hands.refused
    assert "piece" in {what for _, what in hands.offered}


@RARE
def test_squares_without_dots_are_refused(drive: Drive) -> None:
    """Try to move one piece of each rank to squares without a dot, both near and far ones."""
    hands = sit_down(drive, ISF.with_army("barrage"), 3)
    for source in {hands.label_at(each): each for each in hands.own()}.values():
        dots = hands.dots(source)
        assert dots == hands.reach(source), hands.label_at(source)
        for target in hands.dice.sample(hands.not_offered(source, dots), 5):
            hands.try_in_vain(source, target)
    assert hands.plies == 0


DRAGS = Campaign("drags", 20, 40 * 52)


@RARE
@DRAGS
def test_drags_follow_the_rank(drive: Drive) -> None:
    """All pieces of an army are dragged to squares that they cannot reach."""
    hands = sit_down(drive, ISF, 5)
    own = hands.own()
    drags = [(source, to) for source in own for to in range(100) if to not in own]
    legal = {source: hands.reach(source) for source in own}
    for source, target in DRAGS.among(drags):
        if target not in legal[source]:
            hands.try_in_vain(source, target)
    assert hands.plies == 0
    assert hands.driver.app.presenter.table.view.outcome is None


DOTS = Campaign("drags", 3, 40)


def has_moved(hands: Hands) -> bool:
    return hands.plies > 0


@DOTS
def test_dots_are_legal(drive: Drive) -> None:
    """On the first turn, some of the moves to dots are played, each in its own game."""
    first = sit_down(drive, ISF.with_army("barrage"), 3)
    offered = [(each, dot) for each in first.own() for dot in first.dots(each)]
    for source, target in first.dice.sample(offered, min(DOTS.size, len(offered))):
        hands = sit_down(drive, ISF.with_army("barrage"), 3)
        hands.drag(source, target)
        hands.driver.wait(partial(has_moved, hands))


@pytest.fixture
def hands(drive: Drive) -> Hands:
    return sit_down(drive, ISF.with_army("barrage"), 3)


def test_moved_bomb_is_refused_without_loss(hands: Hands) -> None:
    bomb = next(each for each in hands.own() if hands.label_at(each) == "B")
    hands.drag(bomb, square("e5"))
    hands.pass_time(LIMITS.moved_bomb_loses_seconds + 1)
    assert hands.driver.view == "recovery"
    assert not hands.is_over()
    hands.drag(square("e5"), bomb)
    hands.driver.wait(hands.is_my_turn)


def test_illegal_move_cannot_be_agreed_to(hands: Hands) -> None:
    """A single person would agree on behalf of both sides."""
    bomb = next(each for each in hands.own() if hands.label_at(each) == "B")
    hands.drag(bomb, square("e5"))
    hands.pass_time(2.5)
    driver, presenter = hands.driver, hands.driver.app.presenter
    assert driver.view == "recovery"
    assert driver.on_top("board_right") is None
    for side in Side:
        presenter.submit(BoardClaimed(presenter.now(), side, Side.RED))
    driver.tap("menu")
    assert driver.on_top("board_right") is None
    driver.tap("close")
    driver.tap("put_back")
    hands.pass_time(2.5)
    assert (driver.view, hands.plies) == ("turn", 0)
    assert hands.label_at(bomb) == "B"


@RARE
def test_exchanged_pieces_are_restored(hands: Hands) -> None:
    one, other = hands.own()[:2]
    labels = [hands.label_at(each) for each in (one, other)]
    assert labels[0] != labels[1]
    board = hands.driver.tabletop.board
    pieces = board.lift(one), board.lift(other)
    for piece, where in zip(pieces, (other, one), strict=True):
        board.place(piece, where)
    hands.pass_time()
    assert [hands.label_at(each) for each in (one, other)] == labels


@RARE
def test_computer_pieces_cannot_be_moved(hands: Hands) -> None:
    stood = hands.driver.tabletop.standing
    for each in squares_in(stood.blue):
        hands.drag(each, square("e5"))
    assert hands.driver.tabletop.standing == stood
    assert hands.plies == 0


def resume(drive: Drive) -> Hands:
    """Restart the program, and continue the game when it is the person's turn."""
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("resume")
    again = Hands(driver, 1)
    again.pass_time()
    again.wait_for_turn()
    return again


def test_no_return_once_the_army_is_shown(hands: Hands, drive: Drive) -> None:
    """The person has seen the computer's ranks, so the game must not continue."""
    again = resume(drive)
    driver = again.driver
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    again.pass_time()
    presenter = driver.app.presenter
    assert set(squares_in(presenter.table.view.board.blue)) <= driver.find("board").ranks.keys()
    assert driver.on_top("again")
    assert driver.on_top("take_back") is None
    for side in Side:
        presenter.submit(CommandInput(presenter.now(), OfferUndo(side)))
    again.pass_time()
    assert again.is_over()
    driver.tap("look")
    assert driver.on_top("yes") is None, "the review needs no warning, because the end is final"


def test_ranks_on_the_pieces_need_no_correction(hands: Hands) -> None:
    for button in ("menu", "arbiter"):
        hands.driver.tap(button)
    assert hands.driver.find("correct").disabled


def test_army_stays_hidden_if_the_end_is_not_saved(hands: Hands, drive: Drive) -> None:
    """After a disk error, the game can be continued from its last saved state."""
    driver = hands.driver
    fill(driver.journal)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    driver.press("play_on")
    hands.pass_time()
    assert driver.view == "end"
    view = driver.app.presenter.table.view
    assert set(squares_in(view.board.red)) == driver.find("board").ranks.keys()
    assert not driver.tabletop.shows(Side.BLUE)
    assert "so the computer's army stays hidden" in driver.texts()
    make_room(driver.journal)
    assert not resume(drive).is_over()


@RARE
def test_ranks_survive_a_lost_file(hands: Hands, drive: Drive) -> None:
    labels = {each: hands.label_at(each) for each in hands.own()}
    hands.driver.journals.path.with_name(FILE).unlink()
    again = resume(drive)
    assert {each: again.label_at(each) for each in again.own()} == labels
    for each, label in labels.items():
        assert bool(again.dots(each)) == (label not in "FB")


def test_resumed_solo_game_keeps_its_ranks(hands: Hands, drive: Drive) -> None:
    labels = hands.labels()
    other = sit_down(drive, ISF.with_army("barrage"), 4)
    assert other.labels() != labels
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("games")
    driver.tap_at(*driver.middle(driver.find("rows").children[-2]))
    again = Hands(driver, 1)
    again.pass_time()
    again.wait_for_turn()
    assert again.labels() == labels
    for each in again.own():
        assert bool(again.dots(each)) == (labels[each] not in "FB")


def test_computer_turn_cannot_be_chosen(hands: Hands) -> None:
    source, dots = next((each, dots) for each in hands.own() if (dots := hands.dots(each)))
    empty = next(each for each in dots if hands.side_at(each) is None)
    hands.driver.carry(name(source), name(empty))
    hands.driver.show_virtual()
    assert hands.driver.app.presenter.table.view.to_move is Side.BLUE
    blue = next(squares_in(hands.driver.tabletop.standing.blue))
    hands.driver.tap_at(*hands.driver.on_board(name(blue)))
    assert hands.driver.face.chosen is None
