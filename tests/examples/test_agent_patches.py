"""Patches, against a simple oracle: what two versions of a file differ in, written as a patch, makes one of the other."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import coding

patching = coding.module("patching")
texts = coding.module("texts")

LINES = st.lists(st.sampled_from(["a", "b", "", " c", "\td", "+x", "-y", "@@", "*** End Patch", "é"]), max_size=12)
PIECES = (
    *(
        "*** Begin Patch",
        "*** End Patch",
        "*** Update File: f",
        "*** Add File: g",
        "*** Delete File: h",
        "*** Move to: i",
    ),
    *("*** End of File", "@@", "@@ a", " a", "+b", "-a", "", "x", "*** Add File: ../x"),
)
ENDINGS = st.sampled_from(["\n", "\r\n"])


def sections(old: list[str], new: list[str]) -> list[str]:
    """Return the body of an update that says every line of the file, so that it fits in one place only."""
    signs = {"  ": " ", "- ": "-", "+ ": "+"}
    return ["@@", *(signs[row[:2]] + row[2:] for row in difflib.ndiff(old, new) if row[:2] in signs)]


@settings(max_examples=150, deadline=None)
@given(LINES.filter(bool), LINES.filter(bool), ENDINGS, st.booleans())
def test_a_patch_makes_one_version_of_the_other(old: list[str], new: list[str], ending: str, closed: bool) -> None:
    if old == new or (not closed and (old[-1] == "" or new[-1] == "")):
        return
    [change] = patching.read_patch(
        "\n".join(["*** Begin Patch", "*** Update File: f", *sections(old, new), "*** End Patch"])
    )
    before = ending.join(old) + (ending if closed else "")
    text = texts.text_of(before.encode())
    assert text.encoded() == before.encode()
    made = patching.applied(text, change.hunks).encoded().decode()
    if len(old) == 1 and not closed:
        ending = "\n"
    assert made == ending.join(new) + (ending if closed else "")


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=80).map(lambda text: text.encode("utf-16")))
def test_any_file_that_is_read_is_written_as_it_was(data: bytes) -> None:
    text = texts.text_of(data)
    assert text is None or text.encoded() == data


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=10,
    ).map("\n".join)
    | st.text(max_size=60)
)
def test_whatever_is_no_patch_is_refused_in_words(patch: str) -> None:
    refusals = []
    for text in (patch, f"*** Begin Patch\n{patch}\n*** End Patch"):
        try:
            changes = patching.read_patch(text)
        except texts.RefusalError as error:
            refusals.append(str(error))
            continue
        for change in changes:
            try:
                patching.applied(texts.text_of(b"a\nb\na\n"), change.hunks)
            except texts.RefusalError as error:
                refusals.append(str(error))
    assert all(refusals)


FILE = b"class A:\n    def run(self):\n        pass\n\nclass B:\n    def run(self):\n        pass\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (["@@ class B:", "-        pass", "+        go()"], FILE[:-13] + b"        go()\n"),
        (["@@ class A:", "@@     def run(self):", "-        pass", "+        go()"], FILE.replace(b"pass", b"go()", 1)),
        (["@@", "+# end", "*** End of File"], FILE + b"# end\n"),
        (["@@ class A:", "+    x = 1"], FILE.replace(b"A:\n", b"A:\n    x = 1\n")),
        (
            ["@@", "-class A:", "+class C:", "@@ class B:", "     def run(self):", "-        pass"],
            FILE.replace(b"A", b"C")[:-13],
        ),
        (["@@", " class B:", "     def run(self):", "-        pass", "*** End of File"], FILE[:-13]),
    ],
)
def test_where_a_change_goes(body: list[str], expected: bytes) -> None:
    [change] = patching.read_patch("\n".join(["*** Begin Patch", "*** Update File: f", *body, "*** End Patch"]))
    assert patching.applied(texts.text_of(FILE), change.hunks).encoded() == expected


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (["@@", "-        pass"], "stand in 2 places"),
        (["@@     def run(self):", "-        pass"], "stands there 2 times"),
        (["@@ class C:", "-        pass"], "no line `class C:`"),
        (["@@", "-    pass"], "do not stand in the file"),
        (["@@", "+x"], "says nowhere"),
        (["@@", " class A:", "-x", "*** End of File"], "do not stand"),
        (["@@ class B:", "-        pass", "@@ class A:", "+x"], "change 2: there is no line"),
    ],
)
def test_what_fits_nowhere_or_in_several_places_is_refused(body: list[str], said: str) -> None:
    [change] = patching.read_patch("\n".join(["*** Begin Patch", "*** Update File: f", *body, "*** End Patch"]))
    with pytest.raises(texts.RefusalError, match=said):
        patching.applied(texts.text_of(FILE), change.hunks)
