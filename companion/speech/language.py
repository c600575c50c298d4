"""The language of the players: texts, ranks, sides and the cry.

English is the language of the source. The others are gettext catalogues in `companion/locale`, read
from their .po files as they are, so that there is no compiled twin to go stale.
"""

from gettext import GNUTranslations, NullTranslations
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from engine.ranks import Rank
from engine.sides import Side

SOURCE: Final = "en"
_CATALOGUES: Final = resources.files("companion") / "locale"


def N_(message: str) -> str:  # noqa: N802 (gettext's name)
    """Mark a text for translation where it is not translated yet."""
    return message


RANK_NAMES: Final = {
    Rank.FLAG: N_("flag"),
    Rank.SPY: N_("spy"),
    Rank.SCOUT: N_("scout"),
    Rank.MINER: N_("miner"),
    Rank.SERGEANT: N_("sergeant"),
    Rank.LIEUTENANT: N_("lieutenant"),
    Rank.CAPTAIN: N_("captain"),
    Rank.MAJOR: N_("major"),
    Rank.COLONEL: N_("colonel"),
    Rank.GENERAL: N_("general"),
    Rank.MARSHAL: N_("marshal"),
    Rank.BOMB: N_("bomb"),
    Rank.INFILTRATOR: N_("infiltrator"),
}
"""The English names of the ranks (rules.md §3)."""


def codes() -> list[str]:
    """The codes of all languages, English first."""
    return [SOURCE, *sorted(entry.name for entry in _CATALOGUES.iterdir() if entry.is_dir())]


class Language:
    """One language of the players, by its code such as ``de``; LookupError if there is none."""

    def __init__(self, code: str) -> None:
        if code not in codes():
            raise LookupError(f"there is no language {code!r}; there are {', '.join(codes())}")
        self.code = code
        self._translations: NullTranslations = NullTranslations()
        if code != SOURCE:
            self._translations = _load(_CATALOGUES / code / "LC_MESSAGES" / "boomboard.po")

    def text(self, message: str, **values: object) -> str:
        """Translate a text; `values` fill its ``{placeholders}``."""
        return self._translations.gettext(message).format(**values)

    def plural(self, one: str, many: str, count: int) -> str:
        """Translate a text about so many, in the form that the language has for this number."""
        return self._translations.ngettext(one, many, count).format(count=count)

    def number(self, number: float) -> str:
        """Write a number with one or two decimals, as the language writes them."""
        return format_decimal(number, "0.0#", locale=self.code)

    def rank(self, rank: Rank) -> str:
        """The name of a rank."""
        return self.text(RANK_NAMES[rank])

    def side(self, side: Side) -> str:
        """The name of a side."""
        return self.text(N_("Red")) if side is Side.RED else self.text(N_("Blue"))

    @property
    def cry(self) -> str:
        """What is shouted when somebody hits a bomb."""
        return self.text(N_("Boom!"))


def _load(path: Traversable) -> NullTranslations:
    with path.open("rb") as file:
        catalogue = read_po(file)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
