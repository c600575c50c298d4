"""A player whose opponent has an army of blanks. Only the player's own pieces show ranks.

The player follows the screen: marks on the board, the arrow for the computer's move, and questions
about a rank. A clumsy player sometimes makes a mistake, and then follows the recovery guide.
"""

import re
from random import Random
from typing import Final

from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, Square, square, squares_in
from engine.board.ranks import SYMBOLS, Army, Rank
from firmware_bridge.simulated_board.board import PhysicalPiece, SimulatedBoard
from tests.companion.ui.driver import Driver

STEPS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))
STANDS: Final = 1.0
"""Pause after every action, in seconds."""


class BlankPerson:
    """Plays Red by hand, and moves the blue pieces as requested."""

    def __init__(self, driver: Driver, army: Army, seed: int, clumsiness: float = 0.0) -> None:
        self.driver, self.dice, self.clumsiness = driver, Random(seed), clumsiness
        self.board = SimulatedBoard()
        self.beside: list[PhysicalPiece] = []
        """Pieces in hand or beside the board, in the order in which they were removed."""
        self.fighting: PhysicalPiece | None = None
        """The player's piece in the current combat."""
        self.mistakes = 0
        home = self.dice.sample([*squares_in(Side.RED.home)], army.size)
        for where, rank in zip(home, army.pieces, strict=True):
            self.board.stand(Side.RED, where, rank.symbol)
        self.blanks = army.size

    def side_at(self, where: Square) -> Side | None:
        piece = self.board.at(where)
        return piece.side if piece else None

    def own(self) -> list[Square]:
        return [each for each in SQUARES if self.side_at(each) is Side.RED]

    def reach(self, where: Square) -> list[Square]:
        """Return the squares that a piece's rank allows it to reach, ignoring repetition rules."""
        piece = self.board.at(where)
        assert piece
        if piece.label in ("F", "B"):
            return []
        found = []
        for across, up in STEPS:
            x, y = where % WIDTH, where // WIDTH
            for _ in range(WIDTH if piece.label == "2" else 1):
                x, y = x + across, y + up
                to = y * WIDTH + x
                if not (0 <= x < WIDTH and 0 <= y < WIDTH) or LAKES >> to & 1:
                    break
                if self.side_at(to) is not Side.RED:
                    found.append(to)
                if self.side_at(to):
                    break
        return found

    def show(self, seconds: float = STANDS) -> None:
        self.driver.show(self.board.image(), seconds)

    def lift(self, where: Square) -> None:
        self.beside.append(self.board.lift(where))

    def place(self, where: Square) -> None:
        """Put the last removed piece of the displayed colour on a square."""
        side = self.driver.face.expected.at(where).side
        piece = next(each for each in reversed(self.beside) if each.side is side)
        self.beside.remove(piece)
        self.board.place(piece, where)

    def carry(self, source: Square, target: Square) -> None:
        piece = self.board.lift(source)
        self.show(0.3)
        self.board.place(piece, target)
        self.show()

    def set_up(self) -> None:
        """Place blank pieces on the marked squares, and report the army as ready."""
        self.show()
        if self.dice.random() < self.clumsiness:
            self.mistakes += 1
            where = next(each for each in (44, 45, 50) if self.board.at(each) is None)
            self.board.stand(Side.BLUE, where, "")
            self.show()
            self.lift(where)
        for where in squares_in(int(self.driver.find("board").put)):
            self.board.stand(Side.BLUE, where, "")
        self.show()
        assert not self.driver.find("board").put
        self.driver.tap_inside("red", "ready")
        for _ in range(9):
            if self.driver.view == "turn":
                return
            self.show()
        raise AssertionError(self.driver.texts())

    def step(self) -> None:
        match self.driver.view:
            case "turn" if self.driver.face.carried:
                self.obey(*self.driver.face.carried)
            case "turn" if self.driver.face.side is Side.RED:
                self.play()
            case "turn":
                self.show()
            case "recovery":
                self.put_right()
            case "declaration":
                self.declare()
            case "reveal":
                self.clear_up()
            case "who-attacks":
                self.driver.tap("red_attacks")
            case "guess":
                self.answer_guess()
            case other:
                raise AssertionError(f"unexpected screen {other}: {self.driver.texts()}")

    def obey(self, source: Square, target: Square) -> None:
        """Make the computer's move. A clumsy player makes a mistake instead."""
        assert self.side_at(source) is Side.BLUE
        if self.dice.random() >= self.clumsiness:
            self.carry(source, target)
            return
        self.mistakes += 1
        blues = [each for each in SQUARES if self.side_at(each) is Side.BLUE]
        free = [each for each in SQUARES if not (self.board.at(each) or LAKES >> each & 1)]
        match self.dice.randrange(4):
            case 0:  # move the right piece to another square
                self.carry(source, self.dice.choice([each for each in free if each != target]))
            case 1:  # move another piece
                self.carry(self.dice.choice(blues), target)
            case 2:  # hold the piece for a while
                piece = self.board.lift(source)
                self.show(4)
                self.board.place(piece, target)
            case _:  # play on without making the computer's move
                free = [each for each in free if each != target]
                turns = [(one, to) for one in self.own() for to in self.reach(one) if to in free]
                if turns:
                    self.carry(*self.dice.choice(turns))
        self.show(4)

    def put_right(self) -> None:
        """Remove the pieces marked with a cross, and place pieces on squares marked with a plus."""
        face = self.driver.face
        take, put = int(face.take), int(face.put)
        for where in squares_in(take):
            if self.board.at(where):
                self.lift(where)
        self.show(0.3)
        for where in squares_in(put):
            self.place(where)
        self.show(2)

    def play(self) -> None:
        """Take a turn, preferably an attack."""
        turns = [(source, to) for source in self.own() for to in self.reach(source)]
        attacks = [turn for turn in turns if self.side_at(turn[1]) is Side.BLUE]
        if not turns:
            for button in ("menu", "cannot_move", "yes"):
                self.driver.tap(button)
            return
        source, target = self.dice.choice(attacks or turns)
        self.fighting = self.board.at(source)
        if self.side_at(target) is Side.BLUE:
            self.lift(target)
        self.carry(source, target)

    def declare(self) -> None:
        """Declare the true rank. The rank is not private, so there is no curtain."""
        questions = [line for line in self.driver.texts().splitlines() if "?" in line]
        [asked] = {place for line in questions for place in re.findall(r"\b[a-k]\d+\b", line)}
        if self.side_at(square(asked)) is Side.RED:  # the attacked piece is not lifted
            self.fighting = self.board.at(square(asked))
        assert self.fighting
        assert self.fighting.label
        self.driver.hold_tile("tiles", SYMBOLS[self.fighting.label])
        self.show(0.3)

    def clear_up(self) -> None:
        """After a combat, clear the board as requested, or close the display of the result."""
        self.driver.app.presenter.end_boom()
        face = self.driver.face
        if face.take or face.put:
            self.put_right()
        elif self.driver.on_top("end") and face.can_end:
            self.driver.tap("end")
            self.show(0.3)
        else:
            self.show()

    def answer_guess(self) -> None:
        where = int(self.driver.face.attack[1])
        piece = self.board.at(where)
        assert piece
        guess: Rank = self.driver.face.rank
        self.driver.tap("right" if piece.label == guess.symbol else "wrong")
        if self.driver.on_top("yes"):
            self.driver.confirm()
        self.show()
