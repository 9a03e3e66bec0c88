"""F715 and F716: parts that cannot be found again, and slots that are covered nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from support import sessions
from support.projects import write_files


def codes(root: Path, changes: dict[str, str]) -> list[tuple[str, str, int]]:
    files = {f"profiles/{name}.yaml": text for name, text in changes.items()}
    result = frieze.check(write_files(root, {**sessions.WRITTEN, **files}))
    return [(each.code, each.span.file, each.span.line) for each in result.diagnostics]


def test_the_project_itself_has_nothing_to_find(tmp_path: Path) -> None:
    assert codes(tmp_path, {}) == []


@pytest.mark.parametrize("frame", ["", "heading: Mode\n"])
def test_a_part_without_marks(tmp_path: Path, frame: str) -> None:
    mode = sessions.file("mode").replace("tag: collaboration_mode\n", frame)
    assert codes(tmp_path, {"mode": mode}) == [
        ("F715", "profiles/mode.yaml", mode[: mode.index("on-change")].count("\n") + 1)
    ]
    assert codes(tmp_path, {"mode": mode.replace("on-change", "every-turn")}) == []


@pytest.mark.parametrize("slot", ["manners", "base-instructions"])
def test_a_slot_that_is_nowhere(tmp_path: Path, slot: str) -> None:
    news = sessions.file("news").replace("covers: [manner]", f"covers: [manner, {slot}]")
    assert codes(tmp_path, {"news": news}) == [("F716", "profiles/news.yaml", 6)]
