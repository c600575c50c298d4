"""Sentences about the board, violations and proofs. The latter two cite the rules."""

from collections.abc import Sequence
from typing import Final

from companion.core.events import SetupSeen
from companion.core.state import TAKEN_BACK
from companion.speech.i18n import N_, Language
from engine.board.geometry import Square, SquareSet, name, names, squares_in
from engine.deduction.possible_ranks import Evidence
from engine.game.actions import Relocation
from engine.game.rulings import AdoptionError, AdoptionRejected, Contradiction, CorrectionRefused
from engine.rules.rules import Citation, Interpretation, Rule, Violation, ViolationKind
from firmware_bridge.image import Image, ImageDifference

_NAMED: Final = 8
"""Maximum number of squares named in a sentence."""
_OBSTACLES: Final = {
    AdoptionError.TOO_MANY: N_(
        "There is one piece too many on {squares}. Remove it, or take back the capture."
    ),
    AdoptionError.BOMB_OR_FLAG: N_(
        "Only a bomb or the flag can be missing on {squares}. They never move: put it back."
    ),
    AdoptionError.FLAG: N_(
        "Only the flag can be missing on {squares}. Put it back. A player whose flag is lost "
        "must resign."
    ),
}
"""Reasons why the board cannot be accepted as it stands, each with its remedy."""


class BoardWords:
    """Sentences about the board in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._text = language.text

    def turns_in_words(self, written: str) -> str:
        """Describe turns in game notation, such as ``e4-e5 f7xf5``, in words."""
        if written == TAKEN_BACK:
            return self._text(N_("the last move is taken back"))
        text, *others = map(self._turn, written.split())
        for each in others:
            text = self._text(N_("{turn}, then {next}"), turn=text, next=each)
        return text

    def guide(self, difference: ImageDifference, expected: Image) -> list[str]:
        """Return one instruction per piece for correcting the board: removals, then placements."""
        take = [
            self._text(N_("Remove the piece from {square}."), square=name(square))
            for square in squares_in(difference.surplus)
        ]
        put = [
            self._text(N_("Put the red piece on {square}."), square=name(square))
            if expected.red >> square & 1
            else self._text(N_("Put the blue piece on {square}."), square=name(square))
            for square in squares_in(difference.missing)
        ]
        return take + put

    def claim(self, shifted: Sequence[Relocation], removed: SquareSet) -> list[str]:
        """Return one sentence for each moved or removed piece.

        The board is taken to be correct, and the referee's position to be out of date.
        """
        elsewhere = [
            self._text(
                N_("The piece from {source} is on {target}."),
                source=name(shift.source),
                target=name(shift.target),
            )
            for shift in shifted
        ]
        missing = [
            self._text(N_("The piece from {square} is off the board."), square=name(square))
            for square in squares_in(removed)
        ]
        return elsewhere + missing

    def refusal(self, refused: AdoptionRejected) -> str:
        """Explain why the board cannot be accepted as it stands, and give the remedy."""
        squares = some(list(squares_in(refused.squares)))
        return self._text(_OBSTACLES[refused.obstacle], squares=squares)

    def setup(self, setup: SetupSeen) -> str:
        count = self._text(
            N_("Pieces set up: Red {red}, Blue {blue}."), red=setup.red, blue=setup.blue
        )
        return " ".join([count, *self.astray(setup)])

    def astray(self, setup: SetupSeen) -> list[str]:
        """Return the problems during setup, each with its remedy."""
        if setup.are_exchanged:
            wrong = N_("The armies are on the wrong sides: Red belongs on rows 1 to 4.")
            way_out = N_("Turn the board round, or swap the armies.")
            return [self._text(wrong), self._text(way_out)]
        colour = setup.wrong_colour
        elsewhere = [square for square in setup.astray if square not in colour]
        return [
            self._text(sentence, squares=some(squares))
            for sentence, squares in (
                (
                    N_(
                        "{squares}: this piece belongs to the other side, or its magnet is "
                        "upside down."
                    ),
                    colour,
                ),
                (N_("No piece belongs on {squares}."), elsewhere),
            )
            if squares
        ]

    def stands_badly(self, squares: Sequence[Square]) -> str:
        """Describe the location of a piece that is off-centre or between squares."""
        names = list(map(name, squares))
        if len(names) == 1:
            message = N_("A piece is not centred on {square}: move it to the centre.")
            return self._text(message, square=names[0])
        if len(names) == 2:
            message = N_(
                "A piece is between {one} and {other}: move it to the centre of its square."
            )
            return self._text(message, one=names[0], other=names[1])
        message = N_("A piece is at the corner of {squares}: move it to the centre of its square.")
        return self._text(message, squares=", ".join(names))

    def _turn(self, written: str) -> str:
        is_attack = "x" in written
        source, target = written.split("x" if is_attack else "-")
        words = N_("{source} attacks {target}") if is_attack else N_("{source} to {target}")
        return self._text(words, source=source, target=target)


def some(squares: Sequence[Square]) -> str:
    """Name only the first few squares, because a knocked-over army would fill the screen."""
    named = ", ".join(map(name, squares[:_NAMED]))
    return named if len(squares) <= _NAMED else f"{named} …"


_FAULTS: Final = {
    ViolationKind.WRONG_COUNT: N_("{side}: no army in this game has {count} pieces."),
    ViolationKind.WRONG_ARMY: N_(
        "{side} has too many or too few pieces of these ranks: {squares}."
    ),
    ViolationKind.OUTSIDE_HOME: N_("{side} has pieces outside its own four rows: {squares}."),
    ViolationKind.ON_LAKE: N_("Pieces cannot stand on a lake: {squares}."),
    ViolationKind.SHARED_SQUARE: N_("Two pieces are on one square: {squares}."),
    ViolationKind.NOT_SEALED: N_("{side} has not sealed these pieces: {squares}."),
    ViolationKind.NOT_YOUR_PIECE: N_("It is {side}'s turn."),
    ViolationKind.GAME_IS_OVER: N_("The game is over."),
    ViolationKind.TOUCHED_ANOTHER: N_(
        "The piece on {squares} was touched first, so it must move if it can."
    ),
    ViolationKind.NO_PIECE: N_("There is no piece on {squares}."),
    ViolationKind.NOT_STRAIGHT: N_("Pieces move straight along a row or a column."),
    ViolationKind.INTO_LAKE: N_("Pieces cannot enter a lake."),
    ViolationKind.ACROSS_LAKE: N_("Pieces cannot cross a lake."),
    ViolationKind.ONTO_OWN_PIECE: N_("One of your own pieces is there."),
    ViolationKind.ONTO_OPPONENT: N_("An opposing piece is there."),
    ViolationKind.NOTHING_TO_ATTACK: N_("No opposing piece is there."),
    ViolationKind.PIECE_IN_THE_WAY: N_("Pieces cannot jump over other pieces."),
    ViolationKind.TOO_FAR: N_("Only a scout can move further than one square."),
    ViolationKind.IMMOBILE: N_("Bombs and the flag never move."),
    ViolationKind.TO_AND_FRO: N_(
        "This piece has already moved {count} times in a row between {one} and {other}. It "
        "must now go elsewhere, or another piece must move."
    ),
    ViolationKind.CHASE_REPEATS: N_(
        "A chase may not go round in circles: this exact position already occurred {count} "
        "moves ago."
    ),
    ViolationKind.NO_INFILTRATOR: N_("Only the infiltrator can infiltrate."),
    ViolationKind.NOT_IN_ENEMY_ROWS: N_("The infiltrator must be in the other side's four rows."),
    ViolationKind.OUT_OF_REACH: N_(
        "The infiltrator reaches one or two squares in a straight line."
    ),
    ViolationKind.NO_PIECE_THERE: N_("No opposing piece is there."),
}
_RULES: Final = {
    Rule.SETUP: N_("the armies"),
    Rule.OUT_OF_TURN: N_("whose turn it is"),
    Rule.TOUCH_MOVE: N_("touch-move"),
    Rule.SEALED_ARMIES: N_("sealed armies"),
    Rule.MOVEMENT: N_("how pieces move"),
    Rule.IMMOBILE_PIECE: N_("bombs and the flag"),
    Rule.TWO_SQUARES: N_("the two-squares rule"),
    Rule.MORE_SQUARES: N_("the more-squares rule"),
    Rule.COMBAT: N_("attacks"),
    Rule.INFILTRATION: N_("the infiltrator"),
    Rule.ENDING: N_("the end of the game"),
}
"""The topic of each rule's paragraph, as named in citations."""
_READINGS: Final = {
    Interpretation.ATTACK_IS_A_MOVE: N_("an attack counts as a move when a piece goes to and fro"),
    Interpretation.CHASE_AS_ISF: N_(
        "an endless chase is recognised as in article 11 of the ISF rules"
    ),
    Interpretation.STRAIGHT_STRIKE: N_(
        "a scout runs and attacks along one straight line, not round a corner"
    ),
    Interpretation.SPY_AND_INFILTRATOR: N_(
        "an attacking infiltrator fights like any rank 1: it and a spy both fall"
    ),
    Interpretation.SILENT_SURVIVOR: N_(
        "with silent defence, only a defender that survives stays hidden, and without the cry; "
        "a fallen one is laid aside for all to see"
    ),
    Interpretation.ENEMY_ROWS: N_("enemy territory is the opponent's four rows"),
    Interpretation.STRAIGHT_LINE: N_(
        "one or two squares away means in a straight line, and the square between may be occupied"
    ),
    Interpretation.TURN_WITHOUT_MOVE: N_(
        "an infiltration is a turn: like an attack it ends a chase, and as nobody moves "
        "it interrupts going to and fro"
    ),
    Interpretation.KNOCKED_BOMB: N_(
        "a bomb or flag on a square that no piece could have reached was knocked, not moved: "
        "it is put back"
    ),
    Interpretation.SHUT_IN_LOSES: N_(
        "a player who has movable pieces but no legal move loses as well"
    ),
    Interpretation.REPETITION_LOSES: N_(
        "a player whose only remaining moves are forbidden by a repetition rule loses"
    ),
    Interpretation.BOTH_SHUT_IN: N_("when neither side can move, the game is a draw"),
    Interpretation.BOTH_SPENT: N_(
        "when one combat takes the last movable pieces of both armies, the game is a draw"
    ),
    Interpretation.SPY_AND_SPY: N_("a spy that attacks a spy meets an equal rank: both fall"),
    Interpretation.SCOUT_BORDERS: N_("a scout that runs crosses every border on its way"),
    Interpretation.RUNNING_CHASE: N_("only the positions of the current chase count"),
}
_GROUNDS: Final = {
    Evidence.NOT_IN_ARMY: N_("There is no {rank} in this army."),
    Evidence.ATTACKS: N_("This piece attacks, so it is neither a bomb nor the flag."),
    Evidence.MOVED: N_("This piece has already moved, so it is neither a bomb nor the flag."),
    Evidence.LONG_MOVE: N_("This piece has moved further than one square, so it is a scout."),
    Evidence.REVEALED: N_("This piece has already been revealed: {other}."),
    Evidence.WON_UNNAMED: N_(
        "This piece has already beaten the {other}; the {rank} would have lost."
    ),
    Evidence.DECLARED: N_("You already declared this piece, which stayed hidden: {other}."),
    Evidence.GUESSED_WRONG: N_("An earlier guess that this is the {rank} was wrong."),
    Evidence.ALL_FOUND: N_("All your pieces of this rank are already known: {rank} × {count}."),
    Evidence.ALL_FALLEN: N_("All your pieces of this rank have already fallen: {rank} × {count}."),
    Evidence.NOT_AS_SEALED: N_("This piece was sealed with a different rank."),
    Evidence.AS_SEALED: N_("This piece was sealed with this rank: {rank}."),
    Evidence.STATED: N_("The position text gives this piece a different rank."),
    Evidence.NEEDED: N_(
        "If this were the {rank}, no piece would be left that could be your {other}."
    ),
}


class RuleWords:
    """Sentences about rules, violations and proofs in one language.

    If `cites` is false, the sentences omit their sources.
    """

    def __init__(self, language: Language, *, cites: bool = True) -> None:
        self.language, self.cites = language, cites
        self._text = language.text

    def refusal(self, violations: Sequence[Violation]) -> str:
        """Describe violations of one rule, and cite the rule."""
        return self.sourced(" ".join(map(self.fault, violations)), violations[0].citation)

    def proof(self, contradiction: Contradiction | CorrectionRefused) -> str:
        """Explain why a rank is impossible.

        If the rank was declared, only its owner may see this explanation.
        """
        proof = contradiction.proof
        other = "" if proof.other is None else self.language.rank(proof.other)
        rank = self.language.rank(proof.rank)
        text = self._text(_GROUNDS[proof.ground], rank=rank, count=proof.count, other=other)
        return self.sourced(text, contradiction.citation)

    def private_word(self, contradiction: Contradiction) -> str:
        """Explain, to the piece's owner only, why the declared rank of a hidden piece was wrong."""
        rank = self.language.rank(contradiction.proof.rank)
        text = self._text(
            N_("You once declared a piece that stayed hidden: {rank}. That has been disproved."),
            rank=rank,
        )
        return f"{text} {self.proof(contradiction)}"

    def sourced(self, text: str, citation: Citation | None) -> str:
        """Return a text, followed by its source if there is one and sources are wanted."""
        return f"{text} ({self.cite(citation)})" if citation and self.cites else text

    def cite(self, citation: Citation) -> str:
        """Return the names of the rulebook and the topic, and our interpretation if needed."""
        if citation.is_house_rule:
            return self._text(N_("house rule: {rule}"), rule=self._text(_RULES[citation.rule]))
        if citation.is_organisers:
            return self._text(
                N_("organiser's rule: {rule}"), rule=self._text(_RULES[citation.rule])
            )
        reading = self.reading(citation.reading) if citation.reading else ""
        if not citation.rulebook:
            return self._text(
                N_("no rulebook covers it; our reading is: {reading}"), reading=reading
            )
        about = self._text(_RULES[citation.rule])
        cited = self._text(N_("{rulebook}: {rule}"), rulebook=self._place(citation), rule=about)
        if not reading:
            return cited
        return self._text(
            N_("{cited}; the rulebook is silent, and our reading is: {reading}"),
            cited=cited,
            reading=reading,
        )

    def _place(self, citation: Citation) -> str:
        """Return the usual name of the rulebook, with the article number if there is one."""
        title = self.language.rulebook(citation.rulebook)
        if not citation.article:
            return title
        number = citation.article.removeprefix("art. ")
        return self._text(N_("{rulebook}, art. {number}"), rulebook=title, number=number)

    def reading(self, reading: Interpretation) -> str:
        """Return our interpretation of a point that a rulebook leaves open."""
        return self._text(_READINGS[reading])

    def fault(self, violation: Violation) -> str:
        """Describe a violation, without a citation."""
        squares = names(violation.squares).split()
        side = {"side": self.language.side(violation.side)} if violation.side else {}
        return self._text(
            _FAULTS[violation.fault],
            **dict(zip(("one", "other"), squares, strict=False)),
            squares=", ".join(squares),
            count=violation.count,
            **side,
        )
