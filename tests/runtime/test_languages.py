"""Language tags and Accept-Language."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frieze.runtime.languages import _shortenings, accept_language, canonical_language, lookup, preferred_language
from frieze.runtime.notes import Refusal
from support.hostile import load
from support.values import CALM, texts

VECTORS = load("accept_language.json")
SUPPORTED = VECTORS["supported"]


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["header"])
def test_accept_language_vectors(case: dict[str, object]) -> None:
    ranges = accept_language(str(case["header"]))
    assert [list(pair) for pair in ranges] == case["parsed"]
    assert lookup(ranges, SUPPORTED) == case["lookup"]


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("en-US", "en"),
        ("EN-gb", "en-GB"),
        ("en-GB;q=0, en", "en"),
        ("en;q=0, en-GB", "en-GB"),
        ("en;q=0, en-US", None),
        ("ko, *;q=0.5", None),
        ("*;q=0, ja", "ja"),
        ("zh-Hant-TW, zh-Hans;q=0.5", "zh-Hant"),
        ("zh-TW", None),
        ("zh-a-bc-Hant, fr;q=0.1", "fr"),
        ("ja ; q=0.5 ,\tda;Q=0.6", "da"),
        ("da;q=1.0001, ja;q=.5, fr;q=0.", None),
        ("ja;q=2, da;q=-1, en_US, fr;q=0.001", "fr"),
        ("", None),
        (" , ,", None),
        ("ja," + "en;q=0.5," * 200, None),
    ],
)
def test_lookup(header: str, found: str | None) -> None:
    assert lookup(accept_language(header), SUPPORTED) == found


def test_a_range_is_shortened_as_the_rfc_shows_it() -> None:
    assert list(_shortenings("zh-Hant-CN-x-private1-private2")) == [
        "zh-hant-cn-x-private1-private2",
        "zh-hant-cn-x-private1",
        "zh-hant-cn",
        "zh-hant",
        "zh",
    ]


def test_an_old_spelling_finds_the_new_one() -> None:
    assert lookup([("iw-IL", 1.0)], ["he", "en"]) == "he"


@pytest.mark.parametrize(
    ("header", "supported", "found"),
    [
        ("pt_BR, pt-br;q=0.9, en;q=0.8", [], "pt-BR"),
        ("*, ko", [], "ko"),
        ("zh-hant-cn-x-private1", [], "zh-Hant-CN"),
        ("x-pirate, de-1996", [], "de"),
        ("*", [], Refusal("unsupported-language")),
        ("en;q=0", [], Refusal("unsupported-language")),
        ("", [], Refusal("invalid-accept-language")),
        ("ko", SUPPORTED, Refusal("unsupported-language")),
        ("fr-CH", SUPPORTED, "fr"),
    ],
)
def test_the_preferred_language(header: str, supported: list[str], found: object) -> None:
    assert preferred_language(header, supported) == found


@pytest.mark.parametrize(
    ("tag", "canonical"),
    [
        ("ja", "ja"),
        ("ja_JP", "ja-JP"),
        ("EN_us.UTF-8", "en-US"),
        ("sr_RS.UTF-8@latin", "sr-Latn-RS"),
        ("de_DE@euro", "de-DE"),
        ("iw", "he"),
        ("in-ID", "id-ID"),
        ("nan", "nan"),
        ("sr-latn-rs", "sr-Latn-RS"),
        ("zh-yue-HK", "yue-HK"),
        ("zh-min-nan", "nan"),
        ("zh-Hant-TW-u-co-zhuyin-x-a", "zh-Hant-TW"),
        ("sl-rozaj-biske-1994", "sl"),
        ("es-419", "es-419"),
        ("my-BU", "my-MM"),
        ("en-a-bbb-b-ccc", "en"),
        *((tag, None) for tag in ["", "und", "und-JP", "POSIX", "C", "null", "undefined", "English (US)", "x-pirate"]),
        *(
            (tag, None)
            for tag in ["en-a-bbb-a-ccc", "en--US", "en-", "-en", "en\nx", "en ", " en", "{{language}}", "qaa"]
        ),
        *((tag, None) for tag in ["i-klingon", "en-US,en;q=0.9", "de-1996-1996", "en-x", "en-a", "ｅｎ", "é", "mul"]),
        ("en-" + "a" * 200, None),
    ],
)
def test_canonical_tags(tag: str, canonical: str | None) -> None:
    assert canonical_language(tag) == canonical


@given(st.one_of(texts(10), st.from_regex(r"[a-zA-Z]{1,4}([-_][a-zA-Z0-9]{1,8}){0,5}", fullmatch=True)))
@CALM
def test_a_canonical_tag_has_the_printed_shape_and_is_its_own_canonical_form(tag: str) -> None:
    canonical = canonical_language(tag)
    if canonical is not None:
        assert re.fullmatch(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?", canonical)
        assert canonical_language(canonical) == canonical
        assert tag[:1].lower() == canonical[:1] or tag[:2].lower() in ("iw", "in", "ji", "mo", "zh", "ar", "ms", "sw")


@given(texts())
@CALM
def test_any_header_is_read_without_a_fault(header: str) -> None:
    for wanted, weight in accept_language(header):
        assert re.fullmatch(r"\*|[A-Za-z0-9-]+", wanted)
        assert 0 <= weight <= 1
    preferred = preferred_language(header, SUPPORTED)
    assert isinstance(preferred, Refusal) or preferred in SUPPORTED


@given(st.lists(st.tuples(st.sampled_from(["en", "en-GB", "ja", "zh-Hant-TW", "ko", "*"]), st.integers(0, 1000))))
@CALM
def test_weights_order_the_ranges_and_equal_ones_keep_theirs(pairs: list[tuple[str, int]]) -> None:
    header = ", ".join(f"{wanted};q={weight / 1000:.3f}" for wanted, weight in pairs)
    expected = sorted(((wanted, weight / 1000) for wanted, weight in pairs), key=lambda pair: -pair[1])
    assert accept_language(header) == (expected if len(header) <= 1000 else [])
