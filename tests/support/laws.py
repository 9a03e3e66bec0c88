"""What holds for a whole prompt whatever one value of the request is: compared with the prompt of a harmless value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from frieze.runtime import Part, Result

JOINERS = "\u200c\u200d"
CONTROLS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
ROLE_LABEL = re.compile(
    r"\s*(?:\[?\s*(?:system|assistant|user|human|developer|tool)\b[^\]\n:]{0,20}\]?\s*:|<\s*[|/]?\s*\w|\[/?INST)",
    re.IGNORECASE,
)
EMPTY_LABEL = re.compile(r"[^\n\"]{1,40}: *")
TAG = re.compile(r"<[^>]*>")
OPENING_OF_A_TAG = re.compile(r"<\s*/?\s*turn_", re.IGNORECASE)
MISSING = ("None", "null", "undefined", "NaN")
LONGEST_VALUE = 6 * 2_100
"""Six characters for each code point of the longest slot: what `\\u003c` takes."""


def check_prompt(result: Result, harmless: Result, headings: Collection[str], blocks: Collection[str]) -> None:
    """Check P1 to P4, P6, P8 to P10 and P12 of a prompt.

    `harmless` is the same target with a harmless value in the same place, `blocks` those that may show the value: they
    may be out, and no other one may differ by a byte.
    """
    text = result.text
    text.encode("utf-8")
    unsafe = {char for char in text if unicodedata.category(char) in CONTROLS} - {"\n", *JOINERS}
    assert not unsafe, [hex(ord(char)) for char in unsafe]
    parts = {part.id: part for part in result.parts}
    before = {part.id: part for part in harmless.parts}
    assert set(parts) <= set(before)
    assert set(before) - set(parts) <= set(blocks)
    for name, part in parts.items():
        if name in blocks:
            check_part(part, before[name])
        else:
            assert part == before[name]
    shown = [line for line in text.split("\n") if line in headings]
    assert shown == [first for part in result.parts if (first := part.text.split("\n")[0]) in headings]
    check_tags(result)
    assert len(text) <= len(harmless.text) + LONGEST_VALUE
    assert zone_of(result, "never") == zone_of(harmless, "never")


def check_part(part: Part, harmless: Part) -> None:
    """Check a part that shows a value: it takes no line more than a harmless one, and none of them is forged."""
    lines, before = part.text.split("\n"), harmless.text.split("\n")
    assert len(part.text.splitlines()) == len(lines) <= len(before)
    for line in lines:
        if line not in before:
            assert not ROLE_LABEL.match(line), line
            assert not EMPTY_LABEL.fullmatch(line), line
            assert not any(line.endswith(f": {word}") for word in MISSING), line


def check_tags(result: Result) -> None:
    """Check that the wrappers stand in the text once each, and nothing else that could be read as a tag."""
    places = list(dict.fromkeys(part.place for part in result.parts if part.place != "prefix"))
    expected = [tag for place in places for tag in (f"<{place}>", f"</{place}>")]
    assert TAG.findall(result.text) == expected
    assert len(OPENING_OF_A_TAG.findall(result.text)) == len(expected)


def zone_of(result: Result, *zones: str) -> list[Part]:
    """Return the parts of some zones, in order."""
    return [part for part in result.parts if part.zone in zones]
