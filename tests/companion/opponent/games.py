"""Games between computer players."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.opponent.computer_player import ComputerPlayer
from companion.opponent.knowledge import Knowledge, collect_knowledge
from companion.opponent.levels import Level
from engine import Referee
from engine.board.board import Piece
from engine.board.geometry import Side, Square, set_of
from engine.board.ranks import Rank
from engine.game.actions import AnswerGuess, PlaceArmies, Turn
from engine.rules.editions import Edition


@dataclass
class Decided:
    referee: Referee
    side: Side
    knowledge: Knowledge
    turn: Turn


def started(edition: Edition, armies: Mapping[Side, Mapping[Square, Rank]]) -> Referee:
    """Return the referee of a new game. The referee knows no rank."""
    referee = Referee.waiting(edition)
    referee.push(PlaceArmies(set_of(armies[Side.RED]), set_of(armies[Side.BLUE])))
    return referee


def make(referee: Referee, turn: Turn, armies: Mapping[Side, Mapping[Piece, Rank]]) -> None:
    """Play a turn. In combat, declare the true ranks."""
    referee.push(turn)
    while attack := referee.open_attack:
        owner = attack.awaited[0]
        piece = referee.position.pieces[attack.square(owner)]
        referee.declare(owner, armies[owner][piece])
    if guess := referee.open_guess:
        owner = referee.to_move.other
        true = armies[owner][referee.position.pieces[guess.target]]
        referee.push(AnswerGuess(right=true is guess.guess))


def decisions(
    edition: Edition, levels: Mapping[Side, Level], seed: int, plies: int
) -> Iterator[Decided]:
    """Play a game. Yield every decision before it is carried out."""
    players = {
        side: ComputerPlayer(edition, side, levels[side], seed + (side is Side.BLUE))
        for side in Side
    }
    armies = {side: players[side].setup for side in Side}
    referee = started(edition, armies)
    while referee.plies < plies and not referee.outcome and referee.phase.is_turn:
        side = referee.to_move
        knowledge = collect_knowledge(referee, side, armies[side])
        if not knowledge.turns:
            return
        turn = players[side].choose(knowledge)
        yield Decided(referee, side, knowledge, turn)
        make(referee, turn, armies)
