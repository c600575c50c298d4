"""Play games on phones: read their pages and tap the options on them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core import inputs
from companion.core.table import Table
from companion.pads import Pads
from companion.pads.pad_feed import parse_command
from companion.reports.replay import Archive
from companion.session.session import Session
from companion.speech.i18n import Language, RankSigns, codes
from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.game_rows import PlayerNames
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import ClaimStalemate, Resign
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
from engine.rules.editions import DEFAULT
from firmware_bridge.image import Image
from tests.companion.core.table_driver import NORDIC, attack
from tests.companion.pads.conftest import Sit
from tests.companion.pads.pad_driver import PadDriver, pads_of
from tests.companion.pads.page_views import PageViews, begun


@pytest.fixture
def driver() -> PadDriver:
    """Game with Red to move, in which red and blue pieces are adjacent."""
    made = begun(control=TimeControl.of(each=300, delay=4))
    made.play("e4-e5 e7-e6")
    return made


@pytest.fixture
def eyes(driver: PadDriver) -> PageViews:
    return PageViews(driver)


class TestDeclaring:
    def test_only_the_owner_is_asked(self, driver: PadDriver, eyes: PageViews) -> None:
        attack(driver)
        assert eyes.titles(Side.RED) == ["Red: which rank attacks from e5?"]
        assert eyes.titles(Side.BLUE) == []
        eyes.touch(Side.RED, "declare", rank="captain")
        assert eyes.titles(Side.RED) == []
        assert eyes.titles(Side.BLUE) == ["Blue: which rank defends e6?"]
        assert "asks" not in eyes.of(None)

    def test_declarations_by_phone_resolve_the_combat(
        self, driver: PadDriver, eyes: PageViews
    ) -> None:
        attack(driver)
        eyes.touch(Side.RED, "declare", rank="captain")
        eyes.touch(Side.BLUE, "declare", rank="sergeant")
        assert driver.table.unread_combat
        assert driver.table.view.captured[Side.BLUE] == (Rank.SERGEANT,)
        assert "captain" in eyes.of(None)["title"]

    def test_tiles_follow_the_table_order(self, driver: PadDriver, eyes: PageViews) -> None:
        attack(driver)
        question = driver.table.conversation.question
        assert question
        choices = eyes.of(Side.RED)["asks"][0]["choices"]
        tiles = [each["rank"] for each in choices if "rank" in each]
        assert tiles == [rank.name.lower() for rank in question.tiles]

    @pytest.mark.parametrize(
        ("signs", "sign"), [(RankSigns.EUROPEAN, "10"), (RankSigns.AMERICAN, "1")]
    )
    def test_tiles_have_the_chosen_rank_signs(
        self, driver: PadDriver, signs: RankSigns, sign: str
    ) -> None:
        attack(driver)
        eyes = PageViews(driver, signs=signs)
        choices = eyes.of(Side.RED)["asks"][0]["choices"]
        (marshal,) = (each for each in choices if each.get("rank") == "marshal")
        assert marshal["sign"] == sign

    def test_impossible_rank_is_explained_privately(
        self, driver: PadDriver, eyes: PageViews
    ) -> None:
        attack(driver)
        before = {eyes_of: eyes.of(eyes_of) for eyes_of in (None, Side.BLUE)}
        eyes.touch(Side.RED, "declare", rank="bomb")
        (asked,) = eyes.of(Side.RED)["asks"]
        assert asked["texts"][0] == "That is impossible"
        assert {eyes_of: eyes.of(eyes_of) for eyes_of in (None, Side.BLUE)} == before

    def test_insisting_opens_a_dispute(self, driver: PadDriver, eyes: PageViews) -> None:
        attack(driver)
        eyes.touch(Side.RED, "declare", rank="bomb")
        eyes.touch(Side.RED, "insist", rank="bomb")
        assert driver.table.referee.phase is Phase.DISPUTE
        assert eyes.of(Side.BLUE)["title"] == "Dispute"
        assert "bomb" not in str(eyes.of(Side.BLUE)).lower()

    def test_no_attack_by_phone(self, driver: PadDriver, eyes: PageViews) -> None:
        attack(driver)
        eyes.touch(Side.RED, "no-attack")
        assert driver.table.referee.phase is Phase.PLAY

    def test_touchscreen_and_phone_are_equivalent(self, driver: PadDriver, eyes: PageViews) -> None:
        attack(driver)
        driver.declare(Side.RED, Rank.CAPTAIN)
        eyes.touch(Side.BLUE, "declare", rank="sergeant")
        assert driver.table.unread_combat


class TestWords:
    """Commands are rejected if they are out of date or come from the wrong side."""

    def parse(self, driver: PadDriver, side: Side, **word: object) -> object:
        return parse_command(word, side, 1, driver.table, driver.now)

    def test_message_of_an_earlier_question(self, driver: PadDriver, eyes: PageViews) -> None:
        attack(driver)
        late = eyes.of(Side.RED)["asks"][0]["choices"][0]["say"]
        driver.declare(Side.RED, Rank.CAPTAIN)
        driver.declare(Side.BLUE, Rank.CAPTAIN)
        assert eyes.followed.read(Side.RED, late) is None

    def test_message_of_another_game(self, driver: PadDriver, eyes: PageViews) -> None:
        attack(driver)
        late = eyes.of(Side.RED)["asks"][0]["choices"][0]["say"]
        driver.table = Table(DEFAULT, 1, driver.table.referee.actions)
        eyes.of(Side.RED)
        assert eyes.followed.read(Side.RED, late) is None

    @pytest.mark.parametrize(
        "word",
        [
            {},
            {"do": "declare"},
            {"do": "declare", "rank": "king"},
            {"do": "declare", "rank": 7},
            {"do": "guess", "right": 1},
            {"do": "guess", "right": True},
            {"do": "can-move", "able": True},
            {"do": "no-attack"},
            {"do": "resign"},
            {"do": ["declare"]},
        ],
    )
    def test_senseless_message(self, driver: PadDriver, word: dict[str, object]) -> None:
        mark = f"1.{len(driver.table.referee.actions)}"
        assert self.parse(driver, Side.RED, mark=mark, **word) is None

    def test_message_for_the_other_side(self, driver: PadDriver) -> None:
        mark = f"1.{len(driver.table.referee.actions)}"
        assert self.parse(driver, Side.BLUE, mark=mark, do="cannot-move") is None
        assert self.parse(driver, Side.RED, mark=mark, do="cannot-move") == inputs.CommandInput(
            driver.now, ClaimStalemate()
        )


class TestOffers:
    def test_draw_by_phone(self, driver: PadDriver, eyes: PageViews) -> None:
        eyes.touch(Side.RED, "draw")
        assert "draw" not in eyes.offers(Side.RED)
        assert eyes.titles(Side.BLUE) == ["Red offers a draw."]
        eyes.touch(Side.BLUE, "draw")
        assert driver.table.view.outcome

    def test_take_back_by_phone(self, driver: PadDriver, eyes: PageViews) -> None:
        plies = driver.table.view.plies
        eyes.touch(Side.BLUE, "take-back")
        assert eyes.titles(Side.RED) == ["Blue asks to take back the last move."]
        eyes.touch(Side.RED, "take-back")
        assert driver.table.view.plies == plies - 1

    def test_words_against_the_computer(self) -> None:
        """The computer agrees, so the person does not ask another person."""
        driver = begun(computer=Side.BLUE)
        driver.play("e4-e5")
        names = [offer["name"] for offer in PageViews(driver).of(Side.RED)["offers"]]
        assert "Red takes back a move" in names
        assert "Red asks for a take-back" not in names

    def test_refusal_has_no_citation_against_the_computer(
        self, driver: PadDriver, eyes: PageViews
    ) -> None:
        driver.move("k4", "i5")
        driver.wait()
        refusal = "Pieces move straight along a row or a column."
        assert eyes.of(Side.RED)["title"].startswith(f"{refusal} (")
        driver.players = PlayerNames("Ada", "Lena", alone=Side.RED)
        assert eyes.of(Side.RED)["title"] == refusal

    def test_no_offers_during_a_pause(self, driver: PadDriver, eyes: PageViews) -> None:
        driver.command(inputs.Pause())
        assert eyes.offers(Side.RED) == []
        assert eyes.of(Side.RED)["title"] == "Pause. The game waits."

    def test_only_the_side_to_move_can_claim(self, eyes: PageViews) -> None:
        assert "cannot-move" in eyes.offers(Side.RED)
        assert "cannot-move" not in eyes.offers(Side.BLUE)

    def test_time_given_after_the_end(self, driver: PadDriver, eyes: PageViews) -> None:
        driver.wait(301)
        assert driver.table.view.outcome
        driver.command(inputs.AdjustClock(Side.RED, 60))
        assert driver.table.referee.outcome is None
        texts = [each["text"] for each in eyes.of(None)["said"]]
        assert "The arbiter adjusts the clock: Red, 1 minute more." in texts
        assert "Taken back." not in texts

    def test_touched_piece_claim_by_phone(self) -> None:
        """Other pages do not show the claim until another piece moves."""
        driver = begun(edition=replace(DEFAULT, touch_move=True))
        eyes = PageViews(driver)
        assert "touched-cannot-move" not in eyes.offers(Side.RED)
        driver.move("f4", "e6")
        driver.move("e6", "f4")
        assert "touched-cannot-move" in eyes.offers(Side.RED)
        assert "touched-cannot-move" not in eyes.offers(Side.BLUE)
        before = [eyes.of(side) for side in (*Side, None)]
        eyes.touch(Side.RED, "touched-cannot-move")
        assert [eyes.of(side) for side in (*Side, None)] == before
        driver.play("k4-k5")

    def test_mobility_answer_by_phone(self) -> None:
        driver = begun(edition=replace(DEFAULT, both_immobile_draw=True))
        eyes = PageViews(driver)
        driver.play("e4-e5")
        eyes.touch(Side.BLUE, "cannot-move")
        eyes.touch(Side.RED, "can-move", able=True)
        assert driver.table.view.phase is Phase.SHOWING


class TestArbiter:
    @pytest.fixture(autouse=True)
    def in_a_hall(self, driver: PadDriver) -> None:
        driver.is_in_hall = True

    def test_arbiter_call_by_phone(self, driver: PadDriver, eyes: PageViews) -> None:
        eyes.touch(Side.RED, "call-arbiter")
        assert driver.table.arbiter_call.open == inputs.CallArbiter(Side.RED)
        assert eyes.of(Side.BLUE)["said"][-1]["text"] == "Red calls the arbiter."
        assert not {"call-arbiter", "withdraw-call"} & set(eyes.offers(Side.BLUE))
        eyes.touch(Side.RED, "withdraw-call")
        assert driver.table.arbiter_call.open is None

    def test_table_call_can_be_withdrawn_by_either(
        self, driver: PadDriver, eyes: PageViews
    ) -> None:
        driver.command(inputs.CallArbiter(None))
        eyes.touch(Side.BLUE, "withdraw-call")
        assert driver.table.arbiter_call.open is None

    def test_arbiter_call_during_a_pause(self, driver: PadDriver, eyes: PageViews) -> None:
        driver.command(inputs.Pause())
        assert eyes.offers(Side.RED) == ["call-arbiter"]
        eyes.touch(Side.RED, "call-arbiter")
        assert driver.table.arbiter_call.open

    def test_no_arbiter_without_a_hall(self, driver: PadDriver, eyes: PageViews) -> None:
        driver.is_in_hall = False
        assert "call-arbiter" not in eyes.offers(Side.RED)


class TestSettingUp:
    def test_ready_by_phone(self) -> None:
        driver = PadDriver()
        eyes = PageViews(driver)
        assert eyes.titles(Side.RED) == []
        for side in Side:
            driver.stand(side, *range(40) if side is Side.RED else range(60, 100))
        driver.wait()
        eyes.touch(Side.RED, "ready")
        assert eyes.titles(Side.RED) == []
        eyes.touch(Side.BLUE, "ready")
        driver.wait()
        assert driver.table.view.phase is Phase.PLAY
        assert eyes.of(None)["title"] == "Red to move."


class TestTurns:
    def test_side_to_move_is_addressed(self, eyes: PageViews) -> None:
        titles = [eyes.of(eyes_of)["title"] for eyes_of in (Side.RED, Side.BLUE, None)]
        assert titles == ["Your turn", "Red to move.", "Red to move."]


class TestGuess:
    def test_owner_answers_the_guess(self) -> None:
        driver = begun(edition=NORDIC)
        driver.play("e4-e5 e7-e6 k4-k5 e6-f6 e5-e6 f6-f5 e6-e7 k7-k6")
        driver.infiltrate("e7", "e8", Rank.COLONEL)
        eyes = PageViews(driver)
        assert eyes.titles(Side.RED) == []
        assert len(eyes.titles(Side.BLUE)) == 1
        eyes.touch(Side.BLUE, "guess", right=False)
        assert driver.table.view.guess is None


class TestView:
    def test_combat_is_shown_as_long_as_on_the_touchscreen(
        self, driver: PadDriver, eyes: PageViews
    ) -> None:
        attack(driver)
        driver.declare(Side.RED, Rank.CAPTAIN)
        driver.declare(Side.BLUE, Rank.SERGEANT)
        texts = [each["text"] for each in eyes.of(Side.BLUE)["said"]]
        assert any("captain" in each for each in texts)
        driver.stand(Side.RED, square("e6"))
        driver.wait()
        driver.submit(inputs.RevealDismissed(driver.now))
        assert driver.table.unread_combat is None
        texts = [each["text"] for each in eyes.of(Side.BLUE)["said"]]
        assert texts
        assert not any("captain" in each for each in texts)

    def test_each_phone_has_its_language(self, driver: PadDriver) -> None:
        eyes = PageViews(driver, ("en", "de", "fi"))
        attack(driver)
        assert eyes.of(None)["title"] == "e5 attacks e6."
        assert eyes.of(Side.RED)["title"] == "e5 greift e6 an."
        assert eyes.of(Side.BLUE)["language"] == "fi"

    @pytest.mark.parametrize("code", codes())
    def test_texts_fit_in_all_languages(self, driver: PadDriver, code: str) -> None:
        eyes = PageViews(driver, (code, code, code))
        attack(driver)
        eyes.touch(Side.RED, "declare", rank="bomb")
        eyes.of(Side.RED)
        driver.submit(inputs.BoardSeen(driver.now + 5, Image()))
        driver.wait()
        eyes.of(Side.RED)

    def test_running_clock_sends_no_pages(self, driver: PadDriver, eyes: PageViews) -> None:
        before = eyes.of(None)
        assert before["clock"]["runs"] == "red"
        driver.wait(60)
        assert eyes.of(None) == before
        driver.play("a4-a5")
        after = eyes.of(None)["clock"]
        assert after["runs"] == "blue"
        assert after["red"] < before["clock"]["red"] - 50

    def test_final_game_is_shown(self, driver: PadDriver, tmp_path: Path) -> None:
        journals = JournalProvider(tmp_path / "games.sqlite")
        driver.command(Resign(Side.RED))
        session = Session.begin(journals.journal(), DEFAULT, driver.seed)
        for given in driver.inputs:
            session.handle(given)
        driver.number, driver.archive = session.number, Archive(journals)
        eyes = PageViews(driver, ("en", "de", "de"))
        assert eyes.of(Side.RED)["sheet"] is False
        driver.changes += 1
        before = eyes.followed.look()
        assert before
        assert before.stories == {}, "the end can still be taken back"
        driver.table = None  # type: ignore[assignment]
        driver.number = None
        assert eyes.of(Side.RED)["sheet"] is True
        driver.changes += 1
        shown = eyes.followed.look()
        assert shown
        assert {*shown.sheets} == {"en", "de"}
        assert "e4-e5" in shown.sheets["de"]
        assert {*shown.stories} == {"en", "de"}
        assert json.loads(shown.stories["de"])["language"] == "de"
        eyes.spoken[None] = eyes.spoken[Side.BLUE] = Language("fr")
        changed = eyes.followed.look()
        assert changed
        assert {*changed.sheets} == {*changed.stories} == {"fr", "de"}
        assert json.loads(changed.everybody)["sheet"] is True
        journals.close()

    def test_phone_cannot_take_the_computer_seat(self, driver: PadDriver, eyes: PageViews) -> None:
        """A phone may still hold the seat that it had in an earlier two-player game."""
        attack(driver)
        eyes.touch(Side.RED, "declare", rank="captain")
        (asked,) = eyes.of(Side.BLUE)["asks"]
        driver.players = PlayerNames("Ada", "Lena", alone=Side.RED)
        shown = eyes.of(Side.BLUE)
        assert shown["text"] == "The computer plays Blue, so no phone can play this side."
        assert not shown["asks"]
        assert not shown["offers"]
        assert eyes.followed.read(Side.BLUE, asked["choices"][0]["say"]) is None
        assert eyes.of(Side.RED)["offers"], "the person's phone still works"

    def test_page_without_a_game(self, driver: PadDriver, eyes: PageViews) -> None:
        driver.table = None  # type: ignore[assignment]
        assert eyes.of(Side.RED)["title"] == "No game is in progress."


class TestOverAWire:
    @pytest.fixture
    def pads(self, driver: PadDriver) -> Iterator[Pads]:
        with pads_of(driver) as opened:
            yield opened

    def test_private_message_does_not_update_the_other_phone(
        self, driver: PadDriver, pads: Pads, sit: Sit
    ) -> None:
        red, blue = sit(pads, Side.RED), sit(pads, Side.BLUE)
        for phone in (red, blue):
            phone.join()
            phone.listen()
            phone.look()
        attack(driver)
        pads.tick()
        (asked,) = red.look()["asks"]
        blue.look()
        version = blue.send({})["shows"]
        red.choose(next(each for each in asked["others"] if each["rank"] == "bomb"))
        pads.tick()
        assert red.look()["asks"][0]["texts"]
        assert blue.send({})["shows"] == version

    def test_spectators_are_delayed(self, driver: PadDriver, pads: Pads) -> None:
        pads.delay = 60
        before = _everybody(pads)
        driver.play("a4-a5")
        pads.tick()
        assert _everybody(pads) == before
        driver.now += 60
        pads.tick()
        assert _everybody(pads) != before

    def test_unsaved_events_are_not_sent(self, driver: PadDriver, pads: Pads, sit: Sit) -> None:
        red = sit(pads, Side.RED)
        red.join()
        version = red.send({})["shows"]
        driver.unsaved = StorageError(Path("games.sqlite"), StorageErrorKind.FULL, "full")
        attack(driver)
        pads.tick()
        assert red.send({})["shows"] == version
        driver.unsaved = None
        pads.tick()
        assert red.send({})["shows"] > version

    def test_unsaved_events_are_not_sent_to_new_phones(self, driver: PadDriver, sit: Sit) -> None:
        driver.unsaved = StorageError(Path("games.sqlite"), StorageErrorKind.FULL, "full")
        with pads_of(driver) as pads:
            red = sit(pads, Side.RED)
            red.join()
            assert red.send({})["shows"] == 0
            red.listen()
            driver.unsaved = None
            pads.tick()
            assert red.look()["title"] == "Your turn"


def _everybody(pads: Pads) -> bytes:
    assert pads._link
    return pads._link._texts[None]
