"""Expressions that apply any filter, with any of its arguments, to texts, lists, maps and mixtures of them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from frieze.runtime.operations import FILTERS, TESTS

_ARGUMENTS = {
    "attribute": ["'id'", "'s'", "'note'", "'tags'", "0", "1", "'id,s'", "'0'", "'grouper'", "'city'", "'tags.0'"],
    "linecount": ["1", "2", "3"],
    "slices": ["1", "2", "3"],
    "length": ["1", "3", "9"],
    "default": ["none", "'d'", "[1]", "{'id': 'x'}"],
    "by": ["'key'", "'value'"],
    "tz": ["'UTC'"],
}
_CONSTANTS = ["1", "0", "none", "true", "'x'", "''", "', '", "'\\n'", "[]"]
_MAPPED = [
    "quoted",
    "first",
    "last",
    "min",
    "upper",
    "int",
    "join",
    "length",
    "default",
    "batch",
    "list",
    "yesno",
    "abs",
]
_TESTS = sorted(TESTS)


def operations(
    texts: Sequence[str], lists: Sequence[str], flags: Sequence[str], fields: Sequence[str]
) -> st.SearchStrategy[str]:
    """Return a strategy of expressions over these texts, lists and maps, booleans, and fields of a loop's elements."""
    text, listed, flag = st.sampled_from(texts), st.sampled_from(lists), st.sampled_from(flags)
    either = st.one_of(text, listed)

    def applied(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from(sorted(FILTERS))).flatmap(
                lambda pair: _arguments(pair[1], text).map(lambda inside: f"({pair[0]} | {pair[1]}{inside})")
            ),
            st.tuples(listed, _arguments("map", text)).map("({0[0]} | map{0[1]})".format),
            st.tuples(
                listed, st.sampled_from(_MAPPED), st.sampled_from(["", ", 1", ", 2", *(f", {t}" for t in texts)])
            ).map("({0[0]} | map('{0[1]}'{0[2]}))".format),
            st.tuples(
                listed,
                st.sampled_from(["selectattr", "rejectattr"]),
                st.sampled_from(fields),
                st.sampled_from(_TESTS),
                st.one_of(text, st.just("1")),
            ).map("({0[0]} | {0[1]}('{0[2]}', '{0[3]}', {0[4]}))".format),
            st.tuples(listed, st.sampled_from(_TESTS), either).map("({0[0]} | select('{0[1]}', {0[2]}))".format),
            st.tuples(flag, inner, inner).map("({0[0]} | yesno({0[1]}, {0[2]}))".format),
            st.tuples(flag, inner, inner).map("({0[1]} if {0[0]} else {0[2]})".format),
            st.tuples(inner, st.sampled_from(["join", "join(', ')", "first", "last", "min", "list"])).map(
                "({0[0]} | {0[1]})".format
            ),
            st.tuples(inner, inner).map("[{0[0]}, {0[1]}]".format),
            st.tuples(inner, inner).map("{{{0[0]}: {0[1]}}}".format),
            inner.map("{{'k': {}}}".format),
            st.tuples(
                inner, st.sampled_from([".k", ".id", ".items()", ".keys()", ".values()", "['s']", "[0]", "[-1]"])
            ).map("{0[0]}{0[1]}".format),
            st.tuples(inner, inner).map("{0[0]}[{0[1]}]".format),
            st.tuples(inner, st.sampled_from(["or", "+", "~", "and"]), inner).map("({0[0]} {0[1]} {0[2]})".format),
            st.tuples(inner, st.sampled_from(_TESTS)).map("({0[0]} is {0[1]})".format),
            st.tuples(inner, st.sampled_from(["in", "<", "==", "is lt", "is in"]), inner).map(
                "({0[0]} {0[1]} {0[2]})".format
            ),
        )

    return st.recursive(either, applied, max_leaves=4)


def statements(values: st.SearchStrategy[str], fields: Sequence[str]) -> st.SearchStrategy[str]:
    """Return a strategy of statements that print these values, their elements, parts and members."""
    field = st.sampled_from(fields)
    return st.one_of(
        values.map("- {{{{ {} }}}}\n".format),
        values.map("- {{{{ {} | join(', ') }}}}\n".format),
        values.map("- {{{{ {} | first }}}}\n".format),
        values.map("{{% for g in {} %}}- {{{{ g }}}}\n{{% endfor %}}".format),
        values.map("{{% for g in {} %}}- {{{{ g | first }}}}\n{{% endfor %}}".format),
        values.map("{{% for g in {} %}}- {{{{ g | join }}}}\n{{% endfor %}}".format),
        values.map("{{% for g, h in {} %}}- {{{{ g }}}}\n{{% endfor %}}".format),
        values.map("{{% for g, h in {} %}}- {{{{ h }}}}\n{{% endfor %}}".format),
        values.map("{{% for g, (h, i) in {} %}}- {{{{ g }}}}\n{{% endfor %}}".format),
        values.map("{{% for g in {} %}}{{% for h in g %}}- {{{{ h }}}}\n{{% endfor %}}{{% endfor %}}".format),
        st.tuples(values, field).map("{{% for g in {0[0]} %}}- {{{{ g.{0[1]} }}}}\n{{% endfor %}}".format),
        st.tuples(values, field).map("{{% set p = {0[0]} %}}- {{{{ p.{0[1]} }}}}\n".format),
        values.map("{{% if {} %}}- x\n{{% endif %}}".format),
    )


def _arguments(name: str, text: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return a strategy of argument lists for a filter: some of its parameters, in order or by name."""
    if name == "map":
        parameters = ["attribute", "default"]
    else:
        try:
            parameters = [
                each.name
                for each in [*inspect.signature(FILTERS[name]).parameters.values()][1:]
                if each.kind is each.POSITIONAL_OR_KEYWORD
            ]
        except ValueError:
            parameters = []

    def written(chosen: list[Any]) -> str:
        words, named = [], name == "map"
        for parameter, value in zip(parameters, chosen, strict=True):
            named = named or value is None
            if value is not None:
                words.append(f"{parameter}={value}" if named else value)
        return f"({', '.join(words)})" if words else ""

    return (
        st.tuples(
            *(
                st.one_of(st.none(), text, st.sampled_from(_ARGUMENTS.get(parameter, _CONSTANTS)))
                for parameter in parameters
            )
        )
        .map(list)
        .map(written)
    )
