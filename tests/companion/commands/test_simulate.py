"""Use ``boomboard simulate`` to play whole games through a pseudo-terminal."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.core.events import Event
from companion.session.session import Session
from companion.simulator.random_games import RandomGame, RecordedGame
from companion.simulator.simulated_match import Profile, SimulatedPlayers
from companion.simulator.simulation import BoardRig
from companion.storage.journal import Journal
from companion.storage.records import read_record, sample_game
from engine.board.ranks import Rank
from engine.game.rulings import Combat
from engine.records.record import Record
from engine.records.serialization import ACTIONS
from engine.rules import movement
from engine.rules.editions import EDITIONS
from firmware_bridge.link import LinkError, LinkErrorKind
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import BoardKind
from tests.campaigns import RARE, Campaign, slow_after_first
from tests.companion.commands.beginnings import WHOLE, cut_short

PLIES = Campaign("whole-games", part=12, whole=WHOLE)
VARIED = Campaign("random-games", part=2, whole=7)


@pytest.fixture
def sample() -> Iterator[Path]:
    with sample_game() as path:
        yield path


@pytest.fixture
def beginning(tmp_path: Path) -> Path:
    return cut_short(tmp_path, PLIES.size)


def simulated(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[dict[str, Any]]:
    assert main(["simulate", "--json", *map(str, arguments)]) == 0
    games = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return games[:-1] if len(games) > 1 else games


@PLIES
def test_sample_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = cut_short(tmp_path, PLIES.size, with_end=True)
    [played] = simulated(capsys, "--game", game, "--edition", "isf")
    plies = min(PLIES.size, WHOLE)
    assert (played["plies"], played["wrong"], played["missed"]) == (plies, 0, 0)
    assert played["outcome"] == {"winner": "blue", "reason": "resignation"}
    # If both ranks are known, holding both pieces for two seconds confirms the attack.
    assert played["latency_ms"]["max"] < 2300


@PLIES
def test_seed_gives_identical_events(capsys: pytest.CaptureFixture[str], beginning: Path) -> None:
    runs = [
        simulated(capsys, "--game", beginning, "--hands", "hesitant", "--seed", 7, "--wire", wire)
        for wire in ("clean", "clean", "noisy")
    ]
    assert runs[0] == runs[1]
    assert runs[0][0]["events"] == runs[2][0]["events"]


@PLIES
def test_loose_plug_plays_the_same_game(
    capsys: pytest.CaptureFixture[str], beginning: Path
) -> None:
    options = ("--game", beginning, "--seed", 3)
    [steady] = simulated(capsys, *options)
    loose = [simulated(capsys, *options, "--plug", "loose")[0] for _ in "ab"]
    assert steady["plies"] == min(PLIES.size, WHOLE)
    assert steady["restarts"] == 0
    assert loose[0]["restarts"] >= steady["plies"] // 10
    assert loose[0] == loose[1]
    same = ("plies", "wrong", "missed", "combats", "prompts", "outcome")
    assert [loose[0][each] for each in same] == [steady[each] for each in same]


@PLIES
def test_quick_players_play_the_same_game(
    capsys: pytest.CaptureFixture[str], beginning: Path
) -> None:
    [calm] = simulated(capsys, "--game", beginning)
    [quick] = simulated(capsys, "--game", beginning, "--hands", "quick")
    assert (quick["plies"], quick["wrong"], quick["missed"]) == (min(PLIES.size, WHOLE), 0, 0)
    assert quick["outcome"] == calm["outcome"]
    assert quick["events"] != calm["events"]


@PLIES
def test_seed_changes_the_attacks(capsys: pytest.CaptureFixture[str], beginning: Path) -> None:
    [first] = simulated(capsys, "--game", beginning, "--seed", 1)
    [other] = simulated(capsys, "--game", beginning, "--seed", 2)
    assert first["events"] != other["events"]
    assert first["combats"] == other["combats"]


def test_random_games(capsys: pytest.CaptureFixture[str]) -> None:
    played = simulated(capsys, "--random", 2, "--seed", 46)
    assert [game["seed"] for game in played] == [46, 47]
    assert all(game["plies"] and not game["wrong"] + game["missed"] for game in played)
    assert played[0]["outcome"] == {"winner": "blue", "reason": "flag-captured"}


def test_text_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--random", "1", "--seed", "365"]) == 0
    [output] = capsys.readouterr().out.splitlines()
    assert "): 7 plies, 0 wrong, 0 missed, 2 combats" in output


def test_summary_of_several_games(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RandomGame, "length", 2)
    assert main(["simulate", "--random", "2"]) == 0
    *_, output = capsys.readouterr().out.splitlines()
    assert output == (
        "2 games: place-armies 2, move 4, agree-draw 2; never: attack, amend, touch, "
        "free-touched, withdraw-attack, declare, insist, settle-dispute, infiltrate, answer-guess, "
        "override, correct, accept-board, break-seals, prove-army, take-back, cannot-move, "
        "answer-cannot-move, resign, run-out, forfeit"
    )
    assert main(["simulate", "--random", "2", "--json"]) == 0
    *games, total = map(json.loads, capsys.readouterr().out.splitlines())
    assert [game["actions"] for game in games] == 2 * [
        {"place-armies": 1, "move": 2, "agree-draw": 1}
    ]
    assert (total["games"], total["actions"]["move"], len(total["never"])) == (2, 4, 21)


@VARIED
def test_varied_games_reach_every_action(capsys: pytest.CaptureFixture[str]) -> None:
    number = VARIED.size
    assert main(["simulate", "--json", "--varied", "--random", str(number), "--seed", "51"]) == 0
    *games, total = map(json.loads, capsys.readouterr().out.splitlines())
    assert [(game["wrong"], game["missed"]) for game in games] == number * [(0, 0)]
    assert set(total["actions"]) | set(total["never"]) == set(ACTIONS)
    if number < VARIED.whole:
        assert len(total["actions"]) > len(ACTIONS) // 2
    else:
        assert total["never"] == []


@pytest.mark.parametrize("chosen", [("--game", "FILE"), ("--random", "1", "--edition", "isf")])
def test_varied_games_have_their_own_rules(
    capsys: pytest.CaptureFixture[str], sample: Path, chosen: tuple[str, ...]
) -> None:
    options = [str(sample) if option == "FILE" else option for option in chosen]
    assert main(["simulate", "--varied", *options]) == 2
    assert "--varied plays random games, each under its own rules" in capsys.readouterr().err


SHORT = {"original": 51, "duel": 53, "barrage": 59, "infiltrator": 51}
"""Seeds that lead to short games, by army size."""


@pytest.mark.parametrize(
    ("edition", "army"),
    slow_after_first(
        "random-games",
        [(edition.id, army.name) for edition in EDITIONS.values() for army in edition.armies],
    ),
)
def test_editions_with_all_armies(
    capsys: pytest.CaptureFixture[str], edition: str, army: str
) -> None:
    options = ("--edition", edition, "--army", army, "--seed", SHORT[army])
    [played] = simulated(capsys, "--random", 1, *options, "--hands", "hesitant")
    assert (played["edition"], played["army"]) == (edition, army)
    assert (played["wrong"], played["missed"]) == (0, 0)
    assert played["outcome"]["reason"] == "flag-captured"


@RARE
def test_edition_choices(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--random", 1, "--seed", 13)
    [plain] = simulated(capsys, *options)
    for choice in ("--silent-defence", "--aggressor-advantage", "--touch-move"):
        [chosen] = simulated(capsys, *options, choice)
        assert (chosen["wrong"], chosen["missed"]) == (0, 0), choice
        assert chosen["events"] != plain["events"], choice


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--army", "duel"], "Original Stratego 498: expected the army original, found 'duel'."),
        (
            ["--edition", "isf", "--two-squares-limit", "4"],
            "ISF game rules: expected a two-squares limit of 3 or 5, found 4.",
        ),
        (
            ["--two-squares-limit", "0"],
            "Original Stratego 498: expected a two-squares limit of 5, found 0.",
        ),
        (
            ["--moved-bomb", "loses"],
            "Original Stratego 498: expected the penalty not-allowed for a moved bomb, "
            "found 'loses'.",
        ),
        (
            ["--edition", "gravopedia-2006", "--moved-bomb", "not-allowed"],
            "Stratego as explained on Gravopedia: expected the penalty loses for a moved bomb, "
            "found 'not-allowed'.",
        ),
    ],
)
@pytest.mark.parametrize("command", [["simulate", "--random", "1"], ["referee", "--simulate"]])
def test_unknown_army_lists_the_known_ones(
    capsys: pytest.CaptureFixture[str], command: list[str], options: list[str], words: str
) -> None:
    assert main([*command, *options]) == 2
    assert capsys.readouterr().err == f"boomboard: {words}\n"


def test_illegal_game_is_refused(
    capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.xml"
    wrong.write_text(
        sample.read_text().replace('source="E4" target="E5"', 'source="E4" target="F5"')
    )
    assert main(["simulate", "--game", str(wrong)]) == 2
    output = capsys.readouterr().err
    assert "ply 1 violates a rule. Pieces move straight" in output
    assert "Choose other rules or another game." in output
    assert main(["simulate", "--game", str(tmp_path / "none.xml")]) == 2
    assert "none.xml: the file cannot be opened" in capsys.readouterr().err


def play(
    sample: Path, tmp_path: Path, kind: BoardKind = BoardKind.COLOURS, seed: int = 0
) -> tuple[list[Event], SimulatedPlayers]:
    emitted: list[Event] = []
    game = RecordedGame(read_record(sample))
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        session = Session.begin(journal, EDITIONS["isf"], seed)
        session.listen(emitted.append)
        pieces = SimulatedBoard(kind)
        with BoardRig(session, pieces, SimulatedPort(pieces)) as board:
            players = SimulatedPlayers(board, game, seed, Profile.CLEAN)
            assert players.play()
    return emitted, players


@PLIES
def test_combats_match_the_record(beginning: Path, tmp_path: Path) -> None:
    emitted, _ = play(beginning, tmp_path)
    combats = [
        (event.attacker, event.defender, event.result.value)
        for event in emitted
        if isinstance(event, Combat)
    ]
    assert combats == list(_derived_combats(read_record(beginning)))
    assert len(combats) > PLIES.size // 10


def _derived_combats(record: Record) -> Iterator[tuple[Rank, Rank, str]]:
    """Derive the combats in a record from the table in rules.md §5."""
    board = dict(record.ranks)
    for move in record.moves:
        attacker = board.pop(move.source)
        defender = board.pop(move.target, None)
        if defender is None:
            board[move.target] = attacker
            continue
        if attacker == defender:
            result = "both-fall"
        elif (attacker.name, defender.name) in {("SPY", "MARSHAL"), ("MINER", "BOMB")}:
            result = "attacker-wins"
        elif defender.name == "BOMB":
            result = "defender-wins"
        else:
            result = "attacker-wins" if attacker.value > defender.value else "defender-wins"
        if result == "attacker-wins":
            board[move.target] = attacker
        elif result == "defender-wins":
            board[move.target] = defender
        yield attacker, defender, result


@PLIES
def test_board_without_colours_plays_the_same_game(beginning: Path, tmp_path: Path) -> None:
    _, players = play(beginning, tmp_path, BoardKind.PRESENCE)
    tally = players.tally
    assert (tally.plies, tally.wrong, tally.missed) == (min(PLIES.size, WHOLE), 0, 0)
    assert tally.combats == len(list(_derived_combats(read_record(beginning)))) > PLIES.size // 10


def test_wrong_ruling_is_counted(
    beginning: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = movement.resolve
    calls = iter(range(10**6))

    def lie(attacker: Rank, defender: Rank, *, aggressor_advantage: bool) -> movement.CombatResult:
        # The shadow referee calls this function before the table does and gets the right result.
        # Only the table gets a wrong one.
        result = resolve(attacker, defender, aggressor_advantage=aggressor_advantage)
        if next(calls) == 1:
            return next(other for other in movement.CombatResult if other is not result)
        return result

    monkeypatch.setattr(movement, "resolve", lie)
    game = RecordedGame(read_record(beginning))
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        session = Session.begin(journal, EDITIONS["isf"], 0)
        pieces = SimulatedBoard()
        with BoardRig(session, pieces, SimulatedPort(pieces)) as board:
            players = SimulatedPlayers(board, game, 0, Profile.CLEAN)
            players.play()
    assert players.tally.wrong == 1


def test_lost_connection_ends_the_run(sample: Path, tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        session = Session.begin(journal, EDITIONS["isf"], 0)
        pieces = SimulatedBoard()
        with BoardRig(session, pieces, SimulatedPort(pieces)) as board:
            board._events.put(LinkError(LinkErrorKind.UNPLUGGED, "a port", "gone"))
            with pytest.raises(RuntimeError, match="cannot be read"):
                board.pass_time(100)


@pytest.mark.parametrize("games", ["0", "-1"])
def test_invalid_number_of_games(capsys: pytest.CaptureFixture[str], games: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "--random", games])
    assert ended.value.code == 2
    assert f"--random: {games!r} is not a whole number of at least 1" in capsys.readouterr().err
