"""Golden games: text files with actions and rulings, replayed in every test run.

A file in `golden` is written by hand, except for the lines that begin with ``|``. The file names
the rules and shows the setup. Lines such as ``> e4-e5, e7-e6`` are the players' actions. The lines
below them contain the referee's rulings. If the views have changed, the public view, Red's view and
Blue's view follow.

After an intended change, regenerate the rulings, and review the differences:

    BOOMBOARD_REWRITE_GOLDEN=1 .venv/bin/pytest tests/engine/test_golden_games.py
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest

from engine.board.geometry import Side, Square, name, names, set_of, square, squares_in
from engine.board.ranks import Army, Rank
from engine.board.visibility import Secret
from engine.game import actions, rulings
from engine.game.referee import Referee
from engine.game.views import player_view, public_view
from engine.records.serialization import read_edition
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult
from engine.rules.rules import Citation, Interpretation, Violation
from tests.engine.tables import BLUE, RED, Setup

_RULING_MARK = "|"
_DONE = "> "
_RULES = "rules: "
_READY = "both are ready"
_PLAYERS = {"Red": RED, "Blue": BLUE}


def replay_story(story: str) -> str:
    """Play the game in a golden file. Return the file with the referee's current rulings."""
    written = [line for line in story.splitlines() if not line.startswith(_RULING_MARK)]
    rules, setup = _read_head("\n".join(written))
    referee = Referee.waiting(_read_rules(rules, setup))
    lines, shown = [], ""
    for line in written:
        lines.append(line)
        if not line.startswith(_DONE):
            continue
        for words in line.removeprefix(_DONE).split(", "):
            action = setup.placing if words == _READY else _read_action(words)
            lines += [f"{_RULING_MARK} {_format(ruling)}" for ruling in referee.apply(action)]
        views = _show(referee, setup)
        if views != shown:
            shown = views
            lines += [f"{_RULING_MARK} {row}".rstrip() for row in ("", *views.splitlines())]
    return "\n".join(lines) + "\n"


def _read_head(story: str) -> tuple[str, Setup]:
    """Parse the opening paragraph, which contains the rules and the setup."""
    head = next(part for part in story.split("\n\n") if part.startswith(_RULES))
    rules, drawn = head.removeprefix(_RULES).split("\n", maxsplit=1)
    return rules, Setup.parse(drawn)


def _read_rules(rules: str, setup: Setup) -> Edition:
    """Parse rules such as ``isf, silent defence``. The army is that of the board in `setup`."""
    id_, *options = rules.split(", ")
    armies = {
        side: Counter(rank for owner, rank in setup.pieces.values() if owner is side)
        for side in Side
    }
    assert armies[RED] == armies[BLUE], "both armies on the board must have the same ranks"
    army = Army("of the picture", {rank: armies[RED][rank] for rank in Rank})
    chosen = {option.replace(" ", "_"): True for option in options}
    return replace(read_edition({"id": id_, **chosen}), army=army)


# Input of the players


def _read_action(words: str) -> actions.Action:
    for pattern, read in _WORDS.items():
        if found := re.fullmatch(pattern, words):
            return read(*found.groups())
    raise ValueError(f"unknown words: {words!r}")


def _rank(word: str) -> Rank:
    return Rank[word.upper()]


def _sealed(player: str, rank: str) -> Secret[Rank]:
    return Secret(_PLAYERS[player], _rank(rank))


def _correct(mistake: Callable[..., actions.Correction], place: str, *more: int) -> actions.Correct:
    return actions.Correct(mistake(square(place), *more))


def _accept(how: str, to_move: Side) -> actions.AdoptBoard:
    """Parse a board that both players accept, such as ``e4 stands on e5 and a7 is gone``."""
    facts = how.split(" and ")
    shifts = [each.split(" stands on ") for each in facts if " stands on " in each]
    gone = [each.removesuffix(" is gone") for each in facts if each.endswith(" is gone")]
    shifted = tuple(actions.Relocation(square(source), square(target)) for source, target in shifts)
    return actions.AdoptBoard(shifted, set_of(map(square, gone)), to_move)


_WORDS: Mapping[str, Callable[..., actions.Action]] = {
    r"(\w+)-(\w+)": lambda a, b: actions.Move(square(a), square(b)),
    r"(\w+)x(\w+)": lambda a, b: actions.Attack(square(a), square(b)),
    r"(\w+) goes on to (\w+)": lambda a, b: actions.Amend(square(a), square(b)),
    r"(\w+) is lifted": lambda a: actions.Touch(square(a)),
    r"I cannot move": actions.ClaimStalemate,
    r"(Yes|No) I can(?:not)?": lambda word: actions.AnswerStalemate(word == "Yes"),
    r"withdrawn": actions.WithdrawAttack,
    r"(Red|Blue) says (\w+)": lambda side, rank: actions.Declare(_sealed(side, rank)),
    r"(Red|Blue) insists on (\w+)": lambda side, rank: actions.UpholdDeclaration(
        _sealed(side, rank)
    ),
    r"the arbiter (accepts|refuses) it": lambda word: actions.SettleDispute(word == "accepts"),
    r"(\w+) guesses (\w+) (\w+)": lambda a, b, rank: actions.Infiltrate(
        square(a), square(b), _rank(rank)
    ),
    r"(Red|Blue) answers (right|wrong)": lambda _, word: actions.AnswerGuess(word == "right"),
    r"the arbiter says (\w+) began as (\w+)": lambda a, rank: _correct(
        actions.RankCorrection, a, _rank(rank)
    ),
    r"the arbiter exchanges (\w+) and (\w+)": lambda a, b: _correct(
        actions.SwapCorrection, a, square(b)
    ),
    r"the arbiter says (\w+) never went far": lambda a: _correct(actions.NotAScout, a),
    r"the arbiter lets both lose": lambda: actions.Forfeit(None),
    r"the arbiter lets (\w+)-(\w+) stand": lambda a, b: actions.Override(square(a), square(b)),
    r"both agree: (.+); then (Red|Blue)": lambda how, side: _accept(how, _PLAYERS[side]),
    r"taken back": actions.TakeBack,
    r"a draw is agreed": actions.AgreeDraw,
}


# Rulings of the referee


def _format(ruling: rulings.Ruling) -> str:
    match ruling:
        case rulings.ArmiesPlaced():
            return "The armies are placed. Red begins."
        case rulings.SealsBroken(side):
            return f"The seals of {_player(side)} are void."
        case rulings.ArmyOpened(side, _, wrong):
            return f"{_player(side)} proves an army. Wrong: {names(wrong) or 'nothing'}."
        case rulings.OpeningFailed(owner, squares):
            return f"To {_player(owner)}: these seals are not opened: {names(squares)}."
        case rulings.Moved(side, source, target, long_move):
            scout = " The long move proves a scout." if long_move else ""
            return f"{_player(side)} moves {name(source)}-{name(target)}.{scout}"
        case rulings.AttackOpened(side, source, target, awaited):
            asked = " and ".join(map(_player, awaited)) or "no one"
            return f"{_player(side)} attacks {name(source)}x{name(target)}. To declare: {asked}."
        case rulings.AttackWithdrawn():
            return "The attack is withdrawn."
        case rulings.Declared(side):
            return f"{_player(side)} has declared a rank to the referee."
        case rulings.Combat():
            return _format_combat(ruling)
        case rulings.Disputed(side, place):
            return f"Dispute: {_player(side)} upholds its declaration of {name(place)}."
        case rulings.DisputeSettled(side, accepted):
            return f"Settled: {_player(side)}'s declaration {'counts' if accepted else 'is void'}."
        case rulings.InfiltrationOpened(side, source, target, guess, awaited):
            asked = f" Asked: {_player(awaited)}." if awaited else ""
            tried = f"{name(source)} guesses {name(target)} {_word(guess)}"
            return f"{_player(side)} infiltrates: {tried}.{asked}"
        case rulings.Infiltrated(_, _, target, guess, right):
            return f"Right, the {_word(guess)} on {name(target)} falls." if right else "Wrong."
        case Violation(fault, squares, citation):
            where, rule = names(squares), fault.rule.value
            return f"Not allowed: {fault.meaning} [{where}] ({rule}, {_place(citation)})."
        case rulings.Contradiction(owner, proof, citation):
            ground, rank = proof.ground.word.replace("-", " "), _word(proof.rank)
            return f"Only to {_player(owner)}: it cannot be a {rank}, {ground} ({citation})."
        case rulings.Overridden(violation):
            return f"The arbiter allows it, against the rule {violation.fault.rule.value}."
        case rulings.Corrected(mistake, squares, changed):
            known = f" The possible ranks of {names(changed)} have changed." if changed else ""
            return f"Corrected: {_format_mistake(mistake, *map(name, squares))}.{known}"
        case rulings.CorrectionRefused(place, proof, citation):
            ground, rank = proof.ground.word.replace("-", " "), _word(proof.rank)
            return f"The piece on {name(place)} cannot be a {rank}, {ground} ({citation})."
        case rulings.BoardAdopted(shifted, removed, to_move):
            stand = [f"{name(s.source)} is on {name(s.target)}" for s in shifted]
            gone = [f"{name(place)} is gone" for place in squares_in(removed)]
            return f"The board is adopted: {', '.join(stand + gone)}. Next: {_player(to_move)}."
        case rulings.AdoptionRejected(obstacle, where):
            return (
                f"The board cannot be adopted: {obstacle.value.replace('-', ' ')} [{names(where)}]."
            )
        case rulings.TakenBack():
            return "The latest turn is undone."
        case rulings.Touched(place):
            return f"{name(place)} is lifted and has to move."
        case rulings.TouchedFreed(place):
            return f"The owner claims that {name(place)} cannot move."
        case rulings.StalemateClaimed(awaited):
            return f"Can you move? Asked: {_player(awaited)}."
        case rulings.MoveRequired(side):
            return f"{_player(side)} has to show a move."
        case rulings.GameOver(winner, reason, citation):
            end = f"{_player(winner)} wins" if winner else "a draw"
            end = "both have lost" if not winner and reason is rulings.Reason.FORFEIT else end
            assert citation
            return (
                f"The game is over: {end}, {reason.value.replace('-', ' ')} ({_place(citation)})."
            )


def _place(citation: Citation) -> str:
    """Format a citation, with the interpretation if there is one."""
    return f"{citation}{_read(citation.reading)}"


def _read(reading: Interpretation | None) -> str:
    return f"; our reading: {reading.name.lower().replace('_', ' ')}" if reading else ""


def _format_mistake(mistake: actions.Correction, *places: str) -> str:
    match mistake:
        case actions.RankCorrection(_, rank):
            return f"the piece on {places[0]} is a {_word(rank)}"
        case actions.SwapCorrection():
            return f"the pieces on {places[0]} and {places[1]} were swapped"
        case actions.NotAScout():
            return f"the piece on {places[0]} never made the long move"


_ENDS = {
    CombatResult.ATTACKER_WINS: "the attacker takes the square",
    CombatResult.DEFENDER_WINS: "the attacker falls",
    CombatResult.BOTH_FALL: "both fall",
}


def _format_combat(fought: rulings.Combat) -> str:
    defender = _word(fought.defender) if fought.defender is not None else "unnamed piece"
    end = _ENDS[fought.result] + (". Boom!" if fought.boom else ".")
    attacker, read = _word(fought.attacker).capitalize(), _read(fought.reading).lstrip("; ")
    return f"{attacker} against {defender}: {end}" + (f" ({read})" if read else "")


def _player(side: Side) -> str:
    return side.value.capitalize()


def _word(rank: Rank) -> str:
    return rank.name.lower()


# Views


def _show(referee: Referee, setup: Setup) -> str:
    own: dict[Side, dict[Square, Rank]] = {side: {} for side in Side}
    for piece, (side, rank) in setup.pieces.items():
        own[side][piece] = rank
    views = [public_view(referee), *(player_view(referee, side, own[side]) for side in Side)]
    return "\n".join(_beside(str(view).splitlines() for view in views))


def _beside(columns: Iterable[list[str]]) -> Iterator[str]:
    blocks = [[line.ljust(max(map(len, lines))) for line in lines] for lines in columns]
    return ("   ".join(row) for row in zip_longest(*blocks))
