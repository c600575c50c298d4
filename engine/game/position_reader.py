"""Parses a position and its pending decision from a single line of text.

The line is read from left to right, and every error gives the column. The parsed position is then
converted back to text (`position_text`). A line that differs from the result is rejected, so each
position can be written in only one way.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from engine.board.board import NO_PIECE, Board, Piece, Pieces
from engine.board.board_text import SQUARE, TextScanner
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, Square, name, set_of, squares_in
from engine.board.ranks import MOVABLE, Army, Rank, RankSet, rank_set
from engine.deduction.commitment import COMMITMENT, ArmyCommitment
from engine.deduction.possible_ranks import PlayerState, RankDeduction
from engine.deduction.rank_assignment import Assignment
from engine.game.actions import Infiltrate
from engine.game.game_state import GameState, PendingAttack, PendingGuess, Stalemate
from engine.game.handle_attacks import infiltrate, open_attack
from engine.game.legal_turns import has_movable_piece
from engine.game.position import Position, Touching
from engine.game.position_text import (
    COLOURS,
    LISTED,
    MOVED,
    RANKS,
    SIDES,
    UNKNOWN,
    default_setup,
    fallen_among,
    write,
    write_end,
    write_state,
)
from engine.game.rulings import GameOver, Reason
from engine.rules.editions import EDITIONS, read_options
from engine.rules.movement import find_fault
from engine.rules.repetition import NO_CHASE, Chase, Past, Run

_CODES: Final = frozenset([*RANKS, UNKNOWN, MOVED, LISTED])
_NUMBER: Final = re.compile("[1-9][0-9]{0,4}")
_FALLEN: Final = re.compile(f"-|[{''.join(RANKS)}]+")
_DRAWN: Final = (Reason.AGREED_DRAW, Reason.BOTH_IMMOBILE)
_EITHER: Final = (Reason.TIME, Reason.FORFEIT)
"""Reasons for the end of a game that are possible both with and without a winner."""


def read(text: str) -> Position:
    """Parse a position.

    Raises NotationError if the text does not describe a possible position.
    """
    reader = _Reader(text)
    position = reader.read_position()
    reader.finish(write(position))
    return position


def read_state(text: str) -> GameState:
    """Parse a position and its pending decision.

    In an open attack, a side that had declared a rank is asked again. A dispute reverts to an open
    attack. Raises NotationError if the text does not describe a possible game.
    """
    reader = _Reader(text)
    position = reader.read_position()
    state = reader.read_pending(position)
    reader.finish(write_state(state))
    return state


class _Reader(TextScanner):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.edition = EDITIONS["isf"]
        self.codes: dict[Side, dict[Square, str]] = {side: {} for side in Side}
        """Letter of the piece on each square."""
        self.alone: dict[Side, dict[Piece, RankSet]] = {side: {} for side in Side}
        self.fallen: dict[Side, Counter[Rank]] = {side: Counter() for side in Side}
        self.columns: list[tuple[int, Side, Rank]] = []
        """Column, side and rank of every piece whose rank the text shows."""
        self.pieces = bytearray([NO_PIECE]) * len(SQUARES)
        self.excused: list[Side] = []
        """Sides whose ranks may contradict their army because of an arbiter's decision."""

    # -- the position

    def read_position(self) -> Position:
        self.read_board()
        self.expect(" ")
        to_move = SIDES[self.one_of(SIDES, "'r' or 'b', the side to move")]
        self.expect(" ")
        self.edition = read_options(self)
        is_setup = not any(self.codes.values()) and "end=" not in self.text
        if not is_setup:
            self.check_number_of_pieces()
            listed = self.read_ranks()
            self.place_pieces()
            self.add_ranks(listed)
            self.read_off()
            if self.takes(" fallen="):
                self.for_both(self.read_fallen)
            self.check_armies()
        position = self.begin(to_move)
        if not is_setup:
            self.read_memory(position)
            if self.takes(" touched="):
                position.touched = self.read_touched(position)
            self.read_openings(position)
        self.read_end(position)
        return position

    def read_set(self) -> RankSet:
        """Read ranks in ascending order, each at most once."""
        ranks, lowest = 0, -1
        while (letter := self.text[self.at : self.at + 1]) in RANKS:
            rank = RANKS[letter]
            if rank <= lowest or not self.edition.army.ranks >> rank & 1:
                self.refuse("a higher rank of this army")
            ranks, lowest = ranks | 1 << rank, rank
            self.at += 1
        return ranks

    def read_board(self) -> None:
        for row in reversed(range(WIDTH)):
            for at in range(WIDTH * row, WIDTH * row + WIDTH):
                self.read_cell(at)
            if row:
                self.expect("/")

    def read_cell(self, at: Square) -> None:
        found = self.text[self.at : self.at + 1]
        if LAKES >> at & 1:
            if found != "~":
                self.refuse(f"'~', the lake {name(at)}")
        elif found.lower() in _CODES:
            side = Side.RED if found.isupper() else Side.BLUE
            self.codes[side][at] = found.lower()
            if found.lower() in RANKS:
                self.columns.append((self.at, side, RANKS[found.lower()]))
        elif found != ".":
            self.refuse(f"'.' or the letter of a piece on {name(at)}")
        self.at += 1

    def check_number_of_pieces(self) -> None:
        """Reject the first piece that exceeds the size of the army."""
        counts = Counter[Side]()
        for at, letter in enumerate(self.text[: WIDTH * WIDTH + WIDTH]):
            if letter.lower() in _CODES and letter.isascii():
                side = Side.RED if letter.isupper() else Side.BLUE
                counts[side] += 1
                if counts[side] > (size := self.edition.army_of(side).size):
                    self.refuse(f"at most {size} pieces of {side.value}", at)

    def read_ranks(self) -> dict[Square, RankSet]:
        """Read the ranks of the pieces that the board marks with LISTED."""
        codes = self.codes[Side.RED] | self.codes[Side.BLUE]
        listed: dict[Square, RankSet] = {}
        for at in sorted(at for at, code in codes.items() if code == LISTED):
            self.expect("," if listed else " ranks=")
            self.expect(f"{name(at)}:")
            listed[at] = self.read_set()
        return listed

    def place_pieces(self) -> None:
        """Read the setup squares, and place the pieces."""
        for side in Side:
            for at, piece in default_setup(side, set_of(self.codes[side])).items():
                self.pieces[at] = piece
        starts: dict[Piece, int] = {}
        if self.takes(" from="):
            for _ in self.items(","):
                start = self.at
                at = self.read_square()
                owner = next((side for side in Side if at in self.codes[side]), None)
                if owner is None:
                    self.refuse("the square of a piece", start)
                self.expect("<")
                start = self.at
                piece = self.read_square()
                if not owner.home >> piece & 1 or piece in starts:
                    self.refuse(f"a setup square of {owner.value} that no other piece has", start)
                starts[piece] = start
                self.pieces[at] = piece
        taken = Counter(self.pieces[at] for side in Side for at in self.codes[side])
        twice = [starts[piece] for piece, count in taken.items() if count > 1]
        if twice:
            self.refuse("a setup square that no other piece has", min(twice))

    def add_ranks(self, listed: Mapping[Square, RankSet]) -> None:
        for side in Side:
            army = self.edition.army_of(side)
            for at, code in self.codes[side].items():
                self.alone[side][self.pieces[at]] = _ranks_of(code, army, listed.get(at, 0))

    def read_off(self) -> None:
        if self.takes(" off="):
            self.for_both(self.read_off_of)
        for side in Side:
            standing = {self.pieces[at] for at in self.codes[side]}
            alone = self.alone[side]
            self.fallen[side] = fallen_among(alone[p] for p in alone if p not in standing)
            left, army = squares_in(side.home & ~set_of(alone)), self.edition.army_of(side)
            while len(self.alone[side]) < army.size:
                self.alone[side][next(left)] = army.ranks

    def read_off_of(self, side: Side) -> None:
        army, free = self.edition.army_of(side), side.home & ~set_of(self.alone[side])
        left = squares_in(free)
        count = army.size - len(self.alone[side])
        if self.ends_part:
            return
        for _ in range(count):
            start = self.at
            piece = next(left, None)
            if SQUARE.match(self.text, self.at):
                place = self.read_square()
                if piece is None or place < piece or not free >> place & 1:
                    self.refuse(f"a later setup square of {side.value} that is free", start)
                piece = place
                left = squares_in(free & -2 << place)
            if piece is None:
                self.refuse("an earlier setup square for the piece before", start)
            self.alone[side][piece] = self.read_off_ranks(side)
        if not self.ends_part:
            self.refuse(f"no more than {count} pieces of {side.value} off the board")

    def read_off_ranks(self, side: Side) -> RankSet:
        start = self.at
        if self.takes("{"):
            ranks = self.read_set()
            self.expect("}")
            return ranks
        code = self.one_of(_CODES, "the letter of a piece")
        if code == LISTED:
            self.refuse("ranks in braces", start)
        if code in RANKS:
            self.columns.append((start, side, RANKS[code]))
        return _ranks_of(code, self.edition.army_of(side), 0)

    def read_fallen(self, side: Side) -> None:
        if not self.ends_part:
            letters = self.match(_FALLEN, "the letters of ranks, or '-' for none")
            self.fallen[side] = Counter(RANKS[letter] for letter in letters if letter != "-")

    def check_armies(self) -> None:
        """Reject ranks that contradict the army, unless an arbiter's decision allows it."""
        counts = Counter[tuple[Side, Rank]]()
        self.excused = self.read_inconsistent()
        for at, side, rank in self.columns:
            counts[side, rank] += 1
            most = self.edition.army_of(side).counts[rank]
            if counts[side, rank] > most and side not in self.excused:
                expected = f"at most {most} × {rank.name.lower()} of {side.value}"
                self.refuse(expected, at)
        for side in (side for side in Side if side not in self.excused):
            groups = Counter(self.alone[side].values())
            if not Assignment(self.edition.army_of(side), groups).is_complete:
                self.refuse(f"ranks of {side.value} that make up the army", 0)

    def read_inconsistent(self) -> list[Side]:
        if not self.takes(" inconsistent="):
            return []
        found = [side for side in Side if self.takes(COLOURS[side])]
        if not found:
            self.refuse("'r', 'b' or 'rb'")
        return found

    def begin(self, to_move: Side) -> Position:
        """Return the position, without the past moves that the repetition rules count."""
        red, blue = (set_of(self.codes[side]) for side in Side)
        position = Position(self.edition, Board.of_parts(self.pieces, red, blue))
        players = {}
        for side in Side:
            army, is_overruled = self.edition.army_of(side), side in self.excused
            known = RankDeduction.stated(army, self.alone[side], is_overruled=is_overruled)
            players[side] = PlayerState(known, dict(self.fallen[side]))
        position.to_move = to_move
        position.own, position.enemy = (red, blue) if to_move is Side.RED else (blue, red)
        position.own_player, position.enemy_player = players[to_move], players[to_move.other]
        return position

    # -- the moves for the repetition rules

    def read_memory(self, position: Position) -> None:
        runs: dict[Side, Run | None] = dict.fromkeys(Side)
        chases = dict.fromkeys(Side, NO_CHASE)
        if self.takes(" moves="):
            self.for_both(lambda side: runs.update({side: self.read_run(side)}))
        if self.edition.more_squares and self.takes(" chase="):
            self.for_both(lambda side: chases.update({side: self.read_chase(side)}))
        mover, waiter = position.to_move, position.to_move.other
        position.own_run, position.enemy_run = runs[mover], runs[waiter]
        position.own_chase, position.enemy_chase = chases[mover], chases[waiter]
        longest = max(position.own_chase[0], position.enemy_chase[0])
        if longest:
            position.past = self.read_past(longest)

    def read_run(self, side: Side) -> Run | None:
        """Read the latest moves of a side, most recent first."""
        if self.ends_part:
            return None
        start, piece = self.at, None
        first = self.read_square()
        if self.takes(":"):
            piece = first
        else:
            self.at = start
        moves: list[tuple[Square, Square, str]] = []
        for _ in self.items(","):
            if len(moves) == self.edition.two_squares_limit:
                self.refuse(f"at most {len(moves)} moves", self.at - 1)
            moves.append(self.read_way("-x"))
        if piece is None:
            piece = self.pieces[moves[0][1]]
        if piece not in self.alone[side]:
            self.refuse(f"a move of a piece of {side.value}, or its setup square and ':'", start)
        run: Run | None = None
        for source, target, sign in reversed(moves):
            run = piece, source, target, sign == "x", run
        return run

    def read_chase(self, side: Side) -> Chase:
        if self.ends_part:
            return NO_CHASE
        plies, evaders = int(self.match(_NUMBER, "a number of plies")), 0
        if self.takes(":"):
            for _ in self.items(","):
                start = self.at
                at = self.read_square()
                if at not in self.codes[side.other]:
                    self.refuse(f"the square of a piece of {side.other.value}", start)
                evaders |= 1 << self.pieces[at]
        return plies, evaders

    def read_past(self, plies: int) -> Past:
        """Read the moves that led from each position of the chase to the next one."""
        now: Pieces = self.pieces
        start = self.at
        has_field = self.takes(" past=")
        end = self.text.find(" ", self.at)
        is_corrected = has_field and ";" in self.text[self.at : None if end < 0 else end]
        if is_corrected:
            now = self.read_step_back(now)
            self.expect(";")
        stood = [now]
        for number in range(plies - 1):
            if number:
                self.expect(",")
            elif not has_field:
                self.refuse("' past=', the moves of the chase", start)
            stood.append(now := self.read_step_back(now))
        past: Past | None = None
        for pieces in reversed(stood):
            past = pieces, past
        assert past
        return past

    def read_step_back(self, later: Pieces) -> Pieces:
        """Read a group of simultaneous moves, and return where the pieces stood before them."""
        made: dict[Square, tuple[Square, int]] = {}
        for _ in self.items("+"):
            start = self.at
            source, target, _ = self.read_way("-")
            if later[target] == NO_PIECE or target in made:
                self.refuse("a move to the square of a piece", start)
            made[target] = source, start
        earlier = bytearray(later)
        for target in made:
            earlier[target] = NO_PIECE
        for target, (source, start) in made.items():
            if earlier[source] != NO_PIECE:
                self.refuse("a move from an empty square", start)
            earlier[source] = later[target]
        return earlier

    # -- everything else

    def read_touched(self, position: Position) -> Touching:
        start = self.at
        at = self.read_square()
        if not self.edition.touch_move or not position.own >> at & 1:
            self.refuse("with touch-move, a piece of the side to move", start)
        return Touching(at, self.takes(",carried"))

    def read_openings(self, position: Position) -> None:
        """Read the commitments of sealed armies, and the armies that were opened after the game."""
        if self.takes(" seals="):
            self.for_both(lambda side: self.read_seals(position, side))
        if self.takes(" opened="):
            self.for_both(lambda side: self.read_opened(position, side))

    def read_seals(self, position: Position, side: Side) -> None:
        if self.ends_part:
            return
        seals = {}
        for piece in sorted(self.alone[side]):
            seals[piece] = self.match(COMMITMENT, f"64 hexadecimal digits for {name(piece)}")
        _set_player(position, side, position.player(side).with_commitment(ArmyCommitment(seals)))

    def read_opened(self, position: Position, side: Side) -> None:
        if self.ends_part:
            return
        letters = {
            piece: self.one_of(RANKS, f"the rank of the piece set up on {name(piece)}")
            for piece in sorted(self.alone[side])
        }
        army = {piece: RANKS[letter] for piece, letter in letters.items()}
        _set_player(position, side, position.player(side).with_opened(army))

    def read_end(self, position: Position) -> None:
        """Read the outcome of the game. If the board proves one, the text must state an outcome."""
        proved = position.outcome
        if not self.takes(" end="):
            if proved:
                self.refuse(f"' end={write_end(proved)}'")
            return
        winner = SIDES.get(self.one_of("rb-", "'r', 'b' or '-', the winner"))
        self.expect(",")
        start, reasons = self.at, {reason.value: reason for reason in Reason}
        reason = reasons[self.word_of(reasons)]
        if reason not in _EITHER and (reason in _DRAWN) is not (winner is None):
            self.refuse("an end with a winner" if winner is None else "an end without one", start)
        end = GameOver.by_rules(position.edition, winner, reason)
        position.end_cache = proved if proved == end else end

    # -- the pending decision

    def read_pending(self, position: Position) -> GameState:
        if position.outcome is None:
            if self.takes(" attack="):
                return self.read_attack(position)
            if self.takes(" guess="):
                return self.read_guess(position)
            if self.takes(" stuck="):
                return self.read_stuck(position)
            without_pieces = next((side for side in Side if not position.squares(side)), None)
            if position.board.occupied and (stuck := position.stuck or without_pieces):
                self.refuse(f"' stuck={COLOURS[stuck]}'")
        return GameState(position)

    def read_attack(self, position: Position) -> GameState:
        start = self.at
        source, target, _ = self.read_way("x")
        own, enemy = position.own, position.enemy
        expected = "an attack of the side to move in which a rank is not known"
        if not own >> source & enemy >> target & 1 or not position.can_stand(source, target):
            self.refuse(expected, start)
        fault = find_fault(own, enemy, source, target, position.ranks_at(source))
        state, _ = open_attack(GameState(position), source, target, regular=fault is None)
        if not isinstance(state.pending, PendingAttack):
            self.refuse(expected, start)
        return state

    def read_guess(self, position: Position) -> GameState:
        start = self.at
        source, target, _ = self.read_way("-")
        self.expect(":")
        guess = RANKS[self.one_of(RANKS, "the letter of a rank")]
        state, _ = infiltrate(GameState(position), Infiltrate(source, target, guess))
        if not isinstance(state.pending, PendingGuess):
            self.refuse("an infiltration whose result is not known", start)
        return state

    def read_stuck(self, position: Position) -> GameState:
        start = self.at
        stuck = SIDES[self.one_of(SIDES, "'r' or 'b', the side that cannot move")]
        showing = self.takes(",showing")
        asked = stuck.other
        if showing:
            is_possible = position.to_move is asked
        elif position.to_move is asked and position.stuck is None:
            is_possible = not has_movable_piece(position, stuck)
            position.end_cache = None
        else:
            is_possible = position.stuck in (None, stuck)
        if not is_possible or not position.can_move(asked):
            self.refuse("a side that cannot move, but whose opponent may be able to", start)
        return GameState(position, Stalemate(stuck, showing))


def _ranks_of(code: str, army: Army, listed: RankSet) -> RankSet:
    if code in RANKS:
        return rank_set([RANKS[code]])
    return {UNKNOWN: army.ranks, MOVED: army.ranks & MOVABLE, LISTED: listed}[code]


def _set_player(position: Position, side: Side, player: PlayerState) -> None:
    if side is position.to_move:
        position.own_player = player
    else:
        position.enemy_player = player
