"""Check the computer's seals with an independent reader of transcripts."""

import json
from typing import Any

from engine.board.geometry import Side, squares_in
from engine.game.actions import Declare, OpenArmy
from engine.records.record_files import write_transcript
from engine.records.transcript import transcribe
from tests.companion.ui.driver import Driver
from tests.engine.reference_commitments import check_seals


def check_proof(driver: Driver) -> None:
    table = driver.app.presenter.table
    actions = table.referee.actions
    (proof,) = [action for action in actions if isinstance(action, OpenArmy)]
    assert proof.side is Side.BLUE
    timed = ((float(n), action) for n, action in enumerate(actions))
    written: dict[str, Any] = json.loads(write_transcript(transcribe(table.view.edition, timed)))
    findings = check_seals(written)
    assert not findings.complaints
    assert findings.looked_at["prove-army"] == 1
    declared = [each for each in actions if isinstance(each, Declare)]
    assert findings.looked_at["declare"] == len(declared)
    faces = driver.find("board").ranks
    assert set(squares_in(table.view.board.blue)) <= faces.keys(), "the proved army is shown"
