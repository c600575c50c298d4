"""Writes a position and its pending decision as a single line of text.

The fields are separated by single spaces, as in FEN: the board, the side to move, the rules, and
then `key=value` fields in a fixed order. Empty fields are omitted. docs/positions.md has the
grammar and examples; `position_reader` parses the text.

The text contains only public facts. Two positions have equal text if and only if they are equal
apart from the secrets of silent defence.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from engine.board import NotationError
from engine.board.board import NO_PIECE, Piece
from engine.board.geometry import (
    LAKES,
    SQUARES,
    WIDTH,
    Side,
    Square,
    SquareSet,
    name,
    set_of,
    squares_in,
)
from engine.board.ranks import MOVABLE, Army, Rank, RankSet, only_rank, ranks_in
from engine.deduction.possible_ranks import PlayerState
from engine.game.game_state import GameState, PendingAttack, PendingGuess, Stalemate
from engine.game.position import Position, Touching
from engine.game.rulings import GameOver
from engine.rules.editions import write_options
from engine.rules.repetition import Chase, Run, recent_moves, recent_positions

LETTERS: Final[Mapping[Rank, str]] = dict(zip(Rank, "fstnelpjcgmbi", strict=True))
"""Letter for each rank. Red's pieces are written in upper case."""
RANKS: Final[Mapping[str, Rank]] = {letter: rank for rank, letter in LETTERS.items()}
"""Rank for each lower-case letter."""
UNKNOWN, MOVED, LISTED = "x", "y", "z"
"""Letters for a piece with several possible ranks: any rank, any movable rank, or the ranks in the
field `ranks`."""
SIDES: Final = {"r": Side.RED, "b": Side.BLUE}
COLOURS: Final = {side: colour for colour, side in SIDES.items()}


def write(position: Position) -> str:
    """Return the text of a position.

    Raises NotationError if the edition is not a published one or an army is incomplete.
    """
    for side in Side:
        _check_army(position, side)
    fields = [
        _write_board(position),
        COLOURS[position.to_move],
        write_options(position.edition),
    ]
    values = {
        "ranks": _write_ranks(position),
        "from": _write_setup_squares(position),
        "off": _both(lambda side: _write_off(position, side)),
        "fallen": _both(lambda side: _write_fallen(position, side)),
        "inconsistent": "".join(
            COLOURS[side] for side in Side if not position.player(side).deduction.adds_up
        ),
        "moves": _both(lambda side: _write_moves(position, position.run(side))),
        "chase": _both(lambda side: _write_chase(position, position.chase(side))),
        "past": _write_past(position),
        "touched": _write_touched(position.touched),
        "seals": _both(lambda side: _write_seals(position.player(side))),
        "opened": _both(lambda side: _write_opened(position.player(side))),
        "end": write_end(position.outcome),
    }
    return " ".join([*fields, *(f"{key}={value}" for key, value in values.items() if value)])


def write_state(state: GameState) -> str:
    """Return the text of a position and its pending decision, without secrets."""
    text = write(state.position)
    if state.position.outcome:
        return text
    match state.pending:
        case PendingAttack(source=source, target=target):
            return f"{text} attack={name(source)}x{name(target)}"
        case PendingGuess(source, target, guess):
            return f"{text} guess={name(source)}-{name(target)}:{LETTERS[guess]}"
        case Stalemate(stuck, showing):
            return f"{text} stuck={COLOURS[stuck]}{',showing' if showing else ''}"
    return text


def _check_army(position: Position, side: Side) -> None:
    player, size = position.player(side), position.edition.army_of(side).size
    count = len(player.deduction.individual)
    is_setup = not position.board.occupied and not count
    if (count != size and not is_setup) or set_of(player.deduction.individual) & ~side.home:
        raise NotationError(f"an army of {size} pieces in {side.value}'s rows", count)
    if player.commitment and player.commitment.squares != set_of(player.deduction.individual):
        raise NotationError(f"a commitment for each of {side.value}'s pieces", "other pieces")


def _both(write_one: Callable[[Side], str]) -> str:
    """Return Red's and Blue's text, separated by a slash.

    Return an empty string if both texts are empty.
    """
    red, blue = map(write_one, Side)
    return f"{red}/{blue}" if red or blue else ""


def _code(ranks: RankSet, army: Army) -> str:
    """Return the letter for a set of ranks."""
    rank = only_rank(ranks)
    if rank is not None:
        return LETTERS[rank]
    return {army.ranks: UNKNOWN, army.ranks & MOVABLE: MOVED}.get(ranks, LISTED)


def _write_set(ranks: RankSet) -> str:
    return "".join(LETTERS[rank] for rank in ranks_in(ranks))


def _write_board(position: Position) -> str:
    pieces = position.pieces
    cells = ["~" if LAKES >> at & 1 else "." for at in SQUARES]
    for side in Side:
        alone, army = position.player(side).deduction.individual, position.edition.army_of(side)
        for at in squares_in(position.squares(side)):
            code = _code(alone[pieces[at]], army)
            cells[at] = code.upper() if side is Side.RED else code
    rows = ["".join(cells[WIDTH * row : WIDTH * row + WIDTH]) for row in range(WIDTH)]
    return "/".join(reversed(rows))


def _write_ranks(position: Position) -> str:
    listed = []
    for at in squares_in(position.board.occupied):
        deduction, piece = position.deduction_at(at)
        if _code(deduction.individual[piece], deduction.army) == LISTED:
            listed.append(f"{name(at)}:{_write_set(deduction.individual[piece])}")
    return ",".join(listed)


def default_setup(side: Side, squares: SquareSet) -> dict[Square, Piece]:
    """Return the default setup square for the piece on each of these squares.

    A piece in its own side's four rows is assumed to have been set up where it stands. The other
    pieces are assigned to the remaining setup squares in the order a1, a2, …, k10. This order goes
    by columns, because most pieces are still in the column in which they were set up.
    """
    left = iter(sorted(squares_in(side.home & ~squares), key=_column_first))
    return {
        at: at if side.home >> at & 1 else next(left)
        for at in sorted(squares_in(squares), key=_column_first)
    }


def _column_first(at: Square) -> tuple[int, int]:
    return at % WIDTH, at


def _write_setup_squares(position: Position) -> str:
    pieces, board = position.pieces, position.board
    other = []
    for side in Side:
        for at, piece in default_setup(side, board.of(side)).items():
            if pieces[at] != piece:
                other.append((at, pieces[at]))
    return ",".join(f"{name(at)}<{name(piece)}" for at, piece in sorted(other))


def _write_off(position: Position, side: Side) -> str:
    alone, army = position.player(side).deduction.individual, position.edition.army_of(side)
    standing = set_of(position.pieces[at] for at in squares_in(position.squares(side)))
    if not alone:
        return ""
    free, items = side.home & ~standing, []
    left = squares_in(free)
    for piece in sorted(set(alone) - set(squares_in(standing))):
        place = "" if next(left) == piece else name(piece)
        if place:
            left = squares_in(free & -2 << piece)
        code = _code(alone[piece], army)
        items.append(place + (f"{{{_write_set(alone[piece])}}}" if code == LISTED else code))
    return "" if {*items} <= {UNKNOWN} else "".join(items)


def fallen_among(alone: Iterable[RankSet]) -> Counter[Rank]:
    """For each rank, count the sets of possible ranks that contain only this rank."""
    return Counter(rank for ranks in alone if (rank := only_rank(ranks)) is not None)


def _write_fallen(position: Position, side: Side) -> str:
    """Return the captured ranks, or "" if they follow from the pieces off the board."""
    player, pieces = position.player(side), position.pieces
    standing = {pieces[at] for at in squares_in(position.squares(side))}
    alone = player.deduction.individual
    shown = fallen_among(alone[piece] for piece in alone if piece not in standing)
    if shown == player.captured:
        return ""
    return "".join(LETTERS[rank] * player.captured.get(rank, 0) for rank in Rank) or "-"


def _write_moves(position: Position, run: Run | None) -> str:
    if not run:
        return ""
    moves = recent_moves(run, position.edition.two_squares_limit)
    made = ",".join(f"{name(a)}{'x' if attack else '-'}{name(b)}" for a, b, attack in moves)
    return made if position.pieces[run[2]] == run[0] else f"{name(run[0])}:{made}"


def _write_chase(position: Position, chase: Chase) -> str:
    plies, evaders = chase
    if not plies:
        return ""
    places = [
        at for at in squares_in(position.board.occupied) if evaders >> position.pieces[at] & 1
    ]
    return f"{plies}:{','.join(map(name, places))}" if places else str(plies)


def _write_past(position: Position) -> str:
    longest = max(position.own_chase[0], position.enemy_chase[0])
    later, steps = bytes(position.pieces), []
    for earlier in recent_positions(position.past, longest):
        changed = [at for at in SQUARES if later[at] not in (NO_PIECE, earlier[at])]
        steps.append("+".join(f"{name(earlier.index(later[at]))}-{name(at)}" for at in changed))
        later = earlier
    now = f"{steps[0]};" if steps and steps[0] else ""
    return now + ",".join(steps[1:])


def _write_touched(touched: Touching | None) -> str:
    return "" if touched is None else name(touched.square) + ",carried" * touched.carried


def _write_seals(player: PlayerState) -> str:
    commitment = player.commitment
    return "".join(seal for _, seal in sorted(commitment.commitments.items())) if commitment else ""


def _write_opened(player: PlayerState) -> str:
    return "".join(LETTERS[rank] for _, rank in sorted((player.proved or {}).items()))


def write_end(end: GameOver | None) -> str:
    if end is None:
        return ""
    return f"{COLOURS[end.winner] if end.winner else '-'},{end.reason.value}"
