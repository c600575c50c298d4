"""Sentences for the review of a finished game: its moments, missed attacks, and bluffs."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from companion.analysis import game_review
from companion.analysis.moments import BluffReview, Moment
from companion.speech.i18n import N_, Language
from engine.board.geometry import Side, name
from engine.board.ranks import Rank, RankSet, ranks_in
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult

TITLE: Final = N_("What you could have known")
_FEW: Final = 5
"""Maximum number of ranks listed in a sentence."""
_RESULTS: Final = {
    CombatResult.ATTACKER_WINS: N_("It was {piece}, and it was captured."),
    CombatResult.DEFENDER_WINS: N_("It was {piece}, and the {rank} was lost."),
    CombatResult.BOTH_FALL: N_("It was {piece}, and both pieces were lost."),
}


class ReviewWords:
    """Sentences of a review in one language."""

    def __init__(self, language: Language, edition: Edition, *, counts_turn: bool = False) -> None:
        """Write about a game of an edition in a language.

        A story shows the position before a turn, so it counts how many moves earlier a piece was
        revealed from that position. `counts_turn` counts from the turn itself instead, so that the
        number agrees with a heading such as “ply 26”.
        """
        self.language = language
        self._edition = edition
        self._more = int(counts_turn)
        self._text = language.text

    def moment(self, moment: Moment) -> str:
        """Describe a moment of the game in two to four sentences."""
        match moment:
            case game_review.AttackReview():
                return " ".join(self._attack(moment))
            case game_review.GuessReview():
                return " ".join(self._guess(moment))
            case game_review.MissedAttack():
                return " ".join(self._missed(moment))
            case game_review.DeducedRank():
                return " ".join(self._deduced(moment))

    def bluff(self, review: BluffReview) -> str:
        """Describe how well a side kept its ranks secret."""
        start, middle, end = map(self.language.number, (round(n, 1) for n in review.stages))
        side = self.language.side(review.side)
        parts = [
            self._text(
                N_(
                    "{side}: on average, each piece could have had {average} different ranks: "
                    "{start} at the beginning, {middle} halfway through and {end} at the end."
                ),
                side=side,
                average=self.language.number(round(review.average, 1)),
                start=start,
                middle=middle,
                end=end,
            ),
            self._text(
                N_("Pieces on the board with an unknown rank at the end: {hidden} of {left}."),
                hidden=review.hidden,
                left=review.left,
            ),
        ]
        if secret := review.secret:
            text = N_(
                "Kept secret longest: {piece} (moves by both sides after its first one: {count})."
            )
            if not secret.is_out:
                text = N_(
                    "Kept secret to the end: {piece} (moves by both sides after its first one: "
                    "{count})."
                )
            piece = self._piece(secret.rank, review.side)
            parts.append(self._text(text, piece=piece, count=secret.plies))
        return " ".join(parts)

    def chances(self, review: game_review.GameReview) -> str:
        """State how many attacks each side passed up although the attacker was certain to win.

        Attacks that were first possible in the same turn count once, because only one of them
        could have been made.
        """
        turns = {(missed.side, missed.ply) for missed in review.missed_attacks}
        count = Counter(side for side, _ in turns)
        return self._text(
            N_("Attacks that were certain to win and were not made: Red {red}, Blue {blue}."),
            red=count[Side.RED],
            blue=count[Side.BLUE],
        )

    def gaps(self, review: game_review.GameReview) -> str:
        """Return a note if some ranks remain unknown after the game, or else an empty string."""
        if review.knows_all_ranks:
            return ""
        return self._text(
            N_("Some ranks were never shown. This review uses only what the game revealed.")
        )

    def nothing(self) -> str:
        """Return the text for a game that has no moments to review."""
        return self._text(N_("In this game nothing could be known before it was shown."))

    # -- parts of a moment

    def _attack(self, attack: game_review.AttackReview) -> Iterable[str]:
        yield from self._knowledge(attack.target)
        made = N_("{side} attacked it with {attacker}.")
        yield self._fill(made, attack.combat.attacker, attack.combat.side)
        yield self._odds(attack)
        yield from self._result(attack)

    def _guess(self, guess: game_review.GuessReview) -> Iterable[str]:
        yield from self._knowledge(guess.target)
        side, rank = self.language.side(guess.infiltration.side), guess.infiltration.guess
        yield self._text(N_("{side} guessed: {guess}."), side=side, guess=self.language.rank(rank))
        text = _RESULTS[CombatResult.ATTACKER_WINS]
        if rank is Rank.FLAG:
            text = N_("It was the flag, and the game was won.")
        yield self._text(text, piece=self._piece(rank, guess.target.side))

    def _odds(self, attack: game_review.AttackReview) -> str:
        """Describe what could have been known in advance about the result of the attack."""
        if attack.target.only is not None:
            sure = N_("The attack could not succeed.")
            return self._text(N_("The attack could not fail.") if attack.is_certain else sure)
        if attack.is_certain:
            beats = N_("The {rank} beats all of the possible ranks, so the attack could not fail.")
        elif attack.is_hopeless:
            beats = N_("The {rank} beats none of the possible ranks.")
        else:
            beats = N_("The {rank} beats {count} of the {total} possible ranks.")
        count, total = attack.beaten.bit_count(), attack.target.possible.bit_count()
        attacker, side = attack.combat.attacker, attack.combat.side
        return self._fill(beats, attacker, side, count=count, total=total)

    def _result(self, attack: game_review.AttackReview) -> Iterable[str]:
        target, result = attack.target, attack.combat.result
        if target.rank is None:
            text = N_("It won, and its rank was never shown.")
        elif target.rank is Rank.FLAG:
            text = N_("It was the flag, and the game was won.")
        elif target.only is None:
            text = _RESULTS[result]
        elif result is CombatResult.BOTH_FALL:
            text = N_("Both pieces were lost.")
        elif result is CombatResult.DEFENDER_WINS:
            text = N_("The {rank} was lost.")
        else:
            return
        if attack.combat.boom:
            yield self.language.cry
        piece = "" if target.rank is None else self._piece(target.rank, target.side)
        yield self._fill(text, attack.combat.attacker, attack.combat.side, piece=piece)

    def _missed(self, missed: game_review.MissedAttack) -> Iterable[str]:
        target = missed.target
        yield from self._knowledge(target)
        chance = N_("{side} could have captured it with {attacker}, but made another move.")
        if missed.turns > 1:
            chance = N_(
                "In {count} turns in a row {side} could have captured it with {attacker}, but "
                "made other moves."
            )
        yield self._fill(chance, missed.attacker, missed.side, count=missed.turns)
        if target.only is Rank.FLAG:
            yield self._text(N_("The attack would have won the game."))
        elif target.only is None:
            beats = N_("The {rank} beats all of the possible ranks.")
            yield self._fill(beats, missed.attacker, missed.side)
            if target.rank is not None:
                piece = self._piece(target.rank, target.side)
                yield self._text(N_("It was {piece}."), piece=piece)

    def _deduced(self, deduced: game_review.DeducedRank) -> Iterable[str]:
        yield from self._knowledge(deduced.target)
        yield self._text(N_("It had never been revealed."))

    def _piece(self, rank: Rank, side: Side) -> str:
        return self.language.piece(rank, self._edition.army_of(side))

    def _fill(self, message: str, attacker: Rank, side: Side, **values: object) -> str:
        """Translate a message about an attacker. The translation may use any form of the rank."""
        return self._text(
            message,
            attacker=self._piece(attacker, side),
            rank=self.language.rank(attacker),
            side=self.language.side(side),
            **values,
        )

    def _knowledge(self, target: game_review.SuspectedPiece) -> Iterable[str]:
        """Yield what could be known about a piece, and why."""
        place = {"side": self.language.side(target.side), "square": name(target.square)}
        if target.inference is game_review.Inference.SHOWN and target.only is not None:
            yield self._shown(target, place)
            return
        excluded = target.army & ~target.possible
        if not excluded:
            yield self._text(N_("Nothing was known about {side}'s piece on {square}."), **place)
        elif target.possible.bit_count() <= _FEW:
            could = N_("{side}'s piece on {square} could only be {pieces}.")
            yield self._text(could, pieces=self._list(target.possible, target.side), **place)
            if reason := self._reason(target, place["side"]):
                yield reason
        elif excluded.bit_count() < _FEW:
            could = N_("{side}'s piece on {square} could be anything except {pieces}.")
            yield self._text(could, pieces=self._list(excluded, target.side), **place)
        else:
            could = N_("{side}'s piece on {square} could have {count} different ranks.")
            yield self._text(could, count=target.possible.bit_count(), **place)

    def _shown(self, target: game_review.SuspectedPiece, place: dict[str, str]) -> str:
        assert target.only is not None
        seen = N_("{side}'s piece on {square} had been revealed {count} moves earlier: {piece}.")
        if target.since < 2:
            seen = N_("{side}'s piece on {square} had just been revealed: {piece}.")
        if self._edition.open_side is target.side:
            seen = N_("{side}'s piece on {square} had been visible from the beginning: {piece}.")
        piece, count = self._piece(target.only, target.side), target.since + self._more
        return self._text(seen, piece=piece, count=count, **place)

    def _reason(self, target: game_review.SuspectedPiece, side: str) -> str:
        match target.inference:
            case game_review.Inference.LONG_MOVE:
                return self._text(N_("It had moved more than one square."))
            case game_review.Inference.LAST if target.count == 1:
                return self._text(N_("No other piece of {side} could be it."), side=side)
            case game_review.Inference.LAST:
                left = N_(
                    "There were {count} of these left to find, and only {count} pieces of {side} "
                    "could be one."
                )
                return self._text(left, side=side, count=target.count)
            case game_review.Inference.COUNTED if target.has_moved:
                counted = N_("It had moved, and all pieces of the other ranks were known.")
                return self._text(counted)
            case game_review.Inference.COUNTED:
                return self._text(N_("All pieces of the other ranks were known."))
        return ""

    def _list(self, ranks: RankSet, side: Side) -> str:
        """List ranks, with “or” before the last one."""
        *first, last = (self._piece(rank, side) for rank in ranks_in(ranks))
        if not first:
            return last
        return self._text(N_("{pieces} or {last}"), pieces=", ".join(first), last=last)
