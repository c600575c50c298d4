"""Replay the stored move recognition cases and compare the results with the text files."""

from collections.abc import Iterable, Iterator, Mapping
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import pytest

from companion.core.explanation import alternatives
from companion.core.inputs import BoardSeen, Input, TimePassed
from companion.core.lifted_pieces import LiftedPieces
from companion.core.prompts import PossibleAttacks
from companion.core.recognition_limits import LIMITS
from companion.recorder.trace_reader import read_trace
from engine.board.geometry import Square
from engine.game.actions import Amend
from firmware_bridge.image import Image
from firmware_bridge.sensing.change_detector import ChangeDetector
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tests.companion.recorder import case_files
from tests.companion.recorder.excerpts import CUT_OUTS
from tests.companion.recorder.scripts import SCRIPTS

Patches: TypeAlias = Mapping[str, Any]

LIMITS_BY_NAME: Final = {"LIMITS": LIMITS, "SENSING_LIMITS": SENSING_LIMITS}

ADVANCE = "firmware_bridge.sensing.change_detector.ChangeDetector.advance"


@pytest.mark.parametrize("case", case_files.NAMES)
def test_case_is_recognized(case: str) -> None:
    assert case_files.trace_result(case_files.trace_of(case)) == case_files.expected_result(case)


def test_cases_are_complete() -> None:
    folder = case_files.trace_of("any").parent
    texts = sorted(path.stem for path in folder.glob("*.txt"))
    assert texts == case_files.NAMES
    assert {*SCRIPTS, *CUT_OUTS} <= set(case_files.NAMES), "run make cases"
    assert len(list(folder.iterdir())) == 2 * len(case_files.NAMES)


@pytest.mark.parametrize("case", SCRIPTS)
def test_trace_matches_its_script(case: str, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.write_bytes(case_files.record(SCRIPTS[case]()))
    assert done_in(again) == done_in(case_files.trace_of(case)), "run make cases"


def done_in(path: Path) -> list[Input]:
    """Return the inputs. Leave out those that only repeat an image or report the time."""
    return list(_done(note.given for note in read_trace(path).notes))


def _done(inputs: Iterable[Any]) -> Iterator[Input]:
    shown = Image()
    for given in inputs:
        if isinstance(given, BoardSeen):
            if given.image != shown:
                yield given
            shown = given.image
        elif not isinstance(given, TimePassed):
            yield given


def take_silence_for_rest(watch: ChangeDetector, at: float) -> None:
    watch.seen_at = max(at, watch.seen_at)


def let_who_is_up_first_attack(
    _: PossibleAttacks, source: Square, target: Square, **__: bool
) -> list[Amend]:
    return [Amend(target, source)]


def take_any_later_move_for_what_was_answered(teller: Any, _: Any, later: Any, referee: Any) -> Any:
    return next((each for each in later if each.piece.side is referee.to_move), None)


def be_sure_of_any_attack(
    hands: LiftedPieces, *what: Any, is_sure: bool, _take: Any = LiftedPieces._take_both
) -> None:
    _take(hands, *what, is_sure=True)


def never(*_: Any) -> bool:
    return False


FAULTS: Final[Mapping[str, tuple[str, str, Patches]]] = MappingProxyType(
    {
        "a hand that has touched a piece does not count": (
            "answered-after-it-went-on",
            "accepted: e4-e5\naccepted: amend e5-e6",
            {"explainer._Explainer.touched": lambda *_, **__: {}},
        ),
        "a short stay counts as none": (
            "pushed-on-and-taken",
            "at the end: turn, e5 is up",
            {
                "LIMITS.piece_rested_seconds": 0.2,
                "move_recognizer.alternatives": lambda candidate: (
                    way for way in alternatives(candidate) if not way.counts_brief_stops
                ),
            },
        ),
        "a turn can always be amended": (
            "again-a-minute-later",
            "accepted: e4-e5\naccepted: amend e5-e6",
            {"explainer._Explainer.amendable": inf, "LIMITS.scout_proof_pause_seconds": inf},
        ),
        "every later move was answered early": (
            "out-of-turn-and-answered",
            "accepted: a7-a6\naccepted: k4-k5",
            {"explainer._Explainer._answered": take_any_later_move_for_what_was_answered},
        ),
        "a stray may have slid at any time": (
            "stray-loser",
            "question: course-asked b4-b5",
            {
                "SENSING_LIMITS.slide_overlap_seconds": inf,
                "SENSING_LIMITS.slow_slide_overlap_seconds": inf,
            },
        ),
        "other lifted pieces do not matter": (
            "sleeve-put-right-late",
            "accepted: i4-i5",
            {
                "move_recognizer.MoveRecognizer._may_be_sleeve_push": never,
                "explainer._Explainer._is_beside_a_hand": never,
            },
        ),
        "two lifted pieces are an attack": (
            "glance-at-a-piece-far-away",
            "question: attack-asked e4xe7",
            {"LIMITS.pair_question_seconds": 0.3},
        ),
        "the piece lifted first attacks": (
            "defender-lifted-first",
            "accepted: amend e6-e5",
            {"prompts.PossibleAttacks.attacks_in_hand": let_who_is_up_first_attack},
        ),
        "two lifted pieces are an attack, wherever others are": (
            "attack-withdrawn-for-ever",
            "accepted: k6xk5",
            {"lifted_pieces.LiftedPieces._take_both": be_sure_of_any_attack},
        ),
        "a question disappears when the other side moves": (
            "answered-while-a-run-is-asked-about",
            "question: course-asked d1-b1\nquestion: course-asked d1-b1",
            {"prompts.PlayerPrompts.keep_open": lambda *_: None},
        ),
        "silence counts as rest": (
            "move-in-silence",
            "accepted: e4-e5\naccepted: amend e5-e4",
            {ADVANCE: take_silence_for_rest},
        ),
        "silence counts as rest in an attack": (
            "attack-in-silence",
            "accepted: e5xe6",
            {ADVANCE: take_silence_for_rest},
        ),
        "a turn cannot be amended": (
            "thought-better",
            "accepted: e4-e6\nrefused: not-your-piece",
            {"explainer._Explainer.amendable": 0.0},
        ),
        "pieces lifted before a combat stay lifted": (
            "beaten-attacker-laid-aside",
            "at the end: turn, e5 is up",
            {
                "move_recognizer.MoveRecognizer.is_in_order_again": never,
                "turns.Turns._take_answer": lambda *_: None,
            },
        ),
        "a winner has to stay for a long time": (
            "winner-taken-up-again",
            "complaint: clear-up e6 f7 f6",
            {"LIMITS.cleared_board_seconds": 0.5},
        ),
    }
)
"""Defects to be planted in the table. Each has a case, the wrong result and the code change."""


@pytest.mark.parametrize("fault", FAULTS)
def test_wrong_recognition_fails(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case, wrong, patches = FAULTS[fault]
    for where, what in patches.items():
        owner, _, name = where.partition(".")
        if owner in LIMITS_BY_NAME:
            assert name in vars(LIMITS_BY_NAME[owner])
            monkeypatch.setitem(vars(LIMITS_BY_NAME[owner]), name, what)
        else:
            is_whole = where.startswith("firmware_bridge")
            monkeypatch.setattr(where if is_whole else f"companion.core.{where}", what)
    comes = case_files.trace_result(case_files.trace_of(case))
    assert comes != case_files.expected_result(case)
    assert wrong in "\n".join(comes)
    assert wrong not in "\n".join(case_files.expected_result(case))


def test_case_texts_describe_the_fault() -> None:
    for case in case_files.NAMES:
        words, _, lines = case_files.text_of(case).read_text("utf-8").rpartition("\n\n")
        assert "\nWrong result: " in words, case
        assert lines.endswith("\n"), case
