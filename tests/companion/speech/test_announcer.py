"""Announcements reveal no secret."""

from dataclasses import fields, replace
from typing import get_args, get_type_hints

import pytest

from companion.core import events
from companion.core.inputs import OfferUndo
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language, codes
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank
from engine.board.visibility import Private, Public, Secret
from engine.deduction.possible_ranks import Evidence, Proof
from engine.game import rulings
from engine.game.actions import Correction, NotAScout, RankCorrection, Relocation, SwapCorrection
from engine.rules.editions import EDITIONS
from engine.rules.movement import resolve
from engine.rules.rules import Citation, Interpretation, Rule, Violation, ViolationKind
from firmware_bridge.image import Image, ImageDifference
from tests.companion.core.table_driver import TableDriver

EVENTS = get_args(events.Event)
ENGLISH = Announcer(Language("en"))
GERMAN = Announcer(Language("de"))


def combat(attacker: Rank, defender: Rank) -> rulings.Combat:
    result = resolve(attacker, defender)
    return rulings.Combat(Side.RED, square("e5"), square("e6"), attacker, defender, result)


class TestWords:
    @pytest.mark.parametrize(
        ("attacker", "defender", "words"),
        [
            (Rank.COLONEL, Rank.CAPTAIN, "Red: colonel. Blue: captain. Red wins the combat."),
            (Rank.CAPTAIN, Rank.COLONEL, "Red: captain. Blue: colonel. Blue wins the combat."),
            (Rank.MINER, Rank.MINER, "Red: miner. Blue: miner. Both fall."),
            (Rank.MARSHAL, Rank.BOMB, "Red: marshal. Blue: bomb. Boom!"),
            (Rank.MINER, Rank.BOMB, "Red: miner. Blue: bomb. The bomb is defused."),
            (Rank.SCOUT, Rank.FLAG, "Red: scout. Blue: flag. The flag is captured!"),
        ],
    )
    def test_combat(self, attacker: Rank, defender: Rank, words: str) -> None:
        assert ENGLISH.sentence(combat(attacker, defender)) == words

    def test_violation_cites_rule_and_rulebook(self) -> None:
        border = set_of((square("c6"), square("c7")))
        source = Citation("ISF game rules", Rule.TWO_SQUARES, "art. 10")
        violation = Violation(ViolationKind.TO_AND_FRO, border, source, count=3)
        assert ENGLISH.sentence(violation) == (
            "This piece has already moved 3 times in a row between c6 and c7. "
            "It must now go elsewhere, or another piece must move. (ISF game "
            "rules, art. 10: the two-squares rule)"
        )

    @pytest.mark.parametrize("code", codes())
    def test_restored_board_does_not_sound_like_the_button(self, code: str) -> None:
        button = Language(code).text("The board is right …").rstrip(" …")
        assert button not in Announcer(Language(code)).sentence(events.Restored())

    @pytest.mark.parametrize(
        ("side", "english", "german"),
        [
            (Side.RED, "It is Red's turn.", "Rot ist am Zug."),
            (Side.BLUE, "It is Blue's turn.", "Blau ist am Zug."),
        ],
    )
    def test_move_out_of_turn(self, side: Side, english: str, german: str) -> None:
        source = Citation("the rulebook", Rule.OUT_OF_TURN)
        violation = Violation(ViolationKind.NOT_YOUR_PIECE, 3, source, side=side)
        assert ENGLISH.sentence(violation).startswith(english)
        assert GERMAN.sentence(violation).startswith(german)

    def test_override_is_announced_with_the_violation(self) -> None:
        source = Citation("the rulebook", Rule.OUT_OF_TURN)
        stands = rulings.Overridden(
            Violation(ViolationKind.NOT_YOUR_PIECE, 3, source, side=Side.RED)
        )
        assert ENGLISH.sentence(stands) == (
            "The arbiter allows it. The rule was: It is Red's turn. (the "
            "rulebook: whose turn it is)"
        )

    @pytest.mark.parametrize(
        ("code", "expected"),
        [
            ("en", "Stratego with infiltrator: the two-squares rule"),
            ("de", "Stratego mit Infiltrator: die Zwei-Felder-Regel"),
            ("fi", "Stratego ja soluttautuja: "),
            ("fr", "Stratego avec infiltré\N{NO-BREAK SPACE}: "),
        ],
    )
    def test_rulebook_names_are_localized(self, code: str, expected: str) -> None:
        source = EDITIONS["nordic-2015"].cite(Rule.TWO_SQUARES)
        assert Announcer(Language(code)).rules.cite(source).startswith(expected)

    @pytest.mark.parametrize(
        ("code", "expected"), [("de", "ISF, Art. 10: "), ("nl", ", art. 10: ")]
    )
    def test_citation_has_its_article(self, code: str, expected: str) -> None:
        cited = Announcer(Language(code)).rules.cite(EDITIONS["isf"].cite(Rule.TWO_SQUARES))
        assert expected in cited
        assert "ISF game rules" not in cited

    def test_house_rule_cites_no_rulebook(self) -> None:
        source = Citation("", Rule.TOUCH_MOVE)
        touched = set_of([square("e4")])
        assert ENGLISH.sentence(Violation(ViolationKind.TOUCHED_ANOTHER, touched, source)) == (
            "The piece on e4 was touched first, so it must move if it can. (house rule: touch-move)"
        )
        assert ENGLISH.sentence(rulings.Touched(square("e4"))) == (
            "The piece on e4 was touched: it must move if it can."
        )
        assert ENGLISH.sentence(rulings.Touched(square("e4"), carried=True)) == (
            "The piece on e4 was moved away, so it must move. If it cannot, its owner says so in "
            "private and may move another piece."
        )
        assert ENGLISH.sentence(rulings.TouchedFreed(square("e4"))) == (
            "The owner says that the piece on e4 cannot move."
        )

    def test_interpretation_is_announced_with_its_combat(self) -> None:
        fell = replace(combat(Rank.SPY, Rank.SPY), reading=Interpretation.SPY_AND_INFILTRATOR)
        assert ENGLISH.sentence(fell) == (
            "Red: spy. Blue: spy. Both fall. (the rulebook is silent, and our reading is: an "
            "attacking infiltrator fights like any rank 1: it and a spy both fall)"
        )

    def test_words_against_the_computer(self) -> None:
        plain, citation = Announcer(Language("en"), solo=True), EDITIONS["isf"].cite(Rule.ENDING)
        spies = replace(combat(Rank.SPY, Rank.SPY), reading=Interpretation.SPY_AND_SPY)
        refused = Violation(ViolationKind.IMMOBILE, 0, citation)
        over = rulings.GameOver(Side.RED, rulings.Reason.FLAG_CAPTURED, citation)
        found = rulings.Contradiction(Side.RED, Proof(Evidence.MOVED, Rank.BOMB), citation)
        assert plain.sentence(spies) == "Red: spy. Blue: spy. Both fall."
        assert plain.sentence(refused) == "Bombs and the flag never move."
        assert plain.sentence(over) == "Red wins: the flag is captured."
        assert "(" not in plain.rules.proof(found)
        assert plain.sentence(OfferUndo(Side.RED)) == "Red takes back a move."

    def test_claim_asks_the_other_side(self) -> None:
        asked, shown = (
            ENGLISH.sentence(rulings.StalemateClaimed(Side.BLUE)),
            ENGLISH.sentence(rulings.MoveRequired(Side.RED)),
        )
        assert asked == "Red cannot move. Blue, can you move?"
        assert shown == "Red can move: a legal move proves it and wins."

    @pytest.mark.parametrize(
        ("mistake", "squares", "words"),
        [
            (RankCorrection(4, Rank.SPY), ("e6",), "the piece on e6 is: spy."),
            (SwapCorrection(4, 5), ("e6", "a4"), "the pieces on e6 and a4 are swapped."),
            (NotAScout(4), ("e6",), "the piece on e6 has never moved further than one square."),
        ],
    )
    def test_corrections_are_announced(
        self, mistake: Correction, squares: tuple[str, ...], words: str
    ) -> None:
        places = tuple(map(square, squares))
        alone = rulings.Corrected(mistake, places, changed=set_of(places))
        assert ENGLISH.sentence(alone) == f"The arbiter corrects the record: {words}"

    def test_consequences_of_a_correction_hide_ranks(self) -> None:
        changed = set_of(map(square, ("e6", "a4", "b4")))
        corrected = rulings.Corrected(NotAScout(4), (square("e6"),), changed)
        assert ENGLISH.sentence(corrected).endswith(
            " This also changes what is known about the pieces on: a4, b4."
        )

    @pytest.mark.parametrize(
        ("end", "words"),
        [
            (
                rulings.GameOver(
                    None,
                    rulings.Reason.BOTH_IMMOBILE,
                    Citation("", Rule.ENDING, reading=Interpretation.BOTH_SPENT),
                ),
                (
                    "The game is a draw: both sides have lost their last movable "
                    "pieces at the same time. (no rulebook covers it; our reading is: "
                    "when one combat takes the last movable pieces of both armies, the "
                    "game is a draw)"
                ),
            ),
            (
                rulings.GameOver(
                    None,
                    rulings.Reason.BOTH_IMMOBILE,
                    Citation("the rulebook", Rule.ENDING, reading=Interpretation.BOTH_SHUT_IN),
                ),
                "The game is a draw: neither side can move. (the rulebook: the end of the game; "
                "the rulebook is silent, and our reading is: when neither side can move, the game "
                "is a draw)",
            ),
            (
                rulings.GameOver(Side.RED, rulings.Reason.RESIGNATION, Citation("", Rule.ENDING)),
                "Red wins: the other side has resigned. (house rule: the end of the game)",
            ),
            (
                rulings.GameOver(
                    Side.RED, rulings.Reason.TIME, Citation("", Rule.ENDING, is_organisers=True)
                ),
                "Red wins: time is up. (organiser's rule: the end of the game)",
            ),
            (
                rulings.GameOver(
                    None, rulings.Reason.BOTH_IMMOBILE, Citation("ISF", Rule.ENDING, "art. 12")
                ),
                "The game is a draw: neither side can move. (ISF, art. 12: the end of the game)",
            ),
            (
                rulings.GameOver(None, rulings.Reason.FORFEIT),
                "Both sides lose: the arbiter has decided.",
            ),
        ],
    )
    def test_how_a_game_ends(self, end: rulings.GameOver, words: str) -> None:
        assert ENGLISH.sentence(end) == words

    def test_instructions(self) -> None:
        expected = Image(red=1 << square("e6"), blue=1 << square("a7"))
        difference = ImageDifference(
            missing=set_of((square("e6"), square("a7"))), surplus=1 << square("e5")
        )
        assert ENGLISH.sentence(events.CleanupRequired(difference, expected)) == (
            "Remove the piece from e5. Put the red piece on e6. Put the blue piece on a7."
        )
        assert ENGLISH.sentence(events.BoardDiffers(difference, expected)).startswith("Some pieces")

    def test_setup_announcements(self) -> None:
        assert ENGLISH.sentence(events.SetupSeen(40, 12, ())) == "Pieces set up: Red 40, Blue 12."
        assert "a5" in ENGLISH.sentence(events.SetupSeen(40, 12, (square("a5"),)))

    def test_wrong_colour_and_wrong_square_differ(self) -> None:
        astray = tuple(map(square, ("b3", "e5", "f5")))
        assert ENGLISH.board.astray(events.SetupSeen(39, 40, astray)) == [
            "b3: this piece belongs to the other side, or its magnet is upside down.",
            "No piece belongs on e5, f5.",
        ]

    def test_many_pieces_are_summarized(self) -> None:
        (sentence,) = ENGLISH.board.astray(events.SetupSeen(0, 0, tuple(range(40, 60))))
        assert sentence == "No piece belongs on a5, b5, c5, d5, e5, f5, g5, h5 …."

    def test_draw_has_no_winner(self) -> None:
        drawn = ENGLISH.sentence(rulings.GameOver(None, rulings.Reason.AGREED_DRAW))
        assert drawn == "The game is a draw: both players have agreed."

    def test_lifted_piece_is_not_announced(self) -> None:
        assert ENGLISH.sentence(events.Lifted(square("e4"))) == ""
        assert ENGLISH.sentence(events.SetDown(square("e4"), square("e5"))) == ""

    @pytest.mark.parametrize(
        ("courses", "words"),
        [
            (("e5-f5", "f4-f5"), "Which was it: e5 to f5, or f4 to f5?"),
            (
                ("e4-e6", "e4-e5 f7xf5 a10-a9"),
                "Which was it: e4 to e6, or e4 to e5, then f7 attacks f5, then a10 to a9?",
            ),
        ],
    )
    def test_recognition_question_names_every_turn(
        self, courses: tuple[str, ...], words: str
    ) -> None:
        assert ENGLISH.sentence(events.ChooseExplanation(courses)) == words

    def test_possible_attack_is_not_announced(self) -> None:
        assert ENGLISH.sentence(events.AttackSuggested(("e5xe6",))) == ""

    def test_french_colon(self) -> None:
        refused = Violation(ViolationKind.INTO_LAKE, 1, Citation("ISF 2015", Rule.MOVEMENT))
        sentence = Announcer(Language("fr")).sentence(refused)
        assert sentence.endswith("(ISF 2015\N{NO-BREAK SPACE}: la marche des pièces)")

    def test_german(self) -> None:
        sentence = GERMAN.sentence(combat(Rank.MARSHAL, Rank.BOMB))
        assert sentence == "Rot: Feldmarschall. Blau: Bombe. Bumm!"
        moved = GERMAN.sentence(
            rulings.Moved(Side.BLUE, square("e7"), square("e6"), long_move=False)
        )
        assert moved == "Blau: e7 nach e6."


class TestCorrectBoard:
    SHIFTED = (Relocation(square("e4"), square("f5")), Relocation(square("k7"), square("k6")))

    def test_board_offer_names_pieces_and_side(self) -> None:
        offered = events.BoardOffered(Side.RED, self.SHIFTED, 1 << square("i7"), Side.BLUE)
        assert ENGLISH.sentence(offered) == (
            "Red says: the board is right. The piece from e4 is on f5. The piece from k7 is on k6. "
            "The piece from i7 is off the board. Blue to move. Blue, do you agree?"
        )
        assert GERMAN.sentence(offered) == (
            "Rot sagt: Das Brett stimmt. Die Figur von e4 steht auf f5. Die Figur von k7 steht auf "
            "k6. Die Figur von i7 steht nicht mehr auf dem Brett. "
            "Blau ist am Zug. Blau, stimmst du zu?"
        )

    def test_adopted_board_is_announced(self) -> None:
        accepted = rulings.BoardAdopted(self.SHIFTED[:1], 0, Side.BLUE)
        sentence = ENGLISH.sentence(accepted)
        assert sentence == "Both players agree: the board is right. The piece from e4 is on f5."

    @pytest.mark.parametrize("obstacle", rulings.AdoptionError)
    def test_obstacles_to_adoption_are_explained(self, obstacle: rulings.AdoptionError) -> None:
        sentence = ENGLISH.sentence(
            rulings.AdoptionRejected(obstacle, set_of(map(square, ("a5", "b5"))))
        )
        assert "a5, b5" in sentence
        assert "back" in sentence
        assert sentence != GERMAN.sentence(rulings.AdoptionRejected(obstacle, 1))


class TestSecrets:
    def test_events_are_public_or_private(self) -> None:
        for event in EVENTS:
            assert issubclass(event, Public) != issubclass(event, Private), event

    def test_only_announcements_carry_public_ranks(self) -> None:
        carriers = {
            event
            for event in EVENTS
            if issubclass(event, Public)
            and {Rank, Rank | None, Secret, Secret[Rank], Proof, rulings.Contradiction, Correction}
            & {get_type_hints(event)[field.name] for field in fields(event)}
        }
        aloud = {
            rulings.Combat,
            rulings.InfiltrationOpened,
            rulings.Infiltrated,
            rulings.Corrected,
            rulings.CorrectionRefused,
        }
        assert carriers == aloud

    def test_announcements_do_not_depend_on_hidden_ranks(self) -> None:
        first = _attack_sentences(Rank.CAPTAIN, Rank.MINER)
        other = _attack_sentences(Rank.SPY, Rank.MARSHAL)
        reveal = next(n for n, line in enumerate(first) if "captain" in line)
        assert first[:reveal] == other[:reveal]
        assert reveal > 5
        assert first != other


def _attack_sentences(attacker: Rank, defender: Rank) -> list[str]:
    driver = TableDriver.begun()
    driver.move("e4", "e5")
    driver.move("e7", "e6")
    driver.lift("e5")
    driver.lift("e6")
    driver.wait()
    driver.declare(Side.RED, attacker)
    driver.declare(Side.BLUE, defender)
    public = [event for step in driver.steps for event in step.events]
    return [f"{event!r} {ENGLISH.sentence(event)}" for event in public if isinstance(event, Public)]
