"""The conversation with the referee: phases, attacks, refusals, and how a game ends."""

import pytest

from engine.actions import (
    Action,
    AgreeDraw,
    CannotMove,
    Declare,
    Move,
    OpenAttack,
    PlaceArmies,
    Resign,
    WithdrawAttack,
)
from engine.combat import Result
from engine.dossier import Ground, Proof
from engine.editions import DEFAULT, EDITIONS
from engine.ranks import ORIGINAL, Rank
from engine.referee import OutOfPhaseError, Phase, Referee
from engine.rules import Fault, Rule
from engine.rulings import (
    ArmiesPlaced,
    AttackOpened,
    AttackWithdrawn,
    Combat,
    Contradiction,
    Declared,
    GameOver,
    Moved,
    Reason,
    Violation,
)
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import names, set_of, square
from tests.engine.tables import BLUE, RED, Setup, Table, refusal, state

SKIRMISH = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b3   .   .  b5  b9   .   .  bB  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .  rB   .   .  r9  r3   .   .  r5  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


def declare(side: Side, rank: Rank) -> Declare:
    return Declare(Secret(side, rank))


def way(move: str) -> tuple[int, int]:
    source, target = move.split()
    return square(source), square(target)


def awaited(referee: Referee) -> list[Side]:
    assert referee.attack
    return list(referee.attack.awaited)


@pytest.fixture
def table() -> Table:
    return Table.of(SKIRMISH)


@pytest.fixture
def referee(table: Table) -> Referee:
    return table.referee


@pytest.fixture
def attacked(table: Table) -> Referee:
    """Red attacks the blue lieutenant on e6 with its general; nobody has declared yet."""
    table.play("e4-e5 e7-e6")
    table.referee.apply(OpenAttack(*way("e5 e6")))
    return table.referee


# -- setup


def test_a_game_begins_with_red() -> None:
    setup = Setup.parse(SKIRMISH)
    referee = Referee(setup.edition())
    assert (referee.phase, referee.plies, referee.actions) == (Phase.SETUP, 0, [])

    assert referee.apply(setup.placing) == (ArmiesPlaced(),)

    assert (referee.phase, referee.to_move, referee.plies) == (Phase.PLAY, RED, 0)
    assert referee.actions == [setup.placing]
    assert referee.board.red == setup.placing.red
    assert referee.board.blue == setup.placing.blue


def test_whole_armies_fill_their_own_rows() -> None:
    for edition in EDITIONS.values():
        referee = Referee(edition)
        assert referee.apply(PlaceArmies(RED.home, BLUE.home)) == (ArmiesPlaced(),)
    assert DEFAULT.army is ORIGINAL


def test_everything_that_is_wrong_with_a_setup_is_told_at_once() -> None:
    setup = Setup.parse(SKIRMISH)
    referee = Referee(setup.edition())
    red = setup.placing.red ^ set_of(map(square, ["a1", "c5", "c6"]))
    blue = setup.placing.blue ^ set_of(map(square, ["a10", "a4"]))

    rulings = referee.apply(PlaceArmies(red, blue))

    assert [(r.fault, names(r.squares)) for r in rulings if isinstance(r, Violation)] == [
        (Fault.WRONG_COUNT, names(red)),
        (Fault.OUTSIDE_HOME, "c5 c6"),
        (Fault.OUTSIDE_HOME, "a4"),
    ]
    assert {r.fault.rule for r in rulings if isinstance(r, Violation)} == {Rule.SETUP}
    assert {r.source for r in rulings if isinstance(r, Violation)} == {"Small rulebook"}
    assert (referee.phase, referee.actions, referee.board.occupied) == (Phase.SETUP, [], 0)

    assert referee.apply(setup.placing) == (ArmiesPlaced(),)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_piece_too_few_or_too_many_on_either_side(missing: int) -> None:
    referee = Referee(EDITIONS["isf"])
    red = RED.home & ~(1 << 5) if missing & 1 else RED.home
    blue = BLUE.home & ~(1 << 95) if missing & 2 else BLUE.home

    rulings = referee.apply(PlaceArmies(red, blue))

    wrong = [squares for squares in (red, blue) if squares.bit_count() != 40]
    expected = [Violation(Fault.WRONG_COUNT, squares, "ISF game rules") for squares in wrong]
    assert rulings == (tuple(expected) or (ArmiesPlaced(),))


# -- phases


ACTIONS: dict[str, Action] = {
    "place": PlaceArmies(RED.home, BLUE.home),
    "move": Move(*way("f4 f5")),
    "attack": OpenAttack(*way("k4 k7")),
    "withdraw": WithdrawAttack(),
    "declare": declare(RED, Rank.GENERAL),
    "cannot": CannotMove(),
    "resign": Resign(RED),
    "draw": AgreeDraw(),
}
FITTING = {
    Phase.SETUP: {"place"},
    Phase.PLAY: {"move", "attack", "cannot", "resign", "draw"},
    Phase.ATTACK: {"withdraw", "declare", "resign", "draw"},
    Phase.OVER: set[str](),
}


def in_phase(phase: Phase) -> Referee:
    if phase is Phase.SETUP:
        return Referee(DEFAULT)
    table = Table.of(SKIRMISH)
    table.play("e4-e5 e7-e6")
    if phase is Phase.ATTACK:
        table.referee.apply(OpenAttack(*way("e5 e6")))
    if phase is Phase.OVER:
        table.referee.apply(Resign(BLUE))
    return table.referee


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("kind", ACTIONS)
def test_what_fits_which_phase(phase: Phase, kind: str) -> None:
    referee = in_phase(phase)
    assert referee.phase is phase
    before, accepted = state(referee), len(referee.actions)

    if kind in FITTING[phase]:
        assert refusal(referee.apply(ACTIONS[kind])) is None
        assert referee.actions[accepted:] == [ACTIONS[kind]]
        return
    with pytest.raises(OutOfPhaseError, match=f"{type(ACTIONS[kind]).__name__}.*'{phase.value}'"):
        referee.apply(ACTIONS[kind])
    assert len(referee.actions) == accepted
    assert state(referee) == before


def test_the_wrong_phase_is_told_without_the_rank(referee: Referee) -> None:
    with pytest.raises(OutOfPhaseError) as refused:
        referee.apply(declare(RED, Rank.MARSHAL))

    assert not told_ranks(str(refused.value))


# -- moves


def test_a_move(referee: Referee) -> None:
    assert referee.apply(Move(*way("e4 e5"))) == (Moved(RED, *way("e4 e5"), ran=False),)

    assert referee.to_move is BLUE
    assert referee.plies == 1
    assert referee.last_move == way("e4 e5")
    assert referee.board.piece_at(square("e5")) == square("e4")
    assert referee.apply(Move(*way("k7 k5"))) == (Moved(BLUE, *way("k7 k5"), ran=True),)
    assert referee.to_move is RED


@pytest.mark.parametrize(
    ("move", "fault", "rule"),
    [
        ("a2 a3", Fault.NO_PIECE, Rule.MOVEMENT),
        ("e7 e6", Fault.NOT_YOUR_PIECE, Rule.OUT_OF_TURN),
        ("e4 f5", Fault.NOT_STRAIGHT, Rule.MOVEMENT),
        ("e4 f4", Fault.ONTO_OWN_PIECE, Rule.MOVEMENT),
        ("e4 e7", Fault.ONTO_OPPONENT, Rule.MOVEMENT),
        ("e4 e8", Fault.PIECE_IN_THE_WAY, Rule.MOVEMENT),
    ],
)
def test_a_forbidden_move_changes_nothing(
    referee: Referee, move: str, fault: Fault, rule: Rule
) -> None:
    before = state(referee)

    rulings = referee.apply(Move(*way(move)))

    assert rulings == (Violation(fault, set_of(way(move)), "Small rulebook"),)
    assert fault.rule is rule
    assert state(referee) == before


def test_for_all_that_is_known_the_flag_might_be_anything(referee: Referee) -> None:
    assert isinstance(referee.apply(Move(*way("a1 a2")))[0], Moved)


def test_who_attacks_must_attack_something(referee: Referee) -> None:
    before = state(referee)

    ruling = referee.apply(OpenAttack(*way("e4 e5")))

    expected = Violation(Fault.NOTHING_TO_ATTACK, set_of(way("e4 e5")), "Small rulebook")
    assert ruling == (expected,)
    assert state(referee) == before
    (ruling_on_own,) = referee.apply(OpenAttack(*way("e4 f4")))
    assert isinstance(ruling_on_own, Violation)
    assert ruling_on_own.fault is Fault.ONTO_OWN_PIECE


def test_what_is_proved_binds(table: Table) -> None:
    """The general has been revealed, so it cannot run; the bomb has, so it cannot move."""
    table.play("e4-e5 e7-e6 e5xe6 k7xk4")  # both scouts fall
    (too_far,) = table.play("e6-e9")
    assert isinstance(too_far, Violation)
    assert too_far.fault is Fault.TOO_FAR
    table.play("i4-i5 b7-b6 i5-i6 b6-b5 i6xi7 f7-f6 f4-f5 b5xb4 f5xf6")
    assert table.referee.captured[RED][Rank.BOMB] == 1
    assert table.referee.captured[BLUE] == {Rank.LIEUTENANT: 1, Rank.SCOUT: 1}
    (bomb_moves,) = table.play("i7-i6")
    assert isinstance(bomb_moves, Violation)
    assert bomb_moves.fault is Fault.IMMOBILE
    assert bomb_moves.fault.rule is Rule.IMMOBILE_PIECE


def test_ranks_known_beforehand_bind_from_the_first_move_on() -> None:
    setup = Setup.parse(SKIRMISH)
    referee = Referee(setup.edition(), known=setup.ranks)
    referee.apply(setup.placing)

    (bomb,) = referee.apply(Move(*way("b4 b5")))
    (general,) = referee.apply(Move(*way("e4 e6")))

    assert isinstance(bomb, Violation)
    assert bomb.fault is Fault.IMMOBILE
    assert isinstance(general, Violation)
    assert general.fault is Fault.TOO_FAR
    rulings = referee.apply(OpenAttack(*way("k4 k7")))
    assert rulings == (
        AttackOpened(RED, *way("k4 k7"), awaited=()),
        Combat(RED, *way("k4 k7"), Rank.SCOUT, Rank.SCOUT, Result.BOTH_FALL),
    )


# -- the conversation of an attack


def test_both_are_asked_the_attacker_first(attacked: Referee) -> None:
    assert awaited(attacked) == [RED, BLUE]

    assert attacked.apply(declare(RED, Rank.GENERAL)) == (Declared(RED),)
    assert awaited(attacked) == [BLUE]
    rulings = attacked.apply(declare(BLUE, Rank.LIEUTENANT))

    assert rulings == (
        Declared(BLUE),
        Combat(RED, *way("e5 e6"), Rank.GENERAL, Rank.LIEUTENANT, result=Result.ATTACKER_WINS),
    )
    assert attacked.attack is None
    assert attacked.phase is Phase.PLAY
    assert (attacked.to_move, attacked.plies) == (BLUE, 3)
    assert attacked.last_combat == rulings[1]
    assert attacked.last_move == way("e5 e6")
    assert attacked.board.piece_at(square("e6")) == square("e4")
    assert attacked.board.side_at(square("e5")) is None
    assert attacked.captured[BLUE] == {Rank.LIEUTENANT: 1}
    assert not attacked.captured[RED]


def test_the_defender_may_declare_first(attacked: Referee) -> None:
    assert attacked.apply(declare(BLUE, Rank.LIEUTENANT)) == (Declared(BLUE),)
    assert awaited(attacked) == [RED]
    assert isinstance(attacked.apply(declare(RED, Rank.GENERAL))[-1], Combat)


def test_nobody_declares_twice_or_in_the_place_of_another(attacked: Referee) -> None:
    attacked.apply(declare(RED, Rank.GENERAL))
    before = state(attacked)

    with pytest.raises(OutOfPhaseError, match="no declaration is awaited from red"):
        attacked.apply(declare(RED, Rank.GENERAL))
    assert state(attacked) == before


def test_a_combat_that_the_defender_wins(table: Table) -> None:
    table.play("i4-i5 b7-b6 i5-i6 b6-b5")

    *_, combat = table.play("i6xi7")

    assert isinstance(combat, Combat)
    assert combat.result is Result.DEFENDER_WINS
    assert combat.boom
    assert table.referee.board.side_at(square("i6")) is None
    assert table.referee.board.side_at(square("i7")) is BLUE
    assert table.referee.captured[RED] == {Rank.LIEUTENANT: 1}
    assert not table.referee.captured[BLUE]


def test_a_combat_in_which_both_fall(table: Table) -> None:
    *_, combat = table.play("k4xk7")

    assert isinstance(combat, Combat)
    assert combat.result is Result.BOTH_FALL
    assert not combat.boom
    for place in ("k4", "k7"):
        assert table.referee.board.side_at(square(place)) is None
    assert table.referee.captured == {RED: {Rank.SCOUT: 1}, BLUE: {Rank.SCOUT: 1}}


def test_the_last_combat_is_forgotten_with_the_next_move(table: Table) -> None:
    table.play("k4xk7")
    assert table.referee.last_combat
    table.play("e7-e6")
    assert table.referee.last_combat is None


def test_a_rank_that_everybody_can_know_is_not_asked_for(table: Table) -> None:
    table.play("k4xk7")
    assert table.declared == [BLUE]  # who attacks from afar is a scout

    table.declared.clear()
    table.play("e7-e6 e4-e5 e6xe5")
    assert table.declared == [BLUE, RED]
    table.declared.clear()
    table.play("f4-f5 b7-b6 e5-e6 b6-b5 e6-e7 b5-a5 e7xf7")
    assert table.declared == [BLUE]  # the general was revealed before


def test_an_attack_from_afar_by_one_who_is_the_only_scout_left(table: Table) -> None:
    rulings = table.referee.apply(OpenAttack(*way("k4 k7")))

    assert rulings == (AttackOpened(RED, *way("k4 k7"), awaited=(BLUE,)),)
    assert table.referee.attack
    assert table.referee.attack.rank(RED) is Rank.SCOUT


def test_two_proved_ranks_fight_without_a_word(table: Table) -> None:
    table.play("k4-k6 k7-k9 k6-k5 k9-k7")

    rulings = table.referee.apply(OpenAttack(*way("k5 k7")))

    assert rulings == (
        AttackOpened(RED, *way("k5 k7"), awaited=()),
        Combat(RED, *way("k5 k7"), Rank.SCOUT, Rank.SCOUT, Result.BOTH_FALL),
    )
    assert table.referee.actions[-1] == OpenAttack(*way("k5 k7"))
    assert table.referee.phase is Phase.PLAY


def test_an_attack_that_was_none_is_withdrawn(attacked: Referee) -> None:
    assert attacked.apply(WithdrawAttack()) == (AttackWithdrawn(),)

    assert attacked.attack is None
    assert (attacked.phase, attacked.to_move, attacked.plies) == (Phase.PLAY, RED, 2)
    assert isinstance(attacked.apply(Move(*way("e5 e4")))[0], Moved)


@pytest.mark.parametrize(("side", "rank"), [(RED, Rank.GENERAL), (BLUE, Rank.LIEUTENANT)])
def test_who_has_declared_holds_the_attack(attacked: Referee, side: Side, rank: Rank) -> None:
    attacked.apply(declare(side, rank))
    before = state(attacked)

    with pytest.raises(OutOfPhaseError, match="withdrawn"):
        attacked.apply(WithdrawAttack())
    assert state(attacked) == before


def test_an_attack_that_is_withdrawn_proves_nothing(table: Table) -> None:
    """Neither that the piece is a scout nor even that it can move."""
    referee = table.referee
    place, possible = square("k4"), referee._dossier.possible
    referee.apply(OpenAttack(*way("k4 k7")))
    referee.apply(WithdrawAttack())

    assert possible(place) == referee.edition.army.ranks
    assert referee.find_violation(*way("k4 k5")) is None


def test_a_contradiction_is_private_and_changes_nothing(attacked: Referee) -> None:
    attacked.apply(declare(BLUE, Rank.LIEUTENANT))
    before = state(attacked)

    rulings = attacked.apply(declare(RED, Rank.BOMB))

    assert rulings == (Contradiction(RED, Proof(Ground.MOVED, Rank.BOMB)),)
    assert state(attacked) == before
    assert isinstance(attacked.apply(declare(RED, Rank.GENERAL))[-1], Combat)


def test_contradictions_of_the_defender(table: Table) -> None:
    table.play("e4-e5 e7-e6 e5xe6 f7-e7")
    referee = table.referee
    referee.apply(OpenAttack(*way("e6 e7")))

    def ground(rank: Rank) -> Ground:
        (ruling,) = referee.apply(declare(BLUE, rank))
        assert isinstance(ruling, Contradiction)
        assert ruling.owner is BLUE
        return ruling.proof.ground

    assert ground(Rank.FLAG) is Ground.MOVED
    assert ground(Rank.MARSHAL) is Ground.NOT_IN_ARMY
    assert ground(Rank.LIEUTENANT) is Ground.ALL_FOUND
    assert isinstance(referee.apply(declare(BLUE, Rank.GENERAL))[-1], Combat)


def test_a_piece_that_only_attacks_is_no_bomb(table: Table) -> None:
    """A defender that has never moved may be a bomb, an attacker may not."""
    table.play("i4-i5 b7-b6 i5-i6 b6-b5")
    table.referee.apply(OpenAttack(*way("i6 i7")))
    assert table.referee.apply(declare(BLUE, Rank.BOMB)) == (Declared(BLUE),)
    table.referee.apply(declare(RED, Rank.LIEUTENANT))

    table.referee.apply(OpenAttack(*way("b5 b4")))
    assert table.referee.attack
    assert not table.referee.attack.possible[BLUE] >> Rank.BOMB & 1
    assert isinstance(table.referee.apply(declare(BLUE, Rank.FLAG))[0], Contradiction)


# -- what must not be seen


def told_ranks(text: str) -> list[Rank]:
    """Find the ranks that a text tells."""
    return [rank for rank in Rank if rank.name.lower() in text.lower()]


def test_the_ranks_of_an_open_attack_are_printed_nowhere(attacked: Referee) -> None:
    opened = attacked.actions[-1]
    first = attacked.apply(declare(RED, Rank.GENERAL))
    shown = [repr(opened), repr(first), repr(attacked.attack), str(attacked.attack)]
    shown += [repr(attacked.actions), str(attacked.actions[-1]), f"{attacked.actions[-1]}"]

    assert [told_ranks(text) for text in shown] == [[]] * len(shown)

    second = attacked.apply(declare(BLUE, Rank.LIEUTENANT))
    assert told_ranks(repr(second)) == [Rank.LIEUTENANT, Rank.GENERAL]
    assert not told_ranks(repr(attacked.actions))


@pytest.mark.parametrize("rank", Rank)
def test_a_secret_prints_its_owner_alone(rank: Rank) -> None:
    secret = Secret(RED, rank)

    assert repr(secret) == str(secret) == "Secret(owner=Side.RED)"
    assert secret.unseal() is rank
    assert repr(declare(RED, rank)) == "Declare(rank=Secret(owner=Side.RED))"


def test_the_texts_about_declarations_do_not_depend_on_the_rank(attacked: Referee) -> None:
    """The test before would not pass if a rank were printed by number."""
    told = set()
    for rank in (Rank.SCOUT, Rank.MINER, Rank.GENERAL):
        again = Referee.replay(attacked.edition, attacked.actions)
        told.add((repr(again.apply(declare(RED, rank))), repr(again.attack), repr(again.actions)))

    assert len(told) == 1


# -- the end

ENDS = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .  b9   .   .   .  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .   .   .   .  r9   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .   .  rF
         a   b   c   d   e   f   g   h   i   k
"""


def ending(table: Table) -> GameOver | None:
    assert (table.referee.outcome is None) == (table.referee.phase is not Phase.OVER)
    return table.referee.outcome


def test_the_flag_is_captured() -> None:
    table = Table.of(ENDS)

    assert table.play("a4xa10")[-1] == GameOver(RED, Reason.FLAG_CAPTURED)

    assert ending(table) == GameOver(RED, Reason.FLAG_CAPTURED)
    assert table.referee.captured[BLUE] == {Rank.FLAG: 1}
    assert table.referee.board.side_at(square("a10")) is RED


def test_after_the_end_nothing_is_legal() -> None:
    table = Table.of(ENDS)
    table.play("a4xa10")

    violation = table.referee.find_violation(*way("k7 k6"))

    assert violation == Violation(Fault.GAME_IS_OVER, set_of(way("k7 k6")), "Small rulebook")
    assert violation.fault.rule is Rule.OUT_OF_TURN


def test_both_have_lost_all_that_moves() -> None:
    table = Table.of(ENDS)
    table.play("f4-f5 f7-f6 f5xf6")
    assert ending(table) is None
    table.play("k7-k4")

    assert table.play("a4xk4")[-1] == GameOver(None, Reason.BOTH_IMMOBILE)


@pytest.mark.parametrize("winner", Side)
def test_one_has_lost_all_that_moves_whoever_attacked(winner: Side) -> None:
    """The scouts fall together; then one general walks into the other side's bomb."""
    table = Table.of(
        ENDS.replace("7   .   .   .   .", "7   .   .   .  bB").replace(
            "4  r2   .   .   .", "4  r2   .   .  rB"
        )
    )
    table.play("a4-b4 k7-k6 b4-b9 k6-i6 b9-i9 i6xi9")
    assert ending(table) is None
    if winner is BLUE:
        last = table.play("f4-f5 f7-g7 f5-e5 g7-h7 e5-e6 h7-h8 e6-e7 h8-h9 e7xd7")
    else:
        last = table.play("f4-g4 f7-e7 g4-h4 e7-e6 h4-h3 e6-e5 h3-h2 e5-e4 h2-h1 e4xd4")

    assert last[-1] == GameOver(winner, Reason.NO_MOVABLE_PIECE)
    assert ending(table) == last[-1]


def test_the_flag_counts_more_than_the_last_movable_piece() -> None:
    """Red's last piece takes the flag that Blue, without a movable piece, has left."""
    table = Table.of(ENDS)
    table.play("f4-f5 f7-f6 f5xf6 k7-k6 a4-b4 k6-k5 b4-b10 k5-k4")

    assert table.play("b10xa10")[-1] == GameOver(RED, Reason.FLAG_CAPTURED)


@pytest.mark.parametrize("loser", Side)
@pytest.mark.parametrize("attack", [False, True])
def test_resignation_by_either_side_at_any_time(loser: Side, attack: bool) -> None:
    table = Table.of(ENDS)
    if attack:
        table.referee.apply(OpenAttack(*way("a4 a10")))

    rulings = table.referee.apply(Resign(loser))

    assert rulings == (GameOver(loser.other, Reason.RESIGNATION),)
    assert ending(table) == rulings[0]
    assert table.referee.attack is None


@pytest.mark.parametrize("attack", [False, True])
def test_an_agreed_draw(attack: bool) -> None:
    table = Table.of(ENDS)
    if attack:
        table.referee.apply(OpenAttack(*way("a4 a10")))

    assert table.referee.apply(AgreeDraw()) == (GameOver(None, Reason.AGREED_DRAW),)
    assert table.referee.attack is None
    assert ending(table)


@pytest.mark.parametrize("moves", ["", "f4-f5"])
def test_who_cannot_move_loses(moves: str) -> None:
    table = Table.of(ENDS)
    table.play(moves)
    stuck = table.referee.to_move

    rulings = table.referee.apply(CannotMove())

    assert rulings == (GameOver(stuck.other, Reason.NO_LEGAL_MOVE),)
    assert ending(table) == rulings[0]


# -- replaying


def test_the_accepted_actions_are_the_game(table: Table) -> None:
    referee = table.referee
    setup = referee.actions[0]
    opened, general = OpenAttack(*way("e5 e6")), declare(RED, Rank.GENERAL)
    table.play("e4-e5 e7-e6")
    for action in (
        Move(*way("a1 a2")),
        Move(*way("k1 k2")),  # refused: nothing is there
        Move(*way("b7 b6")),
        Move(*way("b6 b5")),  # refused: Red is to move
        opened,
        WithdrawAttack(),
        opened,
        declare(RED, Rank.BOMB),  # refused: it attacks
        general,
        declare(BLUE, Rank.SPY),  # refused: the army has none
    ):
        referee.apply(action)

    assert referee.actions == [
        setup,
        Move(*way("e4 e5")),
        Move(*way("e7 e6")),
        Move(*way("a1 a2")),
        Move(*way("b7 b6")),
        opened,
        WithdrawAttack(),
        opened,
        general,
    ]
    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)
    for number in range(len(referee.actions)):
        shorter = Referee.replay(referee.edition, referee.actions[:number])
        assert state(shorter) != state(referee)
