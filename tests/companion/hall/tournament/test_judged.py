"""Pairings, colours and standings, compared with another program's results for the same rounds.

The reference is py4swiss 0.3.1, whose authors have compared it with bbpPairings. It paired 383 of
392 rounds from 60 tournaments identically, including colours; some of these rounds are tested here.
In five of the other rounds, another player has the bye: py4swiss follows the Dutch system's rules
valid until January 2026, our engine the later rules.
"""

from pathlib import Path

import pytest

from companion.hall.tournament.pairing import pair
from companion.hall.tournament.tournament import Tournament, begin, fold
from companion.hall.tournament.trf import read_trf

_FILE = Path(__file__).with_name("judged.txt")
_CASES = _FILE.read_text(encoding="utf-8").split("\n\n")[1:]


def read_case(text: str) -> tuple[Tournament, list[tuple[int, int]]]:
    lines = text.splitlines()
    events = read_trf("\n".join(line for line in lines if not line.startswith("pair")))
    judged = [line.split()[1:] for line in lines if line.startswith("pair")]
    pairs = [(int(red), int(blue)) for red, blue in judged]
    return fold(begin(events[0]), events[1:]), pairs


@pytest.mark.parametrize("case", _CASES, ids=range(len(_CASES)))
def test_the_judge_pairs_the_same_at_the_same_tables(case: str) -> None:
    tournament, judged = read_case(case)
    paired = pair(tournament)
    ours = [*paired.games, *([(paired.bye, 0)] if paired.bye else [])]
    assert ours == judged
