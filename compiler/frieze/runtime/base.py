"""Base instructions: the text that a conversation is held under, and where it comes from.

A request may bring its own: one that the caller writes (`Override`), the one that the conversation was begun with
(`Saved`), or a model's record that is fetched when it is needed (`Catalog`). Without any of them the model's own holds,
as it was compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .context import kind_name
from .errors import RequestError
from .variants import UNSET

PLACEHOLDER = "{{ personality }}"
"""What a catalogue's template has in the place of the personality's text, letter by letter."""

VERBATIM_CAP = 1_000_000
"""Code points of a text that is never cut; a longer one is refused."""

OF_MODEL, OF_OVERRIDE, OF_HISTORY = "model", "override", "history"


@dataclass(frozen=True, slots=True)
class Override:
    """Base instructions of the caller's, used byte for byte.

    Raises:
        RequestError: `text` is no text, is longer than 1,000,000 code points, or cannot be written in UTF-8.
    """

    text: str

    def __post_init__(self) -> None:
        """Check the text."""
        _check("base.text", self.text)


@dataclass(frozen=True, slots=True)
class Saved:
    """The base instructions that the conversation was begun with, used byte for byte.

    `provenance` is what the conversation's own record says of them, and is passed on.

    Raises:
        RequestError: as `Override`.
    """

    text: str
    provenance: str = ""

    def __post_init__(self) -> None:
        """Check the text."""
        _check("base.text", self.text)


@dataclass(frozen=True, slots=True)
class Catalog:
    """A model's base instructions from a catalogue that is read at request time, in place of those compiled.

    `template` wins over `instructions`; in it `{{ personality }}` stands for the personality's text, and nothing else
    means anything. `personalities` are the texts of this record; `default` holds where no personality is chosen.

    Raises:
        RequestError: as `Override`, for any of the texts.
    """

    instructions: str | None = None
    template: str | None = None
    personalities: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the texts."""
        for name, text in (("instructions", self.instructions), ("template", self.template)):
            if text is not None:
                _check(f"base.{name}", text)
        if not isinstance(self.personalities, Mapping):
            raise RequestError("base.personalities", "a map from names to texts", kind_name(self.personalities))
        for text in self.personalities.values():
            _check("base.personalities", text)

    @property
    def speaks(self) -> bool:
        """Whether the personality's text has a place in it."""
        return self.template is not None and PLACEHOLDER in self.template

    def text(self, personality: str | None, own: str, removes: Iterable[str]) -> str:
        """Return the text for a personality.

        Args:
            personality: its name, None where none is chosen.
            own: the text that was compiled for it, for catalogues that have none.
            removes: headings of the sections that it takes out of plain instructions.
        """
        if self.template is None:
            return without_sections(self.instructions or "", removes)
        return self.template.replace(PLACEHOLDER, self.personalities.get(personality or UNSET, own))


Given: TypeAlias = "Override | Saved | Catalog"


@dataclass(frozen=True, slots=True)
class Base:
    """The base instructions of a rendered prompt.

    `origin` is `override`, `history` or `model`; `provenance` is the model's slug for its own text, what a saved text
    brought along, and empty for an override.
    """

    text: str
    origin: str
    provenance: str = ""


def base_of(given: Given, slug: str, personality: str | None, own: Mapping[str, Any]) -> Base:
    """Return the base instructions that a request brings.

    Args:
        given: what the request brings.
        slug: what the model was asked for as.
        personality: the personality's name, None where none is chosen.
        own: what the bundle has for that personality and the model: `text` and `removes`.

    Raises:
        RequestError: it is none of the classes above.
    """
    if isinstance(given, Override):
        return Base(given.text, OF_OVERRIDE)
    if isinstance(given, Saved):
        return Base(given.text, OF_HISTORY, given.provenance)
    if isinstance(given, Catalog):
        return Base(given.text(personality, own.get("text", ""), own.get("removes", ())), OF_MODEL, slug)
    raise RequestError("base", "an Override, a Saved or a Catalog", kind_name(given))


def session_of(base: Base) -> dict[str, Any]:
    """Return what blocks can ask about base instructions that came with the request, by the names below `session`."""
    return {"origin": base.origin, **({} if base.origin == OF_MODEL else {"base": base.text})}


def sections(text: str, headings: Iterable[str]) -> list[tuple[int, int]]:
    """Return the first section under each of these first-level headings, as (start, end) offsets in order.

    A section begins with a line that is `# `, the heading and nothing else, and goes on to the next line that begins
    with `#` and a blank, or is `#` alone. Lines end with LF or CRLF.
    """
    wanted = {f"# {heading}" for heading in headings}
    found: dict[str, tuple[int, int]] = {}
    if not wanted:
        return []
    start, at = None, 0
    opened = ""
    for line in text.split("\n"):
        bare = line.removesuffix("\r")
        if bare == "#" or bare.startswith(("# ", "#\t")):
            if start is not None:
                found[opened] = (start, at)
            start, opened = (at, bare) if bare in wanted and bare not in found else (None, "")
        at += len(line) + 1
    if start is not None:
        found[opened] = (start, len(text))
    return sorted(found.values())


def kept(text: str, removed: Iterable[tuple[int, int]]) -> list[tuple[int, str]]:
    """Return what is left of a text, as (offset, stretch), where these parts of it are taken out."""
    left: list[tuple[int, str]] = []
    at = 0
    for start, end in removed:
        left.append((at, text[at:start]))
        at = end
    left.append((at, text[at:]))
    return [(offset, stretch) for offset, stretch in left if stretch]


def without_sections(text: str, headings: Iterable[str]) -> str:
    """Return a text without the first section under each of these first-level headings."""
    return "".join(stretch for _, stretch in kept(text, sections(text, headings)))


def _check(path: str, text: object) -> None:
    if not isinstance(text, str):
        raise RequestError(path, "text", kind_name(text))
    if len(text) > VERBATIM_CAP:
        raise RequestError(path, f"at most {VERBATIM_CAP:,} code points, because it is never cut", f"{len(text):,}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        found = f"text with a lone surrogate at offset {error.start}"
        raise RequestError(path, "text that UTF-8 can hold", found) from None
