"""The story of a finished game: three moments with their positions, and how well both bluffed.

It reveals ranks, so it must not be shown during the game.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.analysis.bluff import review_bluffs
from companion.analysis.game_review import AttackReview, DeducedRank, GameReview
from companion.analysis.moments import Moment, all_moments, choose_moments
from companion.reports.replay import ReplayPage, Snapshot, replay
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language
from companion.speech.review_texts import ReviewWords
from companion.speech.small_texts import handicap_text
from engine.board.geometry import Side, Square
from engine.board.ranks import Rank
from engine.records.transcript import Transcript


@dataclass(frozen=True)
class StoryMoment:
    """One moment of the game."""

    ply: int
    """Number of plies before the moment: the position to which the text belongs."""
    text: str
    side: Side
    """The side that could have known it."""
    way: tuple[Square, Square] | None
    """The squares of the attack that was or could have been made; None without an attack."""


@dataclass(frozen=True)
class Story:
    """The story of one game."""

    pages: list[ReplayPage]
    """All positions of the game, by the number of plies before them."""
    moments: list[StoryMoment]
    """At most three moments, in order."""
    closing: list[str]
    """Paragraphs about the whole game."""

    def ranks(self, ply: int, side: Side) -> Mapping[Square, Rank]:
        """Return the ranks that a side could know in a position: its own and the proved ones."""
        page = self.pages[ply]
        own = {
            square: rank
            for square, (owner, rank) in page.seen.pieces.items()
            if owner is side and rank is not None
        }
        return {**own, **page.known}

    def view(self, moment: StoryMoment) -> Snapshot:
        """Return the position of a moment, with the ranks that its side could know."""
        ranks, pieces = self.ranks(moment.ply, moment.side), self.pages[moment.ply].seen.pieces
        known = {square: (side, ranks.get(square)) for square, (side, _) in pieces.items()}
        return Snapshot(known, moment.way)


def tell_story(transcript: Transcript, announcer: Announcer) -> Story:
    """Return the story of a game; ValueError if it is not over."""
    review, words = GameReview(transcript), ReviewWords(announcer.language)
    moments = [_moment(found, words) for found in choose_moments(review)]
    closing = [*_closing(review, words, is_told=bool(moments))]
    return Story(replay(transcript, announcer), moments, closing)


def review_paragraphs(
    transcript: Transcript, language: Language, *, whole: bool = False
) -> Iterator[str]:
    """Yield the paragraphs of the story; ValueError if the game is not over.

    A `whole` review has all moments of the game instead of three.
    """
    review, words = GameReview(transcript), ReviewWords(language)
    moments = all_moments(review) if whole else choose_moments(review)
    for found in moments:
        ply = language.text(N_("ply {ply}"), ply=found.ply)
        yield f"{ply}: {words.moment(found)}"
    yield from _closing(review, words, is_told=bool(moments))


def _moment(found: Moment, words: ReviewWords) -> StoryMoment:
    text = words.moment(found)
    if isinstance(found, DeducedRank):
        return StoryMoment(found.ply, text, found.target.side.other, None)
    source = found.combat.source if isinstance(found, AttackReview) else found.source
    way = source, found.target.square
    return StoryMoment(found.ply - 1, text, found.target.side.other, way)


def _closing(review: GameReview, words: ReviewWords, *, is_told: bool) -> Iterator[str]:
    """Yield the paragraphs about the whole game; `is_told` is False if it has no moments."""
    if review.edition.handicap:
        yield handicap_text(review.edition.handicap, words.language)
    if not is_told:
        yield words.nothing()
    if not review.turns:
        return
    yield from map(words.bluff, review_bluffs(review).values())
    yield words.chances(review)
    if gaps := words.gaps(review):
        yield gaps
