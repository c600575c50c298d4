"""Tests for position text: round trips, uniqueness, and errors that name the column."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from typing import Any

import pytest

from engine.board import NotationError, OutOfPhaseError
from engine.board.board import Board
from engine.board.board_text import TextScanner
from engine.board.geometry import COLUMNS, Side, set_of, squares_in
from engine.board.ranks import BARRAGE, DUEL, Army, Rank
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game import actions, position_updates
from engine.game.game_state import Game, GameState, PendingAttack, Phase
from engine.game.handle_attacks import open_attack
from engine.game.position import Position
from engine.game.referee import Referee
from engine.game.rulings import Contradiction, Ruling
from engine.records.record_files import read_chase
from engine.rules.editions import (
    EDITIONS,
    Edition,
    Handicap,
    MovedBombPenalty,
    read_options,
    write_options,
)
from engine.rules.rules import ViolationKind
from tests.campaigns import Campaign
from tests.engine.chases import CHASES
from tests.engine.test_random_actions import Rowdies

POSITIONS = Campaign("texts", part=2_000, whole=100_000)
"""Number of random positions to write and read back."""
CONTINUED = Campaign("texts", part=30, whole=3_000)
"""Number of games to continue from their text."""
DAMAGED = Campaign("damaged-texts", part=2_000, whole=1_000_000)
"""Number of damaged texts to read."""


FIRST = 5_000
"""Number of the first game. The games in a regular run cover every phase and field."""


HANDICAPS = [*map(Handicap.parse, ("red+marshal+open", "blue+scouts", "red+take-backs+time"))]


def some_edition(chance: random.Random) -> Edition:
    """Return an edition with a random army and random options."""
    edition = chance.choice(list(EDITIONS.values()))
    small = [army for army in edition.armies if army.size <= 10]
    return replace(
        edition,
        army=chance.choice(small if small and chance.random() < 0.7 else edition.armies),
        two_squares_limit=chance.choice(edition.limits or (edition.two_squares_limit,)),
        moved_bomb=chance.choice(edition.moved_bomb_choices or (edition.moved_bomb,)),
        silent_defence=chance.random() < 0.4,
        aggressor_advantage=chance.random() < 0.3,
        touch_move=chance.random() < 0.3,
        handicap=chance.choice(HANDICAPS) if chance.random() < 0.3 else None,
    )


def games(seed: int) -> Iterator[Referee]:
    """Yield the referee after each action in random games that include all kinds of actions."""
    for number in count(seed):
        chance = random.Random(f"text {number}")
        rowdies = Rowdies(some_edition(chance), chance)
        yield rowdies.referee
        for _ in range(80):
            if rowdies.referee.phase is Phase.OVER:
                break
            rowdies.act()
            yield rowdies.referee


def without_secrets(state: GameState) -> GameState:
    """Return the part of the state that position text can express.

    Declarations of unnamed pieces are removed, and an open attack is reset to its beginning.
    """
    position = state.position
    for side in Side:
        player = position.player(side)._with(sealed={})
        ended = position.end_cache
        position = position_updates.with_player(position, side, player)
        position.end_cache = ended
    if isinstance(state.pending, PendingAttack):
        attack = state.pending
        return open_attack(
            GameState(position), attack.source, attack.target, regular=attack.regular
        )[0]
    return GameState(position, state.pending)


def textual_phase(referee: Referee) -> Phase:
    """Return the phase as position text expresses it: a dispute is written as an open attack."""
    return Phase.ATTACK if referee.phase is Phase.DISPUTE else referee.phase


@POSITIONS
def test_random_positions_round_trip() -> None:
    texts: dict[str, Position] = {}
    phases: Counter[Phase] = Counter()
    fields: Counter[str] = Counter()
    for referee in islice(games(FIRST), POSITIONS.size):
        text, known = referee.to_text(), without_secrets(referee.game.state)

        read = Referee.from_text(text)

        assert read.to_text() == text
        assert read.game.state == known, text
        assert (read.phase, read.outcome) == (textual_phase(referee), referee.outcome), text
        position = known.position.to_text()
        assert Position.from_text(position) == known.position
        assert texts.setdefault(position, known.position) == known.position, text
        phases[referee.phase] += 1
        fields += Counter(field.partition("=")[0] for field in text.split(" ")[3:])
    assert len({*texts.values()}) == len(texts), "different positions have different texts"
    assert {*Phase} - {*phases} == {Phase.SETUP}, phases
    assert {*fields} - {"fallen"} == {*FIELDS}, fields


FIELDS = [
    *("ranks", "from", "off", "inconsistent", "moves", "chase", "past"),
    *("touched", "end", "attack", "guess", "stuck"),
]
"""Fields that occur in games without sealed armies, except captured ranks, which are rare."""


def test_recorded_chases_round_trip() -> None:
    """The text of a position contains its history, which is longest in a long chase."""
    for file in ("barrage-game43.txt", "barrage-game25.txt"):
        record = read_chase(CHASES[file])
        referee = Referee("isf", army="barrage", record=record)
        for move in record.moves[:-1]:
            attacks = referee.position.board.side_at(move.target) is not None
            referee.apply((actions.Attack if attacks else actions.Move)(move.source, move.target))
        last = record.moves[-1]
        read = Referee.from_text(referee.to_text())

        assert read.position == referee.position
        found = read.find_violation(last.source, last.target)
        assert found == referee.find_violation(last.source, last.target)
        assert found
        assert found.fault is ViolationKind.CHASE_REPEATS


# -- continuing a game from its text


def public(rulings: tuple[Ruling, ...]) -> list[object]:
    """Remove the evidence from contradictions, because position text contains no evidence."""
    return [
        (ruling.owner, ruling.proof.rank) if isinstance(ruling, Contradiction) else ruling
        for ruling in rulings
    ]


def without_history(referee: Referee) -> Referee:
    """Return a referee without history, which knows only what the text contains."""
    state = without_secrets(referee.game.state)
    game = Game(state)
    attack = state.pending
    if isinstance(attack, PendingAttack) and not state.position.outcome:
        way = attack.source, attack.target
        if state.position.find_violation(*way) is None:
            game = Game(GameState(state.position))
            game.push(actions.Attack(*way), state)
    return Referee.of_game(game)


def go_on(one: Referee, other: Referee, chance: random.Random, times: int) -> int:
    """Perform random actions with both referees and compare the rulings. Return the number of
    plies."""
    rowdies = Rowdies.__new__(Rowdies)
    rowdies.referee, rowdies.chance, rowdies.before = one, chance, []
    for _ in range(times):
        if one.phase is Phase.OVER:
            break
        action = next(rowdies.ideas())
        if chance.random() < 0.05 and one.actions:
            action = actions.TakeBack()
        if isinstance(action, actions.Correct):  # the ruling depends on the history
            continue
        answers = [answered(referee, action) for referee in (one, other)]
        assert answers[0] == answers[1], action
        answer = answers[0]
        if isinstance(action, actions.Declare) and answer and isinstance(answer[0], tuple):
            upheld = actions.UpholdDeclaration(action.rank)
            assert answered(one, upheld) == answered(other, upheld)
        assert one.game.state == other.game.state, action
        assert one.legal_moves() == other.legal_moves()
        assert one.to_text() == other.to_text()
    return one.plies


def answered(referee: Referee, action: actions.Action) -> list[object] | None:
    """Return the rulings on an action, or None if the phase does not allow it."""
    try:
        return public(referee.apply(action))
    except OutOfPhaseError:
        return None


@CONTINUED
def test_game_from_text_continues_identically() -> None:
    plies = 0
    chance = random.Random("texts")
    for number in range(CONTINUED.size):
        referee = next(islice(games(number), chance.randrange(80), None))
        one, other = without_history(referee), Referee.from_text(referee.to_text())
        plies += go_on(one, other, chance, 40)
    assert plies > 5 * CONTINUED.size


# -- damage

SIGNS = "fstnelpjcgmbixyzXYZRB.~/ 0159-:,;+<={}" + COLUMNS


def damage(text: str, other: str, chance: random.Random) -> str:
    """Change a text in one to three places. Some changes insert part of another text."""
    for _ in range(chance.choice([1, 1, 2, 3])):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice([1, 1, 2, 3, 8]))
        fields = text.split(" ")
        match chance.randrange(7):
            case 0:
                text = text[:at] + chance.choice(SIGNS) + text[end:]
            case 1:
                text = text[:at] + chance.choice(SIGNS) + text[at:]
            case 2:
                text = text[:at] + text[end:]
            case 3:
                text = text[:at] + text[at:end] * 2 + text[end:]
            case 4:
                fields.insert(chance.randint(0, len(fields)), chance.choice(other.split(" ")))
                text = " ".join(fields)
            case 5:
                fields[chance.randrange(len(fields))] = chance.choice(other.split(" "))
                text = " ".join(fields)
            case _:
                here = chance.randrange(len(text) + 1)
                text = text[:here] + text[at:end] + text[here:]
    return text


def read_or_refused(text: str) -> bool:
    """Return whether a text is accepted.

    An accepted text must be written back unchanged. A refused text must raise a NotationError that
    names the column.
    """
    refused = None
    try:
        assert Referee.from_text(text).to_text() == text
    except NotationError as error:
        refused = error
    except Exception as error:
        raise AssertionError(text) from error
    if refused:
        assert 1 <= refused.position <= len(text) + 1, text
        assert refused.expected, text
        assert str(refused).startswith(f"column {refused.position}: expected "), text
    return refused is None


@DAMAGED
def test_damaged_text_is_refused_or_another_position() -> None:
    chance = random.Random("damage")
    pool = [referee.to_text() for referee in islice(games(FIRST), 400)]
    read = 0
    for _ in range(DAMAGED.size):
        text = damage(chance.choice(pool), chance.choice(pool), chance)
        read += read_or_refused(text)
    assert read > DAMAGED.size // 200


# -- texts written by hand

EMPTY = "/".join([*["." * 10] * 4, *["..~~..~~.."] * 2, *["." * 10] * 4])
FULL = "/".join([*["x" * 10] * 4, *["..~~..~~.."] * 2, *["X" * 10] * 4])
SHUT = "/".join(["..fb......", *EMPTY.split("/")[1:-1], "..FB......"])


@pytest.mark.parametrize(
    ("text", "column", "expected", "found"),
    [
        ("", 1, "'.' or the letter of a piece on a10", "the end of the text"),
        (FULL.replace("x", "q", 1), 1, "'.' or the letter of a piece on a10", "'q"),
        (FULL[1:], 10, "'.' or the letter of a piece on k10", "'/"),
        (f"x{FULL}", 11, "'/'", "'x/"),
        (EMPTY.replace("~", ".", 1), 47, "'~', the lake c6", "'."),
        (EMPTY.replace("~", "X", 1), 47, "'~', the lake c6", "'X"),
        (EMPTY.replace("..~", ".~~", 1), 46, "'.' or the letter of a piece on b6", "'~"),
        (FULL, 110, "' '", "the end of the text"),
        (f"{FULL} w isf", 111, "'r' or 'b', the side to move", "'w isf'"),
        (f"{FULL}  r isf", 111, "'r' or 'b', the side to move", "' r isf'"),
        (f"{FULL} r ", 113, "an edition", "the end of the text"),
        (f"{FULL} r fide", 113, "an edition: compact-1992, original-1992, ", "'fide'"),
        (f"{FULL} r isf,army=chess", 122, "original or duel or barrage", "'chess'"),
        (f"{FULL} r isf,army=original", 116, "the end", "',army=original'"),
        (f"{FULL} r isf,squares=4", 125, "3 or 5", "'4'"),
        (f"{FULL} r original-1992,squares=3", 135, "no value, because these rules", "'3'"),
        (f"{FULL} r isf,handicap=", 126, "a handicap", "the end of the text"),
        (f"{FULL} r isf,handicap=red", 126, "the favoured side, the pieces", "'red'"),
        (f"{FULL} r isf,touch,silent", 122, "the end of the text, or a known field", "',silent'"),
        (f"{FULL} r isf end=r,flag", 123, "flag-captured or ", "'flag'"),
        (f"{FULL} r isf end=-,resignation", 123, "an end with a winner", "'resignation'"),
        (f"{FULL} r isf end=r,agreed-draw", 123, "an end without one", "'agreed-draw'"),
        (f"{FULL} r isf moves=a4-a5/", 123, "a move of a piece of red, or its setup square", "'a4"),
        (f"{FULL} r isf moves=a4:a4-c5/", 129, "a square outside the lakes", "'c5/'"),
        (f"{FULL} r isf moves=a4:a4-a4/", 129, "another square", "'a4/'"),
        (f"{FULL} r isf moves=a7:a4-a5/", 123, "a move of a piece of red, or its setup", "'a7:"),
        (f"{FULL} r isf chase=2/", 125, "' past=', the moves of the chase", "the end of the"),
        (f"{FULL} r isf chase=2/ past=a5-a5", 134, "another square", "'a5'"),
        (f"{FULL} r isf chase=2/ past=a4-a5", 131, "a move to the square of a piece", "'a4-a5'"),
        (f"{FULL} r isf chase=2/ past=a3-a4", 131, "a move from an empty square", "'a3-a4'"),
        (f"{FULL} r isf chase=1:a4/", 125, "the square of a piece of blue", "'a4/'"),
        (f"{FULL} r isf touched=a4", 125, "with touch-move, a piece of the side to", "'a4'"),
        (f"{FULL} r isf attack=a4xa7 moves=/", 129, "the end of the text, or a known", "' moves"),
        (f"{FULL} r isf attack=a7xa4", 124, "an attack of the side to move in which a", "'a7xa4'"),
        (f"{FULL} r isf attack=a4-a7", 126, "'x'", "'-a7'"),
        (f"{FULL} r isf guess=a4-a7:b", 123, "an infiltration whose result", "'a4-a7:b'"),
        (f"{FULL} r isf stuck=r,showing", 123, "a side that cannot move, but", "'r,showing'"),
        (f"{FULL} r isf ranks=a4:st", 116, "the end of the text, or a known", "' ranks=a4:st'"),
        (f"{FULL} r isf from=a4<a3", 125, "a setup square that no other piece has", "'a3'"),
        (f"{FULL} r isf from=a4<a7", 125, "a setup square of red that no other", "'a7'"),
        (f"{FULL} r isf from=a5<a3", 122, "the square of a piece", "'a5<a3'"),
        (f"{FULL} r isf off=t/", 121, "no more than 0 pieces of red off the", "'t/'"),
        (f"{FULL.replace('X', 'F', 2)} r isf", 68, "at most 1 × flag of red", "'FXXXX"),
        (f"{FULL.replace('X', 'I', 1)} r isf", 67, "at most 0 × infiltrator of red", "'IXX"),
        (f"{FULL.replace('X', 'Z', 1)} r isf", 116, "' ranks='", "the end of the text"),
        (
            f"{FULL.replace('X', 'Z', 1)} r isf ranks=a4:ts",
            127,
            "a higher rank of this army",
            "'s'",
        ),
        (f"{FULL.replace('X', 'Y')} r isf", 1, "ranks of red that make up the army", "'xxxx"),
        (f"{FULL.replace('.', 'X', 1)} r isf", 109, "at most 40 pieces of red", "'X r isf'"),
        (f"{SHUT} r isf,army=duel", 126, "' end=", "the end of the text"),
        (f"{FULL} r isf,sealed seals=ab/", 130, "64 hexadecimal digits for a1", "'ab/'"),
        (f"{FULL} r isf opened=q/", 124, "the rank of the piece set up on a1", "'q/'"),
        (f"{FULL} r isf inconsistent=/", 130, "'r', 'b' or 'rb'", "'/'"),
        (f"{FULL} r isf fallen=q/", 124, "the letters of ranks, or '-' for none", "'q/'"),
    ],
)
def test_a_refusal(text: str, column: int, expected: str, found: str) -> None:
    with pytest.raises(NotationError) as refused:
        Referee.from_text(text)
    error = refused.value
    assert (error.position, error.expected[: len(expected)]) == (column, expected)
    shown = repr(error.found) if error.found else "the end of the text"
    assert shown.startswith(found.rstrip("'")), shown
    assert str(error) == f"column {column}: expected {error.expected}, found {shown}"


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        ("isf,army=duel", {"army": DUEL}),
        ("isf,squares=5", {"two_squares_limit": 5}),
        ("travel-2017,bomb=loses", {"moved_bomb": MovedBombPenalty.LOSES}),
        ("isf,silent,advantage", {"silent_defence": True, "aggressor_advantage": True}),
        ("isf,touch,sealed", {"touch_move": True, "sealed_armies": True}),
        ("isf,handicap=red+time", {"handicap": Handicap(Side.RED, double_time=True)}),
    ],
)
def test_options(options: str, changes: dict[str, Any]) -> None:
    edition = replace(EDITIONS[options.partition(",")[0]], **changes)
    scanner = TextScanner(options)
    assert read_options(scanner) == edition
    assert write_options(edition) == options


@pytest.mark.parametrize("name", EDITIONS)
def test_edition_without_options_is_the_published_one(name: str) -> None:
    assert read_options(TextScanner(name)) is EDITIONS[name]


def test_offered_options() -> None:
    edition = EDITIONS["isf"]
    assert [edition.with_limit(limit).two_squares_limit for limit in edition.limits] == [3, 5]
    with pytest.raises(NotationError) as refused:
        edition.with_limit(4)
    assert str(refused.value) == "ISF game rules: expected a two-squares limit of 3 or 5, found 4"
    travel, loses = EDITIONS["travel-2017"], MovedBombPenalty.LOSES
    assert travel.with_moved_bomb(loses).moved_bomb is loses
    with pytest.raises(NotationError) as refused:
        travel.with_moved_bomb(MovedBombPenalty.ARBITER)
    assert str(refused.value) == (
        "Stratego Travel: expected the penalty not-allowed or loses for a moved bomb, "
        "found 'arbiter'"
    )
    with pytest.raises(NotationError) as refused:
        write_options(replace(edition, id="own"))
    assert str(refused.value) == "expected a published edition, with its options, found 'own'"


def test_army_of_a_record_is_the_most_similar_one() -> None:
    none = dict.fromkeys(Rank, 0)
    one, other = (
        Army(rank.name, none | {Rank.FLAG: 1, rank: 1}) for rank in (Rank.SPY, Rank.MINER)
    )
    edition = replace(EDITIONS["isf"], armies=(one, other, BARRAGE))
    assert edition.for_record([Rank.FLAG, Rank.MINER]).army is other
    assert edition.for_record([Rank.FLAG, Rank.SPY]).army is one
    assert edition.for_record([*BARRAGE.pieces][1:]).army is BARRAGE
    assert replace(edition, armies=()).for_record([Rank.FLAG]).army is edition.army


def test_overruled_army() -> None:
    """The arbiter has accepted an impossible rank, which stays hidden."""
    text = Referee("isf").to_text()

    overruled = Referee.from_text(f"{text} inconsistent=b")

    assert overruled.to_text() == f"{text} inconsistent=b"
    assert overruled.position != Referee.from_text(text).position


def test_sealed_armies() -> None:
    squares = {side: list(squares_in(side.home))[:8] for side in Side}
    armies = {
        side: {
            at: Opening(rank, f"{at:032x}")
            for at, rank in zip(squares[side], BARRAGE.pieces, strict=True)
        }
        for side in Side
    }
    commitments = {side: ArmyCommitment.of(side, army) for side, army in armies.items()}
    edition = replace(EDITIONS["isf"], army=BARRAGE, sealed_armies=True)
    referee = Referee.waiting(edition)
    red, blue = (set_of(squares[side]) for side in Side)
    referee.apply(actions.PlaceArmies(red, blue, commitments))
    texts = []
    for action in (
        actions.BreakSeals(Side.BLUE),
        actions.Resign(Side.BLUE),
        actions.OpenArmy(Side.RED, armies[Side.RED]),
    ):
        texts.append(referee.to_text())
        assert Referee.from_text(texts[-1]).game.state == referee.game.state
        referee.apply(action)
    assert Referee.from_text(referee.to_text()).game.state == referee.game.state
    assert len({*texts, referee.to_text()}) == 4
    assert " opened=fsttngmb/ end=r,resignation" in referee.to_text()


@pytest.mark.parametrize(
    "edition",
    [
        replace(EDITIONS["isf"], two_squares_limit=4),
        replace(EDITIONS["isf"], id="own"),
        replace(EDITIONS["isf"], army=Army("few", BARRAGE.counts)),
        replace(EDITIONS["isf"], both_immobile_draw=False),
    ],
)
def test_custom_rules_have_no_text(edition: Edition) -> None:
    with pytest.raises(ValueError, match=r"published|the army|a two-squares limit"):
        Position(edition, Board({}, {})).to_text()


def test_incomplete_army_has_no_text() -> None:
    with pytest.raises(ValueError, match="an army of 40 pieces in red's rows"):
        Position(EDITIONS["isf"], Board({0: 0}, {99: 99})).to_text()


def test_an_open_attack_can_be_withdrawn() -> None:
    for text, back in ((f"{FULL} r isf attack=a4xa7", FULL), (f"{FULL} r isf attack=b4xa7", "")):
        game = Referee.from_text(text)
        if back:
            game.push("withdraw-attack")
            assert game.to_text() == f"{back} r isf"
        else:  # the text does not say that the arbiter has allowed the attack
            with pytest.raises(ValueError, match="an action to take back"):
                game.push("withdraw-attack")
