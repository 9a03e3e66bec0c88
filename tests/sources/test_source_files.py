"""Whatever stands where a file should be: one diagnostic, no waiting, no traceback."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from frieze.diagnostics import Diagnostic, Span
from frieze.sources import read_document, read_text


def only_fault(path: Path) -> Diagnostic:
    started = time.process_time()
    document, faults = read_document(path, "profiles/x.yaml")
    assert document is None
    assert time.process_time() - started < 2
    (fault,) = faults
    assert fault.span == Span("profiles/x.yaml")
    text, faults = read_text(path, "profiles/x.yaml")
    assert text is None
    assert faults == [fault]
    return fault


def test_a_missing_file_is_f101(tmp_path: Path) -> None:
    assert only_fault(tmp_path / "x.yaml").code == "F101"
    (tmp_path / "file").write_text("a")
    assert only_fault(tmp_path / "file" / "x.yaml").code == "F101"
    assert only_fault(tmp_path / ("x" * 5000)).code == "F101"
    assert only_fault(tmp_path / "x\0.yaml").code == "F101"
    (tmp_path / "dangling").symlink_to("nowhere")
    assert only_fault(tmp_path / "dangling").code == "F101"


@contextmanager
def without_privileges() -> Iterator[None]:
    """Become an ordinary user for a while: root may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_an_unreadable_file_is_f102(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("a: 1\n")
    path.chmod(0)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        if folder.stat().st_uid == os.geteuid():
            folder.chmod(0o755)
    with without_privileges():
        fault = only_fault(path)
    assert fault.code == "F102"
    assert fault.message == "`profiles/x.yaml` cannot be read: permission denied"


def test_a_folder_is_f103(tmp_path: Path) -> None:
    fault = only_fault(tmp_path)
    assert fault.code == "F103"
    assert fault.message == "`profiles/x.yaml` is a folder, not a plain file"


def test_a_named_pipe_is_f103(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.yaml")
    fault = only_fault(tmp_path / "x.yaml")
    assert fault.code == "F103"
    assert "a named pipe" in fault.message


def test_a_device_is_f103() -> None:
    fault = only_fault(Path("/dev/zero"))
    assert fault.code == "F103"
    assert "a device" in fault.message


def test_a_socket_is_f103(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("x.sock")
        assert only_fault(Path("x.sock")).code == "F103"


def test_a_link_loop_is_f104(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert only_fault(tmp_path / "a").code == "F104"


def test_a_file_of_50_mb_is_f105(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    with path.open("wb") as file:
        file.truncate(50 << 20)
    fault = only_fault(path)
    assert fault.code == "F105"
    assert fault.message == "`profiles/x.yaml` has 50 MiB; a profile or text may have 1 MiB"


def test_a_file_one_byte_too_long_is_f105(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"a: " + b"x" * ((1 << 20) - 3))
    assert read_document(path, "x.yaml")[0] is not None
    path.write_bytes(path.read_bytes() + b"x")
    fault = only_fault(path)
    assert fault.code == "F105"
    assert "1048577 bytes" in fault.message


def test_latin_1_is_f106_and_utf_16_is_f107(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(b"one\ntwo \xe9!\n")
    text, faults = read_text(path, "x.md")
    assert text is None
    assert [(fault.code, fault.span) for fault in faults] == [("F106", Span("x.md", 2, 5, 2, 6))]
    path.write_bytes("one\n".encode("utf-16"))
    assert only_fault(path).code == "F107"


def test_a_text_keeps_its_lines_and_places(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_bytes("\ufeffone\r\n\r\n  tw\u00f6 \U0001f600 three".encode())
    text, faults = read_text(path, "x.md")
    assert not faults
    assert text is not None
    assert text.text == "one\n\n  tw\u00f6 \U0001f600 three"
    start = text.text.index("three")
    assert text.locate(start, start + 5) == Span("x.md", 3, 9, 3, 14)
    assert text.locate(0, start) == Span("x.md", 1, 1, 3, 9)
    assert text.span == Span("x.md", 1, 1, 3, 14)


def test_a_text_with_a_tab_and_a_directive_is_only_text(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("%YAML\n\t{{ x }}: *y\n")
    assert read_text(path, "x.md")[1] == []


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff"])
def test_an_empty_text_is_f138(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.md"
    path.write_text(content)
    text, faults = read_text(path, "x.md")
    assert text is None
    assert [(fault.code, fault.span) for fault in faults] == [("F138", Span("x.md"))]


def test_faults_of_a_text_stand_where_it_is_named(tmp_path: Path) -> None:
    at = Span("profiles/x.yaml", 3, 14, 3, 18)
    for name, code in (("none.md", "F101"), (".", "F103")):
        _, faults = read_text(tmp_path / name, f"profiles/{name}", at)
        assert [(fault.code, fault.span) for fault in faults] == [(code, at)]
        assert f"`profiles/{name}`" in faults[0].message
    (tmp_path / "bad.md").write_text("one\x07\n")
    _, faults = read_text(tmp_path / "bad.md", "bad.md", at)
    assert [(fault.code, fault.span) for fault in faults] == [("F108", Span("bad.md", 1, 4, 1, 5))]
