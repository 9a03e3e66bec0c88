"""Syntax errors in an author's words: where Jinja2 stopped, or where what is missing should have been."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jinja2 import TemplateSyntaxError

from frieze.diagnostics import Diagnostic, did_you_mean
from frieze.template.positions import Places, Position

_AT = re.compile(r" at \d+$")
_UNKNOWN_TAG = re.compile(r"Encountered unknown tag '([^']*)'")
_ELSE_IF = re.compile(r"\{%[-+]?\s*(else\s+if)\b")
_BRACES = re.compile(r"\{\{-?\s*|\{%-?\s*(?:if\b\s*)?|\s*-?[}%]\}")
_HANDLEBARS = re.compile(r"\{\{\s*(#|/|\^|>|else\b)")
_IN_JINJA = {
    "#": "`{% if name %}`, or `{% for entry in entries %}`",
    "/": "`{% endif %}` or `{% endfor %}`",
    "^": "`{% if not name %}`",
    ">": "`{% include 'name' %}`",
    "else": "`{% else %}`",
}
_OPERATORS = {"&&": "`and`", "||": "`or`", "!": "`not`", "?": "`a if condition else b`"}
_TAGS = ("if", "elif", "else", "for", "set", "with", "macro", "call", "filter", "include", "raw")
_CLOSING = ("endif", "endfor", "endset", "endwith", "endmacro", "endcall", "endfilter", "endraw")
_FILTERED_LOOP = "filter the loop instead: `{% for x in xs if ... %}`"
_INSTEAD = {"break": _FILTERED_LOOP, "continue": _FILTERED_LOOP, "do": "use `set`"}


def syntax_error(
    error: TemplateSyntaxError, places: Places, opened: Sequence[tuple[str, Position]], *, condition: bool = False
) -> Diagnostic:
    """Return what is wrong with a text that cannot be parsed; `opened` are the tags that are still open there.

    `condition` says that it is a single expression, which stands in no tag.
    """
    source = places.source
    start, end = _place(error, places)
    braces = _BRACES.search(source) if condition else None
    if braces is not None:
        return Diagnostic.of(
            "F401",
            places.span(*braces.span()),
            reason="a condition stands without `{{ }}` or `{% %}`",
            advice=f"write `{' '.join(_BRACES.sub(' ', source).split())}`",
        )
    reason = _AT.sub("", (error.message or "this cannot be read").rstrip("."))
    if opened and reason.startswith("Unexpected end of template"):
        name, place = opened[-1]
        return Diagnostic.of(
            "F401",
            places.tag(place),
            reason=f"this `{name}` is never closed",
            advice=f"write `{{% end{name} %}}` where it ends",
        )
    unknown = _UNKNOWN_TAG.search(reason)
    if unknown is not None:
        return _unknown_tag(unknown[1], places, (start, end), opened)
    opening = max(source.rfind("{{", 0, start + 1), source.rfind("{%", 0, start + 1))
    slip = _ELSE_IF.match(source, opening) if opening >= 0 else None
    if slip is not None and start <= slip.end():
        return Diagnostic.of(
            "F401", places.span(*slip.span(1)), reason="`else if` is no tag", advice="write `elif` in one word"
        )
    foreign = _foreign(source, start, opening)
    if foreign is not None:
        return Diagnostic.of("F401", places.span(*foreign[0]), reason=foreign[1], advice=foreign[2])
    if source[start:end] == "=" and (condition or (opening >= 0 and "'='" in reason)):
        reason = "a single `=` compares nothing"
        return Diagnostic.of("F401", places.span(start, end), reason=reason, advice="write `==` to compare")
    return Diagnostic.of("F401", places.span(start, end), reason=reason, advice=_advice(reason, source, opening))


def _foreign(source: str, start: int, opening: int) -> tuple[tuple[int, int], str, str] | None:
    """Return the place, the reason and what to write for what other languages write where this one stopped."""
    tag = _HANDLEBARS.match(source, opening) if opening >= 0 else None
    if tag is not None and start <= tag.end():
        return tag.span(), f"`{tag[0]}` is a tag of Handlebars", f"write {_IN_JINJA[tag[1]]}"
    for written, meant in _OPERATORS.items():
        at = source.rfind(written, max(start - 1, 0), start + len(written))
        if at >= 0 and source[at : at + len(written) + 1] != "!=":
            return (at, at + len(written)), f"`{written}` is no operator", f"write {meant}"
    return None


def _place(error: TemplateSyntaxError, places: Places) -> tuple[int, int]:
    source = places.source
    if isinstance(error.lineno, Position):
        start, end = error.lineno.start, error.lineno.end
        return (start - 1 if start == end == len(source) and start else start), end
    start = places.last
    if "end of comment" in str(error.message):
        start = source.rfind("{#", 0, start + 2)
    while start < len(source) and source[start].isspace():
        start += 1
    return start, min(start + 1, len(source))


def _unknown_tag(
    name: str, places: Places, place: tuple[int, int], opened: Sequence[tuple[str, Position]]
) -> Diagnostic:
    span = places.span(*place)
    if name in (*_CLOSING, "elif", "else") and opened:
        inner, at = opened[-1]
        reason = f"`{name}` stands here, while the `{inner}` of line {places.token(at).line} is still open"
        return Diagnostic.of("F401", span, reason=reason, advice=f"write `{{% end{inner} %}}` before it")
    if name in (*_CLOSING, "elif", "else"):
        wanted = "if" if name in ("elif", "else") else name.removeprefix("end")
        reason = f"`{name}` stands here, but no `{wanted}` is open"
        return Diagnostic.of("F401", span, reason=reason, advice=f"delete it, or open with `{{% {wanted} ... %}}`")
    otherwise = "to print a literal `{%`, write `{{ '{%' }}`"
    advice = _INSTEAD.get(name) or did_you_mean(name, (*_TAGS, *_CLOSING), otherwise)
    return Diagnostic.of("F401", span, reason=f"there is no tag `{name}`", advice=advice)


def _advice(reason: str, source: str, opening: int) -> str:
    """Say what to write instead, for the ways in which prose runs into the syntax."""
    if "end of comment" in reason:
        return "`{#` starts a comment: to print it, write `{{ '{#' }}`; a comment ends with `#}`"
    if "end of raw" in reason:
        return "close the raw part with `{% endraw %}`"
    if opening < 0:
        return ""
    tag = source[opening : opening + 2]
    part = "tag" if tag == "{%" else "expression"
    return f"check the {part}; to print a literal `{tag}`, write `{{{{ '{tag}' }}}}` or use `{{% raw %}}`"
