"""Tests for the sealed-armies house rule: only ranks committed before the game count."""

import subprocess
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import Side, names, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening, commit, seal_words
from engine.deduction.possible_ranks import Evidence, Proof
from engine.game import actions, rulings
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.views import public_view
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from engine.rules.rules import Rule, Violation, ViolationKind
from tests.engine.sealed_table import ISF, SealedTable, attacked
from tests.engine.tables import BLUE, RED, way

NORDIC = replace(EDITIONS["nordic-2015"], sealed_armies=True)
DOCUMENT = Path(__file__).parents[2] / "docs/sealed.md"
INFILTRATION = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b3   .   .   .  b9   .   .  bI   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .  rI   .   .  r9  r3   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


@pytest.fixture
def table() -> SealedTable:
    return attacked()


# -- commitments


def test_seal_is_a_plain_sha256() -> None:
    opening = Opening(Rank.MINER, "00112233445566778899aabbccddeeff")
    text = b"boomboard/1 red e4 miner 00112233445566778899aabbccddeeff"
    checked = subprocess.run(["sha256sum"], input=text, capture_output=True, check=True)

    summed = checked.stdout.decode().split()[0]
    assert summed == commit(RED, square("e4"), opening)
    assert summed in DOCUMENT.read_text()


def test_seal_depends_on_piece_side_rank_and_salt() -> None:
    promised = Opening(Rank.MINER, "0" * 32)
    commitment = ArmyCommitment.of(RED, {square("e4"): promised})

    assert commitment.holds(RED, square("e4"), promised)
    assert not commitment.holds(BLUE, square("e4"), promised)
    assert not commitment.holds(RED, square("f4"), promised)
    assert not commitment.holds(RED, square("e4"), Opening(Rank.SCOUT, "0" * 32))
    assert not commitment.holds(RED, square("e4"), Opening(Rank.MINER, "1" * 32))
    assert not commitment.holds(RED, square("e4"), None)


def test_words_are_a_hash_of_both_armies() -> None:
    """An army's digest is the hash of its commitments in square order."""
    openings = {square(at): Opening(Rank.MINER, "0" * 32) for at in ("e4", "a1", "b1")}
    army = ArmyCommitment.of(RED, openings)
    seals = [commit(RED, square(at), openings[square(at)]) for at in ("a1", "b1", "e4")]
    assert army.digest == sha256(" ".join(seals).encode()).hexdigest()

    for sealed, digests in (
        ({RED: army}, f"{army.digest} -"),
        ({BLUE: army}, f"- {army.digest}"),
        ({BLUE: army, RED: army}, f"{army.digest} {army.digest}"),
        ({}, "- -"),
    ):
        hexadecimal = sha256(f"boomboard/1 seals {digests}".encode()).hexdigest()
        groups = hexadecimal[:4], hexadecimal[4:8], hexadecimal[8:12]
        assert seal_words(sealed).code == " ".join(groups)
    assert str(seal_words({})) == "linen otter feather winter (8da9 54fb bdd5)"


@pytest.mark.parametrize(("side", "at"), [(BLUE, "e4"), (RED, "f4")])
def test_copied_seal_cannot_be_opened(side: Side, at: str) -> None:
    promised = Opening(Rank.MINER, "0" * 32)
    copied = ArmyCommitment({square(at): commit(RED, square("e4"), promised)})

    assert not copied.holds(side, square(at), promised)


@pytest.mark.parametrize("salt", ["", "0" * 31, "0" * 33, "G" * 32, "A" * 32, "0" * 31 + "\n"])
def test_malformed_salt_is_refused(salt: str) -> None:
    with pytest.raises(ValueError, match="a salt of 32 hexadecimal digits, found 'another string'"):
        Opening(Rank.MINER, salt)


def test_malformed_commitment_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected a commitment of 64 hexadecimal.*, found 'ab'"):
        ArmyCommitment({square("e4"): "ab"})


def test_equal_commitments_are_found_in_a_set() -> None:
    army, same, other = (ArmyCommitment({square("e4"): digit * 64}) for digit in "aab")
    assert {army, same, other} == {army, other}
    assert hash(army) == hash(same) != hash(other)


def test_opening_is_not_printed() -> None:
    assert (
        "miner" not in f"{Opening(Rank.MINER, 'a' * 32)!r} {Opening(Rank.MINER, 'a' * 32)}".lower()
    )
    assert repr(Opening(Rank.MINER, "a" * 32)) == "Opening()"


# -- before the game


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_off_by_default(edition: Edition) -> None:
    assert not edition.sealed_armies


def test_game_starts_after_both_armies_are_sealed() -> None:
    table = SealedTable()
    commitments, waiting = table.commitments, Referee.waiting(table.referee.edition)

    def refused(commitments: Mapping[Side, ArmyCommitment]) -> list[tuple[Side | None, str]]:
        ruled = waiting.apply(replace(table.placing, commitments=commitments))
        violations = [each for each in ruled if isinstance(each, Violation)]
        assert {each.fault for each in violations} == {ViolationKind.NOT_SEALED}
        assert {each.citation.rule for each in violations} == {Rule.SEALED_ARMIES}
        return [(each.side, names(each.squares)) for each in violations]

    red = "a1 b4 e4 f4 i4 k4"
    blue = "b7 e7 f7 i7 k7 a10"
    assert refused({}) == [(RED, red), (BLUE, blue)]
    assert refused({RED: commitments[RED]}) == [(BLUE, blue)]
    elsewhere = {square("b1") if at == 0 else at: each for at, each in table.armies[RED].items()}
    assert refused({**commitments, RED: ArmyCommitment.of(RED, elsewhere)}) == [(RED, "a1 b1")]
    assert waiting.phase is Phase.SETUP
    assert waiting.apply(table.placing) == (rulings.ArmiesPlaced(),)


def test_valid_seals_are_public(table: SealedTable) -> None:
    assert public_view(table.referee).sealed == {RED, BLUE}


# -- declarations


def test_sealed_game_is_played_normally() -> None:
    declared, combat = SealedTable().play("e4-e5 e7-e6 e5xe6")

    assert declared == rulings.Declared(BLUE)
    assert isinstance(combat, rulings.Combat)
    assert (combat.attacker, combat.defender) == (Rank.GENERAL, Rank.LIEUTENANT)


@pytest.mark.parametrize("rank", ["scout", "miner", "lieutenant", "bomb"])
def test_false_declaration_is_refused(table: SealedTable, rank: str) -> None:
    """Red attacks with the general and declares a different possible rank."""
    (refused,) = table.declare("e4", rank)

    assert isinstance(refused, rulings.Contradiction)
    assert refused.owner is RED
    assert (refused.proof.ground, refused.proof.rank) == (
        Evidence.NOT_AS_SEALED,
        Rank[rank.upper()],
    )
    assert refused.citation.rule is Rule.SEALED_ARMIES
    assert table.referee.open_attack
    assert table.referee.open_attack.awaited == (RED, BLUE)


def test_rank_without_salt_opens_nothing(table: SealedTable) -> None:
    for salt in ("", "f" * 32, table.opening("f4").salt):
        (refused,) = table.declare("e4", salt=salt)
        assert isinstance(refused, rulings.Contradiction)
    assert isinstance(table.declare("e4")[0], rulings.Declared)


def test_opening_of_another_piece_is_refused(table: SealedTable) -> None:
    other = table.opening("f4")
    (refused,) = table.declare("e4", other.rank.name, other.salt)

    assert isinstance(refused, rulings.Contradiction)


# -- disputes


@pytest.fixture
def with_moved_bomb() -> SealedTable:
    """Return a game in which Blue attacks a moved piece that Red committed as a bomb."""
    table = SealedTable()
    table.play("b4-b5 b7-b6 e4-e5")
    table.referee.push("b6xb5")
    assert isinstance(table.declare("b7")[0], rulings.Declared)
    return table


def test_moved_sealed_bomb_is_detected(with_moved_bomb: SealedTable) -> None:
    """The owner can declare only the true rank, which proves the violation (ISF 4.3)."""
    table = with_moved_bomb
    assert isinstance(table.declare("b4", "scout")[0], rulings.Contradiction)
    (refused,) = table.declare("b4")
    assert isinstance(refused, rulings.Contradiction)
    assert refused.proof.ground is Evidence.MOVED

    assert table.insist("b4") == (rulings.Disputed(RED, square("b5"), is_as_sealed=True),)
    assert public_view(table.referee).is_as_sealed is True


def test_moved_sealed_bomb_loses() -> None:
    table = SealedTable(rules=replace(ISF, moved_bomb=MovedBombPenalty.LOSES))
    table.play("b4-b5 b7-b6 e4-e5")
    table.referee.push("b6xb5")
    table.declare("b7")
    table.declare("b4")

    disputed, over = table.insist("b4")
    assert disputed == rulings.Disputed(RED, square("b5"), is_as_sealed=True)
    assert isinstance(over, rulings.GameOver)
    assert (over.winner, over.reason) == (BLUE, rulings.Reason.MOVED_BOMB)


def test_swapped_pieces_lead_to_a_dispute(table: SealedTable) -> None:
    """Two pieces were knocked over, and were swapped when they were put back. No player lies, but
    an opening does not match its commitment."""
    other = table.opening("f4")
    table.declare("e4", other.rank.name, other.salt)

    disputed = table.insist("e4", other.rank.name, other.salt)
    assert disputed == (rulings.Disputed(RED, square("e5"), is_as_sealed=False),)
    assert public_view(table.referee).is_as_sealed is False
    table.referee.apply(actions.SettleDispute(accepted=False))
    table.referee.apply(actions.WithdrawAttack())
    corrected = table.referee.apply(
        actions.Correct(actions.SwapCorrection(square("e4"), square("f4")))
    )
    assert isinstance(corrected[0], rulings.Corrected)
    table.referee.push("e5xe6")
    assert isinstance(table.declare("f4")[0], rulings.Declared)


def test_accepted_declaration_needs_no_seal(table: SealedTable) -> None:
    table.declare("e4", "scout", "")
    table.insist("e4", "scout", "")
    table.referee.apply(actions.SettleDispute(accepted=True))

    assert table.referee.open_attack
    assert table.referee.open_attack.awaited == (BLUE,)


def test_sealed_rank_cannot_be_disputed(table: SealedTable) -> None:
    with pytest.raises(OutOfPhaseError, match="a declaration that was proved impossible"):
        table.insist("e4")


# -- guesses


def guessing(guess: Rank) -> SealedTable:
    """Guess the rank of the general on f7 with Red's infiltrator, which is in Blue's rows."""
    table = SealedTable(INFILTRATION, NORDIC)
    table.play("b4-b5 i7-i6 b5-b6 i6-i5 e4-e5 b7-a7 b6-b7 a7-a8 b7-c7 a8-a9 c7-d7 a9-a8")
    table.referee.apply(actions.Infiltrate(*way("d7 f7"), guess))
    assert table.referee.phase is Phase.GUESS
    return table


def answer(table: SealedTable, right: bool, opening: Opening | None) -> rulings.Ruling:
    sealed = Secret(BLUE, opening) if opening else None
    return table.referee.apply(actions.AnswerGuess(right, sealed))[0]


@pytest.mark.parametrize("guess", [Rank.GENERAL, Rank.MINER])
def test_guess_is_answered_by_the_seal(guess: Rank) -> None:
    table = guessing(guess)
    opening, is_right = table.opening("f7"), guess is Rank.GENERAL

    for lie in (
        (not is_right, opening),
        (is_right, None),
        (is_right, Opening(guess, "f" * 32)),
        (True, Opening(guess, opening.salt)) if not is_right else (False, opening),
    ):
        refused = answer(table, *lie)
        assert isinstance(refused, rulings.Contradiction)
        denied = is_right and lie == (False, opening)
        assert refused.proof == Proof(
            Evidence.AS_SEALED if denied else Evidence.NOT_AS_SEALED, guess
        )
    ruling = answer(table, is_right, opening)
    assert ruling == rulings.Infiltrated(RED, *way("d7 f7"), guess, is_right)


# -- void commitments


def test_broken_seals_fall_back_to_declarations(table: SealedTable) -> None:
    """A phone is lost during an attack. The ranks must still be declared."""
    assert table.referee.apply(actions.BreakSeals(RED)) == (rulings.SealsBroken(RED),)

    assert table.referee.phase is Phase.ATTACK
    assert public_view(table.referee).sealed == {BLUE}
    assert isinstance(table.declare("e4", "scout", "")[0], rulings.Declared)
    assert isinstance(table.declare("e7", "scout", "")[0], rulings.Contradiction)


@pytest.mark.parametrize("back", [actions.WithdrawAttack(), actions.TakeBack()])
def test_broken_seals_are_never_restored(
    table: SealedTable, back: actions.WithdrawAttack | actions.TakeBack
) -> None:
    table.referee.apply(actions.BreakSeals(RED))
    table.referee.apply(back)

    assert public_view(table.referee).sealed == {BLUE}


def test_seals_break_once(table: SealedTable) -> None:
    table.referee.apply(actions.BreakSeals(RED))

    with pytest.raises(OutOfPhaseError, match="commitments of red, found none"):
        table.referee.apply(actions.BreakSeals(RED))
