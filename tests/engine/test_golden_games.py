import os
from pathlib import Path

import pytest

from tests.engine.golden_games import replay_story

_GAMES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
assert _GAMES, "the golden games are missing"
_REWRITE = bool(os.environ.get("BOOMBOARD_REWRITE_GOLDEN"))


@pytest.mark.parametrize("game", _GAMES, ids=lambda game: game.stem)
def test_golden_game(game: Path) -> None:
    written = game.read_text(encoding="utf-8")
    replayed = replay_story(written)
    if _REWRITE:
        game.write_text(replayed, encoding="utf-8")
    else:
        assert replayed == written
