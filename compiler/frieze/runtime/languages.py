"""Languages of a request: canonical tags (RFC 5646) and `Accept-Language` (RFC 9110, lookup by RFC 4647).

A tag is printed as language, Script and REGION; variants, extensions and private use are dropped, since nothing in a
prompt depends on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .notes import Refusal

LONGEST_TAG = 100
LONGEST_HEADER = 1_000

_tag = re.compile(
    r"(?P<language>[a-z]{2,3})(?P<extended>(?:-[a-z]{3}){0,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)(?P<extensions>(?:-[0-9a-wyz](?:-[a-z0-9]{2,8})+)*)"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?"
).fullmatch
_locale = re.compile(r"([A-Za-z]{2,3}(?:_[A-Za-z0-9]{2,4})?)(?:\.[A-Za-z0-9\-]{1,20})?(?:@([A-Za-z]{1,20}))?").fullmatch
_member = re.compile(
    r"(\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*[Qq]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?"
).fullmatch

_LANGUAGES = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"}
_REGIONS = {"BU": "MM", "DD": "DE", "FX": "FR", "TP": "TL", "YD": "YE", "ZR": "CD"}
_SCRIPTS_OF_LOCALES = {"latin": "latn", "cyrillic": "cyrl", "devanagari": "deva", "arabic": "arab"}
_SAYING_NOTHING = frozenset(("und", "mul", "mis", "zxx"))
_WITH_EXTENDED = frozenset(("ar", "kok", "lv", "ms", "sgn", "sw", "uz", "zh"))
_GRANDFATHERED = {"zh-min-nan": "nan", "zh-guoyu": "cmn", "zh-hakka": "hak", "zh-xiang": "hsn"}


def canonical_language(tag: str) -> str | None:
    """Return a language tag as language-Script-REGION, from BCP 47 or the name of a POSIX locale.

    None when it is not well-formed, has no language of two or three letters, or says nothing (`und`).
    """
    if len(tag) > LONGEST_TAG or not tag.isascii():
        return None
    folded = _from_locale(tag).replace("_", "-").lower()
    folded = _GRANDFATHERED.get(folded, folded)
    parts = _tag(folded)
    if parts is None or _repeats(parts["variants"]) or _repeats(_singletons(parts["extensions"])):
        return None
    language = _LANGUAGES.get(parts["language"], parts["language"])
    if language in _WITH_EXTENDED and len(parts["extended"]) == 4:
        language = parts["extended"][1:]
    if language in _SAYING_NOTHING or (len(language) == 3 and "qaa" <= language <= "qtz"):
        return None
    region = (parts["region"] or "").upper()
    script = (parts["script"] or "").capitalize()
    return "-".join(filter(None, (language, script, _REGIONS.get(region, region))))


def accept_language(header: str) -> list[tuple[str, float]]:
    """Return the ranges of an `Accept-Language` header with their weights, best first; weight 0 is a refusal.

    Malformed members are left out one by one; a header of more than `LONGEST_HEADER` characters has none.
    """
    if len(header) > LONGEST_HEADER:
        return []
    members = (_member(member.strip(" \t")) for member in header.split(","))
    ranges = [(found[1], float(found[2] or 1)) for found in members if found]
    return sorted(ranges, key=lambda pair: -pair[1])


def lookup(ranges: Sequence[tuple[str, float]], supported: Sequence[str]) -> str | None:
    """Return the supported tag that suits best (RFC 4647, 3.4); None where the default has to serve.

    A tag whose longest matching range has weight 0 is refused and never chosen, whatever leads to it.
    """
    tags = {tag.lower(): tag for tag in reversed(supported)}
    for wanted, weight in ranges:
        if weight == 0 or wanted == "*":
            continue
        for candidate in _shortenings(wanted):
            if candidate in tags and not _is_refused(candidate, ranges):
                return tags[candidate]
    return None


def preferred_language(header: str, supported: Sequence[str]) -> str | Refusal:
    """Return the language that a header asks for: looked up in `supported`, or the best range where that is empty."""
    ranges = accept_language(header)
    if not ranges:
        return Refusal("invalid-accept-language")
    if supported:
        found = lookup(ranges, supported)
        return (canonical_language(found) or found) if found else Refusal("unsupported-language")
    for wanted, weight in ranges:
        tag = canonical_language(wanted) if weight else None
        if tag:
            return tag
    return Refusal("unsupported-language")


def _from_locale(tag: str) -> str:
    """Turn `sr_RS.UTF-8@latin` into `sr-latn-RS`."""
    found = _locale(tag)
    if found is None:
        return tag
    language, *region = found[1].split("_")
    script = _SCRIPTS_OF_LOCALES.get((found[2] or "").lower())
    return "-".join(filter(None, (language, script, *region)))


def _repeats(subtags: str) -> bool:
    names = subtags.split("-")[1:]
    return len(set(names)) < len(names)


def _singletons(extensions: str) -> str:
    return "".join(re.findall(r"-[0-9a-wyz](?=-)", extensions))


def _shortenings(wanted: str) -> Iterator[str]:
    spellings = [wanted.lower()]
    canonical = (canonical_language(wanted) or "").lower()
    if canonical and canonical.split("-")[0] != spellings[0].split("-")[0]:
        spellings.append(canonical)
    for spelling in spellings:
        subtags = spelling.split("-")
        while subtags:
            yield "-".join(subtags)
            subtags.pop()
            if subtags and len(subtags[-1]) == 1:
                subtags.pop()


def _is_refused(tag: str, ranges: Sequence[tuple[str, float]]) -> bool:
    matching = [
        (0 if wanted == "*" else len(wanted), weight)
        for wanted, weight in ranges
        if wanted == "*" or f"{tag}-".startswith(f"{wanted.lower()}-")
    ]
    return bool(matching) and max(matching)[1] == 0
