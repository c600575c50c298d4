"""The rulebooks as data, their notation with options, and handicaps.

A rulebook is written, for example, as ``isf,squares=5,touch``. All code reads the values of an
edition and never tests for a particular edition.

A handicap gives advantages to the weaker player. Its notation names the favoured side and the
advantages. With ``red+marshal+time``, Red has twice the time, and Blue plays without its marshal.
Records, positions, settings and the command line use this notation.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Final

from engine.board import NotationError
from engine.board.board_text import WORD, TextScanner
from engine.board.geometry import Side, Square
from engine.board.ranks import BARRAGE, DUEL, INFILTRATOR, ORIGINAL, Army, Rank
from engine.rules.rules import HOUSE_RULES, Citation, Interpretation, Rule


class Omission(Enum):
    """Pieces that the other side plays without."""

    NOTHING = "nothing"
    SPY = "spy"
    """The spy, the only piece that endangers the favoured side's marshal."""
    SCOUTS = "scouts"
    """All scouts."""
    HALF_THE_BOMBS = "bombs"
    """Half of the bombs, rounded up: 3 of 6, or the only bomb in barrage."""
    MARSHAL = "marshal"
    MARSHAL_AND_GENERAL = "general"
    """The two highest ranks."""


@dataclass(frozen=True)
class Handicap:
    """The advantages of the favoured side. There is at least one."""

    favoured: Side
    """The weaker side, which has the advantages."""
    omission: Omission = Omission.NOTHING
    open_army: bool = False
    """Whether the other side's known ranks are visible to all from the beginning."""
    take_backs: bool = False
    """Whether the favoured side may take back a move without the other side's agreement."""
    double_time: bool = False
    """Whether the favoured side has twice the time, if the game is played with a clock."""

    def __post_init__(self) -> None:
        """Reject a handicap without advantages. A game without a handicap uses None instead."""
        if self.omission is Omission.NOTHING and not any(
            getattr(self, switch) for switch in SWITCHES.values()
        ):
            raise NotationError(_EXPECTED, self.favoured.value)

    @classmethod
    def parse(cls, text: str) -> "Handicap":
        """Return the handicap with this notation. Raises NotationError if it is malformed."""
        side, *others = text.split("+")
        omissions = {each.value: each for each in Omission if each is not Omission.NOTHING}
        omission = omissions.get(others[0]) if others else None
        switched = {field: word in others for word, field in SWITCHES.items()}
        if side not in (each.value for each in Side) or not (omission or any(switched.values())):
            raise NotationError(_EXPECTED, text)
        found = cls(Side(side), omission or Omission.NOTHING, **switched)
        if str(found) != text:  # A word is unknown, repeated or out of order.
            raise NotationError(_EXPECTED, text)
        return found

    def __str__(self) -> str:
        omitted = [] if self.omission is Omission.NOTHING else [self.omission.value]
        switched = [word for word, field in SWITCHES.items() if getattr(self, field)]
        return "+".join([self.favoured.value, *omitted, *switched])

    def exchanged(self) -> "Handicap":
        """Return the handicap for players who have swapped colours."""
        return replace(self, favoured=self.favoured.other)

    def alone(self) -> "Handicap | None":
        """Return the handicap for a game against the computer, or None if no advantage applies.

        Take-backs without agreement and double time do not apply, because the computer always
        agrees to take-backs, and there is no clock.
        """
        if self.omission is Omission.NOTHING and not self.open_army:
            return None
        return replace(self, take_backs=False, double_time=False)

    def reduce(self, army: Army) -> Army:
        """Return the army of the other side: `army` without the omitted pieces."""
        return Army(
            army.name,
            {rank: count - self._omitted(rank, count) for rank, count in army.counts.items()},
        )

    def thin_out(self, setup: Mapping[Square, Rank]) -> dict[Square, Rank]:
        """Remove the pieces that the handicap omits from a complete setup on Red's squares.

        If the handicap omits only some pieces of a rank, those nearest the front are removed. The
        bombs at the back are kept because they protect the flag.
        """
        counts = Counter(setup.values())
        left = {rank: self._omitted(rank, count) for rank, count in counts.items()}
        kept = {}
        for square in sorted(setup, reverse=True):
            if left[setup[square]]:
                left[setup[square]] -= 1
            else:
                kept[square] = setup[square]
        return kept

    def _omitted(self, rank: Rank, count: int) -> int:
        if self.omission is Omission.HALF_THE_BOMBS and rank is Rank.BOMB:
            return (count + 1) // 2
        return count if rank in _OMITTED.get(self.omission, ()) else 0


SWITCHES: Final = {"open": "open_army", "take-backs": "take_backs", "time": "double_time"}
"""Names of the advantages, with the corresponding fields, except the omission of pieces."""
_OMITTED: Final = {
    Omission.SPY: (Rank.SPY,),
    Omission.SCOUTS: (Rank.SCOUT,),
    Omission.MARSHAL: (Rank.MARSHAL,),
    Omission.MARSHAL_AND_GENERAL: (Rank.MARSHAL, Rank.GENERAL),
}
"""Ranks that an omission removes completely."""
_EXPECTED: Final = (
    "the favoured side, the pieces that the other side plays without "
    f"({', '.join(each.value for each in Omission if each is not Omission.NOTHING)}) and "
    f"the other advantages ({', '.join(SWITCHES)}), in this order, such as red+marshal+time"
)


class MovedBombPenalty(Enum):
    """Consequence of moving a bomb or the flag."""

    NOT_ALLOWED = "not-allowed"
    """The piece is put back, as after any illegal move."""
    LOSES = "loses"
    """The player loses immediately."""
    ARBITER = "arbiter"
    """The arbiter decides, and the decision is recorded."""


class TwoSquaresForm(Enum):
    """The two forms of the two-squares rule, which limit different kinds of repetition."""

    SAME_SQUARES = "same-squares"
    """Moves between the same two squares. A move to a third square is always allowed."""
    SAME_BORDER = "same-border"
    """Crossings of the edge between the same two neighbouring squares."""


@dataclass(frozen=True)
class Edition:
    """The enforceable rules of a published rulebook, with the chosen options."""

    id: str
    rulebook: str
    """The title known to players. Every ruling cites it."""
    army: Army
    """The chosen army. With a handicap, a side may have fewer pieces (`army_of`)."""
    two_squares_limit: int
    """Maximum number of repetitions in a row, as defined by `recurrence`."""
    recurrence: TwoSquaresForm = TwoSquaresForm.SAME_SQUARES
    more_squares: bool = False
    """Whether an endless chase over more than two squares is forbidden."""
    armies: tuple[Army, ...] = ()
    """All armies of the rulebook."""
    limits: tuple[int, ...] = ()
    """Limits from which the players may choose, if there is a choice."""
    moved_bomb: MovedBombPenalty = MovedBombPenalty.NOT_ALLOWED
    moved_bomb_choices: tuple[MovedBombPenalty, ...] = ()
    """Penalties from which players may choose, if the rulebook's language versions differ."""
    both_immobile_draw: bool = False
    """Whether the rulebook itself declares a draw if neither side can move. Otherwise, the draw is
    our interpretation."""
    articles: Mapping[Rule, str] = field(default_factory=dict)
    """Article of each rule, if the rulebook numbers its articles."""
    published: str = ""
    """Date, place or publisher, if known."""
    wording: Mapping[Rule, str] = field(default_factory=dict)
    """Summary of this rulebook's text about certain rules. Quotations are in “”."""
    readings: frozenset[Interpretation] = frozenset()
    """Interpretations that this rulebook requires."""
    silent_defence: bool = False
    """Option: the rank of a defender that wins stays secret, unless the attacker is a scout."""
    aggressor_advantage: bool = False
    """Option: if two equal ranks meet, only the defender falls."""
    touch_move: bool = False
    """Option: a player who has lifted a piece must move it if possible."""
    sealed_armies: bool = False
    """Option: both sides commit to their armies before the game (`engine.deduction.commitment`)."""
    handicap: Handicap | None = None
    """Option: the advantages that one side gives the other."""

    def army_of(self, side: Side) -> Army:
        """Return the army of a side, without the pieces that a handicap removes."""
        is_reduced = self.handicap is not None and side is not self.handicap.favoured
        return self._reduced_army if is_reduced else self.army

    def without_omitted(self, side: Side, setup: Mapping[Square, Rank]) -> dict[Square, Rank]:
        """Return a setup on Red's squares without the pieces that a handicap omits."""
        is_reduced = self.handicap is not None and side is not self.handicap.favoured
        return self.handicap.thin_out(setup) if self.handicap and is_reduced else dict(setup)

    def exchanged(self) -> "Edition":
        """Return the edition for players who have swapped colours."""
        handicap = self.handicap
        return replace(self, handicap=handicap.exchanged()) if handicap else self

    @property
    def open_side(self) -> Side | None:
        """Side whose ranks a handicap makes visible to all from the beginning, or None."""
        is_open = self.handicap is not None and self.handicap.open_army
        return self.handicap.favoured.other if self.handicap and is_open else None

    @cached_property
    def _reduced_army(self) -> Army:
        return self.handicap.reduce(self.army) if self.handicap else self.army

    def with_army(self, name: str) -> "Edition":
        """Return the edition with another of its armies.

        Raises NotationError if the edition has no such army.
        """
        for army in self.armies:
            if army.name == name:
                return replace(self, army=army)
        known = " or ".join(army.name for army in self.armies)
        raise NotationError(f"the army {known}", name, self.rulebook)

    def with_limit(self, limit: int) -> "Edition":
        """Return the edition with this two-squares limit.

        Raises NotationError if the edition does not offer this limit.
        """
        offered = self.limits or (self.two_squares_limit,)
        if limit in (self.two_squares_limit, *offered):
            return replace(self, two_squares_limit=limit)
        known = " or ".join(map(str, offered))
        raise NotationError(f"a two-squares limit of {known}", limit, self.rulebook)

    def with_moved_bomb(self, costs: MovedBombPenalty) -> "Edition":
        """Return the edition with this penalty for a moved bomb.

        Raises NotationError if the edition does not offer this penalty.
        """
        if costs is self.moved_bomb or costs in self.moved_bomb_choices:
            return replace(self, moved_bomb=costs)
        offered = self.moved_bomb_choices or (self.moved_bomb,)
        known = " or ".join(each.value for each in offered)
        expected = f"the penalty {known} for a moved bomb"
        raise NotationError(expected, costs.value, self.rulebook)

    def for_record(self, ranks: Iterable[Rank]) -> "Edition":
        """Return the edition with the army that has these ranks, or with the most similar army.

        The most similar army is the one closest in size. Among equally close armies, it is the one
        with the fewest differing ranks.
        """
        counts = Counter(ranks)

        def distance(army: Army) -> tuple[int, int]:
            other_ranks = sum(abs(army.counts[rank] - counts[rank]) for rank in Rank)
            return abs(army.size - counts.total()), other_ranks

        return replace(self, army=min(self.armies, key=distance, default=self.army))

    def cite(self, rule: Rule, reading: Interpretation | None = None) -> Citation:
        """Return the citation of a rule: the rulebook, and the number of the article, if any.

        `reading` is our interpretation if the rulebook does not cover the case. The citation of a
        house rule names no rulebook.
        """
        if rule in HOUSE_RULES:
            return Citation("", rule)
        read = reading if reading in self.readings else None
        return Citation(self.rulebook, rule, self.articles.get(rule, ""), read)


_SPENT_OR_SHUT_IN: Final = (
    "a player with only the flag and bombs left loses, and so does a player whose last movable "
    "pieces are shut in"
)
_EVERYWHERE: Final = {
    Interpretation.SILENT_SURVIVOR,
    Interpretation.BOTH_SPENT,
    Interpretation.SPY_AND_SPY,
    Interpretation.REPETITION_LOSES,
}
_RULEBOOKS: Final = _EVERYWHERE | {Interpretation.ATTACK_IS_A_MOVE, Interpretation.BOTH_SHUT_IN}
"""Interpretations required by all rulebooks except the federation's."""
_CHASE: Final = {Interpretation.CHASE_AS_ISF}
_INFILTRATOR: Final = {
    Interpretation.ENEMY_ROWS,
    Interpretation.STRAIGHT_LINE,
    Interpretation.TURN_WITHOUT_MOVE,
    Interpretation.SPY_AND_INFILTRATOR,
}

EDITIONS: Final[Mapping[str, Edition]] = {
    edition.id: edition
    for edition in (
        Edition(
            id="compact-1992",
            rulebook="Compact Stratego 499",
            published="1992",
            army=ORIGINAL,
            armies=(ORIGINAL,),
            two_squares_limit=5,
            wording={
                Rule.TWO_SQUARES: "the sixth move at the latest must go to a third square",
                Rule.ENDING: "a player loses once all movable pieces are captured",
            },
            readings=frozenset(
                _RULEBOOKS | {Interpretation.SHUT_IN_LOSES, Interpretation.STRAIGHT_STRIKE}
            ),
        ),
        Edition(
            id="original-1992",
            rulebook="Original Stratego 498",
            published="1992, in eight languages",
            army=ORIGINAL,
            armies=(ORIGINAL,),
            two_squares_limit=5,
            wording={
                Rule.TWO_SQUARES: "the player who began must vary first",
                Rule.ENDING: "a player with only the flag and bombs left loses; in the French "
                "text, so does a player who cannot move",
            },
            readings=frozenset(_RULEBOOKS),
        ),
        Edition(
            id="gravopedia-2006",
            rulebook="Stratego as explained on Gravopedia",
            published="2006",
            army=ORIGINAL,
            armies=(ORIGINAL, DUEL),
            two_squares_limit=3,
            more_squares=True,
            moved_bomb=MovedBombPenalty.LOSES,
            wording={Rule.ENDING: _SPENT_OR_SHUT_IN},
            readings=frozenset(_RULEBOOKS | _CHASE | {Interpretation.KNOCKED_BOMB}),
        ),
        Edition(
            id="nordic-2015",
            rulebook="Stratego with infiltrator",
            published="2015, in Denmark, Sweden, Norway and Finland",
            army=INFILTRATOR,
            armies=(INFILTRATOR, ORIGINAL, DUEL),
            two_squares_limit=3,
            more_squares=True,
            wording={
                Rule.MORE_SQUARES: "a chase over more than two squares has to stop",
                Rule.COMBAT: "whoever attacks the infiltrator wins: “Alle brikker, der angriber "
                "ham, vinder” (Danish text)",
                Rule.ENDING: _SPENT_OR_SHUT_IN,
            },
            readings=frozenset(_RULEBOOKS | _CHASE | _INFILTRATOR),
        ),
        Edition(
            id="travel-2017",
            rulebook="Stratego Travel",
            published="2017, in the Netherlands, France, Germany and the United Kingdom",
            army=ORIGINAL,
            armies=(ORIGINAL, DUEL),
            two_squares_limit=3,
            more_squares=True,
            moved_bomb_choices=(MovedBombPenalty.NOT_ALLOWED, MovedBombPenalty.LOSES),
            wording={
                Rule.IMMOBILE_PIECE: "in the German text, a player who moves a bomb or the flag "
                "loses at once; the other texts only forbid it",
                Rule.MORE_SQUARES: "a chase over more than two squares has to stop",
                Rule.ENDING: _SPENT_OR_SHUT_IN,
            },
            readings=frozenset(_RULEBOOKS | _CHASE | {Interpretation.KNOCKED_BOMB}),
        ),
        Edition(
            id="isf",
            rulebook="ISF game rules",
            published="by the International Stratego Federation",
            army=ORIGINAL,
            armies=(ORIGINAL, DUEL, BARRAGE),
            two_squares_limit=3,
            limits=(3, 5),
            recurrence=TwoSquaresForm.SAME_BORDER,
            more_squares=True,
            moved_bomb=MovedBombPenalty.ARBITER,
            both_immobile_draw=True,
            articles={
                Rule.TWO_SQUARES: "art. 10",
                Rule.MORE_SQUARES: "art. 11",
                Rule.ENDING: "art. 12",
            },
            wording={Rule.TWO_SQUARES: "an older ISF text allows five in a row"},
            readings=frozenset(
                _EVERYWHERE | {Interpretation.SCOUT_BORDERS, Interpretation.RUNNING_CHASE}
            ),
        ),
    )
}
"""All editions by id."""

DEFAULT: Final = EDITIONS["original-1992"]

_HANDICAP: Final = re.compile("[a-z+-]+")
_SWITCHES: Final = {
    "silent": "silent_defence",
    "advantage": "aggressor_advantage",
    "touch": "touch_move",
    "sealed": "sealed_armies",
}
"""Options that are off by default, with the corresponding fields of an edition."""


def write_options(edition: Edition) -> str:
    """Return an edition's id and options. Raises NotationError if the edition is not published."""
    published = EDITIONS.get(edition.id)
    if published is None or (edition is not published and _published(edition) != edition):
        raise NotationError("a published edition, with its options", edition.id)
    options = [
        (f"army={edition.army.name}", edition.army != published.army),
        (
            f"squares={edition.two_squares_limit}",
            edition.two_squares_limit != published.two_squares_limit,
        ),
        (f"bomb={edition.moved_bomb.value}", edition.moved_bomb is not published.moved_bomb),
        *((word, getattr(edition, option)) for word, option in _SWITCHES.items()),
        (f"handicap={edition.handicap}", edition.handicap is not None),
    ]
    return ",".join([edition.id, *(option for option, chosen in options if chosen)])


def _published(edition: Edition) -> Edition:
    """Return the published edition with the options of `edition`.

    Raises NotationError if the published edition does not offer one of these options.
    """
    published = EDITIONS[edition.id].with_army(edition.army.name)
    published = published.with_limit(edition.two_squares_limit).with_moved_bomb(edition.moved_bomb)
    options = (*_SWITCHES.values(), "handicap")
    switched: dict[str, Any] = {option: getattr(edition, option) for option in options}
    return replace(published, **switched)


def read_options(scanner: TextScanner) -> Edition:
    start = scanner.at
    edition = EDITIONS.get(scanner.match(WORD, "an edition"))
    if edition is None:
        scanner.refuse(f"an edition: {', '.join(EDITIONS)}", start)
    if scanner.takes(",army="):
        known = {army.name: army for army in edition.armies}
        edition = replace(edition, army=known[scanner.word_of(known)])
    if scanner.takes(",squares="):
        limits = {str(limit): limit for limit in edition.limits}
        edition = replace(edition, two_squares_limit=limits[scanner.word_of(limits)])
    if scanner.takes(",bomb="):
        costs = {each.value: each for each in edition.moved_bomb_choices}
        edition = replace(edition, moved_bomb=costs[scanner.word_of(costs)])
    switched: dict[str, Any] = {
        option: True for word, option in _SWITCHES.items() if scanner.takes(f",{word}")
    }
    if scanner.takes(",handicap="):
        switched["handicap"] = _read_handicap(scanner)
    return replace(edition, **switched) if switched else edition


def _read_handicap(scanner: TextScanner) -> Handicap:
    start = scanner.at
    try:
        return Handicap.parse(scanner.match(_HANDICAP, "a handicap"))
    except NotationError as error:
        scanner.refuse(error.expected, start)
