"""Plays and records a game between two players of the league."""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from companion.opponent.levels import Level
from companion.opponent.manager_protocol import format_squares
from engine import Referee
from engine.board.board import Piece
from engine.board.geometry import NEIGHBOURS, Side, set_of, squares_in
from engine.board.ranks import IMMOBILE, Rank
from engine.game import actions
from engine.game.game_state import Phase
from engine.game.rulings import Combat, Reason, Ruling, refuses
from engine.rules.editions import Edition
from engine.rules.movement import steps
from engine.rules.rules import Rule, Violation
from tests.league import external_program
from tests.league.players import (
    STRATEGIES,
    ComputerContestant,
    Contestant,
    SimpleContestant,
)

LONGEST: Final = 2000
"""Number of plies after which a game is declared a draw."""


@dataclass
class GameRecord:
    red: str
    blue: str
    edition: str
    army: str
    seed: int
    winner: str | None = None
    """``red`` or ``blue``, or None for a draw."""
    reason: str = ""
    plies: int = 0
    fights: list[list[Any]] = field(default_factory=list)
    """For each combat: the ply, the attacking side, both ranks, the result, and whether the
    defender had moved."""
    milliseconds: dict[str, list[float]] = field(default_factory=dict)
    """Thinking time per turn in milliseconds, by side."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def enter(name: str, edition: Edition, side: Side, seed: int) -> Contestant:
    """Return a contestant: a level, a simple strategy, or (if `name` contains ``=``) an external
    program."""
    if name in STRATEGIES:
        return SimpleContestant(edition, side, STRATEGIES[name], seed)
    if "=" in name:
        return external_program.ExternalContestant(name.partition("=")[2], side)
    return ComputerContestant(edition, side, Level(name), seed)


def play(names: tuple[str, str], edition: Edition, seed: int) -> GameRecord:
    """Play one game between two contestants. The first one plays Red."""
    short = [name.partition("=")[0] for name in names]
    record = GameRecord(short[0], short[1], edition.id, edition.army.name, seed)
    record.milliseconds = {side.value: [] for side in Side}
    referee = Referee.waiting(edition)
    players: dict[Side, Contestant] = {}
    try:
        for side, name in zip(Side, names, strict=True):
            # The sides use different seeds, so that players of the same level do not mirror each
            # other.
            players[side] = enter(name, edition, side, 2 * seed + (side is Side.BLUE))
        _play(record, players, referee)
    except external_program.ProgramError as error:
        record.winner, record.reason = error.side.other.value, f"program: {error}"
    finally:
        record.plies = referee.plies
        for player in players.values():
            player.close()
    return record


def _play(record: GameRecord, players: dict[Side, Contestant], referee: Referee) -> None:
    red, blue = (set_of(players[side].setup) for side in Side)
    referee.push(actions.PlaceArmies(red, blue))
    while not referee.outcome and referee.plies < LONGEST:
        side = referee.to_move
        if not referee.phase.is_turn:
            asked = referee.stalemate.stuck.other if referee.stalemate else side
            referee.push(
                actions.AnswerStalemate(able=_can_step(referee, asked, players[asked].setup))
            )
            continue
        if not referee.information_state(side, players[side].setup).turns:
            in_play = referee.phase is Phase.PLAY
            referee.push(actions.ClaimStalemate() if in_play else actions.Resign(side))
            continue
        if referee.phase is Phase.SHOWING and _is_external(players[side]):
            # The other side cannot move. In the protocol of the external programs, this ends the
            # game, and the winner no longer answers.
            record.winner = side.value
            record.reason = Reason.NO_LEGAL_MOVE.value
            return
        started = time.process_time()
        turn = players[side].choose(referee)
        milliseconds = round(1000 * (time.process_time() - started), 2)
        record.milliseconds[side.value].append(milliseconds)
        if turn is None:
            record.winner, record.reason = side.other.value, "resignation"
            return
        if not _take(record, referee, players, turn):
            record.winner, record.reason = side.other.value, f"illegal: {turn}"
            return
    over = referee.outcome
    record.winner = over.winner.value if over and over.winner else None
    record.reason = over.reason.value if over else "too long"


def _is_external(player: Contestant) -> bool:
    return isinstance(player, external_program.ExternalContestant)


def _can_step(referee: Referee, side: Side, setup: Mapping[Piece, Rank]) -> bool:
    """Whether any movable piece of a side can step to an adjacent square."""
    position = referee.position
    own = position.squares(side)
    return any(
        not IMMOBILE >> setup[position.pieces[square]] & 1 and any(steps(own, square))
        for square in squares_in(own)
    )


def _take(
    record: GameRecord, referee: Referee, players: dict[Side, Contestant], turn: actions.Turn
) -> bool:
    """Play a turn, including its declarations. Return False if it is illegal."""
    side = referee.to_move
    pieces = referee.position.pieces
    mover, met = pieces[turn.source], pieces[turn.target]
    moved = players[side.other].setup.get(met) is not None and turn.target != met
    if mover in players[side].setup and not isinstance(turn, actions.Infiltrate):
        rank = players[side].setup[mover]
        is_step = turn.target in NEIGHBOURS[turn.source]
        if rank in (Rank.BOMB, Rank.FLAG) or not (is_step or rank is Rank.SCOUT):
            return False
    rulings = referee.apply(turn)
    if refuses(rulings):
        if not _is_repetition(rulings) or isinstance(players[side], ComputerContestant):
            return False
        # The external programs' protocol has no repetition rule.
        rulings = referee.apply(actions.Override(turn.source, turn.target))
        if refuses(rulings):
            return False
    while attack := referee.open_attack:
        owner = attack.awaited[0]
        declared = players[owner].setup[referee.position.pieces[attack.square(owner)]]
        rulings = referee.declare(owner, declared)
    if guess := referee.open_guess:
        true = players[side.other].setup[referee.position.pieces[guess.target]]
        referee.push(actions.AnswerGuess(right=true is guess.guess))
    combat = next((each for each in rulings if isinstance(each, Combat)), None)
    if combat:
        record.fights.append(
            [
                referee.plies,
                side.value,
                int(combat.attacker),
                None if combat.defender is None else int(combat.defender),
                combat.result.value,
                moved,
            ]
        )
    for owner, player in players.items():
        if isinstance(player, external_program.ExternalContestant):
            squares = format_squares(turn.source, turn.target)
            player.hear(
                f"{squares} {external_program.format_outcome(combat, referee)}", own=owner is side
            )
    return True


def _is_repetition(rulings: tuple[Ruling, ...]) -> bool:
    ruling = rulings[0]
    rules = (Rule.TWO_SQUARES, Rule.MORE_SQUARES)
    return isinstance(ruling, Violation) and ruling.fault.rule in rules


def ledger(records: list[GameRecord], name: str) -> Counter[tuple[str, str]]:
    """Count the pieces that a contestant lost. They are grouped by their own rank, and by the rank
    and the role of the enemy piece."""
    lost: Counter[tuple[str, str]] = Counter()
    for record in records:
        for _, side, attacker, defender, result, moved in record.fights:
            if defender is None:
                continue
            is_ours = getattr(record, side) == name
            own, other = (attacker, defender) if is_ours else (defender, attacker)
            won = "attacker-wins" if is_ours else "defender-wins"
            if result == won:
                continue
            seen = ("moved" if moved else "unmoved") if is_ours else "attacker"
            lost[Rank(own).name.lower(), f"{Rank(other).name.lower()} ({seen})"] += 1
    return lost
