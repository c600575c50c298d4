"""Coverage-guided fuzzing of one reader.

python -m tests.fuzz.search NAME FOLDER SECONDS

`tests.fuzz` runs this program for each reader. Inputs that reach a new branch are stored in FOLDER,
and the next search starts from these inputs.
"""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["companion", "engine", "firmware_bridge"]):
    from tests.fuzz.large import SECONDS
    from tests.fuzz.readers import READERS


def main() -> None:
    """Search until the time is up or a failure is found."""
    name, folder, seconds = sys.argv[1:]
    corpus = Path(folder)
    corpus.mkdir(parents=True, exist_ok=True)
    for number, example in enumerate(READERS[name].examples()):
        (corpus / f"example-{number}").write_bytes(example)
    options = [
        f"-max_total_time={seconds}",
        f"-timeout={SECONDS:.0f}",
        "-rss_limit_mb=1000",  # this includes the memory that the instrumented program itself needs
        "-max_len=60000",
        "-print_final_stats=1",
        f"-artifact_prefix={corpus}-",
        str(corpus),
    ]
    atheris.Setup([sys.argv[0], *options], READERS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
