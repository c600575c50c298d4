"""Measure how well the camera recognizes rendered games: ``python -m tests.camera --games 84
--plies 24``."""

import argparse
import sys

from tests.camera.test_rendered_games import play_games


def main() -> int:
    """Play the games and print the score. Returns 1 if any ruling was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--plies", type=int, default=24)
    options = parser.parse_args()
    score = play_games(options.games, options.plies)
    print("\n".join([str(score), *score.wrong, *score.missed]))
    return int(bool(score.wrong))


if __name__ == "__main__":
    sys.exit(main())
