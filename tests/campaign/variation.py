"""Plays games with simulated hands, varying the recognition limits.

Usage: ``python -m tests.campaign.variation``. The figures in the docstrings of the limits were
measured with this script. It begins with games under the usual limits, for comparison.
"""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from companion.core.recognition_limits import LIMITS
from engine.rules.editions import DEFAULT
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tests.hands.match import PLIES_A_GAME
from tests.hands.profiles import PROFILES
from tests.hands.runner import TABLE, Campaign
from tests.hands.score import Score, spread

_OWNERS: Final = {each.name: owner for owner in (LIMITS, SENSING_LIMITS) for each in fields(owner)}
COUNTED: Final = ("plies", "wrong", "silent", "missed", "complaints", "amended", "questions")


def play(profile: str, plies: int, seed: int, changed: Mapping[str, float]) -> Score:
    usual = {name: vars(_OWNERS[name])[name] for name in changed}
    try:
        for name, value in changed.items():
            vars(_OWNERS[name])[name] = value
        campaign = Campaign(profile, TABLE, DEFAULT, seed, min(plies, PLIES_A_GAME))
        return campaign.run(plies, jobs=1, progress=lambda _: None)
    finally:
        for name, value in usual.items():
            vars(_OWNERS[name])[name] = value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profile", choices=PROFILES)
    parser.add_argument("limits", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--plies", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    for limit in ("", *options.limits):
        name, _, value = limit.partition("=")
        score = play(
            options.profile, options.plies, options.seed, {name: float(value)} if name else {}
        )
        found = ", ".join(f"{each} {getattr(score, each)}" for each in COUNTED)
        sys.stdout.write(f"{limit or 'usual'}: {found}, ruled {spread(score.ruled_ms)}\n")


if __name__ == "__main__":
    main()
