"""Parses actions, ranks and boards for the library interface.

An action is a single line, as returned by ``str(action)``. A turn consists of two squares with a
symbol between them. Every other action consists of its name and its fields::

    a4-a5                       move
    a4xa7                       attack
    a8?a10=spy                  infiltration, with the guess
    declare red miner           uphold-declaration red miner; a salt may follow the rank
    settle-dispute yes          answer-guess no, answer-stalemate yes
    claim-stalemate             withdraw-attack, take-back, agree-draw, free-touched
    resign red                  break-seals blue, time-expired both, forfeit red
    amend a5-a6                 override a4-b5
    touch a4                    touch a4 yes, if the piece was carried off
    correct not-a-scout e4      correct rank-correction e4 miner, correct swap-correction e4 f4
    adopt-board blue e5-e6 k7   side to move, relocated pieces, removed pieces
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, runtime_checkable

from engine.board import NotationError, board_text
from engine.board.board import Piece
from engine.board.geometry import Side, Square, SquareSet, name, set_of, square
from engine.board.ranks import SYMBOLS, Rank, to_rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.rulings import Contradiction, CorrectionRefused, Ruling
from engine.rules.editions import EDITIONS, Edition

_TURN: Final = re.compile(r"([A-Za-z]\d+)([-x?])([A-Za-z]\d+)(?:=(\w+))?")
_ANSWERS: Final = {"yes": True, "no": False}
_SIDES: Final = {"r": Side.RED, "b": Side.BLUE}


@runtime_checkable
class Recorded(Protocol):
    """The parts of a recorded game that a referee needs."""

    @property
    def ranks(self) -> Mapping[Square, Rank]:
        """Rank of the piece set up on each square."""

    @property
    def red(self) -> SquareSet:
        """Squares on which the red army was set up."""

    @property
    def blue(self) -> SquareSet:
        """Squares on which the blue army was set up."""


def parse_action(text: str) -> actions.Action:
    """Parse an action from a line of text. Raises NotationError if it is malformed."""
    if not isinstance(text, str):
        raise NotationError("a line of text", text)
    word, *given = text.split() or [""]
    if read := _FORMS.get(word):
        action: actions.Action = read(_Words(word, given))
        return action
    if found := _TURN.fullmatch("".join([word, *given])):
        return _turn(found)
    known = ", ".join(_FORMS)
    raise NotationError(f"a turn such as a4-a5, a4xa7 or a8?a10=spy, or one of {known}", text)


class _Words:
    """The words of a line after the first word, which names the action."""

    def __init__(self, action: str, left: list[str]) -> None:
        self._action, self.left = action, left

    def __call__(self, *readers: Callable[[str], Any]) -> list[Any]:
        """Read one word with each reader. Raises NotationError if the number of words is wrong."""
        if len(self.left) != len(readers):
            number = len(readers)
            words = f"{number or 'no'} word{'' if number == 1 else 's'}"
            raise NotationError(f"{words} after {self._action!r}", len(self.left))
        return [read(word) for read, word in zip(readers, self.left, strict=True)]


def _turn(found: re.Match[str]) -> actions.Move | actions.Attack | actions.Infiltrate:
    source, sign, target, guess = found.groups()
    if (sign == "?") is (guess is None):
        raise NotationError("a guess after “?” and nowhere else, as in a8?a10=spy", found.group())
    ends = square(source.lower()), square(target.lower())
    if guess is not None:
        return actions.Infiltrate(*ends, guess)
    return actions.Move(*ends) if sign == "-" else actions.Attack(*ends)


def _way(text: str) -> tuple[Square, Square]:
    found = _TURN.fullmatch(text)
    if found is None or found[2] == "?":
        raise NotationError("two squares such as a4-a5", text)
    return square(found[1].lower()), square(found[3].lower())


def _one_of(known: Mapping[str, Any]) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        if text not in known:
            raise NotationError(" or ".join(known), text)
        return known[text]

    return read


_answer: Final = _one_of(_ANSWERS)
_side: Final = _one_of({side.value: side for side in Side})
_side_or_both: Final = _one_of({**{side.value: side for side in Side}, "both": None})


def _adopted(words: _Words) -> actions.AdoptBoard:
    """Read the side to move, the relocated pieces, and the squares of the removed pieces."""
    side, *places = words.left or [""]
    shifted = tuple(actions.Relocation(*_way(each)) for each in places if "-" in each)
    removed = set_of(square(each) for each in places if "-" not in each)
    return actions.AdoptBoard(shifted, removed, _side(side))


def _secret_rank(text: str) -> Rank:
    """Parse a rank. The error does not quote it, because even a mistyped rank is secret."""
    try:
        return to_rank(text)
    except NotationError as error:
        raise NotationError(error.expected, "another word") from None


def _declared(
    kind: type[actions.Declare] | type[actions.UpholdDeclaration],
) -> Callable[[_Words], actions.Action]:
    def read(words: _Words) -> actions.Action:
        readers = (_side, _secret_rank, str)[: max(2, len(words.left))]
        side, declared, *salt = words(*readers)
        return kind(Secret(side, declared), *(Secret(side, each) for each in salt))

    return read


def _corrected(words: _Words) -> actions.Correct:
    kind, *given = words.left or [""]
    return actions.Correct(
        _one_of(_MISTAKES)(kind)(*_Words(kind, given)(*_FIELDS[_MISTAKES[kind]]))
    )


def _reader(kind: type) -> Callable[[_Words], Any]:
    return lambda words: kind(*words(*_FIELDS[kind]))


_FIELDS: Final[Mapping[type, tuple[Callable[[str], Any], ...]]] = {
    actions.RankCorrection: (square, to_rank),
    actions.SwapCorrection: (square, square),
    actions.NotAScout: (square,),
    actions.SettleDispute: (_answer,),
    actions.AnswerGuess: (_answer,),
    actions.AnswerStalemate: (_answer,),
    actions.ClaimStalemate: (),
    actions.WithdrawAttack: (),
    actions.TakeBack: (),
    actions.AgreeDraw: (),
    actions.FreeTouched: (),
    actions.Resign: (_side,),
    actions.BreakSeals: (_side,),
    actions.TimeExpired: (_side_or_both,),
    actions.Forfeit: (_side_or_both,),
}
"""Parsers for the words of an action, in the order of its fields."""
_MISTAKES: Final = {
    actions.word_of(kind): kind
    for kind in (actions.RankCorrection, actions.SwapCorrection, actions.NotAScout)
}
_FORMS: Final[Mapping[str, Callable[[_Words], Any]]] = {
    **{actions.word_of(kind): _reader(kind) for kind in _FIELDS if kind not in _MISTAKES.values()},
    **{
        actions.word_of(kind): _declared(kind)
        for kind in (actions.Declare, actions.UpholdDeclaration)
    },
    actions.word_of(actions.Amend): lambda words: actions.Amend(*words(_way)[0]),
    actions.word_of(actions.Override): lambda words: actions.Override(*words(_way)[0]),
    actions.word_of(actions.Touch): lambda words: actions.Touch(
        *words(*(square, _answer)[: max(1, len(words.left))])
    ),
    actions.word_of(actions.Correct): _corrected,
    actions.word_of(actions.AdoptBoard): _adopted,
}


def edition(chosen: Edition | str, army: str | None) -> Edition:
    """Look up an edition by its id, and choose one of its armies.

    Raises NotationError if the id or the army is unknown.
    """
    if isinstance(chosen, str):
        if chosen not in EDITIONS:
            raise NotationError(f"an edition: {', '.join(EDITIONS)}", chosen)
        chosen = EDITIONS[chosen]
    if not isinstance(chosen, Edition):
        raise NotationError("an edition or its id", chosen)
    return chosen.with_army(army) if army else chosen


def armies(picture: str) -> tuple[list[SquareSet], dict[Piece, Rank]]:
    """Parse a board diagram into the squares of both armies and the ranks that it shows."""
    places: dict[Side, list[Square]] = {side: [] for side in Side}
    known = {}
    for place, token in board_text.read(picture).items():
        if token[0] not in _SIDES or token[1:] not in {*SYMBOLS, "?"}:
            raise NotationError("a piece such as r10, bB or r?", token, name(place))
        places[_SIDES[token[0]]].append(place)
        if token[1:] != "?":
            known[place] = SYMBOLS[token[1:]]
    return [set_of(squares) for squares in places.values()], known


def refusal_text(ruling: Ruling) -> str:
    """Return a sentence that explains to developers why an action was refused."""
    if not isinstance(ruling, Contradiction | CorrectionRefused):
        return str(ruling)
    proof = ruling.proof
    ply = f", at ply {proof.ply}" if proof.ply else ""
    rank = proof.rank.name.lower()
    return f"this piece cannot be the {rank} ({proof.ground.word}{ply}) – {ruling.citation}"
