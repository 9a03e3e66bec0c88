"""No text makes the judging of commands fail, take long, or answer with less than a question where it should."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.guard.vocabulary import ACTIONS, EFFECTS, RISKS, strictest
from support.command_lines import Lines
from support.shipped_policy import Workspace, rows

TEXTS = [row[0] for row in rows("commands.tsv") + rows("lines.tsv")]
SIGNS = [
    *" \t\n'\"\\;&|<>(){}[]$`*?~#!=,:@%^/-.",
    "\r",
    "\0",
    "\u00a0",
    "\u200b",
    "\u202e",
    "é",
    "漢",
    "\ud800",
    "${",
    "$(",
    "||",
    "&&",
    ">>",
    "<<E",
    "..",
    "--",
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("any"))


def checked(workspace: Workspace, text: str, mode: str = "implement") -> str:
    """Judge a text and look at the form of what was found; return the answer."""
    findings, parsed = workspace.judge(text, mode)
    assert findings
    for finding in findings:
        assert finding.effect in EFFECTS
        assert finding.action in ACTIONS
        assert finding.risk == "" or finding.risk in RISKS
        assert finding.rule
        assert finding.reason
    if parsed is None:
        assert "deny" in {finding.effect for finding in findings} or "ask" in {finding.effect for finding in findings}
    return strictest(finding.effect for finding in findings)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=80))
def test_any_text(workspace: Workspace, text: str) -> None:
    checked(workspace, text)


@settings(max_examples=300, deadline=None)
@given(words=st.lists(st.sampled_from([word for text in TEXTS for word in text.split(" ")] + SIGNS), max_size=12))
def test_any_words(workspace: Workspace, words: list[str]) -> None:
    checked(workspace, " ".join(words))
    checked(workspace, "".join(words))


def test_spoilt_cases(workspace: Workspace) -> None:
    pick = random.Random(11)
    for text in TEXTS:
        for _ in range(2):
            at = pick.randrange(len(text) + 1)
            checked(
                workspace,
                text[:at] + pick.choice(SIGNS) + text[at + pick.randrange(2) :],
                pick.choice(("implement", "review")),
            )


def test_random_lines(workspace: Workspace) -> None:
    lines = Lines(3)
    for _ in range(500):
        checked(workspace, lines.any())


def test_a_denied_command_is_found_behind_any_line(workspace: Workspace) -> None:
    lines = Lines(4)
    for _ in range(150):
        before, behind = lines.any(), lines.any()
        for text in (f"{before}\nrm -rf /\n{behind}", f"{before}; git push --force; {behind}", f"{before} ; cat .env"):
            assert workspace.effect(text) == "deny", text


@pytest.mark.parametrize(
    "piece",
    [
        "a ",
        "'",
        '"',
        "$(",
        "`",
        "rm ",
        "git push ",
        "${x:-",
        "{a,",
        "(",
        "bash -c '",
        'echo "$(',
        "\\\n",
        "a=b=c,d:e@f ",
        "sudo ",
        "cd a; ",
        "$'\\x41' ",
        "curl x | ",
        "> a ",
    ],
)
def test_long_texts_take_time_in_proportion(workspace: Workspace, piece: str) -> None:
    def taken(count: int) -> float:
        text = piece * (count // len(piece)) + ";$x"
        begin = time.process_time()
        checked(workspace, text)
        return time.process_time() - begin

    taken(2_000)
    small = min(taken(3_000) for _ in range(3))
    assert taken(24_000) < max(small * 40, 1.0), "eight times the text takes about eight times as long"


@pytest.mark.parametrize(
    "text",
    [
        "awk '{print " + "1" * 4_000 + "x}' f",
        "awk '{print " + "$1," * 2_000 + "x}' f",
        "sed 's/" + "[a]" * 2_000 + "' f",
        "sed '" + "1,2p;" * 1_500 + "x' f",
        "python -c '" + '"\\' * 3_000 + "'",
        "git log " + "a:" * 3_000,
        "ls " + "a/" * 1_900,
        "pytest " + ":" * 5_000,
        "unknown " + "=" * 5_000,
        "git push " + "-f " * 2_000,
    ],
    ids=lambda text: text[:20],
)
def test_no_pattern_takes_forever(workspace: Workspace, text: str) -> None:
    begin = time.process_time()
    checked(workspace, text)
    assert time.process_time() - begin < 2.0


@pytest.mark.parametrize("depth", [3, 9, 40])
def test_what_is_nested_deeply_is_found(workspace: Workspace, depth: int) -> None:
    wrapped = "sudo " * depth + "rm -rf /"
    assert workspace.effect(wrapped) == "deny"
    text = "rm -rf /"
    for _ in range(min(depth, 12)):
        text = "bash -c '" + text.replace("'", "'\\''") + "'"
    assert workspace.effect(text) == "deny"
    substituted = "echo " + "$(echo " * depth + "$(rm -rf /)" + ")" * depth
    assert workspace.effect(substituted) == "deny"
