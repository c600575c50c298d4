"""Second reader for games with sealed armies: slow, simple, and written from the documentation
alone.

The reader reads a file as described in docs/records.md, tracks every piece from square to square,
and checks the commitments as described in docs/sealed.md. It takes the results of combat and
guesses from the file, and compares the rulings on commitments with its own.
"""

from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from tests.reference import ARMIES, LAKES, SQUARES, next_to, path

Entry = dict[str, Any]
"""An action as written in the file."""

TURNS = {"move", "attack", "amend", "infiltrate", "override", "accept-board"}
WORDS = {"resign", "agree-draw", "forfeit", "run-out", "cannot-move", "answer-cannot-move"}
"""Actions that can be taken back, apart from turns."""
SET_RIGHT = {"correct", "break-seals"}
"""Actions that remain in force when an earlier turn is taken back."""
MOVEMENT = {"movement", "immobile-piece"}
"""Rules that restrict the squares to which a piece can move."""
OPENING = {"declare", "insist", "answer-guess", "prove-army"}
"""Actions that are checked against the commitments."""


class NotFollowedError(Exception):
    """The game in the file contains a turn that this reader does not support."""


@dataclass
class Findings:
    """Results of checking a file."""

    looked_at: Counter[str] = field(default_factory=Counter)
    """Number of actions checked against the commitments, by kind."""
    opened: set[str] = field(default_factory=set)
    """Pieces whose rank was declared during the game."""
    complaints: list[str] = field(default_factory=list)


@dataclass
class Story:
    """Squares and history of all pieces. A piece is identified by its setup square."""

    stands: dict[str, str]
    """The piece on each occupied square."""
    moved: set[str] = field(default_factory=set)
    ran: set[str] = field(default_factory=set)
    """Pieces that have made a long move."""
    shown: dict[str, str] = field(default_factory=dict)
    """Rank that each piece had when it was last revealed."""
    declared: dict[str, str] = field(default_factory=dict)
    """Rank last declared for a piece in combat, if the combat did not reveal it."""
    denied: dict[str, set[str]] = field(default_factory=dict)
    """Ranks that a piece does not have, according to its owner's answers to guesses."""
    source: str = ""
    target: str = ""
    """Source and target of the latest turn."""
    concludes: bool = True
    """Whether the path of the latest turn proves anything about the piece that made it."""
    answers: dict[str, str] = field(default_factory=dict)
    """The rank that each side declared in the latest attack."""
    disputed: tuple[str, str] = ("", "")
    """Side and rank of the latest declaration that a player has stood by."""


def side_of(piece: str) -> str:
    """Return the owner of the piece that was set up on a square."""
    return "red" if int(piece[1:]) <= 4 else "blue"


def seal(piece: str, rank: str, salt: str) -> str:
    """Return the hash that commits to a piece."""
    return sha256(f"boomboard/1 {side_of(piece)} {piece} {rank} {salt}".encode()).hexdigest()


def check_seals(game: dict[str, Any]) -> Findings:
    """Check everything that a game reveals against the commitments and the rulings."""
    findings, sums = Findings(), _sums(game["actions"][0])
    broken = {side for side in ("red", "blue") if f"{side}_sealed" not in game["actions"][0]}
    in_force: list[Entry] = []
    for number, entry in enumerate(game["actions"], start=1):
        found: list[str] = []
        match entry["do"]:
            case "break-seals":
                broken.add(entry["side"])
            case "declare" | "insist":
                piece = _piece_asked(follow(in_force), entry["side"])
                found = _check_word(entry, piece, sums, is_broken=entry["side"] in broken)
                findings.opened.add(piece)
            case "answer-guess":
                story = follow(in_force)
                piece = story.stands[story.target]
                if side_of(piece) not in broken:
                    found = _check_answer(entry, piece, in_force[-1]["guess"], sums)
                findings.opened.add(piece)
            case "prove-army":
                found = _check_army(entry, follow(in_force), sums, ARMIES[game["edition"]["army"]])
                if entry["side"] in broken:
                    found.append("broken seals prove nothing")
        if entry["do"] in OPENING:
            findings.looked_at[entry["do"]] += 1
        findings.complaints += [f"action {number}: {each}" for each in found]
        in_force = _go_on(in_force, entry)
    return findings


def _sums(placing: Entry) -> dict[str, str]:
    """Return the commitment for each piece. In games against the computer, only one side has
    commitments."""
    sums: dict[str, str] = {}
    for side in ("red", "blue"):
        if f"{side}_sealed" not in placing:
            continue
        squares = sorted(placing[side].split(), key=SQUARES.index)
        sums |= zip(squares, placing[f"{side}_sealed"].split(), strict=True)
    return sums


# Actions in force


def _go_on(in_force: list[Entry], entry: Entry) -> list[Entry]:
    """Return the actions in force after `entry`, which may undo or withdraw earlier ones."""
    if entry["do"] == "withdraw-attack":
        return _without_latest(in_force)
    if entry["do"] == "take-back":
        return _without_turn(in_force)
    return [*in_force, entry]


def _without_latest(in_force: list[Entry]) -> list[Entry]:
    """Undo the latest step. Later corrections stay in force."""
    begun = max(n for n, entry in enumerate(in_force) if _is_step(entry))
    return in_force[:begun] + [entry for entry in in_force[begun:] if entry["do"] in SET_RIGHT]


def _without_turn(in_force: list[Entry]) -> list[Entry]:
    """Undo the latest turn, or the decision that followed it."""
    latest = next(entry for entry in reversed(in_force) if _is_step(entry))
    before = _without_latest(in_force)
    # An amendment and the move before it form one turn.
    return _without_turn(before) if latest["do"] == "amend" else before


def _is_step(entry: Entry) -> bool:
    """Whether the action can be taken back by itself. It must be a turn or have ended the game."""
    return entry["do"] in TURNS | WORDS or entry["rulings"][-1]["ruling"] == "game-over"


# Following the pieces


def follow(in_force: list[Entry]) -> Story:
    """Track all pieces through the given actions."""
    story = Story({})
    for number, entry in enumerate(in_force):
        rulings = {ruling["ruling"]: ruling for ruling in entry["rulings"]}
        match entry["do"]:
            case "place-armies":
                squares = f"{entry['red']} {entry['blue']}".split()
                story = Story({square: square for square in squares})
            case "move" | "attack" | "infiltrate":
                _turn(story, entry, entry["source"], entry["target"])
            case "override":
                source, target = entry["source"], entry["target"]
                rule = rulings["overridden"]["violation"]["rule"]
                can_go = rule not in MOVEMENT and _can_go(story, source, target)
                _turn(story, entry, source, target, concludes=can_go)
            case "amend":
                source = (rulings.get("moved") or rulings["attack-opened"])["source"]
                story = follow(_without_turn(in_force[:number]))
                _turn(story, entry, source, entry["target"])
            case "declare":
                story.answers[entry["side"]] = entry["rank"]
            case "insist":
                story.disputed = entry["side"], entry["rank"]
            case "settle-dispute" if rulings["dispute-settled"]["accepted"]:
                side, rank = story.disputed
                story.answers[side] = rank
            case "correct":
                _correct(story, entry)
            case "accept-board":
                _accept(story, entry)
        if "combat" in rulings:
            _fight(story, rulings["combat"])
        if "infiltrated" in rulings:
            _infiltrate(story, rulings["infiltrated"])
    return story


def _turn(story: Story, entry: Entry, source: str, target: str, concludes: bool = True) -> None:
    """Begin a turn.

    A move is complete immediately. An attack or a guess is complete once its result is known.
    """
    story.source, story.target, story.concludes, story.answers = source, target, concludes, {}
    if any(ruling["ruling"] == "moved" for ruling in entry["rulings"]):
        _walk(story)
        story.stands[target] = story.stands.pop(source)
    elif entry["rulings"][0]["ruling"] == "violation":
        raise NotFollowedError(
            "this reader does not support a move that breaks the rules and ends the game"
        )


def _can_go(story: Story, source: str, target: str) -> bool:
    """Whether a piece can move along a path. Turn order and repetition are ignored."""
    way = path(source, target)
    piece = story.stands[source]
    rank = story.shown.get(piece, "")
    if not way or rank in ("bomb", "flag"):
        return False
    if len(way) > 2 and rank not in ("scout", ""):
        return False
    return not any(square in LAKES or square in story.stands for square in way[1:-1])


def _walk(story: Story) -> None:
    """Record what the path of the latest turn proves about the piece."""
    if story.concludes:
        piece = story.stands[story.source]
        story.moved.add(piece)
        if story.target not in next_to(story.source):
            story.ran.add(piece)


def _fight(story: Story, combat: Entry) -> None:
    _walk(story)
    attacker, defender = story.stands[story.source], story.stands[story.target]
    story.shown[attacker] = combat["attacker"]
    if combat["defender"]:
        story.shown[defender] = combat["defender"]
    elif answer := story.answers.get(side_of(defender)):  # otherwise, an earlier declaration counts
        story.declared[defender] = answer
    if combat["result"] in ("attacker-wins", "both-fall"):
        del story.stands[story.target]
    if combat["result"] in ("defender-wins", "both-fall"):
        del story.stands[story.source]
    if combat["result"] == "attacker-wins":
        story.stands[story.target] = story.stands.pop(story.source)


def _infiltrate(story: Story, infiltrated: Entry) -> None:
    story.shown[story.stands[story.source]] = "infiltrator"
    piece, guess = story.stands[story.target], infiltrated["guess"]
    if infiltrated["right"]:
        story.shown[piece] = guess
        del story.stands[story.target]
    else:
        story.denied.setdefault(piece, set()).add(guess)


def _correct(story: Story, entry: Entry) -> None:
    piece = entry["piece"]
    match entry["mistake"]:
        case "wrong-rank":
            story.shown[piece] = entry["rank"]
        case "no-long-move":
            story.ran.discard(piece)
        case "exchanged":
            swapped = {piece: entry["other"], entry["other"]: piece}
            story.stands = {at: swapped.get(it, it) for at, it in story.stands.items()}


def _accept(story: Story, entry: Entry) -> None:
    ways = [way.split("-") for way in entry["shifted"].split()]
    lifted = {target: story.stands[source] for source, target in ways}
    gone = {source for source, _ in ways} | set(entry["removed"].split())
    story.stands = {at: it for at, it in story.stands.items() if at not in gone} | lifted


def _piece_asked(story: Story, side: str) -> str:
    """Return a side's piece in the open attack."""
    fighting = [story.stands[story.source], story.stands[story.target]]
    return next(piece for piece in fighting if side_of(piece) == side)


# Checking the commitments


def _ruling(entry: Entry, name: str) -> Entry:
    return next(each for each in entry["rulings"] if each["ruling"] == name)


def _opens(entry: Entry, piece: str, sums: dict[str, str]) -> bool:
    return (
        "salt" in entry
        and piece in sums
        and seal(piece, entry["rank"], entry["salt"]) == sums[piece]
    )


def _check_word(entry: Entry, piece: str, sums: dict[str, str], *, is_broken: bool) -> list[str]:
    opens = _opens(entry, piece, sums)
    if entry["do"] == "insist":
        if _ruling(entry, "disputed")["is_as_sealed"] is not (None if is_broken else opens):
            return [f"{piece} was {'' if opens else 'not '}sealed as this"]
        return []
    return [] if is_broken or opens else [f"this does not open the seal of {piece}"]


def _check_answer(entry: Entry, piece: str, guess: str, sums: dict[str, str]) -> list[str]:
    if not _opens(entry, piece, sums):
        return [f"this does not open the seal of {piece}"]
    if (entry["right"] == "yes") is not (entry["rank"] == guess):
        return [f"{piece} is a {entry['rank']}, whatever was answered"]
    return []


def _check_army(
    entry: Entry, story: Story, sums: dict[str, str], counts: dict[str, int]
) -> list[str]:
    """Open the seals of a whole army, and compare the faults found with those in the rulings."""
    found: list[str] = []
    ranks: dict[str, str] = {}
    for each in entry["army"].split():
        piece, rank, salt = each.split(":")
        ranks[piece] = rank
        if piece not in sums or seal(piece, rank, salt) != sums[piece]:
            found.append(f"this does not open the seal of {piece}")
    found += [
        f"the seal of {piece} stays closed"
        for piece in sums
        if side_of(piece) == entry["side"] and piece not in ranks
    ]
    ruling = _ruling(entry, "army-proved")
    if {each["square"]: each["rank"] for each in ruling["army"]} != ranks:
        found.append("another army was ruled on")
    wrong = {piece for piece in ranks if _is_wrong(piece, ranks, story, counts)}
    ruled = set(ruling["wrong"].split())
    found += [f"nothing is wrong with {piece}" for piece in sorted(ruled - wrong)]
    found += [f"something is wrong with {piece}" for piece in sorted(wrong - ruled)]
    return found


def _is_wrong(piece: str, ranks: dict[str, str], story: Story, counts: dict[str, int]) -> bool:
    rank = ranks[piece]
    return (
        list(ranks.values()).count(rank) > counts.get(rank, 0)
        or (rank in ("bomb", "flag") and piece in story.moved)
        or (rank != "scout" and piece in story.ran)
        or story.shown.get(piece, rank) != rank
        or story.declared.get(piece, rank) != rank
        or rank in story.denied.get(piece, ())
    )
