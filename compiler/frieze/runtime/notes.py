"""Notes: what was refused, cut, masked or is remarkable in a request's values, by code and never by value."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

MOST_NOTES = 200

NOTES = {
    "wrong-type": "The value is not of the input's type; it counts as absent and the next source is tried.",
    "not-finite": "NaN and infinity are no numbers that a prompt can show; the value counts as absent.",
    "out-of-range": "The number is outside the range of its type; the value counts as absent.",
    "empty": "Nothing was left of the value after cleaning, or a member of a list has no content; it counts as absent.",
    "not-an-option": "The value is none of the input's options; it counts as absent.",
    "not-utf8": "The text holds lone surrogates, which cannot be sent; they or the whole text are left out.",
    "invalid-datetime": "The value is no instant in ISO 8601 with an offset; it counts as absent.",
    "naive-datetime": "The time has no offset, so it names no instant; it counts as absent.",
    "unknown-timezone": "The value is no key of the IANA time zone database; it counts as absent.",
    "refused-timezone": "The name depends on the server or on leap-second data; it counts as absent.",
    "tz-data-missing": "This machine has no time zone database (install `tzdata`); every zone but UTC is absent.",
    "invalid-language": "The value is no well-formed language tag of two or three letters first; it counts as absent.",
    "unsupported-language": "None of the languages asked for is supported; the next source is tried.",
    "invalid-accept-language": "The header is over its bounds or holds no acceptable range; the next source is tried.",
    "invalid-key": "The name of an attribute is not made of letters, digits and separators; it is left out.",
    "reserved-key": "The name of an attribute is reserved for an input of its own; the attribute is left out.",
    "unknown-attribute": "The attribute is not in the input's closed set; it is left out.",
    "duplicate-key": "Two names of one map are equal after cleaning; the first one counts.",
    "cut": "The text is over its cap and was cut where a character ends.",
    "too-long": "The text is over its cap and is not to be cut; it counts as absent.",
    "too-many": "The list or map has more members than its cap; the rest is left out.",
    "too-deep": "A nested value is deeper or larger than an attribute may be; the rest is left out.",
    "secret-masked": "The value, or the name of its attribute, looks like a secret; what looks so is masked.",
    "link": "The text holds a link; it is shown as text.",
    "image": "The text holds an image, which some channels fetch; it is shown as text.",
    "access-rule": "The text reads like a rule about who may see something; a prompt cannot enforce it.",
    "shouting": "The text shouts (capitals, exclamation marks); it is shown as it is.",
    "path-like": "The text looks like a path; it is only shown, never opened.",
    "placeholder": "The text spells the name of a missing value; it is kept as text.",
    "marker-in-document": "A document holds one of the prompt's own markers; its first character was neutralised.",
    "condition-failed": "The condition of a source could not be evaluated on this context; the source is skipped.",
    "invalid-limit": "A limit of the search is not of its form; nothing may be searched.",
    "nothing-to-search": "This limit and those before it have nothing in common; nothing may be searched.",
    "unreadable-snapshot": "What a conversation was told before cannot be read; everything is said once more.",
    "document-cut": "A project document is over the budget of bytes; its end was left out, where a character ends.",
    "document-left-out": "Nothing of the budget of bytes was left for a project document.",
    "document-unreadable": "A project document cannot be read; the others are.",
    "document-vanished": "A project document was found and was gone when it was to be read.",
    "setting-refused": "A project asks for a setting of its documents that it may not change, or that is not valid.",
    "unknown-model": "No record answers for the model that was asked for; the fallback record does.",
    "rule-overruled": "Two rules contradict each other; the detail says which one holds and why.",
    "authority-refused": "A rule of a request claims an authority that no request can give; it counts as the user's.",
    "unknown-path": "The context holds a key that its contract does not list; it is ignored.",
}
"""What each code of a note means, one sentence each."""


class Note(NamedTuple):
    """One remark about the values of a request.

    Attributes:
        code: a key of `NOTES`.
        input: the input's name, empty for the context as a whole.
        source: the path of the source, with `[]` and a field's or attribute's place where it is inside of one.
        detail: a fact without the value: the type found, the cap.
    """

    code: str
    input: str
    source: str = ""
    detail: str = ""


class Refusal(NamedTuple):
    """Why a value does not count: the code of a note, and a fact without the value."""

    code: str
    detail: str = ""


Report: TypeAlias = Callable[[str, str, str], None]
"""Called with the code, the detail and the place inside the value (`[]`, `.name`) of whatever deserves a note."""


def record(notes: list[Note], note: Note) -> None:
    """Append a note that is not there yet; a request with thousands of faults gives a bounded list."""
    if len(notes) < MOST_NOTES and note not in notes:
        notes.append(note)
