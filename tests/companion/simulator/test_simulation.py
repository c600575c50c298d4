"""The simulated board sends the same images, timestamps and faint readings as a real one."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.core.game_context import Step
from companion.core.inputs import BoardSeen, Input
from companion.session.session import Session
from companion.simulator.simulation import BoardRig
from companion.storage.journal import Journal
from engine.board.geometry import Side, square
from engine.rules.editions import DEFAULT
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import ResetCause

A4, E4, E5 = square("a4"), square("e4"), square("e5")


def frames(monkeypatch: pytest.MonkeyPatch) -> list[BoardSeen]:
    """Return a list to which all subsequent frames of a session are added."""
    seen: list[BoardSeen] = []
    handle = Session.handle

    def record(session: Session, given: Input) -> Step:
        if isinstance(given, BoardSeen):
            seen.append(given)
        return handle(session, given)

    monkeypatch.setattr(Session, "handle", record)
    return seen


def test_frame_fields_reach_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, pieces = frames(monkeypatch), SimulatedBoard()
    pieces.stand(Side.RED, E4)
    pieces.stand(Side.RED, A4, magnet=0.19)
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        port, session = SimulatedPort(pieces), Session.begin(journal, DEFAULT, 1)
        with BoardRig(session, pieces, port) as board:
            board.pass_time(100)
            assert [each.moments for each in seen] == [()] * 5, (
                "pieces present at the start have no change time"
            )
            assert {each.faint for each in seen} == {1 << A4}
            board.pass_time(4)
            piece = pieces.lift(E4)
            board.pass_time(9)
            pieces.place(piece, E5)
            board.pass_time(87)
            moments = [dict(each.moments) for each in seen[5:]]
            assert moments == [pytest.approx({E4: 0.104, E5: 0.113}), {}, {}, {}, {}]
            port.restart(ResetCause.WATCHDOG)
            board.pass_time(40)
            assert [each.moments for each in seen[10:]] == [(), ()], (
                "a restarted board has no change times"
            )
