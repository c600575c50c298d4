"""Tests that play whole games at tables that know the real moves. Every error must be counted."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests import campaigns
from tests.hands import oracle
from tests.hands.baselines import POLICIES, Policy
from tests.hands.behaviours import STYLES, Behaviour, Habit
from tests.hands.match import Match
from tests.hands.profiles import ALL_ATTACKS, PAUSES, PROFILES, Profile
from tests.hands.responses import Line
from tests.hands.runner import Campaign

CLEAN = PROFILES["clean"]
EVERYTHING = campaigns.Campaign("any-hands", part=0, whole=1)
PLIES = campaigns.Campaign("any-hands", part=20, whole=45)


def more_of(profile: Profile) -> Profile:
    """Return the profile with the chance of every habit raised to at least 0.1."""
    habits = {
        each: habit if each in STYLES else replace(habit, chance=max(habit.chance, 0.1))
        for each, habit in profile.habits.items()
    }
    return replace(profile, habits=habits)


@PLIES
@pytest.mark.parametrize("name", PROFILES)
def test_perfect_table_scores_zero(name: str) -> None:
    match, score = oracle.play(oracle.Oracle(), PROFILES[name], PLIES.size)
    assert [str(each) for each in score.mistakes] == []
    assert score.plies >= PLIES.size or match.truth.referee.outcome
    assert (score.wrong, score.missed, score.complaints, score.unreported) == (0, 0, 0, 0)
    assert (score.questions, score.offers, score.abandoned, score.broken) == (0, 0, 0, 0)
    assert sorted(score.ruled_ms)[len(score.ruled_ms) // 2] <= 20
    assert max(score.ruled_ms) <= 520  # the longest interval without a frame


@EVERYTHING
def test_all_behaviours_occur() -> None:
    everyone = more_of(PROFILES["children"])
    habits = {**everyone.habits, **PROFILES["faulty-sensor"].habits, **ALL_ATTACKS}
    habits[Behaviour.OWNER_LIFTS_AT_STOP] = Habit(0.9)
    for each in (Behaviour.STRIKE_ON, Behaviour.RECONSIDER_ATTACK, Behaviour.RUN_PAUSE):
        habits[each] = Habit(0.4, PAUSES)
    done = set[str]()
    for game in range(12):
        _, score = oracle.play(oracle.Oracle(), Profile("everything", habits), 120, game)
        assert [str(each) for each in score.mistakes] == []
        done |= {name for name, count in score.done.items() if count}
        if done == {each.value for each in Behaviour}:
            return
    pytest.fail(f"never done: {sorted({each.value for each in Behaviour} - done)}")


def test_wrong_rulings_are_counted_once() -> None:
    table = oracle.Mistaken(every=7)
    _, score = oracle.play(table, CLEAN, 40)
    assert table.mistakes > 2
    assert (score.wrong, score.silent) == (table.mistakes, table.mistakes)
    assert (score.missed, score.complaints) == (0, 0)


def test_amended_ruling_counts_as_right() -> None:
    table = oracle.Correcting(every=5)
    _, score = oracle.play(table, CLEAN, 40)
    assert table.mistakes > 2
    assert (score.wrong, score.missed) == (0, 0)
    assert len(score.apart_ms) == table.mistakes
    assert all(100 <= each <= 120 for each in score.apart_ms)


def test_missed_turns_are_counted() -> None:
    table = oracle.Sleeping(every=10)
    _, score = oracle.play(table, CLEAN, 40)
    assert score.wrong == 0
    assert score.missed == len([m for m in score.mistakes if m.kind == "missed"]) >= 3


def test_complaints_are_counted() -> None:
    _, score = oracle.play(oracle.Grumbling(every=5), CLEAN, 40)
    assert (score.complaints, score.wrong, score.missed, score.abandoned) == (8, 0, 0, 0)


@pytest.mark.parametrize("interrupts", [True, False])
def test_questions_are_answered_truthfully(interrupts: bool) -> None:
    table = oracle.AskingOracle(interrupts=interrupts)
    _, score = oracle.play(table, CLEAN, 10)
    moves = score.plies - score.attacks
    asked = (score.questions, score.offers)
    assert asked == ((moves, 0) if interrupts else (0, moves))
    assert (score.wrong, score.missed) == (0, 0)
    assert set(table.answers) == {1}
    assert len(score.apart_ms) >= moves


def test_nonsense_from_the_table_ends_the_game() -> None:
    class Nonsense(oracle.Oracle):
        def take(self, line: Line) -> Line:
            declares = "say" in line and line["say"]["what"] == "declare"
            return {"error": "no"} if declares else super().take(line)

    _, score = oracle.play(Nonsense(), CLEAN, 60)
    assert score.broken == 1


def test_false_attack_is_one_question() -> None:
    table = oracle.Imagining(most=3)
    _, score = oracle.play(table, CLEAN, 60)
    assert table.opened == score.questions == 3
    assert [str(each) for each in score.mistakes] == []


def test_other_attack_is_wrong() -> None:
    table = oracle.Confusing()
    _, score = oracle.play(table, CLEAN, 80)
    assert table.confused is not None
    assert (score.wrong, score.silent, score.missed) == (1, 0, 0)


def test_forgotten_attack_is_repeated() -> None:
    table = oracle.Forgetting()
    _, score = oracle.play(table, CLEAN, 60)
    assert table.forgot
    assert (score.wrong, score.missed, score.abandoned) == (0, 0, 0)


def test_stuck_game_is_a_missed_turn() -> None:
    _, score = oracle.play(oracle.Stuck(), CLEAN, 40)
    assert (score.missed, score.abandoned, score.wrong) == (1, 1, 0)
    assert score.plies == 8


def test_table_exception_is_counted() -> None:
    class Crashing(oracle.Oracle):
        def take(self, line: Line) -> Line:
            if "say" in line and line["say"]["what"] == "declare":
                raise AssertionError("nobody may move out of turn")
            return super().take(line)

    _, score = oracle.play(Crashing(), CLEAN, 60)
    assert score.broken == 1
    (mistake,) = score.mistakes
    assert mistake.seen == "crash: AssertionError: nobody may move out of turn"


def test_mistakes_are_saved_for_replay(tmp_path: Path) -> None:
    campaign = Campaign("people", "rules-decide", oracle.EDITION, most=30, failures=tmp_path)
    score = campaign.play(0)
    kept = sorted(tmp_path.glob("*.truth.jsonl"))
    places = {(each.ply, each.kind) for each in score.mistakes if each.kind != "unknowable"}
    assert len(kept) == len(places) > 0
    for truth in kept:
        first, *log = map(json.loads, truth.read_text().splitlines())
        end = first["mistake"]["at"] + 1
        assert [each["at"] for each in log] == sorted(each["at"] for each in log)
        assert {"did", "behaviour", "turn"} <= {key for each in log for key in each}
        name = truth.name.replace(".truth", "")
        heard = list(map(json.loads, (tmp_path / name).read_text().splitlines()))
        assert end - 1 < heard[-1]["at"] <= end
        policy = Policy(oracle.EDITION, 0)
        assert all("error" not in policy.take(line) for line in heard)


def test_hand_log_does_not_change_the_game(tmp_path: Path) -> None:
    campaign = Campaign("people", "rules-decide", oracle.EDITION, most=20)
    assert campaign.play(0) == replace(campaign, failures=tmp_path).play(0)


def lines(profile: str, seed: str) -> list[Line]:
    heard: list[Line] = []
    table = Policy(oracle.EDITION, 250)
    Match(PROFILES[profile], oracle.EDITION, table, seed, 0, heard.append).play(12)
    return heard


def test_seed_is_reproducible() -> None:
    assert lines("children", "1") == lines("children", "1")
    assert lines("children", "1") != lines("children", "2")


def test_lines_follow_the_contract() -> None:
    heard = lines("lost-frames", "1")
    times = [line["at"] for line in heard]
    assert times == sorted(times)
    assert all(len(line) == 2 for line in heard)
    boards = [line["board"] for line in heard if "board" in line]
    assert {len(board) for board in boards} == {100}
    assert boards[60] == "b" * 40 + "." * 20 + "r" * 40
    colourless = [line["board"] for line in lines("no-colours", "1") if "board" in line]
    assert set("".join(colourless)) == {".", "?"}


def test_campaign_is_independent_of_processes() -> None:
    campaign = Campaign("fast", "rules-decide", oracle.EDITION, most=20)
    numbers: list[int] = []
    alone = campaign.run(90, 1, numbers.append)
    together = campaign.run(90, 2, lambda _: None)
    assert alone == together
    assert numbers[-1] == alone.plies >= 90


@pytest.mark.parametrize("policy", POLICIES)
def test_simple_policies_fail_on_difficult_hands(policy: str) -> None:
    clean = Campaign("clean", policy, oracle.EDITION).run(100, 1, lambda _: None)
    both_up = clean.done["attack-both-up"]
    assert (clean.wrong, clean.complaints, clean.missed) == (0, 0, both_up)
    blitz = Campaign("blitz", policy, oracle.EDITION).run(100, 1, lambda _: None)
    assert blitz.missed + blitz.wrong > 20


def test_latency_of_simple_policies() -> None:
    waiting = Campaign("children", "wait-250-ms", oracle.EDITION).run(120, 1, lambda _: None)
    hasty = Campaign("children", "rules-decide", oracle.EDITION).run(120, 1, lambda _: None)
    assert sorted(waiting.ruled_ms)[len(waiting.ruled_ms) // 2] >= 240
    assert min(hasty.ruled_ms) <= 40
    assert hasty.wrong > waiting.wrong > 0
