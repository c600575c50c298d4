"""Compare the small boards of the first battle with an independent copy of the rules."""

from itertools import product

import pytest

from companion.ui.first_battle.lessons import SHOWN_SQUARES, STEPS, FirstBattle
from engine.board.geometry import Side, Square, name, square
from engine.board.ranks import Rank
from engine.game.rulings import Combat, Moved
from engine.rules.movement import CombatResult
from engine.rules.rules import Violation

LAKE = {square(each) for each in ("c5", "d5", "c6", "d6")}


def begin(number: int) -> FirstBattle:
    """Return a battle at step `number`, with that step's small board."""
    battle = FirstBattle()
    while battle.number < number:
        battle.go_on()
    return battle


def path(source: Square, target: Square) -> list[Square] | None:
    """Return the squares between two squares in the same row or column, otherwise None."""
    (x, y), (to_x, to_y) = (divmod(each, 10)[::-1] for each in (source, target))
    if (x == to_x) == (y == to_y):
        return None
    steps = abs(x - to_x) + abs(y - to_y)
    right, up = (to_x - x) // steps, (to_y - y) // steps
    return [10 * (y + up * n) + x + right * n for n in range(1, steps)]


def is_allowed(battle: FirstBattle, source: Square, target: Square) -> bool:
    piece, met = battle.pieces.get(source), battle.pieces.get(target)
    between = path(source, target)
    if piece is None or piece.side is Side.BLUE or between is None or target in LAKE:
        return False
    if piece.rank in (Rank.FLAG, Rank.BOMB) or (met and met.side is Side.RED):
        return False
    if between and piece.rank is not Rank.SCOUT:
        return False
    return not any(each in battle.pieces or each in LAKE for each in between)


def wins(attacker: Rank, defender: Rank) -> bool:
    """Whether the attacker wins. On the small boards, equal ranks never meet."""
    if defender is Rank.BOMB:
        return attacker is Rank.MINER
    if defender is Rank.MARSHAL:
        return attacker is Rank.SPY
    if defender is Rank.SERGEANT:
        return attacker is Rank.CAPTAIN
    assert defender is Rank.FLAG
    return True


BOARDS = [number for number, step in enumerate(STEPS) if step.pieces is not None]


@pytest.mark.parametrize("number", BOARDS)
def test_all_drags_in_all_lessons(number: int) -> None:
    for source, target in product(SHOWN_SQUARES, SHOWN_SQUARES):
        battle = begin(number)
        before, allowed = dict(battle.pieces), is_allowed(battle, source, target)
        ruling = battle.attempt(source, target)
        expected = name(source), name(target), ruling
        assert allowed is not isinstance(ruling, Violation), expected
        if isinstance(ruling, Violation):
            assert battle.pieces == before, expected
        elif isinstance(ruling, Moved):
            assert target not in before, expected
            moved = {**before, target: before[source]}
            del moved[source]
            assert battle.pieces == moved, expected
        else:
            attacker, defender = before[source], before[target]
            won = wins(attacker.rank, defender.rank)
            assert ruling.result is (
                CombatResult.ATTACKER_WINS if won else CombatResult.DEFENDER_WINS
            ), expected
            survivor = battle.pieces[target]
            assert survivor.rank is (attacker if won else defender).rank, expected
            assert survivor.side is (Side.RED if won else Side.BLUE), expected


@pytest.mark.parametrize("number", BOARDS)
def test_only_the_intended_step_completes_a_lesson(number: int) -> None:
    """Refused attempts and lost attacks do not complete a step."""
    for source, target in product(SHOWN_SQUARES, SHOWN_SQUARES):
        battle = begin(number)
        ruling = battle.attempt(source, target)
        if battle.step.is_done_by(ruling):
            assert isinstance(ruling, Moved | Combat)
            assert (number == 0) is isinstance(ruling, Moved)
            assert isinstance(ruling, Moved) or ruling.boom or ruling.attacker is Rank.SPY


def test_lost_attack_can_be_repeated() -> None:
    battle = begin(5)
    before = dict(battle.pieces)
    battle.attempt(square("e5"), square("e6"))
    battle.attempt(square("b5"), square("a5"))
    assert battle.pieces != before
    battle.begin_again()
    assert battle.pieces == before
