"""Names that are nearly those of the project's own tools and headings (F705)."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from support.projects import write_files

AGENT = "kind: agent\nname: a\ninstructions: Hi.\ndefaults: {model: m, personality: p}\nMORE\n"
MODEL = "kind: model\nname: m\nvendor: v\ninstructions: |\n  Help.\n  # Manner of speaking\n  Be brief.\n  ## Below\n  # Safety\n  Be safe.\n"
PERSONALITY = "kind: personality\nname: p\ntext: Be calm.\nremoves: [REMOVES]\n"
TOOL = "kind: tool\nname: read-pdf\ndescription: Reads.\n"


def found(root: Path, more: str, removes: str = "", model: str = MODEL) -> list[tuple[str, str, int]]:
    own = {
        "frieze.yaml": "kind: project\nname: p\n",
        "profiles/a.yaml": AGENT.replace("MORE", more),
        "profiles/m.yaml": model,
        "profiles/p.yaml": PERSONALITY.replace("REMOVES", removes),
        "profiles/t.yaml": TOOL,
        "profiles/u.yaml": TOOL.replace("read-pdf", "read-pdfs"),
    }
    rows = []
    for entry in frieze.check(write_files(root, own)).diagnostics:
        if entry.code == "F705":
            facts = dict(entry.args)
            rows.append((facts["name"], facts["near"], entry.span.line))
    return rows


@pytest.mark.parametrize("name", ["read-pfd", "raed-pdf", "read_pdf", "Read-PDF", "read-pd"])
def test_an_attachment_that_is_nearly_a_tool(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, f"tools: [read-pdf]\nattachments: {{{name}: PDF files}}") == [(name, "read-pdf", 6)]


@pytest.mark.parametrize(
    "more",
    [
        "tools: [read-pdf]\nattachments: {read-pdf: PDF files, show-image: photos}",
        "tools: [read-pdf]\nattachments: {read-pdfs: PDF files}",
        "attachments: {read-pfd: PDF files}",
        "tools: [read-pdf]",
    ],
)
def test_attachments_that_may_be_meant(tmp_path: Path, more: str) -> None:
    assert found(tmp_path, more) == []


@pytest.mark.parametrize("name", ["Manner of speeking", "manner of speaking", "Manner of  speaking", "Saftey"])
def test_a_heading_that_is_nearly_there(tmp_path: Path, name: str) -> None:
    near = "Safety" if name == "Saftey" else "Manner of speaking"
    assert found(tmp_path, "", f"Other, {name}") == [(name, near, 4)]


def test_of_headings_that_are_equally_near_the_first_is_told(tmp_path: Path) -> None:
    names = [
        f"{part} of the tools" for part in ("Use", "Care", "Choice", "Order", "Names", "Limits", "Cost", "Results")
    ]
    twins = "".join(f"  # {name}\n  # {name.replace(' ', '-')}\n" for name in names)
    wanted = [(name.replace(" ", "_"), name, 4) for name in names]
    assert found(tmp_path, "", ", ".join(row[0] for row in wanted), MODEL + twins) == wanted


@pytest.mark.parametrize("removes", ["", "Manner of speaking, Safety", "Below", "Elsewhere"])
def test_headings_that_may_be_meant(tmp_path: Path, removes: str) -> None:
    assert found(tmp_path, "", removes) == []
