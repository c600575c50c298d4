"""Three facts about a finished game. None reveals a rank, as its end may be taken back."""

from collections.abc import Iterable

from companion.speech.language import N_, Language
from engine.board.geometry import Side
from engine.game.actions import Action, Attack, Infiltrate, Move
from engine.game.views import PublicView


def facts(view: PublicView, actions: Iterable[Action], language: Language) -> list[str]:
    """Return the length of a game, both sides' losses, and the longest time without an attack."""
    lost = {side.value: len(view.captured[side]) + view.unshown[side] for side in Side}
    return [
        language.plural("{count} move or attack", "{count} moves and attacks", view.plies),
        language.text(N_("Pieces lost: Red {red}, Blue {blue}"), **lost),
        language.plural(
            "The longest peace: {count} move", "The longest peace: {count} moves", _peace(actions)
        ),
    ]


def _peace(actions: Iterable[Action]) -> int:
    """Return the largest number of consecutive moves without an attack."""
    longest = now = 0
    for action in actions:
        if isinstance(action, Attack | Infiltrate):
            now = 0
        now += isinstance(action, Move)
        longest = max(longest, now)
    return longest
