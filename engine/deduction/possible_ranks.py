"""Possible ranks of an army's pieces, deduced from public facts alone, with proofs.

At first, a piece can have any rank of its army. A move rules out the flag and bombs, a long move
leaves only the scout, and a revealed rank rules out all other ranks. Together, the pieces must have
exactly the ranks of the army, which rules out more ranks (`engine.deduction.rank_assignment`). For
example, the last piece that has never moved is the flag.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from engine.board.board import Piece
from engine.board.ranks import IMMOBILE, SCOUTS, Army, Rank, RankSet, ranks_in
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment
from engine.deduction.rank_assignment import Assignment
from engine.rules.rules import Rule


class Evidence(Enum):
    """Evidence that contradicts a declaration, an answer or a correction."""

    NOT_IN_ARMY = ("not-in-army", Rule.SETUP)
    ATTACKS = ("attacks", Rule.IMMOBILE_PIECE)
    """The piece is attacking, so it is neither a bomb nor the flag."""
    MOVED = ("moved", Rule.IMMOBILE_PIECE)
    """The piece has moved, so it is neither a bomb nor the flag."""
    LONG_MOVE = ("long-move", Rule.MOVEMENT)
    """The piece has moved more than one square, so it is a scout."""
    REVEALED = ("revealed", Rule.COMBAT)
    """The rank of the piece has already been revealed."""
    WON_UNNAMED = ("won-unnamed", Rule.COMBAT)
    """The piece has beaten an attacker that a piece of this rank does not beat."""
    DECLARED = ("declared", Rule.COMBAT)
    """The owner has secretly declared another rank for the piece."""
    GUESSED_WRONG = ("guessed-wrong", Rule.INFILTRATION)
    """An infiltrator guessed this rank, and the owner answered that the guess was wrong."""
    ALL_FOUND = ("all-found", Rule.SETUP)
    """All pieces of that rank are already known."""
    ALL_FALLEN = ("all-fallen", Rule.SETUP)
    """All pieces of that rank have already been captured."""
    NOT_AS_SEALED = ("not-as-sealed", Rule.SEALED_ARMIES)
    """The owner has committed to another rank for the piece, or has not opened the commitment."""
    AS_SEALED = ("as-sealed", Rule.SEALED_ARMIES)
    """The commitment confirms the guessed rank, which the owner has denied."""
    STATED = ("stated", Rule.SETUP)
    """The position's text gives the piece's possible ranks without the facts that prove them."""
    NEEDED = ("needed", Rule.SETUP)
    """If the piece had that rank, too few pieces would be left for another rank."""

    def __init__(self, word: str, rule: Rule) -> None:
        self.word = word
        self.rule = rule
        """Rule cited with the proof."""


@dataclass(frozen=True)
class Proof:
    """Proof that a declaration, an answer or a correction is impossible."""

    ground: Evidence
    rank: Rank
    """Rank that the piece cannot have. For AS_SEALED: the rank that it has."""
    count: int = 0
    """For ALL_FOUND and ALL_FALLEN: the number of pieces of that rank in the army."""
    other: Rank | None = None
    """For NEEDED: the rank for which too few pieces would be left. For REVEALED: the rank revealed.
    For WON_UNNAMED: the attacker's rank."""
    ply: int = 0
    """Ply of the fact that is the proof, counted from 1. 0 if no single fact is the proof."""


@dataclass(frozen=True)
class Fact:
    """A fact that restricts a piece to certain ranks."""

    ground: Evidence
    ranks: RankSet
    ply: int
    other: Rank | None = None
    decided: bool = False
    """Whether the fact is an arbiter's decision, which overrides earlier proofs."""
    is_private: bool = False
    """Whether only the owner and the referee know the fact. See `RankDeduction.with_seen`."""


def _in_force(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return the facts about a piece that no arbiter's decision has overridden."""
    for number, fact in reversed(list(enumerate(facts))):
        if fact.decided:
            return facts[number:]
    return facts


_new: Final = object.__new__
_SHOWN: Final = {rank: Fact(Evidence.REVEALED, 1 << rank, 0, rank) for rank in Rank}
"""Facts that represent ranks revealed before the game began."""


def _stated_facts(ranks: RankSet) -> tuple[Fact, ...]:
    """Return the facts that a position's text implies about a piece.

    If a piece has several possible ranks, and the bomb and the flag are not among them, the piece
    must have moved. This move is a separate fact, because the rule about moved bombs needs it.
    """
    stated = Fact(Evidence.STATED, ranks, 0)
    if ranks & IMMOBILE or not ranks & ranks - 1:
        return (stated,)
    return Fact(Evidence.MOVED, ~IMMOBILE, 0), stated


class RankDeduction:
    """The possible ranks of every piece of one army.

    Immutable: every method that adds a fact returns a new object.
    """

    __slots__ = (
        *("army", "by_piece", "facts", "individual", "is_overruled", "joint"),
        *("long_moved", "moved", "public_cache"),
    )

    army: Army
    individual: dict[Piece, RankSet]
    """Ranks that each piece could have, judging by the facts about that piece alone."""
    facts: dict[Piece, tuple[Fact, ...]]
    """Known facts about each piece, oldest first."""
    joint: dict[RankSet, RankSet]
    """Cache. The keys are the ranks that a piece could have by itself. The values are the ranks
    that remain possible when the whole army is considered."""
    by_piece: dict[Piece, RankSet]
    """Cache of the possible ranks of each piece."""
    is_overruled: bool
    """Whether an arbiter has accepted an impossible rank that stays hidden. The number of pieces of
    each rank then proves nothing, because it is unknown which rank is wrong."""
    moved: frozenset[Piece]
    """Pieces that have moved legally."""
    long_moved: frozenset[Piece]
    """Pieces that have legally moved more than one square."""
    public_cache: "RankDeduction | None"
    """Cache of `public`. None if it is not computed yet, or if no fact is private."""

    def __init__(self, army: Army, pieces: Iterable[Piece], known: Mapping[Piece, Rank]) -> None:
        """Create an army in which only the ranks in `known` are revealed."""
        self.army = army
        self.individual = dict.fromkeys(pieces, army.ranks)
        shown = {piece: _SHOWN[known[piece]] for piece in self.individual if piece in known}
        self.facts = {piece: (fact,) for piece, fact in shown.items()}
        self.individual |= {piece: fact.ranks for piece, fact in shown.items()}
        self.joint, self.by_piece = {}, {}
        self.is_overruled = False
        self.public_cache = None
        self.moved = self.long_moved = frozenset()

    @classmethod
    def stated(
        cls, army: Army, ranks: Mapping[Piece, RankSet], *, is_overruled: bool = False
    ) -> "RankDeduction":
        """Create an army with the ranks that a position's text gives for each piece."""
        deduction = cls(army, ranks, {})
        deduction.is_overruled = is_overruled
        deduction.individual = dict(ranks)
        deduction.facts = {
            piece: _stated_facts(may_be) for piece, may_be in ranks.items() if may_be != army.ranks
        }
        deduction.moved = frozenset(p for p, may_be in ranks.items() if not may_be & IMMOBILE)
        deduction.long_moved = frozenset(p for p, may_be in ranks.items() if may_be == SCOUTS)
        return deduction

    # -- queries

    def possible(self, piece: Piece) -> RankSet:
        """Return the ranks that the piece can have, given the whole army."""
        alone = self.individual[piece]
        if not alone & (alone - 1):
            return alone
        if not self.joint:
            self.joint = self._deal()
        return self.joint[alone]

    @property
    def ranks(self) -> Mapping[Piece, RankSet]:
        """Possible ranks of every piece, for callers that need many at once."""
        if not self.by_piece:
            alone, together = self.individual, self.joint
            if not together and any(ranks & ranks - 1 for ranks in alone.values()):
                together = self.joint = self._deal()
            self.by_piece = alone
            if together:
                self.by_piece = {piece: together[ranks] for piece, ranks in alone.items()}
        return self.by_piece

    @property
    def public(self) -> "RankDeduction":
        """The deductions that both players can make, without the private facts."""
        if self.public_cache is None:
            public = self
            for piece, facts in self.facts.items():
                kept = tuple(fact for fact in facts if not fact.is_private)
                if len(kept) < len(facts):
                    public = public._with(piece, kept, public._ranks_by(kept))
            if public is self:  # a cached reference to itself would delay the release of its memory
                return self
            self.public_cache = public
        return self.public_cache

    @property
    def adds_up(self) -> bool:
        """Whether the pieces can have exactly the army's ranks. False if `is_overruled`."""
        groups = Counter(self.individual.values())
        return not self.is_overruled and Assignment(self.army, groups).is_complete

    def may_move(self, piece: Piece) -> bool:
        """Whether the piece might be able to move, judging by the facts about the whole army."""
        if not self.individual[piece] & IMMOBILE:
            return True
        return bool(self.possible(piece) & ~IMMOBILE)

    def is_revealed(self, piece: Piece) -> bool:
        """Whether the rank of a piece has been revealed to both players."""
        facts = self.facts.get(piece, ())
        return any(fact.ground is Evidence.REVEALED and not fact.is_private for fact in facts)

    def has_long_move(self, piece: Piece) -> bool:
        """Whether the known facts about a piece include a long move."""
        return self._has_fact(piece, Evidence.LONG_MOVE)

    def has_moved_after_winning(self, piece: Piece) -> bool:
        """Whether the piece has moved since its last unnamed win, and thereby proved a new fact."""
        grounds = [fact.ground for fact in self.facts.get(piece, ())]
        while grounds and (ground := grounds.pop()) is not Evidence.WON_UNNAMED:
            if ground in (Evidence.MOVED, Evidence.LONG_MOVE):
                return True
        return False

    def refute(self, piece: Piece, rank: Rank, *, attacks: bool) -> Proof | None:
        """Return the proof that the piece cannot have this rank, or None if it can.

        `attacks` is True if the piece is attacking now: bombs and the flag never attack.
        """
        if attacks and IMMOBILE >> rank & 1:
            return Proof(Evidence.ATTACKS, rank)
        if self.possible(piece) >> rank & 1:
            return None
        if not self.army.ranks >> rank & 1:
            return Proof(Evidence.NOT_IN_ARMY, rank)
        for fact in _in_force(self.facts.get(piece, ())):
            if not fact.ranks >> rank & 1:
                return Proof(fact.ground, rank, other=fact.other, ply=fact.ply)
        return self._refute_together(piece, rank)

    # -- new facts

    def after_move(self, piece: Piece, *, long_move: bool, ply: int) -> "RankDeduction":
        """Record a legal move or attack."""
        learnt = self
        if piece not in self.moved:
            learnt = learnt.with_fact(piece, Fact(Evidence.MOVED, ~IMMOBILE, ply))
            learnt.moved = self.moved | {piece}
        if long_move and piece not in self.long_moved:
            learnt = learnt.with_fact(piece, Fact(Evidence.LONG_MOVE, SCOUTS, ply))
            learnt.long_moved = self.long_moved | {piece}
        return learnt

    def with_revealed(self, piece: Piece, rank: Rank, *, ply: int = 0) -> "RankDeduction":
        """Record a rank that was revealed to both players."""
        known = Evidence.REVEALED, False
        if self.individual[piece] == 1 << rank and any(
            (fact.ground, fact.is_private) == known for fact in self.facts.get(piece, ())
        ):
            return self
        return self.with_fact(piece, Fact(Evidence.REVEALED, 1 << rank, ply, rank))

    def with_seen(self, ranks: Mapping[Piece, Rank]) -> "RankDeduction":
        """Record ranks that the referee can see from the start, but the opponent cannot."""
        informed = self
        for piece in self.individual.keys() & ranks.keys():
            rank = ranks[piece]
            seen = Fact(Evidence.REVEALED, 1 << rank, 0, rank, is_private=True)
            informed = informed.with_fact(piece, seen)
        return informed

    def with_known(self, ranks: Mapping[Piece, Rank]) -> "RankDeduction":
        """Return the deductions that would follow if these declared ranks were also public."""
        informed = self
        for piece, rank in ranks.items():
            informed = informed.with_fact(piece, Fact(Evidence.DECLARED, 1 << rank, 0, rank))
        return informed

    def after_unnamed_win(
        self, piece: Piece, ranks: RankSet, attacker: Rank, *, ply: int, by_decision: bool = False
    ) -> "RankDeduction":
        """Record that a defender beat `attacker`, so the defender's rank is one of `ranks`.

        `by_decision` means that the declaration contradicted earlier proofs, and an arbiter
        accepted it. These proofs no longer count, and the piece may have any rank of its army.
        """
        if not by_decision:
            return self.with_fact(piece, Fact(Evidence.WON_UNNAMED, ranks, ply, attacker))
        fact = Fact(Evidence.WON_UNNAMED, self.army.ranks, ply, attacker, decided=True)
        informed = self.with_fact(piece, fact)
        informed.is_overruled, informed.joint = True, {}
        informed.moved, informed.long_moved = self.moved - {piece}, self.long_moved - {piece}
        return informed

    def after_wrong_guess(self, piece: Piece, rank: Rank, *, ply: int) -> "RankDeduction":
        """Record the owner's answer that the piece does not have this rank."""
        return self.with_fact(piece, Fact(Evidence.GUESSED_WRONG, ~(1 << rank), ply))

    def with_conceded(self, piece: Piece, rank: Rank, *, ply: int) -> "RankDeduction":
        """Accept a rank by an arbiter's decision, regardless of earlier proofs.

        If the army is inconsistent afterwards, the number of pieces of each rank is no longer used
        as evidence.
        """
        return self.with_fact(piece, Fact(Evidence.REVEALED, 1 << rank, ply, rank, decided=True))

    # -- an arbiter's corrections

    def with_correction(self, piece: Piece, rank: Rank, *, ply: int) -> "RankDeduction":
        """Replace the revealed rank of a piece, keeping all other facts."""
        return self._without_kind(piece, Evidence.REVEALED).with_revealed(piece, rank, ply=ply)

    def without_revealed(self, piece: Piece) -> "RankDeduction":
        """Forget that the rank of a piece was revealed."""
        return self._without_kind(piece, Evidence.REVEALED)

    def without_long_move(self, piece: Piece) -> "RankDeduction":
        """Forget that a piece has moved more than one square. It still counts as moved."""
        deduction = self._without_kind(piece, Evidence.LONG_MOVE)
        deduction.long_moved -= {piece}
        return deduction

    # -- implementation

    def _deal(self) -> dict[RankSet, RankSet]:
        """Return the ranks that the pieces of each group can have in complete assignments."""
        groups = Counter(self.individual.values())
        if self.is_overruled:
            return {ranks: ranks for ranks in groups}
        dealt = Assignment(self.army, groups)
        return dealt.possible() if dealt.is_complete else {ranks: ranks for ranks in groups}

    def _has_fact(self, piece: Piece, ground: Evidence) -> bool:
        return any(fact.ground is ground for fact in self.facts.get(piece, ()))

    def with_fact(self, piece: Piece, fact: Fact) -> "RankDeduction":
        ranks = fact.ranks if fact.decided else self.individual[piece] & fact.ranks
        return self._with(piece, (*self.facts.get(piece, ()), fact), ranks)

    def _without_kind(self, piece: Piece, ground: Evidence) -> "RankDeduction":
        kept = tuple(fact for fact in self.facts.get(piece, ()) if fact.ground is not ground)
        return self._with(piece, kept, self._ranks_by(kept))

    def _with(self, piece: Piece, facts: tuple[Fact, ...], ranks: RankSet) -> "RankDeduction":
        changed = _new(RankDeduction)
        changed.army, changed.is_overruled = self.army, self.is_overruled
        changed.facts, changed.by_piece = {**self.facts, piece: facts}, {}
        changed.moved, changed.long_moved = self.moved, self.long_moved
        changed.public_cache = None
        if ranks == self.individual[piece]:
            changed.individual, changed.joint = self.individual, self.joint
        else:
            changed.individual = {**self.individual, piece: ranks}
            changed.joint = {}
        return changed

    def _ranks_by(self, known: tuple[Fact, ...]) -> RankSet:
        """Return the ranks that a piece could have, judging by the facts about it alone."""
        facts = _in_force(known)
        ranks = -1 if facts and facts[0].decided else self.army.ranks
        for fact in facts:
            ranks &= fact.ranks
        return ranks

    def _refute_together(self, piece: Piece, rank: Rank) -> Proof:
        """Return the proof that a piece lacks this rank because the rest of the army needs it."""
        groups, count = Counter(self.individual.values()), self.army.counts[rank]
        if groups[1 << rank] == count:
            return Proof(Evidence.ALL_FOUND, rank, count)
        supposed = groups - Counter([self.individual[piece]]) + Counter([1 << rank])
        needed = next(ranks_in(Assignment(self.army, supposed).left))
        return Proof(Evidence.NEEDED, rank, other=needed)

    def __eq__(self, other: object) -> bool:
        """Two objects are equal if their facts allow the same ranks for every piece."""
        if not isinstance(other, RankDeduction):
            return NotImplemented
        if self.individual != other.individual or self.army != other.army:
            return False
        return self.is_overruled == other.is_overruled or self.adds_up == other.adds_up

    def __hash__(self) -> int:
        return hash(frozenset(self.individual.items()))

    def __repr__(self) -> str:
        return f"<RankDeduction of {len(self.individual)} pieces, {self.army.name}>"


class PlayerState:
    """A player's army: known facts, captured pieces, and secret declarations.

    Immutable, like the position it belongs to.
    """

    __slots__ = ("captured", "commitment", "deduction", "proved", "sealed")

    deduction: RankDeduction
    captured: Mapping[Rank, int]
    """Captured pieces by rank. They are public, like the trays of captured pieces that the
    rulebooks prescribe."""
    sealed: Mapping[Piece, Secret[Rank]]
    """Ranks declared in secret for defenders, including ranks that later facts have disproved."""
    commitment: ArmyCommitment | None
    """With sealed armies: the player's commitments while they are in force."""
    proved: Mapping[Piece, Rank] | None
    """Setup of the army, known once the player has opened all commitments after the game."""

    def __init__(
        self,
        deduction: RankDeduction,
        captured: Mapping[Rank, int] | None = None,
        sealed: Mapping[Piece, Secret[Rank]] | None = None,
        commitment: ArmyCommitment | None = None,
        proved: Mapping[Piece, Rank] | None = None,
    ) -> None:
        """Create a player, at the beginning of a game or during one."""
        self.deduction = deduction
        self.captured = captured or {}
        self.sealed = sealed or {}
        self.commitment, self.proved = commitment, proved

    def with_deduction(self, deduction: RankDeduction) -> "PlayerState":
        """Return a copy of the player with these deductions about the army."""
        return self if deduction is self.deduction else self._with(deduction=deduction)

    def with_loss(self, rank: Rank) -> "PlayerState":
        return self._with(captured={**self.captured, rank: self.captured.get(rank, 0) + 1})

    def with_hidden_declaration(self, piece: Piece, rank: Secret[Rank]) -> "PlayerState":
        """Return a copy of the player with one more rank that was declared in secret."""
        return self._with(sealed={**self.sealed, piece: rank})

    def with_commitment(self, commitment: ArmyCommitment | None) -> "PlayerState":
        """Return a copy of the player with these commitments, or without any if None is given."""
        return self._with(commitment=commitment)

    def with_opened(self, army: Mapping[Piece, Rank]) -> "PlayerState":
        """Return a copy of the player with all commitments opened."""
        return self._with(proved=army)

    @property
    def unnamed(self) -> Mapping[Piece, Secret[Rank]]:
        """Ranks declared in secret for defenders, except those that were disproved later."""
        possible = self.deduction.possible
        return {p: rank for p, rank in self.sealed.items() if possible(p) >> rank.unseal() & 1}

    @property
    def with_unnamed_declarations(self) -> RankDeduction:
        """Deductions that also use the ranks that were declared in secret."""
        if not self.sealed:
            return self.deduction
        return self.deduction.with_known({p: rank.unseal() for p, rank in self.unnamed.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlayerState):
            return NotImplemented
        losses = self.captured == other.captured and self.sealed == other.sealed
        seals = self.commitment == other.commitment and self.proved == other.proved
        return losses and seals and self.deduction == other.deduction

    def __hash__(self) -> int:
        return hash(self.deduction)

    def _with(self, **changed: Any) -> "PlayerState":
        player = PlayerState.__new__(PlayerState)
        player.deduction, player.captured, player.sealed = (
            self.deduction,
            self.captured,
            self.sealed,
        )
        player.commitment, player.proved = self.commitment, self.proved
        for name, value in changed.items():
            setattr(player, name, value)
        return player
