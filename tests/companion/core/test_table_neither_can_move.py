"""If one side has no movable pieces left, the other side must say whether it, too, is unable to
move."""

from dataclasses import replace
from typing import Final

import pytest

from companion.devices.lamps import awaited
from companion.jsonl.table_process import list_asks
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank
from engine.game.actions import AnswerStalemate, Attack
from engine.game.game_state import Phase
from engine.game.rulings import GameOver, MoveRequired, Reason, StalemateClaimed
from engine.rules.editions import EDITIONS
from firmware_bridge.image import Image
from tests.companion.core.table_driver import TableDriver
from tests.engine.tables import Setup
from tests.engine.test_neither_can_move import BLUE_ATTACKS, BOMB, POCKET, RED_ATTACKS

RED, BLUE = Side
SETUP: Final = Setup.parse(POCKET)
YES, NO = AnswerStalemate(able=True), AnswerStalemate(able=False)


@pytest.fixture(
    params=[(BOMB, "isf"), (RED_ATTACKS, "original-1992"), (BLUE_ATTACKS, "travel-2017")],
    ids=["bomb", "red", "blue"],
)
def asked(request: pytest.FixtureRequest) -> TableDriver:
    """Game in which everything except the declarations is done by hand."""
    moves, edition = request.param
    rules = replace(EDITIONS[edition], army=SETUP.army, armies=())
    armies = Image(*(set_of(p for p, (s, _) in SETUP.pieces.items() if s is x) for x in Side))
    driver = TableDriver.begun(edition=rules, armies=armies)
    ranks = {place: rank for place, (_, rank) in SETUP.pieces.items()}
    for move in moves.split():
        if "x" in move:
            _attack(driver, move, ranks)
        else:
            driver.play(move)
    return driver


def _attack(driver: TableDriver, move: str, ranks: dict[int, Rank]) -> None:
    source, target = move.split("x")
    attacker, defender = driver.lift(source), driver.lift(target)
    driver.wait()
    referee = driver.table.referee
    if referee.phase is Phase.PLAY:  # the table first asks whether this is a long-range attack
        driver.command(Attack(square(source), square(target)))
    mover = referee.to_move
    while referee.open_attack and referee.open_attack.awaited:
        side = referee.open_attack.awaited[0]
        piece = referee.position.board.piece_at(referee.open_attack.square(side))
        driver.declare(side, ranks[piece])
    stays = referee.position.board.side_at(square(target))
    if stays:
        driver.place(attacker if stays is mover else defender, target)
    driver.wait()


def test_asked_side(asked: TableDriver) -> None:
    assert asked.emitted(StalemateClaimed) == [StalemateClaimed(BLUE)]
    assert asked.table.view.stuck is RED
    assert awaited(asked.table) == {BLUE}
    (question,) = list_asks(asked.table)
    assert (question["what"], question["to"]) == ("can-move", "blue")


def test_no_is_a_draw(asked: TableDriver) -> None:
    asked.command(NO)

    assert asked.emitted(GameOver) == [GameOver(None, Reason.BOTH_IMMOBILE)]


def test_yes_must_be_shown_on_the_board(asked: TableDriver) -> None:
    asked.command(YES)
    assert asked.emitted(MoveRequired) == [MoveRequired(BLUE)]

    asked.move("i10", "h10")

    assert asked.emitted(GameOver) == [GameOver(BLUE, Reason.NO_MOVABLE_PIECE)]


def test_question_survives_a_power_cut(asked: TableDriver) -> None:
    again = asked.replugged()
    again.wait()
    assert again.table.view.stuck is RED
    again.command(NO)
    assert again.emitted(GameOver) == [GameOver(None, Reason.BOTH_IMMOBILE)]
