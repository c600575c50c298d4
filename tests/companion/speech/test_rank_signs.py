"""Rank labels: names, European numbers and American numbers."""

import pytest

from companion.cli import main
from companion.reports.score_sheet import score_sheet
from companion.session.settings import Settings
from companion.speech.i18n import Language, RankSigns, codes
from companion.storage.records import as_transcript, read_record, sample_game
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.rules.editions import DEFAULT

AMERICAN = Language("en", RankSigns.AMERICAN)
NAMES = Language("en", RankSigns.NAMES)


def test_american_numbers() -> None:
    signs = {rank: AMERICAN.sign(rank) for rank in Rank}

    assert signs[Rank.MARSHAL] == "1"
    assert signs[Rank.SCOUT] == "9"
    assert signs[Rank.SPY] == "S"
    assert all(signs[rank] == str(11 - rank) for rank in Rank if 2 <= rank <= 10)
    assert (signs[Rank.FLAG], signs[Rank.BOMB], signs[Rank.INFILTRATOR]) == ("F", "B", "I")


def test_european_numbers_by_default() -> None:
    assert all(Language("en").sign(rank) == rank.symbol for rank in Rank)


@pytest.mark.parametrize("code", codes())
def test_short_names_are_unique(code: str) -> None:
    language = Language(code, RankSigns.NAMES)

    assert len({language.sign(rank) for rank in Rank}) == len(Rank)
    assert not any(language.rank_number(rank) for rank in Rank)


@pytest.mark.parametrize(
    ("language", "signs"),
    [
        (Language("en"), ("10 marshal", "r10", "2*6)")),
        (AMERICAN, ("1 marshal", " r1 ", "S spy")),
        (NAMES, ("Mar marshal", "rMar", "bSco")),
    ],
)
def test_score_sheet(language: Language, signs: tuple[str, ...]) -> None:
    with sample_game() as path:
        sheet = score_sheet(as_transcript(read_record(path), DEFAULT), language)

    assert [sign for sign in signs[:2] if sign not in sheet] == []


@pytest.mark.parametrize(("chosen", "sign"), [("american", "S spy"), ("names", "Spy spy")])
def test_games_show_uses_rank_signs(
    capfdbinary: pytest.CaptureFixture[bytes], chosen: str, sign: str
) -> None:
    with sample_game() as path:
        assert main(["games", "show", "--ranks", chosen, str(path)]) == 0

    assert sign in capfdbinary.readouterr().out.decode()


def test_setting_applies_to_all_languages() -> None:
    settings = Settings(signs=RankSigns.AMERICAN, blue_language=Language("de"))

    assert settings.language_for(None).sign(Rank.MARSHAL) == "1"
    assert settings.language_for(Side.BLUE).sign(Rank.MARSHAL) == "1"
    settings.signs = RankSigns.EUROPEAN
    assert settings.language_for(Side.BLUE).sign(Rank.MARSHAL) == "10"
