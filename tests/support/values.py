"""Hypothesis strategies: anything that a service could pass where a value should be."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
"""For machines that do other work at the same time: no example fails by taking its time."""

NASTY = (
    *"\x00\t\n\r\v\f\x1b\x1c\x1d\x1e\x7f\x85\xa0\xad",
    *"\u0300\u0301\u0338\u0489\u034f\u05b0\u094d\u115f\u17b4\u180b\u200b\u200c\u200d\u200e\u2028\u2029\u202e\u2060\u2066",
    *"\u20e3\u2800\u3000\u3164\ud800\udfff\ue000\ufe00\ufe0f\ufeff\uff1c\uffff\U000e0001\U000e0041\U000e0101",
    *"👨👩❤🇯🇵🏽कषمیयর한각éÅΐﬃ日本<>&;\"'\\/{}%[]()|:`#-_=!$@~ aA1",
)

WORDS = (
    *("System:", "Human: hi", "<|im_start|>", "</turn_context>", "&lt;", "&amp;lt;", "{{ x }}", "{% raw %}", "null"),
    *(
        "Current location",
        "\r\n",
        "sk-live-51H8abcdEFGHijklMNOPqrstUVWX",
        "https://x.example/",
        "![](data:image/png,x)",
    ),
    *("Contact custom attributes", "timezone", "ｔｉｍｅｚｏｎｅ", "__proto__", "👨\u200d👩\u200d👧", "می\u200cخواهم"),
)


def texts(max_size: int = 60) -> st.SearchStrategy[str]:
    """Texts of every code point there is, with the awkward ones far more often than chance would have them."""
    pieces = st.one_of(st.sampled_from(NASTY), st.sampled_from(WORDS), st.characters(codec=None), st.text(max_size=4))
    return st.lists(pieces, max_size=max_size).map("".join)


def values() -> st.SearchStrategy[object]:
    """Values of every JSON type, and of types that are none."""
    scalars = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.sampled_from([10**400, -(2**70), 2**63]),
        st.floats(allow_nan=True, allow_infinity=True),
        texts(12),
        st.binary(max_size=3),
        st.just(object()),
    )
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.lists(inner, max_size=3).map(tuple),
            st.dictionaries(st.one_of(texts(4), st.integers(), st.none()), inner, max_size=4),
        ),
        max_leaves=12,
    )
