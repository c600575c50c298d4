"""The size of the journal file reveals no rank."""

import json
from itertools import product
from pathlib import Path

import pytest

from companion.storage import game_rows
from companion.storage.journal import Journal
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import Opening
from engine.game.actions import Action, AnswerGuess, Declare, UpholdDeclaration
from engine.game.clocks import NO_CLOCK
from engine.records.serialization import read_action, write_action
from engine.rules.editions import DEFAULT
from tests.companion.storage.journals import CLOCK

DECLARED = [
    kind(Secret(*of)) for kind in (Declare, UpholdDeclaration) for of in product(Side, Rank)
]
SALT = "00112233445566778899aabbccddeeff"
OPENED = [
    kind(Secret(side, rank), Secret(side, SALT))
    for kind in (Declare, UpholdDeclaration)
    for side, rank in product(Side, Rank)
]
ANSWERED = [
    AnswerGuess(True, Secret(side, Opening(rank, SALT))) for side, rank in product(Side, Rank)
]
MANY = 120
"""Number of rows. They fill several pages of the file."""


@pytest.mark.parametrize("declarations", [DECLARED, OPENED, ANSWERED])
def test_row_length_is_independent_of_the_rank(declarations: list[Action]) -> None:
    assert len({len(game_rows.action_text(each)) for each in declarations}) == 1
    assert [
        read_action(game_rows.plain(game_rows.action_text(each))) for each in declarations
    ] == declarations


def sizes(path: Path, rank: Rank) -> list[int]:
    """Return the size of the file after each of many declarations of the same rank."""
    journal = Journal(path)
    game = journal.begin(DEFAULT, 1, NO_CLOCK)
    found = []
    for _ in range(MANY):
        journal.append(game, 1.5, [Declare(Secret(Side.RED, rank))], None, CLOCK)
        found.append(path.stat().st_size)
    journal.close()
    path.unlink()
    return found


def grows_alike(memory: Path) -> bool:
    short = sizes(memory / "games.sqlite", Rank.SPY)
    assert len(set(short)) > 1
    return short == sizes(memory / "games.sqlite", Rank.INFILTRATOR)


def test_file_size_is_independent_of_ranks(memory: Path) -> None:
    assert grows_alike(memory)


def as_long(action: Action) -> str:
    """Format an action without padding, so that the length of its row depends on the rank."""
    return json.dumps(write_action(action))


def test_variable_row_length_would_reveal_ranks(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_rows, "action_text", as_long)
    assert not grows_alike(memory)
