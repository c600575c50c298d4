"""Plant forbidden imports in a copy of the packages. The layer contracts must detect each one."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.project import PACKAGES, ROOT

# Each entry consists of a contract, a file, and a forbidden line to add.
PLANTS = [
    ("layers", "engine/board/board.py", "import firmware_bridge"),
    ("layers", "firmware_bridge/wire/frames.py", "import companion.core"),
    ("rooms", "engine/board/geometry.py", "import engine.rules.rules"),
    ("rooms", "engine/board/ranks.py", "import engine.deduction.commitment"),
    ("rooms", "engine/board/board.py", "from engine.deduction import possible_ranks as proofs"),
    ("rooms", "engine/deduction/possible_ranks.py", "import engine.game.position"),
    ("rooms", "engine/game/referee.py", "from engine.records import record"),
    ("geometry", "firmware_bridge/image.py", "import engine.game.referee"),
    ("geometry", "firmware_bridge/image.py", "from engine.board import ranks"),
    ("pure-engine", "engine/game/referee.py", "import time"),
    ("pure-engine", "engine/game/referee.py", "from os import path"),
    ("pure-engine", "engine/records/record.py", "from pathlib import Path"),
    ("pettingzoo", "engine/game/position.py", "import numpy"),
    ("pettingzoo", "companion/core/table.py", "import engine.pettingzoo_env"),
    ("records-read-xml", "engine/board/board.py", "import defusedxml.ElementTree"),
    ("records-read-xml", "engine/records/record_files.py", "import xml.sax"),
    ("repeatable-table", "companion/core/table.py", "import sqlite3"),
    ("repeatable-table", "companion/core/recovery.py", "import time"),
    ("repeatable-table", "firmware_bridge/image.py", "import threading"),
    ("opponent", "companion/opponent/knowledge.py", "import companion.core.table"),
    ("opponent", "companion/opponent/computer_player.py", "import time"),
    ("companion-layers", "companion/storage/journal.py", "import companion.session.session"),
    ("companion-layers", "companion/core/table.py", "import companion.jsonl.requests"),
    ("companion-layers", "companion/web/security.py", "import companion.pads"),
    ("pads", "companion/pads/pad_feed.py", "import companion.ui.base.presenter"),
    ("camera", "companion/devices/live_board.py", "import cv2"),
    ("web", "companion/pads/pad_hub.py", "import starlette.requests"),
    ("hall", "companion/hall/protocol/messages.py", "import companion.hall.server.store"),
    ("hall", "companion/hall/publisher/uplink.py", "import companion.hall.console.pages"),
    ("tournament", "companion/hall/tournament/tournament.py", "import time"),
    ("tournament", "companion/hall/tournament/tournament.py", "import random"),
    ("openings", "companion/setups/openings_file.py", "import companion.ui.base.presenter"),
    ("openings", "companion/setups/openings_file.py", "import companion.core"),
    ("maintenance", "companion/diagnostics/report.py", "import companion.commands"),
    ("maintenance", "companion/diagnostics/board_monitor.py", "import argparse"),
    ("screens", "companion/ui/base/presenter.py", "import companion.ui.dialogs.menus"),
    ("screens", "companion/ui/widgets/captured_pieces.py", "import companion.ui.base.presenter"),
    ("kivy", "companion/core/table.py", "from kivy.clock import Clock"),
    ("serial", "firmware_bridge/wire/frames.py", "import serial.tools.list_ports"),
    ("gpiozero", "firmware_bridge/wire/frames.py", "from gpiozero import LED"),
]

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {each["id"]: each["name"] for each in PROJECT["tool"]["importlinter"]["contracts"]}


def lint(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = str(Path(sys.executable).with_name("lint-imports"))
    return subprocess.run(
        [command, "--no-logo", "--no-cache", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the Python files and the contracts."""
    for package in PACKAGES:
        for source in (ROOT / package).rglob("*.py"):
            target = tmp_path / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    return tmp_path


def section(report: str, contract: str) -> str:
    """Return the report's section about a broken contract."""
    _, _, after = report.partition(f"{contract}\n{'-' * len(contract)}\n")
    return re.split(r"^-+$", after, maxsplit=1, flags=re.MULTILINE)[0]


def test_contracts_have_planted_violations() -> None:
    assert set(CONTRACTS) == {plant[0] for plant in PLANTS}


def test_forbidden_imports_break_their_contracts(copy: Path) -> None:
    for _, file, line in PLANTS:
        with (copy / file).open("a", encoding="utf-8") as spoiled:
            spoiled.write(f"\n{line}\n")

    result = lint(copy)

    assert result.returncode == 1, result.stdout + result.stderr
    planted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for contract, file, _ in PLANTS:
        planted[contract][file.removesuffix(".py").replace("/", ".")] += 1
    for contract, modules in planted.items():
        report = section(result.stdout, CONTRACTS[contract])
        assert modules <= Counter(re.findall(r"(\S+) -> \S+ \(l\.", report)), report


def test_the_link_may_open_the_serial_port(copy: Path) -> None:
    with (copy / "firmware_bridge/link/ports.py").open("a", encoding="utf-8") as link:
        link.write("\nimport serial\n")

    result = lint(copy, "--contract", "serial")

    assert result.returncode == 0, result.stdout + result.stderr
