"""Which of all actions of the engine occurred in games, and how often."""

from collections import Counter
from collections.abc import Iterable, Mapping

from engine.games.notation import WORDS, write_action
from engine.play.actions import Action


def count_actions(actions: Iterable[Action]) -> dict[str, int]:
    """Count actions by their words, in the order in which the notation has them."""
    counted = Counter(write_action(action)["do"] for action in actions)
    return {word: counted[word] for word in WORDS if counted[word]}


def add_up(games: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Add up the counts of several games."""
    total = Counter[str]()
    for counts in games:
        total.update(counts)
    return {word: total[word] for word in WORDS if total[word]}


def find_missing(counts: Mapping[str, int]) -> list[str]:
    """List the words of the actions that never occurred."""
    return [word for word in WORDS if not counts.get(word)]


def tell_coverage(games: int, counts: Mapping[str, int]) -> str:
    """Say how often each action occurred in some games, and which never did."""
    occurred = ", ".join(f"{word} {times}" for word, times in counts.items())
    missing = ", ".join(find_missing(counts))
    never = f"never: {missing}" if missing else "every action occurred"
    return f"{games} games: {occurred}; {never}"
