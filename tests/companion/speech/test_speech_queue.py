"""Some announcements are dropped or interrupted when time is short."""

from companion.core.events import CleanupRequired, Restored, TurnBegan
from companion.speech.speech_queue import SpeechQueue, Utterance
from engine.game.rulings import AttackOpened, Combat, Moved
from engine.rules.rules import Violation

MOVE = Utterance("Red: e4 to e5.", Moved)
NEXT = Utterance("Blue: a7 to a6.", Moved)
TURN = Utterance("Blue to move.", TurnBegan)
ATTACK = Utterance("e5 attacks e6.", AttackOpened)
COMBAT = Utterance("Boom!", Combat)
CLEAR = Utterance("Remove the piece from e6.", CleanupRequired)
RIGHT = Utterance("All pieces are in place again.", Restored)
WRONG = Utterance("Pieces move straight.", Violation)


def spoken(due: SpeechQueue) -> list[str]:
    """Speak all waiting announcements. Return their text, starting with the current one."""
    found = [due.current.text] if due.current else []
    while due.waiting:
        found.append(due.begin().text)
    return found


def test_sentences_are_queued() -> None:
    due = SpeechQueue()
    assert not due.add(COMBAT)
    due.begin()
    assert not due.add(CLEAR)
    assert not due.add(RIGHT)
    assert spoken(due) == [COMBAT.text, CLEAR.text, RIGHT.text]


def test_urgent_sentence_interrupts() -> None:
    due = SpeechQueue()
    due.add(MOVE)
    due.begin()
    due.add(TURN)
    assert due.add(ATTACK)
    assert spoken(due) == [ATTACK.text]
    due.end()
    assert not due.add(WRONG), "nothing is spoken, so nothing is interrupted"
    due.begin()
    assert not due.add(COMBAT), "equally urgent sentences do not interrupt each other"
    assert spoken(due) == [WRONG.text, COMBAT.text]


def test_outdated_move_is_dropped() -> None:
    due = SpeechQueue()
    due.add(WRONG)
    due.begin()
    due.add(MOVE)
    due.add(NEXT)
    assert spoken(due) == [WRONG.text, NEXT.text]


def test_queue_is_bounded() -> None:
    due = SpeechQueue()
    due.add(COMBAT)
    due.begin()
    for each in (CLEAR, TURN, RIGHT, NEXT):
        due.add(each)
    assert spoken(due) == [COMBAT.text, CLEAR.text, RIGHT.text, NEXT.text]


def test_last_sentence_is_kept() -> None:
    due = SpeechQueue()
    due.add(COMBAT)
    due.begin()
    due.end()
    assert due.latest == COMBAT
    due.clear()
    assert due.latest is None
