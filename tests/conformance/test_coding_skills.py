"""Skills in a coding agent's prompt: the room they have, and the visible cut."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.runtime import Bundle
from support.projects import write_files

SKILL = "kind: skill\nname: release\ndescription: Cuts a release.\ntext: Tag it.\n"
MODEL = "kind: model\nname: small\nvendor: openai\ncontext_window: 20000\n"
WINDOWLESS = "kind: model\nname: windowless\nvendor: openai\n"
AGENT = """kind: agent
name: coder
defaults: {platform: api, model: small}
allows: {models: [small, windowless]}
skills: [release]
layout: {from: std, remove: [skills, conversation-skills], insert: {coding-skills: {at: last}}}
instructions: You write code.
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    files = {
        "frieze.yaml": "kind: project\nname: coding\n",
        "profiles/skill.yaml": SKILL,
        "profiles/model.yaml": MODEL,
        "profiles/windowless.yaml": WINDOWLESS,
        "profiles/coder.yaml": AGENT,
    }
    result = frieze.compile(write_files(tmp_path_factory.mktemp("project"), files))
    assert result.bundle is not None, [(each.code, each.message) for each in result.diagnostics]
    return Bundle.from_files(result.bundle.files)


def skills(bundle: Bundle, model: str, given: list[dict[str, str]]) -> list[str]:
    parts = bundle.prompt("coder", model=model).render({"skills": given}).parts
    [text] = [part.text for part in parts if part.id == "coding-skills"]
    return [line for line in text.splitlines() if line.startswith("- ") or "Not listed" in line]


def test_few_skills_are_told_whole(bundle: Bundle) -> None:
    given = [{"name": "a", "description": "Does a."}, {"name": "release", "description": "Another."}, {"name": "b"}]
    assert skills(bundle, "small", given) == ['- "release": "Cuts a release."', '- "a": "Does a."', '- "b"']


def test_without_skills_of_the_conversation(bundle: Bundle) -> None:
    assert skills(bundle, "small", []) == ['- "release": "Cuts a release."']


@pytest.mark.parametrize(("model", "room"), [("small", 20000 * 2 // 100 * 4), ("windowless", 8000)])
@pytest.mark.parametrize(("count", "length"), [(20, 200), (20, 1000), (150, 1000), (700, 100)])
def test_the_room_is_kept(bundle: Bundle, model: str, room: int, count: int, length: int) -> None:
    given = [{"name": f"skill-{number}", "description": "x" * length} for number in range(count)]
    told = skills(bundle, model, given)
    rows = [line for line in told if line.startswith("- ")]
    assert sum(len(line) + 1 for line in rows) <= room
    missing = count + 1 - len(rows)
    cut = [line for line in told if line.startswith("Not listed")]
    assert cut == ([f"Not listed, for lack of room: {missing} more."] if missing else [])
    widths = {len(line) for line in rows if line.startswith('- "skill-1') and ": " in line}
    assert max(widths, default=0) - min(widths, default=0) <= len("00")
    if room * 2 < count * (length + 15):
        assert sum(len(line) + 1 for line in rows) > room * 0.8


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("", '- "release"'),
        ("when_to_use: When a release is due.\n", '- "release": "When a release is due."'),
        ("description: Cuts a release.\n", '- "release": "Cuts a release."'),
        ("description: Cuts one.\nwhen_to_use: When a release is due.\n", '- "release": "When a release is due."'),
    ],
)
@pytest.mark.parametrize("layout", [AGENT, AGENT.replace(AGENT.splitlines()[5], "layout: coding")])
def test_the_model_reads_when_a_skill_is_to_be_used(fields: str, told: str, layout: str, tmp_path: Path) -> None:
    files = {
        "frieze.yaml": "kind: project\nname: coding\n",
        "profiles/skill.yaml": f"kind: skill\nname: release\n{fields}text: Tag it.\n",
        "profiles/model.yaml": MODEL,
        "profiles/windowless.yaml": WINDOWLESS,
        "profiles/coder.yaml": layout,
    }
    result = frieze.compile(write_files(tmp_path, files))
    assert result.bundle is not None, [(each.code, each.message) for each in result.diagnostics]
    text = Bundle.from_files(result.bundle.files).prompt("coder").render({}).text
    assert [line for line in text.splitlines() if '"release"' in line] == [told]
