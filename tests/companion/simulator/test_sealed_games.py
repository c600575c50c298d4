"""Games with sealed armies between simulated players, checked by a second reader.

Each file is checked again with a dishonest army, which replaces the real ranks. The referee and the
second reader must find the same faults.
"""

import json
import random
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.session.session import Session
from companion.simulator.random_games import VariedGame
from companion.simulator.side_actions import SIDE_ACTIONS, break_seals
from companion.simulator.simulated_match import Profile, SimulatedPlayers
from companion.simulator.simulated_people import commitment, opening
from companion.simulator.simulation import BoardRig
from companion.storage.journal import Journal
from engine.board.board import Piece
from engine.board.geometry import Side, name, squares_in
from engine.board.ranks import Rank, ranks_in
from engine.game.actions import Action, OpenArmy, PlaceArmies
from engine.records.record_files import write_transcript
from engine.records.transcript import transcribe
from engine.rules.editions import Edition
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from tests.campaigns import Campaign
from tests.engine.reference_commitments import Findings, check_seals

SEALED = Campaign("sealed-games", part=2, whole=300)
FIRST = 27
"""Seed of the first game. A few games with consecutive seeds cover every action type."""
FORGED = 3
"""Number of armies with false ranks that are tried for each proof."""
UNTRUE = 0.1
"""In an army with false ranks, the probability that a piece has a random rank."""


def play(folder: Path, seed: int) -> tuple[Edition, VariedGame, list[Action]]:
    """Play a game in which the players also correct mistakes, undo turns and so on.

    Commitments may be voided only if the seed is odd.
    """
    game = VariedGame(seed)
    rules = replace(game.edition, sealed_armies=True)
    among = [each for each in SIDE_ACTIONS if seed % 2 or each is not break_seals]
    with closing(Journal(folder / f"{seed}.sqlite")) as journal:
        session = Session.begin(journal, rules, seed, game.control)
        pieces = SimulatedBoard()
        with BoardRig(session, pieces, SimulatedPort(pieces)) as board:
            players = SimulatedPlayers(board, game, seed, Profile.CLEAN, among)
            assert players.play()
    assert (players.tally.wrong, players.tally.missed) == (0, 0)
    return rules, game, session.table.referee.actions


def as_file(rules: Edition, actions: list[Action]) -> dict[str, Any]:
    timed = ((float(n), action) for n, action in enumerate(actions))
    written: dict[str, Any] = json.loads(write_transcript(transcribe(rules, timed)))
    return written


def dishonest(
    game: VariedGame, side: Side, opened: set[str], dice: random.Random
) -> dict[Piece, Rank]:
    """Return ranks that are consistent with all commitments that were opened during the game."""
    ranks = {
        piece: game.ranks[piece]
        for piece in squares_in(game.red if side is Side.RED else game.blue)
    }
    closed = [piece for piece in ranks if name(piece) not in opened]
    shuffled = dice.sample([ranks[piece] for piece in closed], len(closed))
    any_ranks = list(ranks_in(game.edition.army.ranks))
    for piece, rank in zip(closed, shuffled, strict=True):
        ranks[piece] = dice.choice(any_ranks) if dice.random() < UNTRUE else rank
    return ranks


def resealed(actions: list[Action], side: Side, ranks: dict[Piece, Rank]) -> list[Action]:
    """Return a copy of a game in which a side seals these ranks and later proves them."""
    changed: list[Action] = []
    for action in actions:
        match action:
            case PlaceArmies():
                commitments = {**action.commitments, side: commitment(side, ranks)}
                changed.append(replace(action, commitments=commitments))
            case OpenArmy() if action.side is side:
                army = {piece: opening(piece, rank) for piece, rank in ranks.items()}
                changed.append(replace(action, army=army))
            case _:
                changed.append(action)
    return changed


def check(file: dict[str, Any]) -> Findings:
    """Check the file with the second reader, which must find no faults, and return its findings."""
    findings = check_seals(file)
    assert findings.complaints == []
    return findings


@SEALED
def test_second_reader_agrees_on_seals(tmp_path: Path) -> None:
    looked_at, wrong = Counter[str](), 0
    for seed in range(FIRST, FIRST + SEALED.size):
        rules, game, actions = play(tmp_path, seed)
        findings = check(as_file(rules, actions))
        looked_at += findings.looked_at
        dice = random.Random(f"{seed} dishonest")
        for proof in [action for action in actions if isinstance(action, OpenArmy)]:
            for _ in range(FORGED):
                ranks = dishonest(game, proof.side, findings.opened, dice)
                forged = as_file(rules, resealed(actions, proof.side, ranks))
                check(forged)
                wrong += any(ruling.get("wrong") for ruling in rulings_of(forged))
    assert {"declare", "insist", "answer-guess", "prove-army"} <= looked_at.keys()
    assert wrong > looked_at["prove-army"]


def rulings_of(file: dict[str, Any]) -> list[dict[str, Any]]:
    return [ruling for entry in file["actions"] for ruling in entry["rulings"]]
