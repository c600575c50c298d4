"""What is said aloud and shown to all: public events as sentences in the players' language.

It takes `Public` events alone. The one exception, `proof`, is for the screen of the player who made
the declaration.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from companion.speech.language import N_, Language
from companion.table.events import (
    AttackAsked,
    BoardConnected,
    BoardDiffers,
    BoardDisconnected,
    ClearUp,
    ColoursDrawn,
    CourseAsked,
    LossThreatens,
    Restored,
    SetupSeen,
    SetupTimeUp,
    TurnBegan,
    WhoAttacks,
)
from companion.table.question import TAKEN_BACK
from companion.table.sayings import Doubt, OfferDraw, OfferTakeBack, Ready
from engine.knowledge.proofs import Ground
from engine.play.actions import Exchanged, NoLongMove, WrongRank
from engine.play.rulings import (
    ArmiesPlaced,
    AttackOpened,
    AttackWithdrawn,
    CanYouMove,
    Combat,
    Contradiction,
    Corrected,
    CorrectionRefused,
    Declared,
    Disputed,
    DisputeSettled,
    GameOver,
    Infiltrated,
    InfiltrationOpened,
    Moved,
    Overridden,
    Reason,
    ShowAMove,
    TakenBack,
    Touched,
)
from engine.ranks import Rank
from engine.rulebook.faults import Fault
from engine.rulebook.rules import Citation, Reading, Rule
from engine.rulebook.violation import Violation
from engine.secrecy import Public
from engine.sides import Side
from engine.squares import Square, name, names, set_of, squares_in
from firmware_bridge.difference import Difference
from firmware_bridge.image import Image
from firmware_bridge.link import TroubleKind

_NAMED: Final = 8
"""How many squares a sentence names."""
_FAULTS: Final = {
    Fault.WRONG_COUNT: N_(
        "{side}: the number of pieces is {count}, which makes no army of this game."
    ),
    Fault.WRONG_ARMY: N_("{side} has too many or too few pieces of these ranks: {squares}."),
    Fault.OUTSIDE_HOME: N_("{side} has pieces outside the own four rows: {squares}."),
    Fault.ON_LAKE: N_("Pieces stand on a lake: {squares}."),
    Fault.SHARED_SQUARE: N_("Two pieces stand on one square: {squares}."),
    Fault.NOT_YOUR_PIECE: N_("It is {side}'s turn."),
    Fault.GAME_IS_OVER: N_("The game is over."),
    Fault.TOUCHED_ANOTHER: N_(
        "The piece on {squares} was touched first, and as long as it can move it has to."
    ),
    Fault.NO_PIECE: N_("No piece stands there: {squares}."),
    Fault.NOT_STRAIGHT: N_("Pieces move straight along a row or a column."),
    Fault.INTO_LAKE: N_("No piece enters a lake."),
    Fault.ACROSS_LAKE: N_("No piece crosses a lake."),
    Fault.ONTO_OWN_PIECE: N_("An own piece stands there."),
    Fault.ONTO_OPPONENT: N_("An opposing piece stands there."),
    Fault.NOTHING_TO_ATTACK: N_("No opposing piece stands there."),
    Fault.PIECE_IN_THE_WAY: N_("No piece jumps over another."),
    Fault.TOO_FAR: N_("Only a scout moves further than one square."),
    Fault.IMMOBILE: N_("Bombs and the flag never move."),
    Fault.TO_AND_FRO: N_(
        "This piece has already gone {count} times in a row between {one} and {other}. Now it has "
        "to go elsewhere, or another piece has to move."
    ),
    Fault.CHASE_REPEATS: N_(
        "A chase may not go in a circle: all pieces stood exactly like this {count} moves ago."
    ),
    Fault.NO_INFILTRATOR: N_("Only the infiltrator infiltrates."),
    Fault.NOT_IN_ENEMY_ROWS: N_("The infiltrator has to stand in the other side's four rows."),
    Fault.OUT_OF_REACH: N_("The infiltrator reaches one or two squares in a straight line."),
    Fault.NOBODY_THERE: N_("No opposing piece stands there."),
}
_RULES: Final = {
    Rule.SETUP: N_("the armies"),
    Rule.OUT_OF_TURN: N_("whose turn it is"),
    Rule.TOUCH_MOVE: N_("touch-move"),
    Rule.MOVEMENT: N_("how pieces move"),
    Rule.IMMOBILE_PIECE: N_("bombs and the flag"),
    Rule.TWO_SQUARES: N_("the two-squares rule"),
    Rule.MORE_SQUARES: N_("the more-squares rule"),
    Rule.COMBAT: N_("attacks"),
    Rule.INFILTRATION: N_("the infiltrator"),
    Rule.ENDING: N_("the end of the game"),
}
"""What the paragraph is about that a ruling cites."""
_READINGS: Final = {
    Reading.ATTACK_IS_A_MOVE: N_("an attack counts like a move when a piece goes to and fro"),
    Reading.CHASE_AS_ISF: N_("an endless pursuit is recognised as in article 11 of the ISF rules"),
    Reading.STRAIGHT_STRIKE: N_(
        "a scout runs and attacks along one straight line, not round a corner"
    ),
    Reading.SPY_AND_INFILTRATOR: N_(
        "an attacking infiltrator fights like any rank 1: it and a spy both fall"
    ),
    Reading.SILENT_SURVIVOR: N_(
        "with silent defence only a defender that survives stays unnamed, and without the cry; "
        "a fallen one is laid aside for all to see"
    ),
    Reading.ENEMY_ROWS: N_("enemy territory is the opponent's four rows"),
    Reading.STRAIGHT_LINE: N_(
        "one or two squares away means in a straight line, and the square between may be occupied"
    ),
    Reading.TURN_WITHOUT_MOVE: N_(
        "an infiltration is a turn: like an attack it ends a chase, and as nobody moves "
        "it interrupts going to and fro"
    ),
    Reading.KNOCKED_BOMB: N_(
        "a bomb or flag that stands where no piece could have gone was knocked, not moved: "
        "it is put back"
    ),
    Reading.SHUT_IN_LOSES: N_("a player who has movable pieces but no legal move loses as well"),
    Reading.REPETITION_LOSES: N_(
        "a player loses whose every other move is forbidden by a repetition rule"
    ),
    Reading.BOTH_SHUT_IN: N_("when neither side can move, the side whose turn it is loses"),
    Reading.BOTH_SPENT: N_(
        "when one combat takes the last movable pieces of both armies, the game is a draw"
    ),
}
_REASONS: Final = {
    Reason.FLAG_CAPTURED: N_("the flag is captured"),
    Reason.NO_MOVABLE_PIECE: N_("the other side has no movable piece left"),
    Reason.NO_LEGAL_MOVE: N_("the other side cannot move"),
    Reason.MOVED_BOMB: N_("the other side has moved a bomb or the flag"),
    Reason.RESIGNATION: N_("the other side has resigned"),
    Reason.AGREED_DRAW: N_("both sides have agreed"),
    Reason.BOTH_IMMOBILE: N_("neither side can move"),
    Reason.TIME: N_("the time is up"),
    Reason.FORFEIT: N_("the arbiter has decided"),
}
_REASONS_AS_WE_READ: Final = {
    Reading.BOTH_SHUT_IN: N_("neither side can move, and it is the other side's turn"),
    Reading.BOTH_SPENT: N_("both sides have lost their last movable pieces together"),
}
"""Where it is our reading that ends the game, and the reason by itself would not tell why."""
_GROUNDS: Final = {
    Ground.NOT_IN_ARMY: N_("There is no {rank} in this army."),
    Ground.ATTACKS: N_("This piece attacks, so it is neither bomb nor flag."),
    Ground.MOVED: N_("This piece has moved before, so it is neither bomb nor flag."),
    Ground.LONG_MOVE: N_("This piece has gone further than one square, so it is a scout."),
    Ground.REVEALED: N_("This piece was revealed before: {other}."),
    Ground.WON_UNNAMED: N_("This piece has won against {other} before; {rank} would have lost."),
    Ground.DECLARED: N_("You have declared this piece before, and it stayed unnamed: {other}."),
    Ground.GUESSED_WRONG: N_("{rank} was guessed for this piece before, and that was wrong."),
    Ground.ALL_FOUND: N_("All your pieces of this rank are known already: {rank} × {count}."),
    Ground.ALL_FALLEN: N_("All your pieces of this rank have fallen: {rank} × {count}."),
    Ground.NEEDED: N_("If this were the {rank}, no piece would be left to be your {other}."),
}
_TROUBLES: Final = {
    TroubleKind.NO_BOARD: N_("No board found. Plug its USB cable in; the search goes on."),
    TroubleKind.NO_SUCH_PORT: N_(
        "There is no serial port {port}. Plug the board in, or name another port."
    ),
    TroubleKind.BUSY: N_("Another program uses {port}. Close it; then this one goes on."),
    TroubleKind.NO_PERMISSION: N_(
        "You may not use {port}. Join its group with “sudo usermod -aG dialout $USER”, log out and "
        "in again."
    ),
    TroubleKind.WRONG_FIRMWARE: N_(
        "The board on {port} speaks another version ({detail}). Flash the firmware that came with "
        "this program."
    ),
    TroubleKind.NO_ANSWER: N_(
        "The board on {port} does not answer. Unplug it, plug it in again, and look whether "
        "another device uses this port."
    ),
    TroubleKind.GARBAGE: N_(
        "{port} brings only garbage. Look whether this is the board, and whether its cable is "
        "whole."
    ),
    TroubleKind.SILENT: N_(
        "The board has fallen silent. If it lasts, unplug the board and plug it in again."
    ),
    TroubleKind.UNPLUGGED: N_("The board is unplugged. Plug it in again."),
}


_WORDS: Final[Mapping[type[Public], str]] = {
    ArmiesPlaced: N_("Both armies stand. Red begins."),
    AttackOpened: N_("{source} attacks {target}."),
    AttackWithdrawn: N_("No attack, then."),
    BoardConnected: N_("The board is connected."),
    BoardDisconnected: N_("The board has gone. The game waits for it."),
    Declared: N_("{side} has declared."),
    OfferDraw: N_("{side} offers a draw."),
    Disputed: N_("{side} stays by a declaration that cannot be true. Decide, or call the arbiter."),
    InfiltrationOpened: N_("{source} infiltrates {target} and guesses: {guess}."),
    TakenBack: N_("Taken back."),
    OfferTakeBack: N_("{side} asks to take the last move back."),
    SetupTimeUp: N_("The time to set up is over."),
    AttackAsked: N_("Does {source} attack {target}?"),
    WhoAttacks: N_("Which piece attacks, {source} or {target}?"),
    Moved: N_("{side}: {source} to {target}."),
    ShowAMove: N_("{side} can move: a legal move shows it, and wins."),
    Touched: N_("The piece on {square} is touched: it has to move if it can."),
    Restored: N_("The board is right again."),
    Ready: N_("{side} is ready."),
    TurnBegan: N_("{side} to move."),
}


class Announcer:
    """Says events in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._text = language.text

    def sentence(self, event: Public) -> str:
        """Say a public event; an empty text for one that needs no words."""
        match event:
            case Combat():
                return self._combat(event)
            case Violation():
                return self.refusal([event])
            case Overridden():
                stands = self._text(N_("The arbiter lets it stand."))
                broken = self.refusal([event.violation])
                objection = self._text(N_("The objection was: {rule}"), rule=broken)
                return f"{stands} {objection}"
            case Corrected():
                return self._correction(event)
            case CourseAsked(courses):
                ways, *others = map(self.course, courses)
                if not others:
                    return self._text(N_("Is this right: {way}?"), way=ways)
                for each in others:
                    ways = self._text(N_("{one}, or {other}"), one=ways, other=each)
                return self._text(N_("Which was it: {ways}?"), ways=ways)
            case CanYouMove(awaited):
                return self._text(
                    N_("{stuck} cannot move. {side}, can you move?"),
                    stuck=self.language.side(awaited.other),
                    side=self.language.side(awaited),
                )
            case Doubt(square, doubted):
                said = (
                    N_("The board is not believed about {square} any more.")
                    if doubted
                    else N_("The board is believed about {square} again.")
                )
                return self._text(said, square=name(square))
            case DisputeSettled(accepted=True):
                return self._text(N_("The declaration counts."))
            case DisputeSettled():
                return self._text(N_("The declaration does not count; declare again."))
            case CorrectionRefused():
                refused = self._text(N_("This correction cannot be true."))
                return f"{refused} {self.proof(event)}"
            case Infiltrated():
                return self._infiltrated(event)
            case GameOver():
                return self._end(event)
            case ColoursDrawn(red, blue):
                drawn = N_("{red} plays Red and begins. {blue} plays Blue.")
                return self._text(drawn, red=red, blue=blue)
            case SetupSeen():
                return self._setup(event)
            case BoardDiffers():
                differs = self._text(N_("The board is not as it should be."))
                return " ".join([differs, *self.guide(event.difference, event.expected)])
            case LossThreatens():
                threat = self._text(N_("Put it back at once, or the game is lost."))
                return " ".join([threat, *self.guide(event.difference, event.expected)])
            case ClearUp():
                return " ".join(self.guide(event.difference, event.expected))
        words = _WORDS.get(type(event), "")
        return self._text(words, **self._values(event)) if words else ""

    def course(self, written: str) -> str:
        """Say turns that are written down one after the other, such as ``e4-e5 f7xf5``."""
        if written == TAKEN_BACK:
            return self._text(N_("the latest move is taken back"))
        said, *others = map(self._turn, written.split())
        for each in others:
            said = self._text(N_("{turn}, then {next}"), turn=said, next=each)
        return said

    def _turn(self, written: str) -> str:
        is_attack = "x" in written
        source, target = written.split("x" if is_attack else "-")
        words = N_("{source} attacks {target}") if is_attack else N_("{source} to {target}")
        return self._text(words, source=source, target=target)

    def refusal(self, violations: Sequence[Violation]) -> str:
        """Say everything that one rule forbids, and cite that rule."""
        said = " ".join(map(self._fault, violations))
        return f"{said} ({self._cite(violations[0].citation)})"

    def _fault(self, violation: Violation) -> str:
        squares = names(violation.squares).split()
        return self._text(
            _FAULTS[violation.fault],
            **dict(zip(("one", "other"), squares, strict=False)),
            squares=", ".join(squares),
            count=violation.count,
            side=self.language.side(violation.side) if violation.side else "",
        )

    def proof(self, contradiction: Contradiction | CorrectionRefused) -> str:
        """Say why a rank is impossible. Of a declared one it is for the eyes of its owner alone."""
        proof = contradiction.proof
        other = "" if proof.other is None else self.language.rank(proof.other)
        rank = self.language.rank(proof.rank)
        said = self._text(_GROUNDS[proof.ground], rank=rank, count=proof.count, other=other)
        return f"{said} ({self._cite(contradiction.citation)})"

    def private_word(self, contradiction: Contradiction) -> str:
        """Say what has disproved a rank that stayed unnamed, for the eyes of its owner alone."""
        rank = self.language.rank(contradiction.proof.rank)
        said = self._text(
            N_("You have declared a piece before that stayed unnamed: {rank}. That is disproved."),
            rank=rank,
        )
        return f"{said} {self.proof(contradiction)}"

    def _cite(self, citation: Citation) -> str:
        """Name the rulebook, what the paragraph is about, and our reading where it is silent."""
        if citation.rule is Rule.TOUCH_MOVE:
            return self._text(N_("a house rule: {rule}"), rule=self._text(_RULES[citation.rule]))
        reading = self._text(_READINGS[citation.reading]) if citation.reading else ""
        if not citation.rulebook:
            return self._text(
                N_("no rulebook covers it; our reading is: {reading}"), reading=reading
            )
        cited = f"{citation}: {self._text(_RULES[citation.rule])}"
        if not reading:
            return cited
        return self._text(
            N_("{cited}; the rulebook is silent, and our reading is: {reading}"),
            cited=cited,
            reading=reading,
        )

    def trouble(self, kind: TroubleKind, port: str | None, detail: str) -> str:
        """Say what is wrong with the connection and what to do."""
        return self._text(_TROUBLES[kind], port=port, detail=detail)

    def guide(self, difference: Difference, expected: Image) -> list[str]:
        """Say what to do on the board, a sentence a piece: first what to take, then what to set."""
        take = [
            self._text(N_("Take the piece from {square}."), square=name(square))
            for square in squares_in(difference.surplus)
        ]
        put = [
            self._text(N_("Set the red piece on {square}."), square=name(square))
            if expected.red >> square & 1
            else self._text(N_("Set the blue piece on {square}."), square=name(square))
            for square in squares_in(difference.missing)
        ]
        return take + put

    def _values(self, event: Public) -> dict[str, str]:
        """The values of a simple event by the names that its sentence uses."""
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

    def _infiltrated(self, event: Infiltrated) -> str:
        if not event.right:
            return self._text(N_("Wrong."))
        if event.guess is Rank.FLAG:
            return self._text(N_("Right: the flag is captured!"))
        rank = self.language.rank(event.guess)
        return self._text(
            N_("Right: the {rank} on {square} falls."), rank=rank, square=name(event.target)
        )

    def _setup(self, setup: SetupSeen) -> str:
        count = self._text(
            N_("Pieces set up: Red {red}, Blue {blue}."), red=setup.red, blue=setup.blue
        )
        return " ".join([count, *self.astray(setup)])

    def astray(self, setup: SetupSeen) -> list[str]:
        """Say what is wrong while the armies are set up, and the way out."""
        if setup.are_exchanged:
            wrong = N_("The armies stand on the wrong sides: Red belongs on rows 1 to 4.")
            way_out = N_("Turn the board round, or exchange the armies.")
            return [self._text(wrong), self._text(way_out)]
        colour = setup.wrong_colour
        elsewhere = [square for square in setup.astray if square not in colour]
        return [
            self._text(sentence, squares=_some(squares))
            for sentence, squares in (
                (N_("{squares}: the other side's piece, or its magnet is upside down."), colour),
                (N_("These do not belong there: {squares}."), elsewhere),
            )
            if squares
        ]

    def _combat(self, combat: Combat) -> str:
        ends = [(combat.side, combat.attacker), (combat.side.other, combat.defender)]
        ranks = [
            self._text(
                N_("{side}: {rank}."), side=self.language.side(side), rank=self.language.rank(rank)
            )
            for side, rank in ends
            if rank is not None
        ]
        told = " ".join([*ranks, self._result(combat)])
        if combat.reading is None:
            return told
        reading = self._text(_READINGS[combat.reading])
        silent = N_("the rulebook is silent, and our reading is: {reading}")
        return f"{told} ({self._text(silent, reading=reading)})"

    def _result(self, combat: Combat) -> str:
        if combat.boom:
            return self.language.cry
        if combat.defender is Rank.FLAG:
            return self._text(N_("The flag is captured!"))
        if combat.winner is None:
            return self._text(N_("Both fall."))
        if combat.defender is Rank.BOMB:
            return self._text(N_("The bomb is defused."))
        return self._text(N_("{side} wins the combat."), side=self.language.side(combat.winner))

    def _correction(self, corrected: Corrected) -> str:
        """Say what is set right, and of which other pieces something else is known by that."""
        places = list(map(name, corrected.squares))
        match corrected.mistake:
            case WrongRank(_, rank):
                said = self._text(
                    N_("The arbiter sets it right: the piece on {square} is: {rank}."),
                    square=places[0],
                    rank=self.language.rank(rank),
                )
            case Exchanged():
                said = self._text(
                    N_("The arbiter sets it right: the pieces on {one} and {other} are exchanged."),
                    one=places[0],
                    other=places[1],
                )
            case NoLongMove():
                said = self._text(
                    N_(
                        "The arbiter sets it right: the piece on {square} has never gone further "
                        "than one square."
                    ),
                    square=places[0],
                )
        others = list(squares_in(corrected.changed & ~set_of(corrected.squares)))
        if not others:
            return said
        follows = N_("Something else is known now of the pieces on these squares: {squares}.")
        return f"{said} {self._text(follows, squares=_some(others))}"

    def _end(self, end: GameOver) -> str:
        reading = end.citation.reading if end.citation else None
        words = _REASONS_AS_WE_READ.get(reading) if reading else None
        reason = self._text(words or _REASONS[end.reason])
        if end.winner:
            winner = self.language.side(end.winner)
            said = self._text(N_("{winner} wins: {reason}."), winner=winner, reason=reason)
        elif end.reason is Reason.FORFEIT:
            said = self._text(N_("Both sides have lost: {reason}."), reason=reason)
        else:
            said = self._text(N_("The game is a draw: {reason}."), reason=reason)
        return f"{said} ({self._cite(end.citation)})" if end.citation else said


def _some(squares: Sequence[Square]) -> str:
    """Name the first of some squares; all of a knocked army would fill the screen."""
    named = ", ".join(map(name, squares[:_NAMED]))
    return named if len(squares) <= _NAMED else f"{named} …"
