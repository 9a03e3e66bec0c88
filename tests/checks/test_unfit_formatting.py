"""Formatting rules that a channel cannot show: what is blamed, where, for which platforms, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.diagnostics import Diagnostic
from support.projects import write_files

EVERYWHERE = "[web-chat, api, line, slack, teams, whatsapp, telegram, discord]"


def findings(root: Path, instructions: str, platforms: str = EVERYWHERE, more: str = "") -> list[Diagnostic]:
    body = "".join(f"  {line}\n" for line in instructions.splitlines())
    agent = f"kind: agent\nname: helper\nallows: {{platforms: {platforms}}}\n{more}instructions: |\n{body}"
    result = frieze.check(
        write_files(root, {"frieze.yaml": "kind: project\nname: probe\n", "profiles/helper.yaml": agent})
    )
    assert not result.failed, result.diagnostics
    return [found for found in result.diagnostics if found.code == "F711"]


@pytest.mark.parametrize(
    ("instructions", "formatting", "fine"),
    [
        ("Use a table where two offers are compared.", "a table", {"web-chat"}),
        ("Compare prices in a short Markdown table.", "a table", {"web-chat"}),
        ("Answer in sections, and begin each with headings.", "headings", {"web-chat", "discord"}),
        (
            "Put the price in bold.",
            "bold text",
            {"web-chat", "slack", "teams", "whatsapp", "telegram", "discord"},
        ),
        ("Format answers in Markdown.", "Markdown", {"web-chat", "teams", "discord"}),
        ("比較するときは表形式で答えてください。", "a table", {"web-chat"}),
        ("请用粗体标出价格。", "bold text", {"web-chat", "slack", "teams", "whatsapp", "telegram", "discord"}),
    ],
)
def test_each_formatting_and_who_cannot_show_it(
    tmp_path: Path, instructions: str, formatting: str, fine: set[str]
) -> None:
    platforms = set(EVERYWHERE.strip("[]").split(", "))
    found = {
        dict(entry.args)["formatting"]: dict(entry.args)["platforms"] for entry in findings(tmp_path, instructions)
    }
    assert found[formatting] == ", ".join(f"`{name}`" for name in sorted(platforms - fine))


@pytest.mark.parametrize(
    "instructions",
    [
        "Write plain text: no headings, no bold, no tables.",
        "Never use Markdown.",
        "Do not put anything in bold.",
        "Don't answer in tables.",
        "Help guests book a table at a restaurant nearby.",
        "Use the table below to find the price.",
        "Use the heading as it stands in the handbook.",
        "Show the way to guests heading to Kyoto.",
        "見出しや太字は使わないでください。",
        "不要使用表格。",
        "A bold claim needs a source.",
    ],
)
def test_what_forbids_it_or_speaks_of_something_else_is_left_alone(tmp_path: Path, instructions: str) -> None:
    assert findings(tmp_path, instructions) == []


def test_what_is_said_only_where_it_is_shown_is_left_alone(tmp_path: Path) -> None:
    guarded = (
        "Be kind.\n{% if platform.tables %}\nUse a table to compare.\n{% else %}\nUse a list to compare.\n{% endif %}"
    )
    assert findings(tmp_path, guarded) == []


def test_the_place_is_the_word_and_only_the_platforms_that_meet_it_are_named(tmp_path: Path) -> None:
    text = 'Be kind.\n{% if platform.name in ["line", "web-chat"] %}\nFor {{ agent.name }} use a table to compare.\n{% endif %}'
    (found,) = findings(tmp_path, text)
    assert dict(found.args)["platforms"] == "`line`"
    assert (found.span.file, found.span.line) == ("profiles/helper.yaml", 7)
    line = (tmp_path / found.span.file).read_text("utf-8").splitlines()[found.span.line - 1]
    assert line[found.span.column - 1 : found.span.end_column - 1] == "table"


def test_a_platform_that_says_nothing_is_not_judged(tmp_path: Path) -> None:
    write_files(tmp_path, {"profiles/kiosk.yaml": "kind: platform\nname: kiosk\n"})
    assert findings(tmp_path, "Use a table to compare.", "[kiosk]") == []


def test_an_own_block_is_read_as_well(tmp_path: Path) -> None:
    write_files(tmp_path, {"profiles/style.yaml": "kind: block\nname: style\nbody: Use headings in long answers.\n"})
    (found,) = findings(tmp_path, "Be kind.", "[line, slack]", "layout: {insert: {style: {after: instructions}}}\n")
    assert (found.span.file, dict(found.args)["platforms"]) == ("profiles/style.yaml", "`line`, `slack`")
