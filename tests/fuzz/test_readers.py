"""Tests that readers accept or reject any input within their time and memory limits."""

import random
import re
import subprocess
import sys

import pytest

from tests.campaigns import Campaign
from tests.engine.damage import damaged
from tests.fuzz.large import KILOBYTES, SECONDS, inputs
from tests.fuzz.readers import FOUND, READERS, ROOT, Reader

DAMAGED = Campaign("readers", part=10, whole=500)
LARGE = Campaign("readers", part=5, whole=100_000)
"""Campaign that reads all large inputs. An ordinary run reads only some of them."""
readers = pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))


@readers
def test_valid_input_is_accepted(reader: Reader) -> None:
    for example in reader.examples():
        reader.read(example)


def test_earlier_findings_are_handled() -> None:
    for path in FOUND.glob("*/*"):
        READERS[path.parent.name](path.read_bytes())


@DAMAGED
@readers
def test_damage_is_refused_or_harmless(reader: Reader) -> None:
    chance = random.Random(reader.name)
    examples = reader.examples()
    for _ in range(DAMAGED.size):
        suffered = [
            (
                chance.choice(["replace", "insert", "delete", "double"]),
                chance.random(),
                chance.choice([chance.randrange(256), *b'<>"&;=/!?[]{}:,-+0\n']),
                chance.randint(1, 40),
            )
            for _ in range(chance.randint(1, 5))
        ]
        data = damaged(chance.choice(examples), suffered)
        try:
            reader(data)
        except Exception as error:
            raise AssertionError(data) from error


@LARGE
def test_large_input_is_bounded() -> None:
    asked = [f"{name} {number}" for name, number in LARGE.among(inputs())]
    result = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.large"],
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    answers = result.stdout.splitlines()
    assert len(answers) == len(asked)
    too_much = []
    for question, answer in zip(asked, answers, strict=True):
        cost = re.fullmatch(r"([\d.e-]+) (\d+)", answer)
        if not cost or float(cost[1]) > SECONDS or int(cost[2]) > KILOBYTES:
            too_much.append((question, answer))
    assert not too_much
