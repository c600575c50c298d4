"""Recorded games, read from files of four formats (records.md).

The format of a file is detected from its content. Each reader raises `RecordError`, with the line,
for anything that it cannot read, and no other exception. Games are written as Gravon XML, by
`gravon_xml`.
"""

from typing import Final

from engine.games.files.chase import read_chase
from engine.games.files.gravon_xml import read_gravon_xml
from engine.games.files.gsn import SIGNATURE, read_gsn
from engine.games.files.lines import Lines
from engine.games.files.transcripts import read_transcript
from engine.games.record import Record, RecordError
from engine.games.transcript import Transcript
from engine.squares import SQUARES

# White space, byte order marks and the zero bytes of UTF-16.
_BLANK: Final = b" \t\r\n\xef\xbb\xbf\xff\xfe\0"


def read(data: bytes) -> Record | Transcript:
    """Read a recorded game in any format; RecordError if it is damaged or not a game record."""
    if data.lstrip(_BLANK).startswith(b"{"):
        return read_transcript(data)
    if data.lstrip(_BLANK).startswith(b"<"):
        return read_gravon_xml(data)
    lines = Lines(data)
    first = next(lines, None)
    if first is None:
        raise RecordError("the file is empty", 1)
    if first.startswith(SIGNATURE):
        return read_gsn(data)
    if len(first) == len(SQUARES):
        return read_chase(data)
    raise lines.fail(
        "this is the beginning of no known kind of record: Gravon XML begins with <, "
        f"Gravon .gsn with {SIGNATURE}, our own files with {{, "
        f"a chase with the {len(SQUARES)} characters of its board"
    )
