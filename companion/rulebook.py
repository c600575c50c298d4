"""The rules as the referee applies them, in Markdown, written from the data that the engine reads.

Numbers, armies, results of combats, faults, readings and the examples come from the engine. Only
what is the same in every edition is a sentence of this file.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle
from typing import Final, TypeAlias

from companion.announcer import Announcer
from companion.language import SOURCE, Language
from companion.markdown import bullets, paragraph, table, verbatim
from engine.board import Board
from engine.clocks import TIME_CONTROLS
from engine.combat import Result, is_boom, resolve
from engine.editions import EDITIONS, Edition, MovedBomb
from engine.more_squares import MoreSquares
from engine.ranks import IMMOBILE, Army, Rank
from engine.rules import Fault, Reading, Rule
from engine.rulings import Reason, Violation
from engine.sides import Side
from engine.squares import Square, name, set_of, square, squares_in
from engine.two_squares import TwoSquares

_INTRODUCTION: Final = """\
These are the rules as Boomboard applies them, for players and arbiters. This page is written by the
program from the data that the referee reads: `make rules` writes it anew, and the checks fail when
it is out of date. `boomboard rules` prints the rulebooks side by side, `boomboard rules --edition
ID` what is particular to one."""
_OUR_READINGS: Final = """\
Where a rulebook is silent the referee still has to decide. These readings are ours, no rulebook
says them; players are shown them with the rule."""
ALL: Final = tuple(EDITIONS.values())
_CARDINALS: Final = ["no", "one", "two", "three", "four", "five", "six", "seven"]
_ORDINALS: Final = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
_MOVED_BOMB: Final = {
    MovedBomb.NOT_ALLOWED: "it is put back",
    MovedBomb.LOSES: "loses at once",
    MovedBomb.ARBITER: "the arbiter decides, on record",
}
_BOOM: Final = "!"
_SIGNS: Final = {
    Result.ATTACKER_WINS: "+",
    Result.DEFENDER_WINS: "-",
    Result.BOTH_FALL: "=",
}
_AROUND: Final = {
    Side.RED: {"e5": "e6", "e6": "f6", "f6": "f5", "f5": "e5"},
    Side.BLUE: {"f6": "f5", "f5": "e5", "e5": "e6", "e6": "f6"},
}
"""A chase around four squares: where each side's piece goes from where it stands."""
_ANNOUNCER: Final = Announcer(Language(SOURCE))
_Way: TypeAlias = tuple[Square, Square]


def document(editions: Sequence[Edition] = ALL) -> str:
    """Everything: docs/rules.md."""
    sections = {
        "The rulebooks": [overview(editions), *map(_chapter, editions)],
        "Where the rulebooks are silent": _readings(editions),
        "Board and armies": _armies(editions),
        "Turns and moves": _moves(),
        "Two squares": _two_squares(editions),
        "More squares": _more_squares(editions),
        "Combat": _combat(),
        "The infiltrator": _infiltrator(editions),
        "How a game ends": _endings(editions),
        "What nobody may see": _secrecy(),
        "What the referee refuses": _faults(),
        "Disputes, decisions and second thoughts": _disputes(editions),
        "Clocks": _clocks(),
        "Sources": _sources(editions),
    }
    lines = ["# The rules", _INTRODUCTION]
    for number, (title, blocks) in enumerate(sections.items(), start=1):
        lines += [f"## {number}. {title}", *blocks]
    return "\n\n".join(lines) + "\n"


def overview(editions: Sequence[Edition] = ALL) -> str:
    """The editions side by side, in tables that fit a terminal."""
    facts: dict[tuple[str, ...], Callable[[Edition], list[str]]] = {
        ("rulebook", "armies"): lambda e: [e.rulebook, _join(army.name for army in e.armies)],
        ("two squares", "endless chase"): lambda e: [_crossings(e), _chase(e)],
        ("bomb or flag moved", "who cannot move", "if neither can"): lambda e: [
            _MOVED_BOMB[e.moved_bomb],
            _without_move(e),
            _neither_moves(e),
        ],
    }
    return "\n\n".join(
        table(["edition", *head], [[f"`{edition.id}`", *cells(edition)] for edition in editions])
        for head, cells in facts.items()
    )


def page(edition: Edition) -> str:
    """What is particular to one edition, with our readings of it."""
    readings = [f"{_word(r.rule).capitalize()}: {r.meaning}." for r in edition.readings]
    source = paragraph(f"Source: {_source(edition)}.")
    return "\n\n".join([_chapter(edition), _OUR_READINGS, bullets(readings), source])


def _chapter(edition: Edition) -> str:
    facts = [
        f"**Armies**: {_join(f'{army.name} ({army.size} pieces)' for army in edition.armies)}.",
        _fact(edition, Rule.TWO_SQUARES, "Two squares", _crossings(edition)),
        _fact(edition, Rule.MORE_SQUARES, "An endless chase", _chase(edition)),
        _fact(edition, Rule.IMMOBILE_PIECE, "Bomb or flag moved", _MOVED_BOMB[edition.moved_bomb]),
        _fact(edition, Rule.ENDING, "Who cannot move", _without_move(edition)),
        f"**If neither can**: {_neither_moves(edition)}.",
    ]
    return f"### {edition.rulebook} (`{edition.id}`)\n\n{bullets(facts)}"


def _fact(edition: Edition, rule: Rule, label: str, fact: str) -> str:
    """Say a fact with the article and the words of the rulebook, where there are any."""
    article = f" ({edition.articles[rule]})" if rule in edition.articles else ""
    wording = f" The rulebook: {edition.wording[rule]}." if rule in edition.wording else ""
    return f"**{label}**{article}: {fact}.{wording}"


def _crossings(edition: Edition) -> str:
    limit = edition.two_squares_limit
    others = [_CARDINALS[other] for other in edition.limits if other != limit]
    choice = f" ({' or '.join(others)} may be chosen)" if others else ""
    crossings = "crossing" if limit == 1 else "crossings"
    return f"{_CARDINALS[limit]} {crossings}; the {_ORDINALS[limit]} is illegal{choice}"


def _chase(edition: Edition) -> str:
    return "forbidden" if edition.more_squares else "no rule against it"


def _without_move(edition: Edition) -> str:
    ours = Reading.SHUT_IN_LOSES in edition.readings
    return "loses (if shut in: our reading)" if ours else "loses"


def _neither_moves(edition: Edition) -> str:
    return "a draw" if edition.both_immobile_draw else "who is to move loses"


def _readings(editions: Sequence[Edition]) -> list[str]:
    rows = []
    for reading in Reading:
        where = _those((e for e in editions if reading in e.readings), editions)
        rows.append([_word(reading.rule), reading.meaning, where])
    return [_OUR_READINGS, table(["rule", "our reading", "rulebook"], rows)]


def _armies(editions: Sequence[Edition]) -> list[str]:
    armies = list({army.name: army for edition in editions for army in edition.armies}.values())
    rows = [
        [_word(rank), rank.symbol, *(str(army.counts[rank] or "") for army in armies)]
        for rank in Rank
    ]
    rows.append(["**all**", "", *(f"**{army.size}**" for army in armies)])
    return [
        paragraph(
            "The board has ten by ten squares, called a1 to k10; there is no column j. Red sets up "
            "on rows 1 to 4, Blue on rows 7 to 10. No piece enters or crosses the two lakes."
        ),
        verbatim(str(Board({}, {}))),
        table(["rank", "sign", *(army.name for army in armies)], rows),
        paragraph(
            "Before the first move each army stands complete in its own four rows: "
            f"{_join(army.name for army in armies if _fills(army))} on all forty squares, "
            f"{_join(army.name for army in armies if not _fills(army))} on any of them. American "
            "sets count the other way round: there the marshal is 1, the scout 9 and the spy S."
        ),
    ]


def _fills(army: Army) -> bool:
    return army.size == Side.RED.home.bit_count()


def _moves() -> list[str]:
    return [
        bullets(
            [
                "Red always starts; then the sides take turns. A turn is one move or one attack. "
                "Nobody has to attack.",
                "Every piece but the flag and the bombs moves one square along a row or a column: "
                "onto an empty square, or onto an opposing piece, which is an attack.",
                "A scout goes any number of empty squares in a straight line, and may attack at "
                "the end of that line in the same turn. It jumps over nothing. A piece that went "
                "further than one square has proved that it is a scout.",
                "Lifting a piece is not a move. A move is made when the piece is released on "
                "another square or taps an opposing piece.",
                "A scout may be set down in front of its target before it taps it: that is one "
                "turn, from the square where it started.",
            ]
        )
    ]


def _two_squares(editions: Sequence[Edition]) -> list[str]:
    blocks = [
        paragraph(
            "A piece may not cross the same border between two neighbouring squares too often in a "
            "row. In a row means: in the player's own latest moves, without a gap. A move of "
            "another own piece, or to a third square, begins a new count; an attack counts like a "
            "move. What the opponent does in between does not matter, so the player who began has "
            "to stop first. A long move of a scout crosses several borders, and each is counted by "
            "itself: part of the way may still be open. Who has no other move loses."
        ),
        verbatim(str(_standing(red="e4"))),
    ]
    for edition in {edition.two_squares_limit: edition for edition in editions}.values():
        limit = edition.two_squares_limit
        *allowed, refused = _to_and_fro(limit)
        violation = Violation(
            Fault.TO_AND_FRO, set_of(refused), edition.cite(Rule.TWO_SQUARES), limit
        )
        where = _those((e for e in editions if e.two_squares_limit == limit), editions)
        blocks.append(
            paragraph(
                f"With {_CARDINALS[limit]} crossings ({where}): after {_ways(allowed)}, whatever "
                f"Blue plays, {_ways([refused])} is refused. {_told(violation)}"
            )
        )
    return blocks


def _to_and_fro(limit: int) -> list[_Way]:
    """A piece goes between two squares until a move is refused, which is the last."""
    rule, source, target = TwoSquares(limit), square("e4"), square("e5")
    piece, ways = source, list[_Way]()
    while True:
        ways.append((source, target))
        if rule.worn_out(Side.RED, piece, source, target):
            return ways
        rule.record(Side.RED, piece, source, target)
        source, target = target, source


def _more_squares(editions: Sequence[Edition]) -> list[str]:
    concerned = [edition for edition in editions if edition.more_squares]
    (*ways, refused), plies_ago = _chase_around()
    source = concerned[-1].cite(Rule.MORE_SQUARES)
    violation = Violation(Fault.CHASE_REPEATS, set_of(refused), source, plies_ago)
    return [
        paragraph(
            f"An endless chase is forbidden ({_those(concerned, editions)}). A piece threatens "
            "when it moves next to an opposing piece, along a row or a column. A threatened piece "
            "evades when it moves away promptly. A chase lasts as long as one player threatens "
            "with every move, be it with different pieces, and the threatened pieces keep evading."
        ),
        paragraph(
            "The chaser may not threaten a piece that has evaded in this chase if that leads to a "
            "position which has already stood on the board during the chase. A position is which "
            "piece stands where; ranks play no part. The exact reverse of the chaser's own move of "
            "just before is always allowed, as far as the two-squares rule lets it. An attack ends "
            "a chase, and one may begin with it."
        ),
        verbatim(str(_standing(red="e5", blue="f6"))),
        paragraph(
            f"Red begins and chases Blue around four squares: {_ways(ways)}. Now all stands as in "
            f"the picture, and {_ways([refused])} is refused. {_told(violation)}"
        ),
    ]


def _chase_around() -> tuple[list[_Way], int]:
    """Two pieces circle until a move is refused, which is the last; and how long ago it was so."""
    board, rule = _standing(red="e5", blue="f6"), MoreSquares()
    ways = list[_Way]()
    for side in cycle(Side):
        (source,) = squares_in(board.of(side))
        target = square(_AROUND[side][name(source)])
        ways.append((source, target))
        piece = board.piece_at(source)
        plies_ago = rule.repeated(board, side, piece, source, target)
        if plies_ago:
            return ways, plies_ago
        board.shift(source, target)
        rule.record(board, side, piece, (source, target), attack=False)
    raise AssertionError("a cycle has no end")


def _combat() -> list[str]:
    attackers = [rank for rank in Rank if not IMMOBILE >> rank & 1]
    lines = [" " * 14 + "".join(f"{rank.symbol:>3}" for rank in Rank)]
    for attacker in attackers:
        signs = "".join(f"{_sign(attacker, defender):>3}" for defender in Rank)
        lines.append(f"{_word(attacker):11} {attacker.symbol:>2}{signs}")
    return [
        paragraph(
            "In an attack both players declare the rank of their piece in private, and both ranks "
            "are revealed together with the result. A rank that is proved already is not asked "
            "for. An attacker that wins takes the square; a defender that wins stays where it is."
        ),
        verbatim("\n".join(lines)),
        bullets(
            [
                "Rows attack columns; the signs of the ranks are those of the table above.",
                f"`{_SIGNS[Result.ATTACKER_WINS]}` the attacker wins: a flag is captured, which "
                "ends the game; a bomb is defused.",
                f"`{_SIGNS[Result.DEFENDER_WINS]}` the defender wins.",
                f"`{_SIGNS[Result.BOTH_FALL]}` both fall.",
                f"`{_BOOM}` the defender wins, with the cry “Boom!”: the bomb stays.",
            ]
        ),
        paragraph("Two options, both off unless the players choose them:"),
        bullets(
            [
                "*Silent defence.* The rank of a defender that wins is not told, unless a scout "
                "has attacked it.",
                f"*Aggressor advantage.* Every `{_SIGNS[Result.BOTH_FALL]}` of the table is a "
                f"`{_SIGNS[Result.ATTACKER_WINS]}`: of equal ranks only the defender falls.",
            ]
        ),
    ]


def _sign(attacker: Rank, defender: Rank) -> str:
    return _BOOM if is_boom(attacker, defender) else _SIGNS[resolve(attacker, defender)]


def _infiltrator(editions: Sequence[Edition]) -> list[str]:
    where = (e for e in editions if any(army.counts[Rank.INFILTRATOR] for army in e.armies))
    return [
        paragraph(
            f"The infiltrator belongs to {_those(where, editions)}. It moves and attacks like any "
            "piece, with the rank 1 as the spy has it, but without the spy's power over the "
            "marshal. Standing in enemy territory it may, as its whole turn, infiltrate an "
            "opposing piece one or two squares away: its player taps the piece, says so, and "
            "guesses its rank."
        ),
        bullets(
            [
                "If the guess is right the piece is removed; the infiltrator does not move. A flag "
                "that is guessed right ends the game. Bombs can be infiltrated too.",
                "If it is wrong nothing is removed, and nothing more is told.",
                "Either way everybody knows the infiltrator from then on.",
            ]
        ),
        paragraph("What counts as enemy territory and as two squares away is our reading."),
    ]


def _endings(editions: Sequence[Edition]) -> list[str]:
    loses = _those((e for e in editions if e.moved_bomb is MovedBomb.LOSES), editions)
    draw = _those((e for e in editions if e.both_immobile_draw), editions)
    meanings = {
        Reason.FLAG_CAPTURED: "A flag is captured, by an attack or by an infiltrator that guesses "
        "right. Its owner loses.",
        Reason.NO_MOVABLE_PIECE: "All movable pieces of a side have fallen. It loses, whoever's "
        "turn it is: both armies are looked at whenever a piece has fallen.",
        Reason.NO_LEGAL_MOVE: "The player to move is shut in, or has only moves left that a "
        "repetition rule forbids, and loses. The referee says so when public facts prove it; else "
        "the player says so, and needs no proof.",
        Reason.MOVED_BOMB: f"A player has moved a bomb or the flag, and loses ({loses}).",
        Reason.RESIGNATION: "A player gives up, and loses.",
        Reason.AGREED_DRAW: "Both players agree to a draw.",
        Reason.BOTH_IMMOBILE: "Both sides lose their last movable pieces in the same combat: a "
        f"draw. Neither side has a legal move: a draw ({draw}), else a loss.",
        Reason.TIME: "A player's time is up, and the player loses. The time of the whole game is "
        "up: a draw.",
        Reason.FORFEIT: "The arbiter decides that a player has lost.",
    }
    rows = [[f"`{reason.value}`", meanings[reason]] for reason in Reason]
    return [table(["reason", "what has happened"], rows)]


def _secrecy() -> list[str]:
    return [
        paragraph(
            "Players must not write anything down during a game, so nothing writes for them: a "
            "rank is shown while an attack is resolved and never again, and until the game is over "
            "there is no list of moves and no history. The fallen pieces are public and always on "
            "the screen, as the rulebooks' sorting trays are. The referee itself remembers "
            "everything that was made public."
        )
    ]


def _faults() -> list[str]:
    return [
        paragraph(
            "Every refusal cites its rule. What is refused has not been made: the game stands as "
            "before, and the same player is to move. Only a moved bomb or flag ends the game where "
            "the rulebook says so."
        ),
        table(["rule", "refused because"], [[f"`{f.rule.value}`", f.meaning] for f in Fault]),
    ]


def _disputes(editions: Sequence[Edition]) -> list[str]:
    loses = _those((e for e in editions if e.moved_bomb is MovedBomb.LOSES), editions)
    return [
        bullets(
            [
                "**A declaration that cannot be true** is refused. Its owner alone sees the proof, "
                "and declares anew or insists.",
                "**Insisting** opens a dispute: all learn whose declaration it is and on which "
                "square the piece stands, not the rank. The arbiter, or both players together, "
                "decide. If the declaration is accepted it counts, whatever was proved before; if "
                "not, the player declares anew. A bomb or a flag cannot attack, whatever is "
                "decided. To insist that a piece which has moved or attacks is a bomb or the flag "
                f"is to own up to moving one; where that loses, the game ends at once ({loses}).",
                "**Override.** The arbiter can let a move or an attack stand that a rule forbids, "
                "by whichever side made it. Nothing is concluded from how such a piece went, "
                "unless only a repetition rule forbade it. What the board cannot show cannot "
                "stand: a piece on a lake, or two on one square; nor can an attack by a bomb or "
                "the flag.",
                "**Take-back.** If both players agree, the latest turn, the open attack or what "
                "has just ended the game counts as never made. The referee then knows what it "
                "knew before, and no more.",
                "**Forfeit.** The arbiter can decide that a player has lost.",
            ]
        ),
        paragraph(
            "The record of a game is everything that was accepted, in order: also what was "
            "insisted on, decided, overridden and taken back. What was refused is not in it."
        ),
    ]


def _clocks() -> list[str]:
    rows = [
        [
            f"`{control.id}`",
            _span(control.each),
            _span(control.delay or None),
            _span(control.whole),
            _span(control.setup),
        ]
        for control in TIME_CONTROLS.values()
    ]
    return [
        table(["clock", "each side", "given back", "whole game", "setting up, both"], rows),
        paragraph(
            "A side's clock runs during its turns. *Given back*, the delay after Bronstein: when a "
            "turn is completed the clock gets back what the turn has used, at most so much. It "
            "never shows more than at the beginning of the turn, and who lets it come to zero has "
            "lost the time. The whole game is counted in full, without setting up. Taking back "
            "gives no time back."
        ),
        paragraph(
            "Tournaments play by `bronstein`, or with 50 minutes in all by `bronstein-50`, and the "
            "small armies of duel and barrage by `short`. Every number can also be chosen freely, "
            "or left out."
        ),
    ]


def _span(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    parts = [(minutes, "minute"), (rest, "second")]
    return " ".join(f"{n} {unit}{'s' * (n != 1)}" for n, unit in parts if n)


def _sources(editions: Sequence[Edition]) -> list[str]:
    return [
        bullets(_source(edition) for edition in editions),
        paragraph(
            "What is quoted is given in English. “Stratego” is a registered trademark of its "
            "owner; this project is independent of it."
        ),
    ]


def _source(edition: Edition) -> str:
    articles = [f"{article} on {_word(rule)}" for rule, article in edition.articles.items()]
    return "; ".join([f"*{edition.rulebook}*, {edition.published}", *articles])


def _those(some: Iterable[Edition], among: Sequence[Edition]) -> str:
    """Name some of these rulebooks."""
    titles = [edition.rulebook for edition in some]
    return "every rulebook" if len(titles) == len(among) else _join(titles) or "no rulebook"


def _told(violation: Violation) -> str:
    return f"The referee says: “{_ANNOUNCER.sentence(violation)}”"


def _ways(ways: Iterable[_Way]) -> str:
    return ", ".join(f"{name(source)}–{name(target)}" for source, target in ways)


def _word(member: Rank | Rule) -> str:
    return member.name.lower().replace("_", " ")


def _join(words: Iterable[str]) -> str:
    *others, last = words or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _standing(*, red: str, blue: str = "") -> Board:
    """A board with one piece a side, or with a red one alone."""
    armies = ({square(where): square(where)} if where else {} for where in (red, blue))
    return Board(*armies)
