"""Project documents: which files are read, in what order, how much of each, and what is said about the rest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frieze.runtime.documents import ProjectDocs, Settings, project_docs
from frieze.runtime.notes import NOTES, Note


def place(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def project(root: Path, files: dict[str, str | bytes]) -> Path:
    (root / ".git").mkdir(parents=True)
    return place(root, files)


def texts(docs: ProjectDocs) -> list[str]:
    return [entry.text for entry in docs.documents]


def codes(docs: ProjectDocs) -> list[str]:
    assert all(note.code in NOTES for note in docs.notes)
    return [note.code for note in docs.notes]


def test_17_budget_is_spent_from_the_root_downwards(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"AGENTS.md": "root", "a/AGENTS.md": "abcdef"})
    docs = project_docs(root / "a", settings={"max_bytes": 7})
    assert texts(docs) == ["root", "abc"]
    assert [(note.code, note.source, note.detail) for note in docs.notes] == [
        ("document-cut", str(root / "a/AGENTS.md"), "3 of 6 bytes")
    ]
    assert [(entry.start, entry.end, entry.size) for entry in docs.documents] == [(0, 4, 4), (0, 3, 6)]


def test_17_budget_of_zero_leaves_the_users_text(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"AGENTS.md": "root"})
    user = place(tmp_path / "home", {"AGENTS.md": "  mine \n"})
    docs = project_docs(root, user_folder=user, settings={"max_bytes": 0})
    assert [(entry.text, entry.level, entry.start, entry.end) for entry in docs.documents] == [("mine", "user", 2, 6)]


def test_a_document_for_which_nothing_is_left_is_named(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"AGENTS.md": "root", "a/AGENTS.md": "abc", "a/b/AGENTS.md": " \n"})
    docs = project_docs(root / "a/b", settings={"max_bytes": 4})
    assert texts(docs) == ["root"]
    assert [(note.code, note.source) for note in docs.notes] == [("document-left-out", str(root / "a/AGENTS.md"))]


CHARACTERS = [
    "a",
    "\u00e9",
    "e\u0301",
    "\u65e5",
    "\U0001f44d\U0001f3fd",
    "\U0001f469\u200d\U0001f4bb",
    "\U0001f1e9\U0001f1ea",
    "\r\n",
    ".",
]


@given(characters=st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=12), budget=st.integers(0, 60))
def test_17_a_cut_never_splits_a_character(
    characters: list[str], budget: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = "".join(characters)
    root = project(tmp_path_factory.mktemp("cut") / "p", {"AGENTS.md": text})
    docs = project_docs(root, settings={"max_bytes": budget})
    fitting = [character for end, character in zip(_ends(characters), characters, strict=True) if end <= budget]
    whole = "".join(fitting)
    expected = whole.rstrip("\r\n")
    assert texts(docs) == ([expected] if expected.strip() else [])
    left = len(text.encode()) - len(whole.encode())
    if expected.strip() and left:
        assert [note.detail for note in docs.notes] == [f"{left} of {len(text.encode())} bytes"]


def _ends(characters: list[str]) -> list[int]:
    return [len("".join(characters[: index + 1]).encode()) for index in range(len(characters))]


@pytest.mark.parametrize(
    ("files", "folders", "expected"),
    [
        ({"AGENTS.override.md": "other", "AGENTS.md": "usual"}, [], ["other"]),
        ({"AGENTS.md": "usual"}, ["AGENTS.override.md"], ["usual"]),
        ({"AGENTS.override.md": " \n", "AGENTS.md": "usual"}, [], []),
        ({"AGENTS.md": "usual"}, [], ["usual"]),
        ({}, ["AGENTS.md"], []),
    ],
)
def test_18_one_file_a_directory(
    files: dict[str, str | bytes], folders: list[str], expected: list[str], tmp_path: Path
) -> None:
    root = project(tmp_path / "p", files)
    for name in folders:
        (root / name).mkdir()
    assert texts(project_docs(root)) == expected


def test_18_a_blank_override_of_the_user_falls_back(tmp_path: Path) -> None:
    user = place(tmp_path / "home", {"AGENTS.override.md": "\n \n", "AGENTS.md": "usual"})
    assert texts(project_docs(tmp_path / "nowhere", user_folder=user)) == ["usual"]


def test_19_context_of_one_environment(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"AGENTS.md": "P"})
    user = place(tmp_path / "home", {"AGENTS.md": "U"})
    context = project_docs(root, user_folder=user).context()
    rows = context["project_documents"]
    assert [(row["text"], row.get("follows_user"), row.get("label")) for row in rows] == [
        ("U", None, None),
        ("P", True, None),
    ]
    assert context["project_directory"] == str(root)


def test_19_context_of_two_environments(tmp_path: Path) -> None:
    one = project(tmp_path / "one", {"AGENTS.md": "1", "a/AGENTS.md": "1a"})
    two = project(tmp_path / "two", {"AGENTS.md": "2"})
    idle = project(tmp_path / "idle", {})
    docs = project_docs({"x": one / "a", "y": two, "z": idle})
    context = docs.context()
    assert [(row["text"], row.get("label"), row.get("directory")) for row in context["project_documents"]] == [
        ("1", "x", str(one / "a")),
        ("1a", None, None),
        ("2", "y", str(two)),
    ]
    assert "project_directory" not in context
    alone = project_docs({"x": one / "a", "z": idle}).context()
    assert alone["project_directory"] == str(one / "a")
    assert not any("label" in row for row in alone["project_documents"])


def test_20_only_the_service_sets_the_root_markers(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"AGENTS.md": "root", "a/AGENTS.md": "a", "a/b/AGENTS.md": "b"})
    (root / "a" / "mark").touch()
    below = root / "a" / "b"
    assert texts(project_docs(below)) == ["root", "a", "b"]
    assert texts(project_docs(below, settings={"root_markers": []})) == ["b"]
    assert texts(project_docs(below, settings={"root_markers": ["mark"]})) == ["a", "b"]
    assert texts(project_docs(below, settings={"root_markers": ["none-such"]})) == ["b"]
    docs = project_docs(below, project_settings={"root_markers": ["mark"], "names": ["X.md"]})
    assert texts(docs) == ["root", "a", "b"]
    assert codes(docs) == ["setting-refused", "setting-refused"]


def test_a_marker_may_be_a_file(tmp_path: Path) -> None:
    root = place(tmp_path / "p", {".git": "gitdir: elsewhere", "AGENTS.md": "root", "a/AGENTS.md": "a"})
    assert texts(project_docs(root / "a")) == ["root", "a"]


def test_fallback_names_are_tried_last_and_only_in_projects(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"NOTES.md": "notes", "a/NOTES.md": "more", "a/AGENTS.md": "usual"})
    user = place(tmp_path / "home", {"NOTES.md": "mine"})
    wanted = {"fallbacks": ["", "NOTES.md", "NOTES.md"]}
    assert texts(project_docs(root / "a", user_folder=user, settings=wanted)) == ["notes", "usual"]
    assert texts(project_docs(root / "a", project_settings=wanted)) == ["notes", "usual"]


@pytest.mark.parametrize("value", [["../AGENTS.md"], ["/etc/passwd"], ["a\0b"], [".."], "AGENTS.md", [1], None])
def test_names_are_names_of_files(value: object, tmp_path: Path) -> None:
    place(tmp_path, {"AGENTS.md": "outside"})
    root = project(tmp_path / "p", {})
    with pytest.raises(ValueError, match="fallbacks"):
        project_docs(root, settings={"fallbacks": value})
    docs = project_docs(root, project_settings={"fallbacks": value})
    assert not docs.documents
    assert codes(docs) == ["setting-refused"]


def test_pipes_are_passed_over_and_never_waited_for(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"AGENTS.md": "usual"})
    os.mkfifo(root / "AGENTS.override.md")
    assert texts(project_docs(root)) == ["usual"]


def test_a_linked_directory_keeps_its_logical_path(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"AGENTS.md": "root"})
    far = place(tmp_path / "far", {"AGENTS.md": "far", "b/AGENTS.md": "b"})
    (root / "link").symlink_to(far)
    docs = project_docs(root / "link" / "b")
    assert texts(docs) == ["root", "far", "b"]
    assert docs.documents[2].path == str(root / "link/b/AGENTS.md")
    assert docs.directory == str(root / "link/b")


def test_invalid_utf8_is_replaced_and_noted(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"AGENTS.md": b"caf\xe9 \xf0\x9f"})
    user = place(tmp_path / "home", {"AGENTS.md": b"\xff mine"})
    docs = project_docs(root, user_folder=user)
    assert texts(docs) == ["\ufffd mine", "caf\ufffd \ufffd"]
    assert codes(docs) == ["not-utf8", "not-utf8"]


def test_a_file_that_goes_between_finding_and_reading_is_noted(tmp_path: Path) -> None:
    from frieze.runtime.document_files import excerpt, first_file

    root = project(tmp_path / "p", {"AGENTS.md": "here", "b/AGENTS.md": "there"})
    notes: list[Note] = []
    gone = first_file(root, ("AGENTS.md",), notes)
    assert gone is not None
    (root / "AGENTS.md").unlink()
    assert excerpt(gone, 100, notes) is None
    pipe = first_file(root / "b", ("AGENTS.md",), notes)
    assert pipe is not None
    (root / "b/AGENTS.md").unlink()
    os.mkfifo(root / "b/AGENTS.md")
    assert excerpt(pipe, 100, notes) is None
    assert [note.code for note in notes] == ["document-vanished"] * 2


def test_a_file_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    root = project(tmp_path / "p", {"a/AGENTS.md": "a"})
    (root / "AGENTS.md").symlink_to("AGENTS.md")
    docs = project_docs(root / "a")
    assert texts(docs) == ["a"]
    assert [(note.code, note.source) for note in docs.notes] == [("document-unreadable", str(root / "AGENTS.md"))]


def test_many_directories_and_much_text(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {}
    folder = ""
    for _ in range(50):
        files[f"{folder}AGENTS.md"] = "日" * 3_400
        folder += "d/"
    root = project(tmp_path / "p", files)
    docs = project_docs(root / folder, settings={"max_bytes": 500_000})
    assert sum(len(text.encode()) for text in texts(docs)) == 500_000 - 500_000 % 3
    assert codes(docs)[0] == "document-cut"


@pytest.mark.parametrize("cwd", [None, 3, ["a"], {"x": 3}])
def test_what_is_no_path(cwd: object) -> None:
    with pytest.raises(TypeError, match="cwd"):
        project_docs(cwd)  # type: ignore[arg-type] # that is the point


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="no setting `nmaes`"):
        project_docs("/", settings={"nmaes": []})
    for value in (-1, True, 1.5, "7"):
        with pytest.raises(ValueError, match="max_bytes"):
            project_docs("/", settings={"max_bytes": value})
    assert Settings().root_markers == (".git",)
