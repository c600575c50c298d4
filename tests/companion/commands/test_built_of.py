import pytest

from companion.cli import main


def calibrate(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    code = main(["calibrate", "--simulate", *options])
    printed = capsys.readouterr()
    return code, " ".join(printed.out.split()), " ".join(printed.err.split())


def test_configuration_keeps_reference_and_calibration(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, output, complaints = calibrate(capsys, "--band-gap", "1127")
    assert (code, complaints) == (0, "")
    assert "colour sensors, wired by hand, on from 17 %, reference 1127 mV." in output
    assert "Its calibration is still valid." in output
    assert "Step 1" not in output


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--band-gap", "5020", "no chip has such a reference"),
        ("--threshold", "5", "no board would work with such a threshold"),
        ("--kind", "switches", "there are no such sensors"),
        ("--wired", "tiles", "no board with these sensors is built that way"),
    ],
)
def test_senseless_configuration_is_refused(
    capsys: pytest.CaptureFixture[str], option: str, value: str, why: str
) -> None:
    code, output, complaints = calibrate(capsys, option, value)
    assert (code, output) == (2, "")
    assert (
        f"The board cannot apply this: {why}. Nothing has changed. "
        "Its settings are now: colour sensors" in complaints
    )


@pytest.mark.parametrize("value", ["-1", "0", "1100.5", "70000"])
def test_invalid_numbers_are_refused(capsys: pytest.CaptureFixture[str], value: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        calibrate(capsys, f"--band-gap={value}")
    assert f"{value!r} is not a number from 1 to 65535" in capsys.readouterr().err
