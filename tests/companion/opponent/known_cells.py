"""Positions for the search and for chases, in which both sides know all ranks."""

from companion.opponent import valuation
from engine import EDITIONS
from engine.board.geometry import SQUARES, square
from engine.board.ranks import IMMOBILE, Rank

EDITION = EDITIONS["original-1992"]


def make_field() -> valuation.Field:
    """Return the evaluation of fights at the start of a game, without caution or curiosity."""
    whole = valuation.remaining(EDITION.army, {})
    worth = valuation.find_worth(whole, whole)
    even = [[1 / len(Rank)] * len(Rank)] * 2
    results, secrets = valuation.combat_results(EDITION), valuation.find_secrets(0)
    return valuation.Field(results, worth, even, [0.0] * len(Rank), 1.0, 0.0, secrets)


def make_cells(own: dict[str, Rank], enemies: dict[str, Rank]) -> list[valuation.Cell]:
    """Return a position in which both sides know all ranks."""
    field = make_field()
    cells: list[valuation.Cell] = [None] * len(SQUARES)
    for name, rank in own.items():
        moved = not IMMOBILE >> rank & 1
        cells[square(name)] = valuation.OwnPiece(
            rank, field.worth.own[rank], shown=True, moved=moved
        )
    for name, rank in enemies.items():
        chances = tuple(float(each is rank) for each in Rank)
        cells[square(name)] = valuation.EnemyPiece(field, chances, moved=True)
    return cells
