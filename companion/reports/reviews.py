"""Reviews of finished games: the story of one game, and the book of evenings.

A story shows three moments with their positions, and how well both players bluffed. The book shows
results, the longest march of a scout, and the most feared piece. The book is not stored but derived
from the finished games in the journal, so deleting the book means deleting these games. Stories and
the book reveal ranks, so they must not be shown during a game.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

from babel.dates import format_date

from companion.analysis.game_review import (
    AttackReview,
    DeducedRank,
    GameReview,
    GuessReview,
    MissedAttack,
)
from companion.analysis.moments import Moment, all_moments, choose_moments, review_bluffs
from companion.reports.replay import ReplayPage, Snapshot, replay
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language
from companion.speech.review_texts import ReviewWords
from companion.speech.small_texts import handicap_text
from companion.storage.errors import JournalError, StorageError
from companion.storage.game_rows import GameSummary, PlayerNames
from companion.storage.journal import Journal
from engine.board.board import Piece
from engine.board.geometry import WIDTH, Side, Square, name
from engine.board.ranks import Rank
from engine.game.rulings import Combat, Moved
from engine.records.transcript import Transcript


@dataclass(frozen=True)
class StoryMoment:
    """A moment of the game that is worth looking back on."""

    ply: int
    """Number of plies before the moment. The text refers to the position after these plies."""
    text: str
    side: Side
    """The side that could have known the facts stated in the text."""
    way: tuple[Square, Square] | None
    """Source and target of a guess, or of an attack that was made or could have been made. None
    for any other moment.
    """


@dataclass(frozen=True)
class Story:
    """The story of one game."""

    pages: list[ReplayPage]
    """All positions of the game, indexed by the number of preceding plies."""
    moments: list[StoryMoment]
    """At most three moments, in order."""
    closing: list[str]
    """Paragraphs about the whole game."""

    def ranks(self, ply: int, side: Side) -> Mapping[Square, Rank]:
        """Return the ranks that a side could know in a position: its own and all proved ranks."""
        page = self.pages[ply]
        own = {
            square: rank
            for square, (owner, rank) in page.seen.pieces.items()
            if owner is side and rank is not None
        }
        return {**own, **page.known}

    def view(self, moment: StoryMoment) -> Snapshot:
        """Return the position at a moment, with the ranks that the side concerned could know."""
        ranks, pieces = self.ranks(moment.ply, moment.side), self.pages[moment.ply].seen.pieces
        known = {square: (side, ranks.get(square)) for square, (side, _) in pieces.items()}
        return Snapshot(known, moment.way)


def build_story(transcript: Transcript, announcer: Announcer) -> Story:
    """Return the story of a game. Raise ValueError if the game is not over."""
    review = GameReview(transcript)
    words = ReviewWords(announcer.language, review.edition)
    moments = [_moment(found, words) for found in choose_moments(review)]
    closing = [*_closing(review, words, has_moments=bool(moments))]
    return Story(replay(transcript, announcer), moments, closing)


def review_paragraphs(
    transcript: Transcript, language: Language, *, whole: bool = False
) -> Iterator[str]:
    """Yield the paragraphs of the story. Raise ValueError if the game is not over.

    A `whole` review covers all moments of the game instead of three.
    """
    review = GameReview(transcript)
    words = ReviewWords(language, review.edition, counts_turn=True)
    moments = all_moments(review) if whole else choose_moments(review)
    paragraphs: dict[str, None] = {}
    for found in moments:
        text = language.text(N_("ply {ply}: {moment}"), ply=found.ply, moment=words.moment(found))
        # If two pieces of one rank miss the same attack, their paragraphs are equal.
        paragraphs[text] = None
    yield from paragraphs
    yield from _closing(review, words, has_moments=bool(moments))


def _moment(found: Moment, words: ReviewWords) -> StoryMoment:
    text = words.moment(found)
    match found:
        case DeducedRank():
            return StoryMoment(found.ply, text, found.target.side.other, None)
        case AttackReview():
            source = found.combat.source
        case GuessReview():
            source = found.infiltration.source
        case MissedAttack():
            source = found.source
    way = source, found.target.square
    return StoryMoment(found.ply - 1, text, found.target.side.other, way)


def _closing(review: GameReview, words: ReviewWords, *, has_moments: bool) -> Iterator[str]:
    """Yield the paragraphs about the whole game.

    `has_moments` says whether the review has found any noteworthy moments.
    """
    if review.edition.handicap:
        yield handicap_text(review.edition.handicap, review.edition.army, words.language)
    if not has_moments:
        yield words.nothing()
    if not review.turns:
        return
    for side, bluff in review_bluffs(review).items():
        if side is not review.edition.open_side:
            yield words.bluff(bluff)
    yield words.chances(review)
    if gaps := words.gaps(review):
        yield gaps


BOOK: Final = N_("Book of evenings")
_NIGHT: Final = timedelta(hours=5)
"""A game that begins before 5 a.m. is listed under the previous day. The limit is arbitrary."""
_FEARED: Final = 2
"""A piece is feared only if it has captured at least this number of pieces."""


@dataclass(frozen=True)
class Evening:
    """The finished games of one evening, by local time."""

    day: date
    numbers: tuple[int, ...]
    """Numbers of the games in the journal, in order."""


@dataclass(frozen=True)
class March:
    """A scout's move or attack."""

    side: Side
    source: Square
    target: Square

    @property
    def squares(self) -> int:
        """Distance covered, in squares."""
        columns = abs(self.source % WIDTH - self.target % WIDTH)
        return max(columns, abs(self.source // WIDTH - self.target // WIDTH))


@dataclass(frozen=True)
class FearedPiece:
    """A piece, and the number of pieces that it has captured."""

    side: Side
    rank: Rank
    captures: int


def find_evenings(games: Iterable[GameSummary]) -> list[Evening]:
    """Group the finished games by evening, most recent first, leaving out damaged games."""
    found: dict[date, list[int]] = {}
    for game in games:
        if game.is_over and game.begun and not game.is_damaged:
            begun = datetime.fromisoformat(game.begun).astimezone()
            found.setdefault((begun - _NIGHT).date(), []).append(game.number)
    return [Evening(day, tuple(found[day])) for day in sorted(found, reverse=True)]


def longest_march(game: Transcript) -> March | None:
    """Return the longest move or attack of a scout in a game. In a tie, the earliest is returned.

    Return None if no scout has moved farther than one square.
    """
    marches = [
        March(made.side, made.source, made.target)
        for made in (turn.made for turn in GameReview(game).turns)
        if (isinstance(made, Moved) and made.long_move)
        or (isinstance(made, Combat) and made.attacker is Rank.SCOUT)
    ]
    best = max(marches, key=lambda march: march.squares, default=None)
    return best if best and best.squares > 1 else None


def most_feared(game: Transcript) -> FearedPiece | None:
    """Return the piece of known rank with the most captures. In a tie, return the highest rank.

    Return None if no piece has captured at least two pieces.
    """
    captures: Counter[tuple[Piece, Side]] = Counter()
    for turn in GameReview(game).turns:
        if isinstance(made := turn.made, Combat) and made.winner is not None:
            square = made.source if made.winner is made.side else made.target
            captures[turn.before.pieces[square], made.winner] += 1
    feared = [
        FearedPiece(side, game.ranks[piece], count)
        for (piece, side), count in captures.items()
        if piece in game.ranks and count >= _FEARED
    ]
    return max(feared, key=lambda piece: (piece.captures, piece.rank), default=None)


def name_computer(game: Transcript, people: PlayerNames, language: Language) -> Transcript:
    """Return a game with the computer's name. If the person is unnamed, use the side's name."""
    if game.players or people.computer is None:
        return game
    red, blue = (people.of(side) or str(language.side(side)) for side in Side)
    return replace(game, players=(red, blue))


def printable(player: str) -> str:
    """Return a player's name with ``?`` for every character that cannot be printed."""
    return "".join(each if each.isprintable() else "?" for each in player)


class EveningBook:
    """The book of evenings: a summary of the finished games in a journal."""

    def __init__(self, journal: Callable[[], Journal], announcer: Announcer) -> None:
        """Read the games of a journal, which is opened on demand."""
        self._journal, self._announcer = journal, announcer
        self._text = announcer.language.text

    def evenings(self) -> list[Evening]:
        """Return all evenings, the most recent first.

        Raise StorageError if the journal cannot be read.
        """
        return find_evenings(self._journal().games())

    def paragraphs(self, evening: Evening) -> list[str]:
        """Return the paragraphs about an evening."""
        games, unread = [], 0
        for number in evening.numbers:
            try:
                game, people = self._journal().transcript(number), self._journal().people(number)
                games.append(name_computer(game, people, self._announcer.language))
            except StorageError:
                raise
            except JournalError:
                unread += 1
        texts = [self._result(game) for game in games]
        texts += filter(None, [self._tally(games), self._march(games), self._feared(games)])
        return texts + [self._text(N_("This game cannot be read."))] * unread

    def text(self) -> str:
        """Return the whole book as text, most recent evening first. Empty if there are no games."""
        parts = []
        for evening in self.evenings():
            day = format_date(evening.day, "full", locale=self._announcer.language.code)
            parts.append("\n".join([day, *self.paragraphs(evening)]))
        return "\n\n".join(parts)

    def delete(self) -> None:
        """Delete the book by deleting all finished games. Raise StorageError if that fails."""
        for evening in self.evenings():
            for number in evening.numbers:
                self._journal().delete(number)

    # -- parts of an evening

    def _result(self, game: Transcript) -> str:
        assert game.outcome
        end = self._announcer.sentence(replace(game.outcome, citation=None))
        red, blue = (self._player(game, side) for side in Side)
        return self._text(N_("{red} – {blue}: {end}"), red=red, blue=blue, end=end)

    def _tally(self, games: Sequence[Transcript]) -> str:
        """Return a sentence with each player's number of wins. Empty for a single game."""
        if len(games) < 2:
            return ""
        won: Counter[str] = Counter()
        for game in games:
            won.update({self._player(game, side): 0 for side in Side})
            if game.outcome and game.outcome.winner:
                won[self._player(game, game.outcome.winner)] += 1
        tally = ", ".join(f"{player} {count}" for player, count in won.items())
        return self._text(N_("Games won: {tally}."), tally=tally)

    def _march(self, games: Sequence[Transcript]) -> str:
        marches = [(march, game) for game in games if (march := longest_march(game))]
        if not marches:
            return ""
        march, game = max(marches, key=lambda pair: pair[0].squares)
        return self._text(
            N_("Longest march of a scout: {count} squares, from {source} to {target} ({player})."),
            count=march.squares,
            source=name(march.source),
            target=name(march.target),
            player=self._player(game, march.side),
        )

    def _feared(self, games: Sequence[Transcript]) -> str:
        feared = [(piece, game) for game in games if (piece := most_feared(game))]
        if not feared:
            return ""
        piece, game = max(feared, key=lambda pair: (pair[0].captures, pair[0].rank))
        return self._text(
            N_("Most feared piece: {piece} ({player}). Captured pieces: {count}."),
            piece=self._announcer.language.piece(piece.rank, game.edition.army_of(piece.side)),
            count=piece.captures,
            player=self._player(game, piece.side),
        )

    def _player(self, game: Transcript, side: Side) -> str:
        """Return a player's name, or the side if the names are unknown."""
        if game.players is None:
            return str(self._announcer.language.side(side))
        return printable(game.players[0 if side is Side.RED else 1])
