"""After any edits of a project, what the cache gives is what a run without it gives."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import frieze.pipeline
from frieze.bench.projects import write_project
from frieze.cache import Store

EXTRA = {
    "profiles/personalities/calm.yaml": "kind: personality\nname: calm\ntext: {file: ../texts/calm.md}\n",
    "profiles/texts/calm.md": "Stay calm, whatever happens.\n",
    "profiles/texts/said.md": "You speak for {{ agent.data.team }}.\n{% include 'house-rules' %}\n{{ personality }}\n",
    "profiles/blocks/house-rules.yaml": "kind: block\nname: house-rules\nheading: '# House rules'\n"
    "body: |\n  No shoes.\n  {% if platform.tables %}\n  Draw a table.\n  {% endif %}\n",
    "profiles/skills/lookup.yaml": "kind: skill\nname: lookup\nwhen_to_use: always\ntext: Look it up.\n",
    "profiles/agents/heir.yaml": "kind: agent\nname: heir\nextends: agent-0001\nskills: [lookup]\n",
    "profiles/agents/teller.yaml": "kind: agent\nname: teller\ninstructions: {file: ../texts/said.md}\n"
    "data: {team: tellers}\nallows: {personalities: [calm, friendly]}\n"
    "defaults: {platform: channel-0, model: claude-sonnet-4-6, personality: calm}\n"
    "layout: {insert: {house-rules: {after: instructions}}}\n",
}
"""A project in which files hang together: texts beside profiles, an include, an heir, a layout."""

LINES = (
    "  {{ customer }}",
    "  {% if city %}{{ city }}{% endif %}",
    "  {% include 'house-rules' %}",
    "  {{ nobody }}",
    "  {{ agent.prints_personality }}",
    "  Use a table and **bold text** here.",
    "zone: never",
    "description: Another one.",
    "skills: [lookup]",
    "heading: '# Rules'",
    "tag: rules",
    "markup: none",
    "tables: true",
    "language: ja",
    "broken: [",
    "extends: agent-0002",
)

Edit = Callable[[Path, random.Random], None]


def files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file() and ".frieze" not in path.parts)


def a_line_more(root: Path, draw: random.Random) -> None:
    path = draw.choice(files(root))
    lines = path.read_text("utf-8").splitlines()
    lines.insert(draw.randrange(len(lines) + 1), draw.choice(LINES))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def at_the_end(root: Path, draw: random.Random) -> None:
    path = draw.choice(files(root))
    path.write_text(path.read_text("utf-8") + draw.choice(LINES) + "\n", encoding="utf-8")


def a_line_less(root: Path, draw: random.Random) -> None:
    path = draw.choice(files(root))
    lines = path.read_text("utf-8").splitlines()
    if len(lines) > 1:
        del lines[draw.randrange(len(lines))]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def another_word(root: Path, draw: random.Random) -> None:
    path = draw.choice(files(root))
    text = path.read_text("utf-8")
    old, new = draw.choice(
        [("the", "a"), ("friendly", "calm"), ("channel-0", "channel-1"), ("customer", "city"), ("0", "1")]
    )
    path.write_text(text.replace(old, new, draw.choice([1, -1])), encoding="utf-8")


def a_file_less(root: Path, draw: random.Random) -> None:
    draw.choice(files(root)[1:]).unlink()


def a_copy(root: Path, draw: random.Random) -> None:
    path = draw.choice(files(root))
    other = path.with_name(f"copy-{draw.randrange(3)}{path.suffix}")
    name = f"copy-{draw.randrange(3)}"
    lines = [f"name: {name}" if line.startswith("name: ") else line for line in path.read_text("utf-8").splitlines()]
    other.write_text("\n".join(lines) + "\n", encoding="utf-8")


def two_swapped(root: Path, draw: random.Random) -> None:
    one, other = draw.choice(files(root)), draw.choice(files(root))
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


def damage(root: Path, draw: random.Random) -> None:
    """Hurt the cache itself."""
    found = sorted(path for path in (root / ".frieze").rglob("*") if path.is_file() and path.name != ".gitignore")
    for path in draw.sample(found, len(found) // 3):
        way = draw.randrange(4)
        if way == 0:
            path.unlink()
        elif way == 1:
            path.write_bytes(path.read_bytes()[: draw.randrange(200)])
        elif way == 2:
            other = draw.choice(found)
            path.write_bytes(other.read_bytes() if other.exists() else b"")
        else:
            data = bytearray(path.read_bytes())
            if data:
                data[draw.randrange(len(data))] ^= 4
            path.write_bytes(bytes(data))


EDITS: tuple[Edit, ...] = (
    a_line_more, at_the_end, a_line_less, another_word, a_file_less, a_copy, two_swapped, damage,
)  # fmt: skip


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("original") / "project"
    write_project(root, agents=4, platforms=2)
    for name, text in EXTRA.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    assert not frieze.pipeline.check(root).failed
    return root


def result(root: Path, cache: Store | None) -> tuple[Any, ...]:
    found = frieze.pipeline.compile(root, cache=cache)
    told = [(entry, entry.related, entry.advice) for entry in found.diagnostics]
    files = dict(found.bundle.files) if found.bundle else None
    counts = dict(frieze.pipeline.check(root, cache=cache).counts) if cache else None
    name = (found.project.name, found.project.version) if found.project else None
    return told, files, dict(found.texts), name, counts and counts["variants"] > 0


def same_after(original: Path, folder: Path, seed: int, steps: int) -> None:
    draw = random.Random(seed)
    root = folder / f"project-{seed}"
    shutil.copytree(original, root)
    store = Store(root / ".frieze" / "cache")
    for step in range(steps):
        if step:
            for _ in range(draw.choice([1, 1, 2])):
                draw.choice(EDITS)(root, draw)
        told, files, texts, name, _ = result(root, None)
        assert result(root, store)[:4] == (told, files, texts, name)
        assert result(root, Store(store.folder))[:4] == (told, files, texts, name)
    shutil.rmtree(root)


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6))
def test_a_warm_run_gives_what_a_cold_one_gives(
    original: Path, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    same_after(original, tmp_path_factory.mktemp("edited"), seed, 4)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_so_it_does_after_many_edits(original: Path, tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    same_after(original, tmp_path_factory.mktemp("edited"), seed, 8)


def test_another_compiler_finds_nothing(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "cache")
    frieze.pipeline.compile(original, cache=store)
    before = {path.name for path in store.folder.rglob("*") if path.is_file()}
    monkeypatch.setattr("frieze.build.keys.fingerprint", lambda: "another")
    frieze.pipeline.compile(original, cache=store)
    after = {path.name for path in store.folder.rglob("*") if path.is_file()}
    assert len(after - before) == len(before) - 1


def test_a_text_that_leaves_the_project_is_seen(original: Path, tmp_path: Path) -> None:
    root = tmp_path / "project"
    shutil.copytree(original, root)
    store = Store(tmp_path / "cache")
    assert frieze.pipeline.compile(root, cache=store).bundle
    text = root / "profiles/texts/calm.md"
    (tmp_path / "outside.md").write_bytes(text.read_bytes())
    text.unlink()
    text.symlink_to(tmp_path / "outside.md")
    found = frieze.pipeline.compile(root, cache=store)
    assert [entry.code for entry in found.diagnostics] == [
        entry.code for entry in frieze.pipeline.compile(root).diagnostics
    ]
    assert "F321" in {entry.code for entry in found.diagnostics}
