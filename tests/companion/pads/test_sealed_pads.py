"""Players seal their armies on phones, and open the seals piece by piece."""

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from companion.core.inputs import CommandInput, Ready
from companion.pads.encryption import UP_SIZE
from companion.pads.listen_address import write_token
from companion.pads.pad_feed import parse_command
from companion.speech.i18n import Language, RankSigns, codes
from engine.board.geometry import Side, square
from engine.board.ranks import DUEL, Army, Rank
from engine.board.visibility import Secret
from engine.game.actions import BreakSeals, Declare, OpenArmy, Resign, UpholdDeclaration
from engine.game.game_state import Phase
from engine.game.rulings import Contradiction, Disputed, Infiltrated
from engine.rules.editions import EDITIONS
from tests.companion.core.table_driver import NORDIC, attack
from tests.companion.pads.pad_driver import PadDriver
from tests.companion.pads.page_views import PageViews
from tests.companion.pads.sealed_pad_driver import (
    FORT,
    SEALED,
    SealedPadDriver,
    Seals,
    exchanged,
    first_setup,
)

RED, BLUE = Side.RED, Side.BLUE
ARMIES = {army.name: army for edition in EDITIONS.values() for army in edition.armies}


@pytest.fixture
def table() -> SealedPadDriver:
    """Game with sealed armies in which Red's general attacks Blue's scout on e6."""
    made = SealedPadDriver.begun()
    made.driver.play("e4-e5 e7-e6")
    attack(made.driver)
    return made


class TestSettingUp:
    def test_army_to_seal_is_shown(self) -> None:
        table = SealedPadDriver()
        table.driver.stand(RED, square("e4"), square("a1"))
        table.driver.wait()
        setup = table.eyes.of(RED)["setup"]
        assert sum(each["count"] for each in setup["ranks"]) == 40
        assert setup["ranks"][0] == {"rank": "bomb", "sign": "B", "name": "Bomb", "count": 6}
        assert setup["known"][0]["name"] == "Corner fort"
        assert setup["known"][0]["rows"].startswith("6 8 2 7 9 2 5 6 10 5 ")
        assert setup["stands"] == ["a1", "e4"]
        assert "setup" not in table.eyes.of(None)

    def test_no_sealing_in_other_games(self) -> None:
        assert PageViews(PadDriver()).of(RED)["setup"] is None

    def test_no_sealing_after_the_start(self, table: SealedPadDriver) -> None:
        assert table.eyes.of(RED)["setup"] is None

    @pytest.mark.parametrize("army", ARMIES.values(), ids=list(ARMIES))
    @pytest.mark.parametrize("code", codes())
    def test_texts_fit_in_all_languages(self, army: Army, code: str) -> None:
        driver = PadDriver(replace(SEALED, army=army))
        for side in Side:
            driver.stand(side, *list(Seals(side).openings)[: army.size])
        driver.wait()
        setup = PageViews(driver, (code, code, code)).of(RED)["setup"]
        assert len(setup["stands"]) == army.size

    def test_sealing_is_announced(self) -> None:
        table = SealedPadDriver()
        table.seal(RED)
        assert table.driver.table.commitments == {RED: table.seals[RED].commitment}
        heard = [each["text"] for each in table.eyes.of(None)["said"]]
        assert heard[-1] == "Red has sealed the army."

    def test_private_name_of_a_sealed_army(self) -> None:
        table = SealedPadDriver()
        assert table.eyes.of(RED)["sealed"] == ""
        table.seal(RED)
        digest = table.eyes.of(RED)["sealed"]
        sums = table.seals[RED].hashes.split()
        assert digest == sha256(" ".join(each[-64:] for each in sums).encode()).hexdigest()
        assert table.eyes.of(BLUE)["sealed"] == ""
        assert digest not in str([table.eyes.of(BLUE), table.eyes.of(None)])

    def test_ready_question_needs_a_sealed_army(self) -> None:
        table = SealedPadDriver()
        table.stand(RED)
        assert table.eyes.titles(RED) == []
        table.seal(RED)
        table.eyes.touch(RED, "ready")
        assert table.driver.table.ready == {RED}

    def test_new_seal_repeats_the_ready_question(self) -> None:
        table = SealedPadDriver()
        table.stand(RED)
        table.seal(RED)
        table.eyes.touch(RED, "ready")
        table.seals[RED] = Seals(RED, FORT, salted=7)
        table.seal(RED)
        assert table.driver.table.commitments[RED] == table.seals[RED].commitment
        assert table.driver.table.ready == frozenset()
        table.eyes.touch(RED, "ready")

    def test_small_army_is_sealed(self) -> None:
        duel = replace(SEALED, army=DUEL)
        setup = PageViews(PadDriver(duel)).of(RED)["setup"]
        assert [len(each["rows"].split()) for each in setup["known"]] == [40] * len(setup["known"])
        table = SealedPadDriver(duel, first_setup(duel))
        elsewhere = [*table.seals[RED].openings]
        elsewhere[0] = next(at for at in range(40) if at not in elsewhere)
        table.driver.stand(RED, *elsewhere)
        table.driver.wait()
        table.seal(RED)
        assert table.eyes.titles(RED) == []
        table.driver.command(Ready(RED))
        heard = table.eyes.of(RED)["said"][-1]["text"]
        assert heard.startswith("Red has not sealed this army")


class TestDeclaring:
    def test_question_names_the_setup_square(self, table: SealedPadDriver) -> None:
        assert table.asked(RED)["opens"] == "e4"

    def test_sealed_ranks_fight(self, table: SealedPadDriver) -> None:
        table.declare(RED)
        table.declare(BLUE)
        combat = table.driver.table.unread_combat
        assert combat
        assert (combat.attacker, combat.defender) == (Rank.GENERAL, Rank.SCOUT)

    @pytest.mark.parametrize("rank", ["marshal", "scout"])
    def test_false_declaration_is_refused_privately(
        self, table: SealedPadDriver, rank: str
    ) -> None:
        before = {eyes: table.eyes.of(eyes) for eyes in (None, BLUE)}
        table.answer(RED, rank=rank, salt=table.seals[RED].of("e4")["salt"])
        why = "This piece was sealed with a different rank."
        assert table.asked(RED)["texts"][1].startswith(why)
        assert {eyes: table.eyes.of(eyes) for eyes in (None, BLUE)} == before

    def test_rank_without_salt_opens_nothing(self, table: SealedPadDriver) -> None:
        table.answer(RED, rank="general")
        assert table.driver.table.conversation.declared == ()

    def test_mixed_up_pieces_lead_to_a_dispute(self, table: SealedPadDriver) -> None:
        table.answer(RED, rank="marshal")
        table.answer(RED, do="insist")
        (dispute,) = table.driver.emitted(Disputed)
        assert dispute.is_as_sealed is False

    def test_valid_opening_settles_a_declaration(self, table: SealedPadDriver) -> None:
        """The rank has been declared at the table. The phone supplies the opening."""
        table.driver.command(Declare(Secret(RED, Rank.GENERAL)))
        assert RED not in table.driver.table.conversation.declared
        table.answer(RED, do="insist", **table.seals[RED].of("e4"))
        assert table.driver.emitted(Disputed) == []
        assert table.driver.table.conversation.declared == (RED,)

    def test_moved_bomb_is_detected_by_its_seal(self) -> None:
        table = SealedPadDriver.begun(setup=exchanged(FORT, square("e4"), Rank.BOMB))
        table.driver.play("e4-e5 e7-e6")
        attack(table.driver)
        opened = table.seals[RED].of("e4")
        table.answer(RED, **opened)
        table.answer(RED, do="insist", **opened)
        (dispute,) = table.driver.emitted(Disputed)
        assert dispute.is_as_sealed is True

    def test_broken_seals_are_not_asked(self, table: SealedPadDriver) -> None:
        table.driver.command(BreakSeals(RED))
        assert "opens" not in table.asked(RED)
        assert table.eyes.of(RED)["sealed"] == ""
        table.answer(RED, rank="captain")
        assert table.driver.table.conversation.declared == (RED,)


class TestGuess:
    @pytest.fixture
    def table(self) -> SealedPadDriver:
        """Game in which a red piece guesses the rank of the piece on e8."""
        edition = replace(NORDIC, sealed_armies=True)
        table = SealedPadDriver.begun(edition, first_setup(edition))
        table.driver.play("e4-e5 e7-e6 k4-k5 e6-f6 e5-e6 f6-f5 e6-e7 k7-k6")
        table.driver.infiltrate("e7", "e8", Rank.COLONEL)
        return table

    def test_guess_is_answered_by_the_seal(self, table: SealedPadDriver) -> None:
        assert (table.asked(BLUE)["opens"], table.asked(BLUE)["guess"]) == ("e8", "colonel")
        table.answer(BLUE, right=False, **table.seals[BLUE].of("e8"))
        (ruling,) = table.driver.emitted(Infiltrated)
        assert ruling.right is False

    @pytest.mark.parametrize("right", [True, False])
    def test_false_or_unsealed_answer_is_refused(self, table: SealedPadDriver, right: bool) -> None:
        opening = table.seals[BLUE].of("e8") if right else {}
        table.answer(BLUE, right=right, **opening)
        (refused,) = table.driver.emitted(Contradiction)
        assert refused.owner is BLUE
        table.driver.command(UpholdDeclaration(Secret(BLUE, refused.proof.rank)))
        assert table.driver.table.view.phase is Phase.GUESS


class TestProving:
    @pytest.fixture
    def over(self, table: SealedPadDriver) -> SealedPadDriver:
        table.declare(RED)
        table.declare(BLUE)
        table.driver.command(Resign(BLUE))
        return table

    def test_no_proof_before_the_end(self, table: SealedPadDriver) -> None:
        assert all(ask["opens"] != "all" for ask in table.eyes.of(RED)["asks"])
        assert "setup" not in table.eyes.of(None)["sides"][0]

    def test_armies_are_proved_after_the_end(self, over: SealedPadDriver) -> None:
        for side in Side:
            assert over.asked(side)["opens"] == "all"
            over.answer(side, do="prove", army=over.seals[side].army)
            assert over.eyes.of(side)["asks"] == []
        shown = over.eyes.of(None)
        assert "The army was set up correctly" in shown["said"][-1]["text"]
        rows = " ".join(str(FORT).split())
        assert [each["setup"] for each in shown["sides"]] == [rows, rows]
        assert {at: shown["ranks"][at] for at in ("a1", "e6", "f7", "k10")} == {
            "a1": "F",
            "e6": "9",
            "f7": "9",
            "k10": "F",
        }
        assert "e4" not in shown["ranks"]

    def test_proved_armies_have_the_viewers_rank_signs(self, over: SealedPadDriver) -> None:
        over.answer(RED, do="prove", army=over.seals[RED].army)
        over.eyes.spoken[BLUE] = Language("en", RankSigns.AMERICAN)
        red, blue = over.eyes.of(BLUE)["sides"]
        assert (red["signs"]["marshal"], red["signs"]["flag"]) == ("1", "F")
        assert "signs" not in blue
        assert over.eyes.of(RED)["sides"][0]["signs"]["marshal"] == "10"

    def test_simultaneous_proofs(self, over: SealedPadDriver) -> None:
        asks = {side: over.asked(side) for side in Side}
        for side, ask in asks.items():
            over.submit(side, {**ask["choices"][0]["say"], "army": over.seals[side].army})
        assert over.driver.table.view.proved.keys() == {RED, BLUE}

    def test_proof_of_one_army(self, over: SealedPadDriver) -> None:
        over.answer(RED, do="prove", army=over.seals[RED].army)
        red, blue = over.eyes.of(BLUE)["sides"]
        assert "setup" in red
        assert "setup" not in blue
        assert all(int(at[1:]) < 7 for at in over.eyes.of(BLUE)["ranks"])

    def test_invalid_openings_prove_nothing(self, over: SealedPadDriver) -> None:
        other = Seals(RED, FORT, salted=1)
        over.answer(RED, do="prove", army=other.army)
        assert over.driver.table.view.proved == {}
        assert over.asked(RED)["opens"] == "all"


class TestWords:
    """Malformed commands are rejected."""

    SUMS = Seals(RED).hashes
    ARMY = Seals(RED).army

    @pytest.mark.parametrize(
        "word",
        [
            {"do": "seal"},
            {"do": "seal", "commitments": 7},
            {"do": "seal", "commitments": ""},
            {"do": "seal", "commitments": SUMS[:-1]},
            {"do": "seal", "commitments": SUMS.replace("a1:", "a11:")},
            {"do": "seal", "commitments": SUMS.replace("a1:", "a9:")},
            {"do": "seal", "commitments": SUMS.replace("a1:", "b1:")},
            {"do": "seal", "commitments": SUMS + " a9:" + "0" * 64},
            {"do": "seal", "commitments": Seals(BLUE).hashes},
            {"do": "prove"},
            {"do": "prove", "army": ["a1"]},
            {"do": "prove", "army": ARMY + "0"},
            {"do": "prove", "army": "a1:king:" + "0" * 32},
            {"do": "declare", "rank": "general", "salt": 7},
            {"do": "declare", "rank": "general", "salt": "0" * 31},
            {"do": "insist", "rank": "general", "salt": "G" * 32},
        ],
    )
    def test_senseless_message(self, word: dict[str, object]) -> None:
        assert parse_command({**word, "mark": "1.0"}, RED, 1, PadDriver(SEALED).table, 0) is None

    def test_oversized_message(self) -> None:
        word = {"do": "guess", "right": True, "salt": "0" * 32, "mark": "1.0"}
        assert parse_command(word, BLUE, 1, PadDriver(SEALED).table, 0) is None

    def test_side_cannot_open_other_commitments(self) -> None:
        word = {"do": "prove", "army": self.ARMY, "side": "red", "mark": "1.0"}
        given = parse_command(word, BLUE, 1, PadDriver(SEALED).table, 0)
        assert isinstance(given, CommandInput)
        assert isinstance(given.what, OpenArmy)
        assert given.what.side is BLUE

    @pytest.mark.parametrize("message", [{"commitments": SUMS}, {"army": ARMY}])
    def test_longest_messages_fit(self, message: dict[str, str]) -> None:
        word = {"do": "prove", "mark": "1000.1000", **message}
        text = json.dumps({"id": write_token(bytes(16)), "say": word})
        assert len(text) <= UP_SIZE
