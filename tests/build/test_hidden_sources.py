"""Sources that hang together in ways which are easily overlooked: what is kept holds only while all of them are as they were."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import frieze.pipeline
from frieze.build import shares
from frieze.cache import Store
from support.projects import write_files

PROJECT = "kind: project\nname: hidden\nversion: 1.0.0\n"
TELLS = "You help.\n{% include 'told' %}\n{% if platform.tables %}\nDraw a table.\n{% endif %}\n"
TALK = "allows: {platforms: [api, slack], models: [own], personalities: [calm, warm]}\n"


def agent(name: str, text: str = "You help.\n", more: str = "") -> str:
    return f"kind: agent\nname: {name}\n{more}instructions: |\n" + "".join(f"  {line}\n" for line in text.splitlines())


BASE = {
    "frieze.yaml": PROJECT,
    "profiles/one.yaml": agent("one"),
    "profiles/two.yaml": agent("two"),
    "profiles/three.yaml": agent("three"),
}
BLOCK = "kind: block\nname: told\nbody: {file: told.md}\n"
OWN = {
    "profiles/own.yaml": "kind: model\nname: own\nvendor: openai\ninstructions: {file: own.md}\n",
    "profiles/own.md": "You are a model.\n\n# Manner\nKind.\n\n# Rest\nEnd.\n",
    "profiles/one.yaml": agent("one", TELLS.replace("told", "base-instructions"), TALK),
    "profiles/two.yaml": agent("two", TELLS.replace("told", "base-instructions"), TALK),
    "profiles/three.yaml": agent("three", more=TALK),
    "profiles/calm.yaml": "kind: personality\nname: calm\ntext: Be calm.\n",
    "profiles/warm.yaml": "kind: personality\nname: warm\ntext: Be warm.\n",
    "profiles/terse.yaml": "kind: personality\nname: terse\ntext: Be terse.\nremoves: [Manner]\n",
}

CASES: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "a block's text": (
        {"profiles/one.yaml": agent("one", TELLS), "profiles/told.yaml": BLOCK, "profiles/told.md": "Told.\n"},
        {"profiles/told.md": "Told again.\n"},
    ),
    "an agent's profile as a block's text": (
        {"profiles/one.yaml": agent("one", TELLS), "profiles/told.yaml": BLOCK.replace("told.md", "two.yaml")},
        {"profiles/two.yaml": agent("two", "You help others.\n")},
    ),
    "an agent's profile as another agent's text": (
        {"profiles/one.yaml": "kind: agent\nname: one\ninstructions: {file: two.yaml}\n"},
        {"profiles/two.yaml": agent("two", "You help others.\n")},
    ),
    "a folder with the library's name": (
        {
            "frieze.yaml": PROJECT + "profiles: [profiles, std]\n",
            "profiles/one.yaml": agent("one", TELLS),
            "std/blocks/citation-rule.yaml": "kind: block\nname: told\nbody: Told.\n",
        },
        {"std/blocks/citation-rule.yaml": "kind: block\nname: told\nbody: Told again.\n"},
    ),
    "line ends of a model's text": (OWN, {"profiles/own.md": OWN["profiles/own.md"].replace("\n", "\r\n")}),
    "the first of many personalities that takes a section out": (
        OWN,
        {"profiles/two.yaml": OWN["profiles/two.yaml"].replace("warm]", "warm, terse]")},
    ),
}


def result(root: Path, **options: Any) -> tuple[Any, ...]:
    found = frieze.pipeline.compile(root, **options)
    told = [(entry, entry.related, entry.advice) for entry in found.diagnostics]
    return told, dict(found.bundle.files) if found.bundle else None, dict(found.texts)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("case", CASES)
def test_what_others_say_is_seen(case: str, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "LEAST", 2)
    before, edit = CASES[case]
    root, cache = write_files(tmp_path / "project", {**BASE, **before}), Store(tmp_path / "cache")
    first = result(root)
    assert first[1]
    for _ in range(2):
        assert result(root, cache=cache, jobs=jobs) == first
    write_files(root, dict(edit))
    second = result(root)
    assert second[1]
    assert second[1] != first[1]
    for _ in range(2):
        assert result(root, cache=cache, jobs=jobs) == second
    write_files(root, {name: text for name, text in before.items() if name in edit} or {n: BASE[n] for n in edit})
    assert result(root, cache=cache, jobs=jobs) == first


@pytest.mark.parametrize("name", ["frieze.yaml", "profiles/one.yaml", "profiles/told.md", "profiles/told.yaml"])
def test_what_is_saved_during_a_run_is_seen_by_the_next_one(name: str, tmp_path: Path) -> None:
    before, _ = CASES["a block's text"]
    root, cache = write_files(tmp_path / "project", {**BASE, **before}), Store(tmp_path / "cache")
    text = (root / name).read_text("utf-8")
    saved = (
        text.replace("1.0.0", "1.0.1").replace("You", "We").replace("Told", "Said").replace("file: told", "file: new")
    )
    assert saved != text
    write_files(root, {"profiles/new.md": "New.\n"})

    def save(*_: object) -> None:
        write_files(root, {name: saved})

    first = frieze.pipeline.compile(root, save, cache=cache)
    assert (root / name).read_text("utf-8") == saved
    second = result(root)
    assert first.bundle
    assert dict(first.bundle.files) != second[1]
    assert result(root, cache=cache) == second


def test_a_folder_with_the_librarys_name_is_the_projects_own(tmp_path: Path) -> None:
    text = "kind: block\nname: told\nbody: |\n  {% if platform.name == 'slakc' %}Told.{% endif %}\n"
    before = {**CASES["a folder with the library's name"][0], "std/blocks/citation-rule.yaml": text}
    found = frieze.pipeline.check(write_files(tmp_path, {**BASE, **before}))
    assert [(entry.code, entry.span.file) for entry in found.diagnostics] == [
        ("F704", "./std/blocks/citation-rule.yaml")
    ]
    assert found.texts["./std/blocks/citation-rule.yaml"] == text
    assert "name: citation-rule" in found.texts["std/blocks/citation-rule.yaml"]
