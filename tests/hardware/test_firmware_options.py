"""“make firmware” goes on building for the board that it was once told of."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.hardware.conftest import FIRMWARE, VERSION


class Builder:
    """Somebody who says “make firmware”; one file of it is enough to see what for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self, *options: str) -> subprocess.CompletedProcess[str]:
        kept_out = ("MAKE", "KIND", "BAND_GAP_MV")
        return subprocess.run(
            [
                "make",
                "-C",
                str(FIRMWARE),
                f"BUILD={self.folder}",
                f"{self.folder}/label.o",
                *options,
            ],
            capture_output=True,
            text=True,
            check=False,
            env={
                name: value for name, value in os.environ.items() if not name.startswith(kept_out)
            },
        )

    def built_for(self, *options: str) -> str:
        """Return what the firmware says that it is."""
        made = self.make(*options)
        assert made.returncode == 0, made.stderr
        built = (self.folder / "label.o").read_bytes()
        return built[built.index(b"Boomboard ") :].split(b"\0")[0].decode()


@pytest.fixture
def builder(tmp_path: Path) -> Builder:
    return Builder(tmp_path / "build")


def test_it_is_for_a_board_with_colours_unless_told_otherwise(builder: Builder) -> None:
    assert builder.built_for() == f"Boomboard {VERSION} COLOURS 1100 mV"


def test_what_was_said_once_is_kept(builder: Builder) -> None:
    assert builder.built_for("KIND=PRESENCE") == f"Boomboard {VERSION} PRESENCE 1100 mV"
    assert builder.built_for("BAND_GAP_MV=1127") == f"Boomboard {VERSION} PRESENCE 1127 mV"
    assert builder.built_for() == f"Boomboard {VERSION} PRESENCE 1127 mV"
    assert builder.built_for("KIND=COLOURS") == f"Boomboard {VERSION} COLOURS 1127 mV"
    assert builder.built_for() == f"Boomboard {VERSION} COLOURS 1127 mV"


def test_it_is_kept_when_all_that_was_built_is_removed(builder: Builder) -> None:
    builder.built_for("KIND=PRESENCE")
    assert builder.make("clean").returncode == 0
    assert not builder.folder.exists()
    assert builder.built_for() == f"Boomboard {VERSION} PRESENCE 1100 mV"


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("KIND=presence", "say KIND=COLOURS or KIND=PRESENCE"),
        ("BAND_GAP_MV=5.02", "a chip has 1000 to 1200"),
        ("BAND_GAP_MV=", "a chip has 1000 to 1200"),
    ],
)
def test_what_cannot_be_is_refused_and_not_kept(
    builder: Builder, option: str, complaint: str
) -> None:
    refused = builder.make(option)
    assert refused.returncode != 0
    assert complaint in refused.stderr
    assert builder.built_for() == f"Boomboard {VERSION} COLOURS 1100 mV"
