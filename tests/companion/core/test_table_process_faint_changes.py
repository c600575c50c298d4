"""Faint squares, and the times of changes, in the input lines of the table process."""

from tests.companion.core.game_lines import LONG, GameLines, clash

FRAME = 0.02


def lifted(first: str, second: str) -> GameLines:
    """Return a game in which e5 and e6 are lifted within one frame. Either may be the attacker."""
    lines = clash()
    for name in (first, second):
        lines.put(name, ".")
    lines.at += FRAME
    moments = {first: lines.at - 0.017, second: lines.at - 0.009}
    lines.give(board=lines.board, moments=moments)
    lines.at += LONG
    lines.give(time=True)
    return lines


def test_first_lifted_piece_attacks() -> None:
    assert lifted("e5", "e6").last["state"] == "attack-open"
    assert lifted("e6", "e5").last["state"] == "who-attacks"


def test_repeated_faint_change_is_accepted() -> None:
    lines = GameLines.begun()
    lines.lift("e4")
    lines.put("e5", "r")
    plies = []
    for _ in range(8):
        lines.at += FRAME
        plies.append(lines.give(board=lines.board, faint=["e5"])["plies"])
    assert plies[:5] == [0] * 5
    assert plies[-1] == 1


def test_single_faint_change_is_ignored() -> None:
    lines = GameLines.begun()
    lines.lift("e4")
    shown = lines.board
    lines.put("e5", "r")
    lines.give(board=lines.board, faint=["e5"])
    lines.at += FRAME
    lines.give(board=shown)
    lines.at += LONG
    assert lines.give(time=True)["plies"] == 0
