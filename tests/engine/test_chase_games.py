"""Recorded chases: every move but the last is legal where three crossings in a row are allowed.

They come from the test suite of Ataraxos (see the corpus). The last move of each breaks the
more-squares rule alone.
"""

from collections import Counter
from dataclasses import replace

import pytest

from engine.adjudication import action_of
from engine.editions import EDITIONS
from engine.ranks import Army, Rank
from engine.record import RecordedMove
from engine.records.gravon_xml import read_gravon_xml
from engine.referee import Referee
from engine.squares import name, square
from tests.corpus import chase_games, corpus
from tests.engine.tables import BLUE, RED, Setup, refusal


def read_chase(text: str) -> tuple[Setup, list[RecordedMove]]:
    """Read a chase; Blue's moves are written for a board that was turned around."""
    field, *actions = text.split()
    xml = f'<game><field content="{field.replace("a", "A")}"/></game>'
    record = read_gravon_xml(xml.encode())
    setup = Setup(
        {p: (RED if record.red >> p & 1 else BLUE, rank) for p, rank in record.ranks.items()}
    )
    moves = []
    for number, action in enumerate(map(int, actions)):
        code, source = divmod(action, 100)
        row, column = divmod(source, 10)
        if action < 900:
            target = 10 * (code + (code >= row)) + column
        else:
            code -= 9
            target = 10 * row + code + (code >= column)
        if number % 2:
            source, target = 99 - source, 99 - target
        moves.append(RecordedMove(source, target))
    return setup, moves


@pytest.mark.parametrize("file", chase_games())
def test_every_move_of_a_chase_but_the_last(file: str) -> None:
    setup, moves = read_chase((corpus("chase") / file).read_text())
    counts = Counter(rank for side, rank in setup.pieces.values() if side is RED)
    army = Army("of the chase", {rank: counts[rank] for rank in Rank})
    referee = Referee(replace(EDITIONS["isf"], army=army), known=setup.ranks)
    referee.apply(setup.placing)
    game = setup.obvious(limit=3)

    for move in moves[:-1]:
        assert refusal(referee.apply(action_of(move, referee))) is None, move
        game.play(name(move.source), name(move.target))
    assert referee.plies == len(moves) - 1 > 30
    # The last is no case of two-squares, nor of anything else before the more-squares rule.
    last = moves[-1]
    assert not game.broken_rules(name(last.source), name(last.target))


def test_how_moves_are_written() -> None:
    field = "M" + "a" * 29 + "D" + "a" * 11 + "__aa__aaaa__aa__" + "a" * 41 + "Y"

    _, moves = read_chase(f"{field}\n430\n1000\n930\n")

    ways = [(name(move.source), name(move.target)) for move in moves]
    assert ways == [("a4", "a6"), ("k10", "h10"), ("a4", "b4")]
    assert square("a4") == 30
