"""Test what the calibration dialogue says about squares for which the board refuses a step."""

import pytest

from companion.diagnostics.calibration import CalibrationPhase, GuidedCalibration
from companion.diagnostics.report import marks
from engine.board.geometry import Side, name
from firmware_bridge.wire import Calibrate, CalibrationResult, CalibrationStep, Hello, HostCommand
from tests.companion.diagnostics.boards import HELLO, PRESENCE, squares
from tests.companion.diagnostics.calibration_script import (
    EMPTY,
    GO_ON,
    STAND,
    TO_STEP_2,
    UNPLUGGED,
    answered,
    play,
    well,
)

RED, BLUE = Side.RED.home, Side.BLUE.home


def refused(*results: dict[CalibrationResult, int], hello: Hello = HELLO) -> GuidedCalibration:
    """Return a calibration whose second step the board has refused several times.

    Each refusal carries one of the given results.
    """
    script = list(TO_STEP_2)
    for n, result in enumerate(results, start=1):
        script += [(100 * n, GO_ON), (100 * n + 0.6, answered(STAND, result))]
    calibration, _ = play(script, hello)
    assert (calibration.phase, calibration.step) == (CalibrationPhase.DUE, STAND)
    return calibration


def test_occupied_square() -> None:
    occupied = {CalibrationResult.OCCUPIED: squares("e5", "k10")}
    calibration, _ = play([(0, GO_ON), (0.6, answered(EMPTY, occupied))])
    assert (calibration.phase, calibration.step) == (CalibrationPhase.DUE, EMPTY)
    (finding,) = calibration.findings
    assert finding.text.startswith("Something is detected on e5, k10. Remove it.")
    assert finding.squares == squares("e5", "k10")


FORGET = CalibrationStep.FORGET


def emptied(*felt: int) -> tuple[GuidedCalibration, list[HostCommand]]:
    """Make the board refuse the first step once for each of the given sets of occupied squares.

    Return the calibration and its commands.
    """
    calibration, asked = play([])
    for each in felt:
        if asked and asked[-1] == Calibrate(FORGET):
            well(FORGET)(calibration, 0.5)
        else:
            calibration.go_on(0)
        answered(EMPTY, {CalibrationResult.OCCUPIED: each})(calibration, 0.6)
    return calibration, asked


@pytest.mark.parametrize(
    ("felt", "asked"),
    [
        (["e4"], [EMPTY]),
        (["e4", "d4"], [EMPTY, EMPTY]),
        (["e4", "e4 d4"], [EMPTY, EMPTY]),
        (["e4", "e4", "e4"], [EMPTY, EMPTY, FORGET, EMPTY]),
        (["e4 d4", "e4", "e4"], [EMPTY, EMPTY, FORGET, EMPTY]),
        (["e4", "e4", "e4", "e4"], [EMPTY, EMPTY, FORGET, EMPTY, EMPTY]),
    ],
)
def test_old_calibration_is_set_aside(felt: list[str], asked: list[CalibrationStep]) -> None:
    calibration, commands = emptied(*(squares(*each.split()) for each in felt))
    assert commands == [Calibrate(step) for step in asked]
    (finding,) = calibration.findings
    if FORGET in asked:
        assert finding.text.startswith("Something is still detected on e4. Remove it.")
        assert "the sensor's resting level is too far off" in finding.text
    else:
        assert finding.text.startswith("Something is detected on ")
        assert finding.text.endswith("If nothing is there, confirm again that the board is empty.")


def test_calibration_continues_after_setting_aside() -> None:
    calibration, commands = emptied(squares("e4"), squares("e4"))
    assert (calibration.phase, commands[-1]) == (CalibrationPhase.ASKED, Calibrate(FORGET))
    well(FORGET)(calibration, 1)
    well(EMPTY)(calibration, 2)
    assert (calibration.phase, calibration.step) == (CalibrationPhase.DUE, STAND)
    assert commands[-2:] == [Calibrate(FORGET), Calibrate(EMPTY)]


def test_refusals_have_sentences_and_signs() -> None:
    calibration = refused(
        {
            CalibrationResult.WEAK: squares("d1"),
            CalibrationResult.FLIPPED: squares("c2", "e7"),
            CalibrationResult.MISSING: squares("h10"),
        }
    )
    sentences = [finding.text.split(".")[0] for finding in calibration.findings]
    assert sentences == [
        (
            "No piece detected on h10: the square is empty, the piece has no "
            "magnet, or the sensor is dead"
        ),
        "Upside down: the magnets on c2, e7",
        "Weak: the magnets on d1",
    ]
    signs = {name(square): about for square, about in marks(calibration.findings).items()}
    assert signs == {"d1": "weak", "c2": "flipped", "e7": "flipped", "h10": "unfelt"}


def test_square_without_signal_twice_is_dead() -> None:
    missing = CalibrationResult.MISSING
    calibration = refused({missing: squares("e4", "c1")}, {missing: squares("e4", "k9")})
    dead, fresh = calibration.findings
    assert dead.text.startswith("Still nothing is detected on e4 (multiplexer 2, input 4).")
    assert "cannot be calibrated" in dead.text
    assert fresh.text.startswith("No piece detected on k9:")
    once_more = refused({missing: squares("e4")}, {CalibrationResult.WEAK: squares("e4")})
    assert [finding.about for finding in once_more.findings] == ["weak"]


def test_missing_army_is_one_refusal() -> None:
    calibration = refused({CalibrationResult.MISSING: BLUE}, {CalibrationResult.MISSING: BLUE})
    (finding,) = calibration.findings
    assert finding.text.startswith("Nothing is detected on 40 squares of the armies. Set up both")


@pytest.mark.parametrize(
    ("result", "squares", "expected"),
    [
        (
            CalibrationResult.OCCUPIED,
            RED | BLUE,
            "Something is detected on 80 squares. Remove all pieces. If",
        ),
        (CalibrationResult.FLIPPED, RED | BLUE, "The colours are swapped on 80 squares."),
        (CalibrationResult.WEAK, RED, "Weak: the magnets on 40 squares."),
    ],
)
def test_many_squares_are_summarized(
    result: CalibrationResult, squares: int, expected: str
) -> None:
    (finding,) = refused({result: squares}).findings
    assert finding.text.startswith(expected)
    assert finding.squares == squares


def test_missing_ground_is_suggested_for_switches() -> None:
    missing = {CalibrationResult.MISSING: RED | BLUE}
    for hello, expected in (
        (PRESENCE, "No piece is detected."),
        (HELLO, "Nothing is detected on 80"),
    ):
        (finding,) = refused(missing, hello=hello).findings
        assert finding.text.startswith(expected)


def test_repaired_square_is_dropped() -> None:
    calibration, _ = play(
        [*TO_STEP_2, (9, GO_ON), (9.6, answered(STAND, {CalibrationResult.WEAK: 1})), (20, GO_ON)]
    )
    assert calibration.findings == []


def test_texts_are_translated() -> None:
    script = [
        *TO_STEP_2,
        (9, GO_ON),
        (9.6, answered(STAND, {CalibrationResult.MISSING: squares("e4")})),
    ]
    calibration, _ = play(script, PRESENCE, "de")
    (finding,) = calibration.findings
    assert finding.text.startswith("Auf e4 wird keine Figur erkannt")
    calibration.take(UNPLUGGED, 30)
    assert calibration.verdict == "Es wurde nichts verändert."
    assert "Steck es wieder ein" in calibration.error
