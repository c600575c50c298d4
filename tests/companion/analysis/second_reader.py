"""Second reader: uses the second referee to check the English sentences of a review.

The second reader replays a game and derives what an observer could know. The reader must be able to
parse every sentence, and each sentence must be true of the position that it describes.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isclose

from companion.analysis.game_review import GameReview
from companion.analysis.moments import Moment, review_bluffs
from companion.speech.i18n import Language
from companion.speech.review_texts import ReviewWords
from engine.board.geometry import Side, name, square, squares_in
from engine.game.actions import Action, AdoptBoard, Amend, AnswerStalemate, Attack, Infiltrate, Move
from engine.game.rulings import BoardAdopted
from engine.records.transcript import Transcript
from engine.rules.editions import MovedBombPenalty
from tests.engine.tables import Setup
from tests.reference import Piece, ReferenceGame, fight

Reader = Callable[["Scene", re.Match[str]], None]


@dataclass
class Scene:
    """A position as the second referee knows it, and the context set by earlier sentences."""

    game: ReferenceGame
    played: tuple[str, str] | None
    """The move or attack made in this position, or None for any other action."""
    attacker: str = ""
    """Rank of the attacker; empty until a sentence states it, and for a guess."""
    target: str = ""
    """Square of the piece that the sentences are about."""
    known: dict[str, dict[Piece, set[str]]] = field(default_factory=dict)

    @property
    def piece(self) -> Piece:
        return self.game.standing[self.target]

    def possible(self, piece: Piece) -> set[str]:
        """Return the ranks that the opponent must consider possible."""
        if piece.side not in self.known:
            self.known[piece.side] = self.game.possible(piece.side)
        return self.known[piece.side][piece]

    def beaten(self) -> set[str]:
        """Return the possible ranks of the target that the attacker would beat."""
        advantage = self.game.aggressor_advantage
        return {
            rank
            for rank in self.possible(self.piece)
            if fight(self.attacker, rank, advantage) == "attacker"
        }

    def certain_attacks(self) -> Iterator[tuple[str, str]]:
        """Yield the legal attacks that are certain to win."""
        for source, target in self.game.legal_moves():
            if target in self.game.standing:
                self.attacker, self.target = self.game.standing[source].rank, target
                if self.beaten() == self.possible(self.piece):
                    yield source, target


def read_ranks(text: str) -> set[str]:
    """Parse a list of ranks, such as “the flag, a miner or a bomb”."""
    return {each.split()[-1] for each in re.split(", | or ", text)}


def _about(scene: Scene, found: re.Match[str]) -> set[str]:
    scene.target = found["square"]
    assert scene.piece.side == found["side"].lower()
    return scene.possible(scene.piece)


def _could_only_be(scene: Scene, found: re.Match[str]) -> None:
    assert _about(scene, found) == read_ranks(found["ranks"])


def _could_not_be(scene: Scene, found: re.Match[str]) -> None:
    army = {piece.rank for piece in scene.game.knowledge.armies[found["side"].lower()]}
    assert _about(scene, found) == army - read_ranks(found["ranks"])


def _count_of_ranks(scene: Scene, found: re.Match[str]) -> None:
    assert len(_about(scene, found)) == int(found["count"])


def _nothing_known(scene: Scene, found: re.Match[str]) -> None:
    assert _about(scene, found) == {x.rank for x in scene.game.knowledge.armies[scene.piece.side]}


def _had_moved(scene: Scene, _found: re.Match[str]) -> None:
    assert not scene.game.facts[scene.piece] & {"flag", "bomb"}


def _had_moved_far(scene: Scene, _found: re.Match[str]) -> None:
    assert scene.game.facts[scene.piece] == {"scout"}


def _others_known(scene: Scene, _found: re.Match[str]) -> None:
    army, facts = scene.game.knowledge.armies[scene.piece.side], scene.game.facts
    ranks = {piece.rank for piece in army} - scene.possible(scene.piece)
    for rank in ranks & facts[scene.piece]:
        certain = [piece for piece in army if facts[piece] == {rank}]
        assert len(certain) == sum(piece.rank == rank for piece in army)


def _last_of_its_ranks(scene: Scene, found: re.Match[str]) -> None:
    army, facts = scene.game.knowledge.armies[scene.piece.side], scene.game.facts
    ranks = scene.possible(scene.piece)
    may_be = [x for x in army if facts[x] & ranks and len(facts[x]) > 1]
    left = [x for x in army if x.rank in ranks and len(facts[x]) > 1]
    count = int(found["count"]) if "count" in found.groupdict() else 1
    assert len(may_be) == len(left) == count
    assert scene.piece in may_be


def _attacked(scene: Scene, found: re.Match[str]) -> None:
    assert scene.played is not None
    source, target = scene.played
    assert target == scene.target
    attacker = scene.game.standing[source]
    assert (attacker.side, attacker.rank) == (found["side"].lower(), found["rank"])
    scene.attacker = attacker.rank


def _guessed(scene: Scene, found: re.Match[str]) -> None:
    assert scene.played is None
    assert scene.game.to_move == found["side"].lower()
    _it_was(scene, found)


def _beats_some(scene: Scene, found: re.Match[str]) -> None:
    assert scene.attacker == found["rank"]
    assert len(scene.beaten()) == int(found["count"])
    assert len(scene.possible(scene.piece)) == int(found["total"])


def _beats_all(scene: Scene, _found: re.Match[str]) -> None:
    assert scene.beaten() == scene.possible(scene.piece)


def _beats_none(scene: Scene, _found: re.Match[str]) -> None:
    assert not scene.beaten()


def _it_was(scene: Scene, found: re.Match[str]) -> None:
    assert scene.piece.rank == found["rank"]


def _result(expected: str) -> Reader:
    def check(scene: Scene, found: re.Match[str]) -> None:
        if "rank" in found.groupdict():
            _it_was(scene, found)
        if "own" in found.groupdict():
            assert scene.attacker == found["own"]
        if not scene.attacker:
            assert expected == "attacker", "the review contains only right guesses"
            return
        remains = fight(scene.attacker, scene.piece.rank, scene.game.aggressor_advantage)
        assert remains == expected

    return check


def _boom(scene: Scene, _found: re.Match[str]) -> None:
    assert scene.piece.rank == "bomb"


def _could_have(scene: Scene, found: re.Match[str]) -> None:
    assert scene.game.to_move == found["side"].lower()
    scene.attacker = found["rank"]
    ways = [
        (source, target) for source, target in scene.game.legal_moves() if target == scene.target
    ]
    assert found["rank"] in {scene.game.standing[source].rank for source, _ in ways}
    assert scene.beaten() == scene.possible(scene.piece)
    assert scene.played is None or scene.played[1] != scene.target


def _never_revealed(scene: Scene, _found: re.Match[str]) -> None:
    assert len(scene.possible(scene.piece)) == 1


def _nothing(_scene: Scene, _found: re.Match[str]) -> None:
    pass


_PIECE = r"(?P<side>Red|Blue)'s piece on (?P<square>\w+)"
_RANK = r"(?:an?|the) (?P<rank>\w+)"
SENTENCES: list[tuple[str, Reader]] = [
    (rf"Nothing was known about {_PIECE}\.", _nothing_known),
    (rf"{_PIECE} could only be (?P<ranks>.+)\.", _could_only_be),
    (rf"{_PIECE} could be anything except (?P<ranks>.+)\.", _could_not_be),
    (rf"{_PIECE} could have (?P<count>\d+) different ranks\.", _count_of_ranks),
    (rf"{_PIECE} had just been revealed: (?P<ranks>.+)\.", _could_only_be),
    (rf"{_PIECE} had been revealed \d+ moves earlier: (?P<ranks>.+)\.", _could_only_be),
    (r"It had moved more than one square\.", _had_moved_far),
    (r"It had moved, and all pieces of the other ranks were known\.", _had_moved),
    (r"It had moved, and all pieces of the other ranks were known\.", _others_known),
    (r"All pieces of the other ranks were known\.", _others_known),
    (r"No other piece of (Red|Blue) could be it\.", _last_of_its_ranks),
    (
        r"There were (?P<count>\d+) of these left to find, and only (?P=count) pieces of "
        r"(Red|Blue) could be one\.",
        _last_of_its_ranks,
    ),
    (rf"(?P<side>Red|Blue) attacked it with {_RANK}\.", _attacked),
    (r"(?P<side>Red|Blue) guessed: (?P<rank>\w+)\.", _guessed),
    (r"The (?P<rank>\w+) beats (?P<count>\d+) of the (?P<total>\d+) possible ranks\.", _beats_some),
    (r"The \w+ beats all of the possible ranks(, so the attack could not fail)?\.", _beats_all),
    (r"The \w+ beats none of the possible ranks\.", _beats_none),
    (r"The attack could not fail\.", _beats_all),
    (r"The attack could not succeed\.", _beats_none),
    (rf"It was {_RANK}, and it was captured\.", _result("attacker")),
    (rf"It was {_RANK}, and the (?P<own>\w+) was lost\.", _result("defender")),
    (rf"It was {_RANK}, and both pieces were lost\.", _result("nobody")),
    (rf"It was {_RANK}, and the game was won\.", _result("attacker")),
    (r"The (?P<own>\w+) was lost\.", _result("defender")),
    (r"Both pieces were lost\.", _result("nobody")),
    (r"It won, and its rank was never shown\.", _result("defender")),
    (r"Boom!", _boom),
    (
        r"(In \d+ turns in a row )?(?P<side>Red|Blue) could have captured it with "
        rf"{_RANK}, but made (another move|other moves)\.",
        _could_have,
    ),
    (r"The attack would have won the game\.", _nothing),
    (rf"It was {_RANK}\.", _it_was),
    (r"It had never been revealed\.", _never_revealed),
]


def check_sentences(scene: Scene, text: str) -> None:
    """Check that every sentence about a moment of the game can be parsed and is true."""
    for sentence in re.findall(r"[^.!]+[.!]", text):
        fitting = [
            (found, check)
            for pattern, check in SENTENCES
            if (found := re.fullmatch(pattern, sentence.strip()))
        ]
        assert fitting, f"no pattern matches: {sentence}"
        for found, check in fitting:
            try:
                check(scene, found)
            except AssertionError as error:
                raise AssertionError(f"false: {sentence} in: {text}\n{error}") from error


def check_review(transcript: Transcript, setup: Setup) -> int:
    """Check every finding about a game. Return the number of positions checked."""
    review = GameReview(transcript)
    moments: defaultdict[int, list[Moment]] = defaultdict(list)
    for attack in review.attacks:
        moments[attack.ply - 1].append(attack)
    for guess in review.guesses:
        moments[guess.ply - 1].append(guess)
    for missed in review.missed_attacks:
        moments[missed.ply - 1].append(missed)
    for deduced in review.deduced_ranks:
        moments[deduced.ply].append(deduced)
    words = ReviewWords(Language("en"), transcript.edition)
    game, curves = _begin(transcript, setup), review_bluffs(review) if review.turns else {}
    for action in [*_turns(transcript), None]:
        plies = game.earlier + len(game.plies)
        scene = Scene(game, _way(action))
        for moment in moments.pop(plies, []):
            check_sentences(scene, words.moment(moment))
        if scene.known:
            for side, bluff in curves.items():
                counts = [len(scene.possible(x)) for x in _standing(game, side)]
                assert isclose(bluff.curve[plies], sum(counts) / len(counts) if counts else 1)
            _check_missed(scene, review, plies)
        if action is None or game.ending:
            break
        _play(game, action)
    # The only purpose of a move may be to prove that the side can move. Such a move is not
    # replayed.
    is_shown = any(isinstance(action, AnswerStalemate) for action in transcript.referee().in_force)
    assert is_shown or not moments, (
        f"sentences about positions that the second referee has not reached: {[*moments]}"
    )
    made = len(review.attacks) + len(review.guesses)
    return made + len(review.missed_attacks) + len(review.deduced_ranks)


def _check_missed(scene: Scene, review: GameReview, plies: int) -> None:
    """Check that the review lists every missed attack that would certainly have won."""
    if scene.game.ending or scene.played is None:
        return
    position = next(position for position in review.positions if position.plies == plies)
    later = {attack.target.piece for attack in review.attacks if attack.ply > plies}
    # Adopting a board counts as a ply and may give one side two turns in a row.
    is_adopted = any(isinstance(turn.made, BoardAdopted) for turn in review.turns)
    for source, target in scene.certain_attacks():
        piece, attacked = (position.pieces[square(place)] for place in (source, target))
        if attacked in later or review.rank(piece) is None:
            continue
        assert any(
            missed.ply - 1 <= plies
            and (is_adopted or plies < missed.ply - 1 + 2 * missed.turns)
            and (missed.piece, missed.target.piece) == (piece, attacked)
            for missed in review.missed_attacks
        ), f"missed after ply {plies}: {source} takes {target}"


def _standing(game: ReferenceGame, side: Side) -> list[Piece]:
    return [piece for piece in game.standing.values() if piece.side == side.value]


def _begin(transcript: Transcript, setup: Setup) -> ReferenceGame:
    edition = transcript.edition
    return ReferenceGame.by(
        edition.id,
        setup.reference_game(edition.two_squares_limit).standing,
        edition.two_squares_limit,
        moved_bomb_loses=edition.moved_bomb is MovedBombPenalty.LOSES,
        silent_defence=edition.silent_defence,
        aggressor_advantage=edition.aggressor_advantage,
    )


def _turns(transcript: Transcript) -> Iterator[Action]:
    for action in transcript.referee().in_force:
        if isinstance(action, Move | Attack | Infiltrate | AdoptBoard):
            yield action
        assert not isinstance(action, Amend)


def _way(action: Action | None) -> tuple[str, str] | None:
    if isinstance(action, Move | Attack):
        return name(action.source), name(action.target)
    return None


def _play(game: ReferenceGame, action: Action) -> None:
    match action:
        case Move() | Attack():
            game.play(name(action.source), name(action.target))
        case Infiltrate():
            game.infiltrate(name(action.source), name(action.target), action.guess.name.lower())
        case AdoptBoard():
            shifted = {name(each.source): name(each.target) for each in action.shifted}
            removed = {name(place) for place in squares_in(action.removed)}
            game.accept_board(shifted, removed, action.to_move.value)
