"""Tests that the second reader agrees with the referee about commitments, and detects forgeries.

The games are short, but include situations that simulated players do not produce: dishonest armies,
and decisions by the arbiter or by both players.
"""

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.board.geometry import Side, Square, set_of, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game import actions
from engine.records.record_files import read_transcript, write_transcript
from engine.records.transcript import transcribe
from engine.rules.editions import EDITIONS
from tests.engine.reference_commitments import NotFollowedError, check_seals

RED, BLUE = Side.RED, Side.BLUE
Game = dict[str, Any]
HONEST = {
    RED: "a1 flag, b1 spy, b4 scout, c4 scout, e4 miner, f4 miner, "
    "i4 general, k4 marshal, a2 bomb, b2 bomb",
    BLUE: "a10 flag, b10 spy, b7 scout, a7 scout, e7 miner, f7 miner, "
    "i7 general, k7 marshal, a9 bomb, b9 bomb",
}
E4, E5, F4 = square("e4"), square("e5"), square("f4")
EXCHANGED = actions.Correct(actions.SwapCorrection(E4, F4))
BOMB_AT = {at: f"{at} bomb, a2 {rank}" for at, rank in (("e4", "miner"), ("b4", "scout"))}
"""Setup changes that swap the bomb on a2 with the piece on e4 or b4."""
NO_SCOUT = "b4 miner, e4 scout"


def opening(piece: Square, rank: str) -> Opening:
    return Opening(Rank[rank.upper()], piece.to_bytes(16, "big").hex())


def army(side: Side, otherwise: str = "") -> dict[Square, Opening]:
    """Return the openings of an army, with some ranks replaced."""
    listed = ", ".join(filter(None, (HONEST[side], otherwise))).split(", ")
    ranks = dict(each.split() for each in listed)
    return {square(at): opening(square(at), rank) for at, rank in ranks.items()}


def turns(text: str) -> list[actions.Action]:
    """Parse moves and attacks, such as "e4-e5 b4xb7"."""
    read: list[actions.Action] = []
    for turn in text.split():
        kind, sign = (actions.Attack, "x") if "x" in turn else (actions.Move, "-")
        read.append(kind(*map(square, turn.split(sign))))
    return read


def declare(
    side: Side, text: str, do: type[actions.Declare | actions.UpholdDeclaration] = actions.Declare
) -> actions.Action:
    """Declare the committed rank of a piece, such as "e4 miner"."""
    at, rank = text.split()
    opened = opening(square(at), rank)
    return do(Secret(side, opened.rank), Secret(side, opened.salt))


def allow_move(turn: str) -> actions.Override:
    """Return the arbiter's override for a move."""
    return actions.Override(*map(square, turn.split("-")))


def played(
    *taken: actions.Action,
    red: str = "",
    edition: str = "isf",
    touch_move: bool = False,
    silent_defence: bool = False,
) -> Game:
    """Play a game until Red resigns, and open all valid commitments. Return the saved game."""
    duel = replace(EDITIONS[edition].with_army("duel"), sealed_armies=True)
    rules = replace(duel, touch_move=touch_move, silent_defence=silent_defence)
    armies = {RED: army(RED, red), BLUE: army(BLUE)}
    commitments = {side: ArmyCommitment.of(side, openings) for side, openings in armies.items()}
    place = actions.PlaceArmies(set_of(armies[RED]), set_of(armies[BLUE]), commitments)
    proofs = [
        actions.OpenArmy(side, armies[side])
        for side in Side
        if actions.BreakSeals(side) not in taken
    ]
    every = [place, *taken, actions.Resign(RED), *proofs]
    timed = ((float(n), action) for n, action in enumerate(every))
    game: Game = json.loads(write_transcript(transcribe(rules, timed)))
    return game


def wrong(game: Game) -> str:
    """Return the squares on which the referee reports faults in Red's army."""
    rulings = [ruling for entry in game["actions"] for ruling in entry["rulings"]]
    proved = next(each for each in rulings if each["ruling"] == "army-proved")
    assert proved["side"] == "red"
    squares: str = proved["wrong"]
    return squares


WALKED = turns("b4-b6 e7-e6 e4-e5 e6xe5")
"""Blue attacks the red piece that has moved from e4."""
COMBAT = turns("b4xb7")
WON = [*turns("e4-e5 e7-e6 e5xe6"), declare(RED, "e4 general"), declare(BLUE, "e7 miner")]
GENERAL = "e4 general, i4 miner"

ARMIES: dict[str, tuple[list[actions.Action], str, str]] = {
    "honest": (turns("e4-e5"), "", ""),
    "a bomb has moved": (turns("e4-e5"), BOMB_AT["e4"], "e4"),
    "a miner has made a long move": (turns("b4-b6"), NO_SCOUT, "b4"),
    "one rank too many and one miner too few": (turns("e4-e5"), "e4 marshal", "e4 k4"),
    "a rank that the army does not have": (turns("e4-e5"), "e4 captain", "e4"),
    "shown as a scout": ([*COMBAT, declare(BLUE, "b7 scout")], NO_SCOUT, "b4"),
    "an attack that stays open proves nothing": (COMBAT, NO_SCOUT, ""),
    "a long move that was taken back": (
        [*turns("b4-b6"), actions.TakeBack(), *turns("b4-b5")],
        NO_SCOUT,
        "",
    ),
    "a long move and an attack in one turn, taken back": (
        [
            *turns("b4-b6"),
            actions.Amend(square("b6"), square("b7")),
            actions.TakeBack(),
            *turns("b4-b5"),
        ],
        NO_SCOUT,
        "",
    ),
    "a withdrawn attack keeps the long move before it": (
        [
            *turns("b4-b6"),
            actions.Amend(square("b6"), square("b7")),
            actions.WithdrawAttack(),
            *turns("e7-e6"),
        ],
        NO_SCOUT,
        "b4",
    ),
    "a long move that was shortened": (
        [*turns("b4-b6"), actions.Amend(square("b6"), square("b5"))],
        NO_SCOUT,
        "",
    ),
    "a stalemate claim and its answers are taken back": (
        [
            *turns("b4-b6 e7-e6"),
            *(
                actions.ClaimStalemate(),
                actions.AnswerStalemate(able=False),
                actions.TakeBack(),
                actions.TakeBack(),
            ),
            *turns("b6-b4"),
        ],
        NO_SCOUT,
        "b4",
    ),
    "swapped, the piece that has moved": ([*turns("e4-e5"), EXCHANGED], BOMB_AT["e4"], "e4"),
    "swapped, the piece that moves afterwards": ([EXCHANGED, *turns("e4-e5")], BOMB_AT["e4"], ""),
    "swapped, still valid after a take-back": (
        [*turns("e4-e5"), EXCHANGED, actions.TakeBack(), *turns("e4-e5")],
        "f4 bomb, a2 miner",
        "f4",
    ),
    "a long move that was corrected": (
        [*turns("b4-b6"), actions.Correct(actions.NotAScout(square("b4")))],
        NO_SCOUT,
        "",
    ),
    "another rank by correction": (
        [*WON, actions.Correct(actions.RankCorrection(E4, Rank.MARSHAL))],
        GENERAL,
        "e4",
    ),
    "a board that is adopted": (
        [actions.AdoptBoard((actions.Relocation(E4, E5),), 0, RED)],
        BOMB_AT["e4"],
        "",
    ),
    "pieces of an adopted board that move afterwards": (
        [
            actions.AdoptBoard((actions.Relocation(E4, F4), actions.Relocation(F4, E4)), 0, RED),
            *turns("e4-e5"),
        ],
        "f4 bomb, a2 miner",
        "f4",
    ),
    "a diagonal move that was allowed": ([allow_move("e4-f5")], BOMB_AT["e4"], ""),
    "a move out of turn that was allowed": ([*turns("e4-e5"), allow_move("b4-b6")], NO_SCOUT, "b4"),
    "a diagonal move out of turn": ([*turns("e4-e5"), allow_move("b4-c3")], BOMB_AT["b4"], ""),
    "a repetition that was allowed": (
        [*turns("e4-e5 e7-e6 e5-e4 e6-e7 e4-e5 e7-e6"), allow_move("e5-e4")],
        BOMB_AT["e4"],
        "e4",
    ),
    "a moved bomb, as its owner admits": (
        [
            *WALKED,
            declare(BLUE, "e7 miner"),
            declare(RED, "e4 bomb", actions.UpholdDeclaration),
            actions.SettleDispute(accepted=True),
        ],
        BOMB_AT["e4"],
        "e4",
    ),
    "another rank by an accepted dispute": (
        [
            *WALKED,
            declare(BLUE, "e7 miner"),
            declare(RED, "e4 bomb", actions.UpholdDeclaration),
            actions.SettleDispute(accepted=True),
        ],
        "",
        "e4",
    ),
    "a bomb cannot attack, whatever is decided": (
        [
            *turns("e4-e5 e7-e6 e5xe6"),
            declare(RED, "e4 bomb", actions.UpholdDeclaration),
            actions.SettleDispute(accepted=True),
        ],
        BOMB_AT["e4"],
        "e4",
    ),
}


@pytest.mark.parametrize(("taken", "red", "found"), ARMIES.values(), ids=ARMIES)
def test_both_referees_find_the_same_faults(
    taken: list[actions.Action], red: str, found: str
) -> None:
    game = played(*taken, red=red)
    assert wrong(game) == found
    findings = check_seals(game)
    assert findings.complaints == []
    assert findings.looked_at["prove-army"] == 2


def disputed(at: str, rank: str) -> list[actions.Action]:
    """Uphold a declared rank, and have it accepted."""
    return [
        declare(RED, f"{at} {rank}", actions.UpholdDeclaration),
        actions.SettleDispute(accepted=True),
    ]


ATTACKED = [*turns("i4-i5 i7-i6 b4-b5 i6xi5"), declare(BLUE, "i7 general")]
"""Blue's general attacks the red piece that has moved from i4."""
MARSHAL = "i4 marshal, k4 general"
SILENT: dict[str, tuple[list[actions.Action], str, str]] = {
    "the truth": ([*ATTACKED, declare(RED, "i4 marshal")], MARSHAL, ""),
    "a bomb that has moved": (
        [*ATTACKED, *disputed("i4", "bomb")],
        "i4 bomb, a2 general",
        "i4",
    ),
    "another rank that it cannot have": ([*ATTACKED, *disputed("i4", "bomb")], MARSHAL, "i4"),
    "another rank that it could have": (
        [*WALKED, declare(BLUE, "e7 miner"), *disputed("e4", "marshal")],
        GENERAL,
        "e4",
    ),
    "another rank, and later the real one": (
        [
            *turns("b4-b5 e7-e6 b5-b4 e6-e5 b4-b5 e5xe4"),
            *(declare(BLUE, "e7 miner"), *disputed("e4", "marshal")),
            *turns("e4-e5 f7-f6 b5-b4 f6-f5 b4-b5 f5xe5"),
            *(declare(BLUE, "f7 miner"), *disputed("e4", "general")),
        ],
        GENERAL,
        "",
    ),
    "another rank, and later the real one is revealed": (
        [
            *(*ATTACKED, *disputed("i4", "bomb")),
            *turns("i5-i6 k7-k6 b5-b6 k6xi6"),
            declare(BLUE, "k7 marshal"),
        ],
        MARSHAL,
        "i4",
    ),
}
"""Games in which a declared rank wins under silent defence and stays unnamed."""


@pytest.mark.parametrize(("taken", "red", "found"), SILENT.values(), ids=SILENT)
def test_both_referees_agree_on_silent_defence(
    taken: list[actions.Action], red: str, found: str
) -> None:
    game = played(*taken, red=red, silent_defence=True)
    assert wrong(game) == found
    assert check_seals(game).complaints == []


@pytest.mark.parametrize(
    ("edition", "red", "ends"),
    [
        ("gravopedia-2006", BOMB_AT["e4"], [declare(RED, "e4 bomb", actions.UpholdDeclaration)]),
        (
            "isf",
            "",
            [
                declare(RED, "e4 flag", actions.UpholdDeclaration),
                actions.SettleDispute(accepted=True),
            ],
        ),
    ],
    ids=["admitting a moved bomb", "an accepted flag"],
)
def test_only_the_ending_is_taken_back(edition: str, red: str, ends: list[actions.Action]) -> None:
    attacked = [*WALKED, declare(BLUE, "e7 miner"), *ends]
    game = played(*attacked, actions.TakeBack(), red=red, edition=edition)
    assert game["actions"][len(attacked)]["rulings"][-1]["ruling"] == "game-over"
    assert check_seals(game).complaints == []
    again = played(
        *attacked,
        actions.TakeBack(),
        actions.TakeBack(),
        *turns("e6-f6 e5-f5"),
        red=red,
        edition=edition,
    )
    assert check_seals(again).complaints == []


def test_file_is_read_with_seals_in_any_order() -> None:
    assert list(army(RED)) != sorted(army(RED))
    read_transcript(json.dumps(played(*turns("e4-e5"))).encode())


def test_touch_move_override() -> None:
    known = turns("e4-e5 e7-e6 e5-e4 e6-e7")
    game = played(
        *known, actions.Touch(E4), allow_move("f4-f5"), red="f4 bomb, a2 miner", touch_move=True
    )
    assert wrong(game) == "f4"
    assert check_seals(game).complaints == []


def test_broken_seals_survive_take_back() -> None:
    word = actions.Declare(Secret(RED, Rank.MINER))
    attack = turns("e7-e6 e5xe6")
    game = played(
        *turns("e4-e5"), actions.BreakSeals(RED), actions.TakeBack(), *turns("e4-e5"), *attack, word
    )
    assert check_seals(game).complaints == []
    assert check_seals(game).looked_at["declare"] == 1
    game["actions"] = [each for each in game["actions"] if each["do"] != "break-seals"]
    assert check_seals(game).complaints == ["action 7: this does not open the seal of e4"]


def test_unfollowable_action_is_reported() -> None:
    """Moving a known bomb ends the game, but the move is not carried out."""
    rules = replace(EDITIONS["gravopedia-2006"].with_army("duel"), sealed_armies=True)
    armies = {RED: army(RED, BOMB_AT["b4"]), BLUE: army(BLUE)}
    commitments = {side: ArmyCommitment.of(side, openings) for side, openings in armies.items()}
    every = [
        actions.PlaceArmies(set_of(armies[RED]), set_of(armies[BLUE]), commitments),
        *turns("e4-e5 b7xb4"),
        declare(RED, "b4 bomb"),
        *turns("b4-b5"),
        actions.OpenArmy(RED, armies[RED]),
    ]
    timed = ((float(n), action) for n, action in enumerate(every))
    game = json.loads(write_transcript(transcribe(rules, timed)))
    with pytest.raises(NotFollowedError):
        check_seals(game)


# Forgeries

WORDS = [
    declare(BLUE, "e7 miner"),
    declare(RED, "e4 bomb", actions.UpholdDeclaration),
    actions.SettleDispute(accepted=True),
]
PLACE, DECLARE, UPHOLD, PROVE = 1, 6, 7, 10
"""Indices of some actions in the game that the forgery test modifies."""
E4_SUM = ArmyCommitment.of(RED, army(RED, BOMB_AT["e4"])).commitments[E4]
E7_SALT, E4_SALT = (opening(square(at), "bomb").salt for at in ("e7", "e4"))
OTHER_SALT = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    ("number", "old", "new", "complaints"),
    [
        (DECLARE, E7_SALT, OTHER_SALT, ["action 6: this does not open the seal of e7"]),
        (DECLARE, "miner", "scout", ["action 6: this does not open the seal of e7"]),
        (UPHOLD, E4_SALT, OTHER_SALT, ["action 7: e4 was not sealed as this"]),
        (UPHOLD, "true", "false", ["action 7: e4 was sealed as this"]),
        (PROVE, E4_SALT, OTHER_SALT, ["action 10: this does not open the seal of e4"]),
        (
            PROVE,
            "e4:bomb",
            "e4:flag",
            [
                "action 10: this does not open the seal of e4",
                "action 10: another army was ruled on",
            ],
        ),
        (PROVE, '"wrong": "e4"', '"wrong": "f4"', ["action 10: nothing is wrong with f4"]),
        (
            PLACE,
            E4_SUM,
            "0" * 64,
            ["action 7: e4 was not sealed as this", "action 10: this does not open the seal of e4"],
        ),
    ],
)
def test_forgery_is_detected(number: int, old: str, new: str, complaints: list[str]) -> None:
    game = played(*WALKED, *WORDS, red=BOMB_AT["e4"])
    assert wrong(game) == "e4"
    assert check_seals(game).complaints == []
    written = json.dumps(game["actions"][number - 1])
    assert written.count(old) == 1
    game["actions"][number - 1] = json.loads(written.replace(old, new))
    assert set(complaints) <= set(check_seals(game).complaints)


def test_unnamed_wrong_square_is_detected() -> None:
    game = played(*turns("e4-e5"), red=BOMB_AT["e4"])
    game["actions"][-2]["rulings"][0]["wrong"] = ""
    assert check_seals(game).complaints == ["action 4: something is wrong with e4"]
