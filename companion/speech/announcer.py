"""Describes public events in the players' language, to be spoken and shown to everyone.

`sentence` accepts only `Public` events. Separate methods return text that only one player may see,
such as a proof or the question about a rank. Such text is never spoken aloud.
"""

from collections.abc import Mapping
from typing import Final

from companion.core import events, inputs
from companion.speech.announcement_texts import BoardWords, RuleWords, some
from companion.speech.i18n import N_, Language
from companion.speech.speech_queue import EarphoneDue, PhoneDue, ScreenDue
from engine.board.geometry import Side, name, set_of, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Public
from engine.game import rulings
from engine.game.actions import NotAScout, RankCorrection, SwapCorrection
from engine.rules.rules import Interpretation, Violation

# Results: combats, guesses, corrections, and the end of the game.

_REASONS: Final = {
    rulings.Reason.FLAG_CAPTURED: N_("the flag is captured"),
    rulings.Reason.NO_MOVABLE_PIECE: N_("the other side has no movable piece left"),
    rulings.Reason.NO_LEGAL_MOVE: N_("the other side cannot move"),
    rulings.Reason.MOVED_BOMB: N_("the other side has moved a bomb or the flag"),
    rulings.Reason.RESIGNATION: N_("the other side has resigned"),
    rulings.Reason.AGREED_DRAW: N_("both players have agreed"),
    rulings.Reason.BOTH_IMMOBILE: N_("neither side can move"),
    rulings.Reason.TIME: N_("time is up"),
    rulings.Reason.FORFEIT: N_("the arbiter has decided"),
}
_REASONS_AS_WE_READ: Final = {
    Interpretation.BOTH_SPENT: N_(
        "both sides have lost their last movable pieces at the same time"
    ),
}
"""More precise reasons for endings that follow from our interpretations of the rules."""


class ResultWords:
    """Sentences about results in one language."""

    def __init__(self, language: Language, rules: RuleWords) -> None:
        self.language = language
        self._text = language.text
        self._rules = rules

    def combat(self, combat: rulings.Combat) -> str:
        """Name the winner, and the ranks that are revealed."""
        ends = [(combat.side, combat.attacker), (combat.side.other, combat.defender)]
        ranks = [
            self._text(
                N_("{side}: {rank}."), side=self.language.side(side), rank=self.language.rank(rank)
            )
            for side, rank in ends
            if rank is not None
        ]
        text = " ".join([*ranks, self._result(combat)])
        if combat.reading is None or not self._rules.cites:
            return text
        reading = self._rules.reading(combat.reading)
        silent = N_("the rulebook is silent, and our reading is: {reading}")
        return f"{text} ({self._text(silent, reading=reading)})"

    def infiltrated(self, event: rulings.Infiltrated) -> str:
        if not event.right:
            return self._text(N_("Wrong."))
        if event.guess is Rank.FLAG:
            return self._text(N_("Right: the flag is captured!"))
        rank = self.language.rank(event.guess)
        return self._text(
            N_("Right: the {rank} on {square} falls."), rank=rank, square=name(event.target)
        )

    def correction(self, corrected: rulings.Corrected) -> str:
        """Describe the correction, naming other pieces whose possible ranks it has changed."""
        places = list(map(name, corrected.squares))
        match corrected.mistake:
            case RankCorrection(_, rank):
                text = self._text(
                    N_("The arbiter corrects the record: the piece on {square} is: {rank}."),
                    square=places[0],
                    rank=self.language.rank(rank),
                )
            case SwapCorrection():
                text = self._text(
                    N_(
                        "The arbiter corrects the record: the pieces on {one} and {other} are "
                        "swapped."
                    ),
                    one=places[0],
                    other=places[1],
                )
            case NotAScout():
                text = self._text(
                    N_(
                        "The arbiter corrects the record: the piece on {square} has never "
                        "moved further than one square."
                    ),
                    square=places[0],
                )
        others = list(squares_in(corrected.changed & ~set_of(corrected.squares)))
        if not others:
            return text
        follows = N_("This also changes what is known about the pieces on: {squares}.")
        return f"{text} {self._text(follows, squares=some(others))}"

    def end(self, end: rulings.GameOver) -> str:
        """Name the winner and the reason."""
        reading = end.citation.reading if end.citation else None
        words = _REASONS_AS_WE_READ.get(reading) if reading else None
        reason = self._text(words or _REASONS[end.reason])
        if end.winner:
            winner = self.language.side(end.winner)
            text = self._text(N_("{winner} wins: {reason}."), winner=winner, reason=reason)
        elif end.reason is rulings.Reason.FORFEIT:
            text = self._text(N_("Both sides lose: {reason}."), reason=reason)
        else:
            text = self._text(N_("The game is a draw: {reason}."), reason=reason)
        return self._rules.sourced(text, end.citation)

    def _result(self, combat: rulings.Combat) -> str:
        if combat.boom:
            return self.language.cry
        if combat.defender is Rank.FLAG:
            return self._text(N_("The flag is captured!"))
        if combat.winner is None:
            return self._text(N_("Both fall."))
        if combat.defender is Rank.BOMB:
            return self._text(N_("The bomb is defused."))
        return self._text(N_("{side} wins the combat."), side=self.language.side(combat.winner))


# All public events.

_WORDS: Final[Mapping[type[Public], str]] = {
    rulings.ArmiesPlaced: N_("Both armies are ready. Red begins."),
    rulings.AttackOpened: N_("{source} attacks {target}."),
    rulings.AttackWithdrawn: N_("No attack, then."),
    events.BoardConnected: N_("The board is connected."),
    events.BoardDisconnected: N_("The board is disconnected. The game waits for it."),
    rulings.Declared: N_("{side} has declared."),
    ScreenDue: N_("{side}: take the screen."),
    EarphoneDue: N_("{side}: take the earphone."),
    PhoneDue: N_("{side}: declare on your phone."),
    inputs.OfferDraw: N_("{side} offers a draw."),
    rulings.Disputed: N_(
        "{side} stands by a declaration that cannot be true. Settle it together, or call the "
        "arbiter."
    ),
    rulings.InfiltrationOpened: N_("{source} infiltrates {target} and guesses: {guess}."),
    rulings.TakenBack: N_("Taken back."),
    inputs.OfferUndo: N_("{side} asks to take back the last move."),
    events.SensorFailed: N_(
        "The sensor of {square} has failed. Play on, and make moves there on the screen."
    ),
    events.SealsMissing: N_("{side} has not sealed this army."),
    rulings.SealsBroken: N_("The seals of {side} no longer count."),
    events.ArmiesSealed: N_("{side} has sealed the army."),
    events.SetupTimeUp: N_("Setup time is over."),
    events.LowSupply: N_("The board has too little power. Check its plug and its power supply."),
    events.ConfirmAttack: N_("Does {source} attack {target}?"),
    events.ChooseAttacker: N_("Which piece attacks, {source} or {target}?"),
    rulings.Moved: N_("{side}: {source} to {target}."),
    events.MoveDue: N_("Move {side}'s piece from {source} to {target}."),
    rulings.MoveRequired: N_("{side} can move: a legal move proves it and wins."),
    rulings.Touched: N_("The piece on {square} was touched: it must move if it can."),
    rulings.TouchedFreed: N_("The owner says that the piece on {square} cannot move."),
    events.Restored: N_("All pieces are in place again."),
    inputs.Ready: N_("{side} is ready."),
    inputs.Pause: N_("Pause. The game waits."),
    inputs.Resume: N_("The game continues."),
    inputs.WithdrawCall: N_("The arbiter is no longer needed."),
    inputs.AnswerCall: N_("An arbiter is on the way."),
    events.TurnBegan: N_("{side} to move."),
}
_SOLO_WORDS: Final = {**_WORDS, inputs.OfferUndo: N_("{side} takes back a move.")}


class Announcer:
    """Sentences about public events in one language.

    If `solo` is true, one person plays against the computer. The sentences then omit their sources,
    and a take-back needs no agreement.
    """

    def __init__(self, language: Language, *, solo: bool = False) -> None:
        self.language = language
        self._words = _SOLO_WORDS if solo else _WORDS
        self.rules = RuleWords(language, cites=not solo)
        """Sentences about violations and proofs."""
        self.board = BoardWords(language)
        """Sentences about the board, including instructions."""
        self.results = ResultWords(language, self.rules)
        self._text = language.text

    def sentence(self, event: Public) -> str:
        """Return the sentence for a public event, or "" if nothing needs to be announced."""
        match event:
            case rulings.Combat():
                return self.results.combat(event)
            case Violation():
                return self.rules.refusal([event])
            case rulings.Overridden():
                stands = self._text(N_("The arbiter allows it."))
                broken = self.rules.refusal([event.violation])
                objection = self._text(N_("The rule was: {rule}"), rule=broken)
                return f"{stands} {objection}"
            case rulings.Corrected():
                return self.results.correction(event)
            case events.ChooseExplanation(explanations):
                ways, *others = map(self.board.turns_in_words, explanations)
                if not others:
                    return self._text(N_("Is this right: {way}?"), way=ways)
                for each in others:
                    ways = self._text(N_("{one}, or {other}"), one=ways, other=each)
                return self._text(N_("Which was it: {ways}?"), ways=ways)
            case rulings.Touched(square, carried=True):
                message = N_(
                    "The piece on {square} was moved away, so it must move. If it cannot, "
                    "its owner says so in private and may move another piece."
                )
                return self._text(message, square=name(square))
            case events.PieceBetweenSquares(squares):
                return self.board.stands_badly(squares)
            case rulings.StalemateClaimed(awaited):
                return self._text(
                    N_("{stuck} cannot move. {side}, can you move?"),
                    stuck=self.language.side(awaited.other),
                    side=self.language.side(awaited),
                )
            case inputs.IgnoreSquare(square, doubted):
                message = (
                    N_("The sensor of {square} is now ignored.")
                    if doubted
                    else N_("The sensor of {square} is used again.")
                )
                return self._text(message, square=name(square))
            case inputs.AdjustClock(side, seconds):
                message = (
                    N_("The arbiter adjusts the clock: {side}, {time} more.")
                    if seconds > 0
                    else N_("The arbiter adjusts the clock: {side}, {time} less.")
                )
                time = self.language.duration(abs(seconds))
                return self._text(message, side=self.language.side(side), time=time)
            case rulings.Disputed(is_as_sealed=bool() as is_as_sealed):
                message = self._text(_WORDS[rulings.Disputed], side=self.language.side(event.side))
                return f"{message} {self.seal(is_as_sealed=is_as_sealed)}"
            case rulings.ArmyOpened(side, _, wrong):
                opened = self._text(
                    N_("{side} has opened all seals."), side=self.language.side(side)
                )
                found = (
                    N_(
                        "The army breaks the rules, or does not match what its pieces did: "
                        "{squares}."
                    )
                    if wrong
                    else N_(
                        "The army was set up correctly, and its ranks match everything its "
                        "pieces did."
                    )
                )
                return f"{opened} {self._text(found, squares=some(list(squares_in(wrong))))}"
            case inputs.CallArbiter(side=None):
                return self._text(N_("The arbiter is called."))
            case inputs.CallArbiter(Side() as side):
                return self._text(N_("{side} calls the arbiter."), side=self.language.side(side))
            case rulings.DisputeSettled(accepted=True):
                return self._text(N_("The declaration counts."))
            case rulings.DisputeSettled():
                return self._text(N_("The declaration does not count. Declare again."))
            case rulings.CorrectionRefused():
                refused = self._text(N_("This correction is impossible."))
                return f"{refused} {self.rules.proof(event)}"
            case events.BoardOffered(side, shifted, removed, to_move):
                claim = self._text(
                    N_("{side} says: the board is right."), side=self.language.side(side)
                )
                next_ = self._text(_WORDS[events.TurnBegan], side=self.language.side(to_move))
                asked = self._text(N_("{side}, do you agree?"), side=self.language.side(side.other))
                return " ".join([claim, *self.board.claim(shifted, removed), next_, asked])
            case rulings.BoardAdopted(shifted, removed):
                agreed = self._text(N_("Both players agree: the board is right."))
                return " ".join([agreed, *self.board.claim(shifted, removed)])
            case rulings.AdoptionRejected():
                return self.board.refusal(event)
            case rulings.Infiltrated():
                return self.results.infiltrated(event)
            case rulings.GameOver():
                return self.results.end(event)
            case events.ColoursDrawn(red, blue):
                drawn = N_("{red} plays Red and begins. {blue} plays Blue.")
                return self._text(drawn, red=red, blue=blue)
            case events.SetupSeen():
                return self.board.setup(event)
            case events.BoardDiffers() | events.LossWarning():
                guide = self.board.guide(event.difference, event.expected)
                return " ".join([self.headline(event), *guide])
            case events.CleanupRequired():
                return " ".join(self.board.guide(event.difference, event.expected))
        words = self._words.get(type(event), "")
        return self._text(words, **self._values(event)) if words else ""

    def seal(self, *, is_as_sealed: bool) -> str:
        """State whether the seal of a piece confirms a disputed declaration."""
        if is_as_sealed:
            return self._text(
                N_(
                    "The seal shows the same rank. Either this piece did something that "
                    "its rank cannot do, or it was mixed up with another."
                )
            )
        return self._text(
            N_(
                "The seal shows a different rank. Either the declaration is false, or "
                "this piece was mixed up with another."
            )
        )

    def headline(self, event: Public) -> str:
        """Return the sentence for a public event, without the instructions for each square."""
        match event:
            case events.BoardDiffers():
                return self._text(N_("Some pieces are out of place."))
            case events.LossWarning():
                return self._text(N_("Put the piece back at once, or you lose the game."))
            case events.CleanupRequired():
                return ""
        return self.sentence(event)

    def asked(self, question: events.RankAsked) -> str:
        """Return the question about a rank.

        It names the square on which the piece stood when the attack began, because the piece may
        have been moved since.
        """
        words = (
            N_("{side}: which rank attacks from {square}?")
            if question.is_attacker
            else N_("{side}: which rank defends {square}?")
        )
        side = self.language.side(question.owner)
        return self._text(words, side=side, square=name(question.square))

    def _values(self, event: Public) -> dict[str, str]:
        """Return the values of a simple event, keyed by the placeholders in its sentence."""
        values = {}
        if isinstance(side := getattr(event, "side", None), Side):
            values["side"] = self.language.side(side)
        for end in ("source", "target", "square"):
            if isinstance(square := getattr(event, end, None), int):
                values[end] = name(square)
        for named in ("guess", "rank"):
            if isinstance(rank := getattr(event, named, None), Rank):
                values[named] = self.language.rank(rank)
        return values
