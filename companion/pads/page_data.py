"""JSON data that the phones' pages receive and send.

`tools.page_types` generates the TypeScript types of the pages and the tables in docs/pads.md from
these types. They are typed dictionaries because the data is written directly as JSON. Data that
arrives from a page is checked field by field.
"""

from typing import Literal, NotRequired, TypedDict


class CommandFields(TypedDict, total=False):
    """Fields of a player's command, which depend on its type."""

    rank: str
    salt: str
    """Salt that opens the commitment of the declared piece."""
    right: bool
    """Whether the opponent's guess is right."""
    able: bool
    """Whether the player can move."""
    army: str
    """Openings of a whole army's commitments."""
    commitments: str
    """Commitments to a whole army."""


class PadCommand(CommandFields):
    """A player's command."""

    do: str
    mark: str
    """State that the command refers to: the game's number, and the number of accepted actions."""


class PadChoice(TypedDict):
    """A button and the command that it sends."""

    say: PadCommand
    name: str
    sign: NotRequired[str]
    rank: NotRequired[str]


class PadQuestion(TypedDict):
    """A question to the player."""

    title: str
    texts: list[str]
    choices: list[PadChoice]
    more: NotRequired[str]
    """Text of the button that shows `others`, or empty if `others` is empty."""
    about: NotRequired[str]
    """Text above `others`."""
    others: NotRequired[list[PadChoice]]
    """Ranks that public facts rule out."""
    guess: NotRequired[str]
    """The guessed rank, if the question is about a guess."""
    opens: NotRequired[str]
    """Setup square of the piece whose commitment the answer opens, or `all` for the whole army."""


class RankCount(TypedDict):
    """A rank in the army to be set up."""

    rank: str
    sign: str
    name: str
    count: int


class SetupLine(TypedDict):
    """A setup the player can choose, as one line: the front row first, from the owner's left."""

    name: str
    rows: str
    use: NotRequired[str]
    """Advice on using the setup."""


class SetupTask(TypedDict):
    """Data for setting up and sealing an army."""

    ranks: list[RankCount]
    known: list[SetupLine]
    seals: str
    """Four words and a code for the commitments of both sides, or empty until both have sealed."""
    stands: list[str]
    """Squares on which the board detects pieces."""
    say: PadCommand
    """The sealing command, without the commitments."""


class CapturedRank(TypedDict):
    """Captured pieces of one rank."""

    sign: str
    name: str
    count: int
    rank: NotRequired[str]
    """Missing if the rank is unknown."""


class ArmySummary(TypedDict):
    """An army: its player and its captured pieces."""

    side: str
    """`red` or `blue`."""
    name: str
    fallen: list[CapturedRank]
    setup: NotRequired[str]
    """The setup, once the army is opened, in the same form as a named setup."""
    signs: NotRequired[dict[str, str]]
    """For each rank in `setup`, the symbol on the viewer's pieces."""


class ClockData(TypedDict):
    """The clocks at one moment, from which the page counts down. An unused clock is null."""

    at: float
    runs: str | None
    """The running clock: `red`, `blue` or `setup`."""
    red: float | None
    blue: float | None
    setup: float | None


class Announcement(TypedDict):
    """An announcement, numbered so that it is spoken only once."""

    n: int
    text: str


class PublicState(TypedDict):
    """The public state of the table. If there is no game, the field `board` is omitted."""

    language: str
    title: str
    text: str
    board: NotRequired[str]
    """The pieces, row 10 first, each row from a to k: `r`, `b`, `?` or `.`."""
    marked: NotRequired[list[str]]
    ranks: NotRequired[dict[str, str]]
    """Symbols of the ranks in opened armies, keyed by square."""
    turn: NotRequired[str | None]
    """The side to move, `red` or `blue`."""
    sides: NotRequired[list[ArmySummary]]


class SpectatorPage(PublicState):
    """The public part of a game."""

    said: list[Announcement]
    clock: ClockData | None
    sheet: bool
    """Whether the score sheet and the review of the previous game are available."""


class PlayerPage(SpectatorPage):
    """The part of a game that is for one player only."""

    you: str
    """The player's side, `red` or `blue`."""
    asks: list[PadQuestion]
    offers: list[PadChoice]
    setup: SetupTask | None
    sealed: str
    """Digest of the player's commitments. Empty without commitments."""


class SpectatorUpdate(TypedDict):
    """An update of a spectator's page."""

    now: float
    """Time on the table's clock."""
    state: SpectatorPage


class PlayerUpdate(TypedDict):
    """An update of a player's page."""

    now: float
    """Time on the table's clock."""
    shows: int
    """Version of the state."""
    state: PlayerPage


class PadMessage(TypedDict):
    """A message from a pad's page to the server."""

    token: NotRequired[str]
    """The phone's token, in the first message of a session."""
    id: NotRequired[str]
    say: NotRequired[PadCommand]


class PadAnswer(TypedDict):
    """The answer to a message."""

    seat: Literal["yours", "taken"]
    taken: NotRequired[bool]
    """Whether the command was accepted for delivery."""
    shows: NotRequired[int]
    """Version of the current state."""


class StoryPosition(TypedDict):
    """A position shortly before, at, or shortly after a moment of the review."""

    place: str
    text: str
    board: str
    marked: list[str]
    ranks: dict[str, str]


class MomentSteps(TypedDict):
    """A moment of the review, with the positions before and after it."""

    start: int
    """Index in `steps` of the position at the moment itself."""
    steps: list[StoryPosition]


class StoryData(TypedDict):
    """The review of the previous game."""

    language: str
    moments: list[MomentSteps]
    closing: list[str]
