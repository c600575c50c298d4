"""The rank card shows what each rank beats and which pieces each army has left."""

from collections.abc import Callable

import pytest
from kivy.uix.label import Label

from companion.speech.i18n import RankSigns, codes
from companion.ui.dialogs.rules_dialogs import RankCardDialog, RankRow, about
from companion.ui.widgets.side_panel import RankTable
from engine.board.geometry import square
from engine.board.ranks import BARRAGE, DUEL, ORIGINAL, Army, Rank
from engine.rules.editions import EDITIONS, Edition
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver, walk
from tests.companion.ui.playing import STANDING, after, attack_on_screen, begin, declare, play

Drive = Callable[..., Driver]
INFILTRATOR = EDITIONS["nordic-2015"]


def rows(driver: Driver) -> dict[Rank, RankRow]:
    """Return the rows of the open card from the top, keyed by rank."""
    shown = driver.app.face.modals.modal
    assert isinstance(shown, RankCardDialog)
    found = [each for each in walk(shown) if isinstance(each, RankRow)]
    return {row.rank: row for row in found}


def table(driver: Driver) -> RankTable:
    found: RankTable = driver.find("table")
    return found


@pytest.mark.parametrize(
    ("edition", "count"), slow_after_first("variants", [(EDITIONS["isf"], 12), (INFILTRATOR, 13)])
)
def test_card_lists_the_army(drive: Drive, edition: Edition, count: int) -> None:
    driver = drive(edition=edition)
    begin(driver)
    driver.tap("table")
    assert len(rows(driver)) == count
    for rank, row in rows(driver).items():
        assert (row.red, row.blue) == (edition.army.counts[rank],) * 2


@pytest.mark.parametrize(
    ("army", "rank", "text"),
    [
        (ORIGINAL, Rank.GENERAL, "beats colonel and below"),
        (DUEL, Rank.GENERAL, "beats miner and below"),
        (DUEL, Rank.MINER, "beats scout and below; defuses bombs"),
        (BARRAGE, Rank.MARSHAL, "beats general and below; loses to an attacking spy"),
    ],
)
def test_beaten_rank_belongs_to_the_army(army: Army, rank: Rank, text: str) -> None:
    assert about(rank, army) == text


def test_losses_are_counted(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "b7 b6", "e5 e6", "a7 a6")
    attack_on_screen(driver, "e6", "e7")
    declare(driver, Rank.MINER)
    declare(driver, Rank.SPY)
    driver.pass_time(3)
    driver.show(after(image, "e6 e7"))
    driver.tap("end")
    play(driver, after(image, "e6 e7"), "b6 b5")
    driver.tap("table")
    shown = rows(driver)
    assert (shown[Rank.SPY].red, shown[Rank.SPY].blue) == (1, 0)
    assert (shown[Rank.MINER].red, shown[Rank.MINER].blue) == (5, 5)
    driver.tap("close")
    assert driver.view == "turn"


def test_texts_follow_army_and_numbering(drive: Drive) -> None:
    driver = drive(edition=INFILTRATOR)
    driver.app.presenter.settings.signs = RankSigns.AMERICAN
    begin(driver)
    driver.tap("table")
    shown = rows(driver)
    assert [shown[each].number for each in (Rank.MARSHAL, Rank.SCOUT, Rank.SPY)] == ["1", "9", "S"]
    assert shown[Rank.CAPTAIN].about == "beats lieutenant and below"
    assert shown[Rank.SCOUT].about == "beats spy; moves any distance"
    assert shown[Rank.SPY].about == "beats the marshal by attacking"
    assert next(iter(shown)) is Rank.MARSHAL
    assert [*shown][-1] is Rank.FLAG


@RARE
def test_aggressor_advantage_text(drive: Drive) -> None:
    driver = drive()
    driver.tap("rules")
    for button in ("more", "advantage", "close", "close"):
        driver.tap(button)
    begin(driver)
    driver.tap("table")
    assert "Of two equal ranks the attacker wins." in driver.texts()


def test_tournaments_disable_the_card(drive: Drive) -> None:
    driver = drive()
    for button in ("settings", "rank_card", "close"):
        driver.tap(button)
    begin(driver)
    assert driver.on_top("table") is None
    driver = drive()
    driver.connect()
    driver.tap("resume")
    driver.show(STANDING)
    assert driver.view == "turn"
    assert driver.on_top("table") is None


def test_compact_card(driver: Driver) -> None:
    begin(driver)
    assert driver.on_top("table")
    driver.complain(square("e4"), None)
    assert driver.on_top("table") is None
    driver.pass_time(3600)
    assert driver.on_top("table")


@pytest.mark.parametrize("code", slow_after_first("languages", codes()))
def test_one_line_per_rank(drive: Drive, code: str) -> None:
    driver = drive(language=code, edition=INFILTRATOR)
    begin(driver)
    driver.tap("table")
    for row in rows(driver).values():
        for label in (each for each in walk(row) if isinstance(each, Label) and each.text):
            assert label.texture_size[1] < 2 * label.font_size, label.text
